/** Second half of the phase: hash-based commoning inside one block, with leaders no further back than a window of instructions. */

import { copiedRegister, memoryState, moveOf, readsClock } from "../../analysis/commoning.ts";
import { expressionText, Numbers } from "../../analysis/expression-text.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import type { Variable } from "../../analysis/merges.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess } from "../../ir/visit.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { plural } from "../../text/plural.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE } from "../../trace/recorder.ts";
import type { PassContext } from "../pass.ts";
import { LINE } from "./pseudocode.ts";

interface Leader {
  readonly inst: InstId;
  readonly reg: Reg;
  /** The number that its register holds while the value is there. */
  readonly version: number;
  /** Place in the chain of blocks. */
  readonly at: number;
}

export class LocalCse {
  readonly counts = { looked: 0, hits: 0, movs: 0, removed: 0 };
  readonly refusals = new Map<string, number>();
  private readonly ctx: PassContext;
  private readonly budget: Budget;
  private readonly window: number;
  private readonly table: ValueTable;
  private readonly numbers = new Numbers();
  private readonly view;
  private leaders: Leader[] = [];
  /** Instructions of the chain so far. */
  private seen = 0;
  private shown: string[] = [];

  constructor(ctx: PassContext, budget: Budget) {
    const { rec, knobs } = ctx;
    this.ctx = ctx;
    this.budget = budget;
    this.window = Math.max(0, knobs.int("reassociate-cse-window", LINE.window));
    this.table = new ValueTable(rec.on ? { rec, name: "cse-table", title: "Local commoning: hash table", line: LINE.lookup } : undefined);
    this.view = rec.on ? rec.structure("ring", "cse-window", "Local commoning: leaders in the window") : NO_STRUCTURE;
  }

  /** A block, and those into which it runs with no other way in or out: after clean-up they would be one. */
  chain(ids: readonly BlockId[]): void {
    const { edit, rec } = this.ctx;
    if (rec.on) {
      for (const key of this.shown) rec.cell(this.view, key, undefined);
      this.shown = [];
      const blocks = ids.map((id) => edit.block(id).label);
      const facts = { blocks, window: this.window };
      rec.begin("visit", LINE.window, "common inside {blocks}, {window} {window:instruction|instructions} back at most", facts, {
        blocks: ids,
      });
      this.table.obs.at(LINE.lookup, { blocks: ids });
    }
    this.table.clear();
    this.leaders = [];
    this.seen = 0;
    const current = new Map<Variable, number>();
    for (const id of ids) this.block(id, current);
    if (rec.on) rec.end();
  }

  private block(id: BlockId, current: Map<Variable, number>): void {
    const { edit, rec } = this.ctx;
    const read = (v: Variable): number => {
      let n = current.get(v);
      if (n === undefined) {
        n = this.numbers.fresh();
        current.set(v, n);
      }
      return n;
    };
    const doomed = new Map<InstId, Leader>();
    // The list as it is now: replacing below does not move anything.
    for (const [at, inst] of edit.block(id).insts.slice().entries()) {
      const key = this.keyOf(inst, read);
      let version = key;
      if (key < 0 || inst.guard !== null) {
        const source = copiedRegister(inst);
        version = source === null ? this.numbers.fresh() : read(source);
      }
      if (key >= 0) this.look(id, at, inst, key, version, current, doomed);
      for (const [k, r] of defsOf(inst).entries()) current.set(r, k === 0 ? version : this.numbers.fresh());
      for (const space of changedSpaces(inst)) current.set(space, this.numbers.fresh());
      this.seen++;
    }
    if (doomed.size > 0) {
      edit.sweep(
        id,
        (inst) => doomed.has(inst.id),
        rec.on ? (inst) => this.tell(id, inst, doomed.get(inst.id) as Leader, true) : undefined,
      );
    }
  }

  /** The index of the expression; -1 where there is nothing to common. */
  private keyOf(inst: Inst, read: (v: Variable) => number): number {
    if (inst.op === "MOV" || inst.op === "PMOV" || inst.op === "PHI" || inst.op === "NOP" || defsOf(inst).length !== 1) return -1;
    if (inst.ops[0]?.kind !== "reg") return -1;
    const effect = effectOf(inst);
    const isLoad = effect === "load" && !isVolatileAccess(inst);
    if (effect !== "pure" && !isLoad) return -1;
    if (readsClock(inst)) return -1;
    return this.numbers.intern(expressionText(inst, read, memoryState(inst, { read })));
  }

  private look(
    id: BlockId,
    at: number,
    inst: Inst,
    key: number,
    version: number,
    current: ReadonlyMap<Variable, number>,
    doomed: Map<InstId, Leader>,
  ): void {
    const { rec, edit } = this.ctx;
    this.counts.looked++;
    if (rec.on) {
      const text = printInst(edit.func, inst);
      rec.event("value-number", LINE.key, "'{inst}' has the key {key}", { inst: text, key }, { blocks: [id], insts: [inst.id] });
      this.table.obs.at(LINE.lookup, { blocks: [id], insts: [inst.id] });
    }
    const found = this.table.insert(key, this.leaders.length);
    const leader = found.isNew ? undefined : this.leaders[found.value];
    const dest = defsOf(inst)[0] as Reg;
    if (leader === undefined) {
      this.say(id, inst, LINE.miss, "leader", `nothing in the block has the key ${key} yet: it leads`, false);
    } else if (this.seen - leader.at > this.window) {
      const why = `its leader stands ${plural(this.seen - leader.at, "instruction")} back, the window is ${this.window}`;
      this.say(id, inst, LINE.far, "window", why);
    } else if (current.get(leader.reg) !== leader.version) {
      this.say(id, inst, LINE.overwritten, "overwritten", `${regName(leader.reg)} does not hold the leader's value any more`);
    } else if (isUniformReg(dest) && !isUniformReg(leader.reg)) {
      this.say(id, inst, LINE.overwritten, "register-class", `${regName(leader.reg)} can't be copied into the uniform ${regName(dest)}`);
      return;
    } else if (!this.budget.take(LINE.replace)) {
      this.say(id, inst, LINE.replace, "budget", "the budget is spent");
      return;
    } else {
      this.replace(id, at, inst, dest, leader, doomed);
      return;
    }
    if (!found.isNew) this.table.replace(found.node, this.leaders.length);
    this.leaders.push({ inst: inst.id, reg: dest, version, at: this.seen });
    if (rec.on) {
      const slot = `s${this.window === 0 ? 0 : this.seen % this.window}`;
      this.shown.push(slot);
      rec.cell(this.view, slot, { at: this.seen, key, reg: regName(dest), inst: printInst(edit.func, inst) });
    }
  }

  private replace(id: BlockId, at: number, inst: Inst, dest: Reg, leader: Leader, doomed: Map<InstId, Leader>): void {
    const { edit, rec } = this.ctx;
    this.counts.hits++;
    if (dest === leader.reg) {
      this.counts.removed++;
      doomed.set(inst.id, leader);
      return;
    }
    this.counts.movs++;
    if (rec.on) this.tell(id, inst, leader, false);
    edit.replace(id, at, moveOf(inst, dest, leader.reg));
  }

  private tell(id: BlockId, inst: Inst, leader: Leader, removed: boolean): void {
    const { edit, rec } = this.ctx;
    rec.event(
      "rewrite",
      LINE.replace,
      removed ? "'{inst}' computes again what {leader} holds: removed" : "'{inst}' computes again what {leader} holds: a MOV instead",
      { inst: printInst(edit.func, inst), leader: regName(leader.reg), verdict: "yes" },
      { blocks: [id], insts: [inst.id, leader.inst], regs: [leader.reg] },
    );
  }

  /** `counts`: a first occurrence is no refusal. */
  private say(id: BlockId, inst: Inst, line: number, condition: string, why: string, counts = true): void {
    const { edit, rec } = this.ctx;
    if (counts) this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    if (!rec.on) return;
    rec.event(
      "match",
      line,
      "'{inst}' in {block} stays: {why}",
      { inst: printInst(edit.func, inst), block: edit.block(id).label, why, verdict: "no", condition },
      { blocks: [id], insts: [inst.id] },
    );
  }
}
