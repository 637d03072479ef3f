/** Second half of the phase: hash-based commoning inside one block, with leaders no further back than a window of instructions. */

import { copiedRegister, memoryState, moveOf, readsClock } from "../../analysis/commoning.ts";
import { exchangedAsMeasured, expressionText, Numbers, sourceTexts } from "../../analysis/expression-text.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import type { Variable } from "../../analysis/merges.ts";
import type { Budget } from "../../config/knob-store.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess } from "../../ir/visit.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { printInst } from "../../text/printer.ts";
import type { PassContext } from "../pass.ts";
import type { WindowRow } from "./rows.ts";
import { RULES } from "./rules.ts";

interface Leader {
  readonly inst: InstId;
  readonly reg: Reg;
  /** The number that its register holds while the value is there. */
  readonly version: number;
  /** Place in the chain of blocks. */
  readonly at: number;
}

export class LocalCse {
  readonly counts = { looked: 0, movs: 0, removed: 0 };
  private readonly ctx: Pick<PassContext, "edit" | "remark">;
  private readonly budget: Budget;
  private readonly window: number;
  private readonly measured: boolean;
  private readonly table: ValueTable;
  private readonly numbers = new Numbers();
  private readonly view: ShownTable<WindowRow>;
  private leaders: Leader[] = [];
  /** Instructions of the chain so far. */
  private seen = 0;
  private shown: string[] = [];

  constructor(ctx: PassContext, budget: Budget) {
    const { remark, knobs, policy } = ctx;
    this.ctx = ctx;
    this.measured = policy === "measured";
    this.budget = budget;
    this.window = Math.max(0, knobs.int("reassociate-cse-window", RULES.window));
    this.table = new ValueTable(remark.observe("cse-table", "Local commoning: hash table", RULES.lookup));
    this.view = remark.shown.ring<WindowRow>("cse-window", "Local commoning: leaders in the window");
  }

  /** A block, and those into which it runs with no other way in or out: after clean-up they would be one. */
  chain(ids: readonly BlockId[]): void {
    const { remark } = this.ctx;
    for (const key of this.shown) this.view.remove(key);
    this.shown = [];
    remark.open(RULES.window, "chain", { blocks: ids, window: this.window });
    this.table.obs.at(RULES.lookup, { blocks: ids });
    this.table.clear();
    this.leaders = [];
    this.seen = 0;
    const current = new Map<Variable, number>();
    for (const id of ids) this.block(id, current);
    remark.close();
  }

  private block(id: BlockId, current: Map<Variable, number>): void {
    const { edit } = this.ctx;
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
    const insts = edit.block(id).insts.slice();
    for (let at = 0; at < insts.length; at++) {
      const inst = insts[at] as Inst;
      const key = this.keyOf(inst, read);
      let version = key;
      if (key < 0 || inst.guard !== null) {
        const source = copiedRegister(inst);
        version = source === null ? this.numbers.fresh() : read(source);
      }
      if (key >= 0) this.look(id, at, inst, key, version, current, doomed);
      const defs = defsOf(inst);
      for (let k = 0; k < defs.length; k++) current.set(defs[k] as Reg, k === 0 ? version : this.numbers.fresh());
      const spaces = changedSpaces(inst);
      for (let k = 0; k < spaces.length; k++) current.set(spaces[k] as Variable, this.numbers.fresh());
      this.seen++;
    }
    if (doomed.size > 0) this.remove(id, doomed);
  }

  /** The index of the expression; -1 where there is nothing to common. */
  private keyOf(inst: Inst, read: (v: Variable) => number): number {
    if (inst.op === "MOV" || inst.op === "PMOV" || inst.op === "PHI" || inst.op === "NOP" || defsOf(inst).length !== 1) return -1;
    if (inst.ops[0]?.kind !== "reg") return -1;
    const effect = effectOf(inst);
    const isLoad = effect === "load" && !isVolatileAccess(inst);
    if (effect !== "pure" && !isLoad) return -1;
    if (readsClock(inst)) return -1;
    const sources = this.measured ? sourceTexts(inst, read, exchangedAsMeasured) : sourceTexts(inst, read);
    return this.numbers.intern(expressionText(inst, read, memoryState(inst, { read }, this.measured), sources));
  }

  private look(
    block: BlockId,
    at: number,
    inst: Inst,
    key: number,
    version: number,
    current: ReadonlyMap<Variable, number>,
    doomed: Map<InstId, Leader>,
  ): void {
    const { edit, remark } = this.ctx;
    this.counts.looked++;
    remark.step(RULES.key, { inst, key, block });
    this.table.obs.at(RULES.lookup, { block, inst });
    const found = this.table.insert(key, this.leaders.length);
    const leader = found.isNew ? undefined : this.leaders[found.value];
    const dest = defsOf(inst)[0] as Reg;
    if (leader === undefined) {
      remark.missed(RULES.miss, "first-of-its-key", { inst, block, key });
    } else if (this.reaches(block, inst, leader, current)) {
      const copies = !isUniformReg(dest) || isUniformReg(leader.reg);
      if (!copies) {
        remark.missed(RULES.overwritten, "register-class", { inst, block, leader: leader.reg, dest });
        return;
      }
      if (!this.budget.take(RULES.replace)) {
        remark.missed(RULES.replace, "commoning-budget", { inst, block });
      } else if (dest === leader.reg) {
        doomed.set(inst.id, leader);
      } else {
        remark.found(RULES.replace, "copied", commoned(block, inst, leader), () => {
          this.counts.movs++;
          edit.replace(block, at, moveOf(inst, dest, leader.reg));
        });
      }
      return;
    }
    if (!found.isNew) this.table.replace(found.node, this.leaders.length);
    this.leaders.push({ inst: inst.id, reg: dest, version, at: this.seen });
    if (!remark.listening) return;
    const slot = `s${this.window === 0 ? 0 : this.seen % this.window}`;
    this.shown.push(slot);
    this.view.set(slot, { at: this.seen, key, reg: regName(dest), inst: printInst(edit.func, inst) });
  }

  /** The leader is in the window, and its register still holds the value. */
  private reaches(block: BlockId, inst: Inst, leader: Leader, current: ReadonlyMap<Variable, number>): boolean {
    const { remark } = this.ctx;
    const back = this.seen - leader.at;
    if (back > this.window) return remark.missed(RULES.far, "window", { inst, block, back, window: this.window }) !== null;
    const held = current.get(leader.reg) === leader.version;
    return remark.holds(RULES.overwritten, "value-overwritten", held, { inst, block, leader: leader.reg });
  }

  /** One that stays computes again what its register holds: nothing that was decided since depends on the removal. */
  private remove(block: BlockId, doomed: ReadonlyMap<InstId, Leader>): void {
    const { edit, remark } = this.ctx;
    const remove = (inst: Inst, apply: () => void): boolean => {
      const leader = doomed.get(inst.id);
      if (leader === undefined) return false;
      const removed = remark.found(RULES.replace, "removed", commoned(block, inst, leader), () => {
        this.counts.removed++;
        apply();
        return true;
      });
      return removed ?? false;
    };
    if (!remark.listening) edit.sweep(block, (inst) => remove(inst, () => {}));
    // Each removal right after what is said about it; the last one first, so that places hold.
    else for (const [at, inst] of [...edit.block(block).insts.entries()].reverse()) remove(inst, () => edit.remove(block, at));
  }
}

const commoned = (block: BlockId, inst: Inst, leader: Leader) =>
  ({ inst, leader: leader.reg, block, insts: [leader.inst], regs: [leader.reg] }) as const;
