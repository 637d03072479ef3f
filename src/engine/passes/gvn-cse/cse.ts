/** CSE of one block at a time: looks each eligible instruction up in the value table and replaces it by a MOV from its leader. */

import { changedSpaces } from "../../analysis/memory-states.ts";
import { Environment } from "../../analysis/value-environment.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, terminatorsOf } from "../../ir/visit.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { printInst } from "../../text/printer.ts";
import type { Recorder } from "../../trace/recorder.ts";
import { DominanceCache } from "./dominance-cache.ts";
import { eligibility } from "./eligibility.ts";
import type { Numbering } from "./numbering.ts";
import { LINE } from "./pseudocode.ts";

export interface CseOptions {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly numbering: Numbering;
  readonly enhanced: boolean;
  /** Mode 1: leaders of other blocks do not count. */
  readonly oneBlock: boolean;
  /** Modes 1 and 2: a barrier that is not safe ends the block's scope. */
  readonly barriersEndScope: boolean;
  readonly barriersAreSafe: boolean;
  /** Marks of the EBB pre-pass; null when it did not run. */
  readonly ebbMarks: Uint8Array | null;
  readonly budget: Budget;
  /** Policy 'measured': values stored are forwarded, values that all predecessors of a join hold are used. */
  readonly measured: boolean;
}

interface Leader {
  readonly inst: InstId;
  readonly block: BlockId;
  readonly reg: Reg;
  /** The number that its register holds while the value is there. */
  readonly version: number;
}

export class Cse {
  readonly counts = { eligible: 0, hits: 0, movs: 0, removed: 0, joins: 0 };
  readonly refusals = new Map<string, number>();
  readonly table: ValueTable;
  readonly cache: DominanceCache;
  private readonly options: CseOptions;
  private readonly leaders: Leader[] = [];
  private readonly env: Environment;
  /** Next block of the dominator walk that the environment has not entered. */
  private entered = 0;
  /** Where the instruction at hand stands in its block now: removed ones are gone. */
  private at = 0;
  /** Values that registers hold at a block's end, for joins; only under policy 'measured'. */
  private readonly exits = new Map<BlockId, Map<number, Reg>>();

  constructor(options: CseOptions) {
    this.options = options;
    const { rec, numbering, edit } = options;
    this.table = new ValueTable(rec.on ? { rec, name: "value-table", title: "Value table", line: LINE.lookup } : undefined);
    this.cache = new DominanceCache(numbering.walk.tree, rec, (id) => edit.block(id).label);
    this.env = new Environment(numbering.fn, numbering.numbers, numbering.merges, numbering.walk, numbering.merged);
  }

  /** Processes the block at a place of the dominator walk; places must ascend. Blocks in between are only walked through. */
  block(place: number): void {
    while (this.entered < place) this.pass(this.entered, false);
    if (this.entered === place) this.pass(place, true);
  }

  finish(): void {
    while (this.entered < this.options.numbering.walk.order.length) this.pass(this.entered, false);
  }

  private pass(place: number, work: boolean): void {
    const { edit, rec, numbering } = this.options;
    this.entered = place + 1;
    const id = numbering.walk.order[place];
    if (id === undefined) return;
    this.env.enter(id);
    if (this.options.oneBlock && work) this.table.clear();
    if (rec.on && work)
      rec.begin("visit", LINE.instruction, "look at the instructions of {block}", { block: edit.block(id).label }, { blocks: [id] });
    let open = work;
    // The block of the original function: its instructions keep their ids, and replaced ones keep their numbers.
    this.at = -1;
    for (const inst of numbering.fn.blocks[id]?.insts ?? []) {
      this.at++;
      if (open && (numbering.key[inst.id] ?? -1) >= 0) {
        if (this.options.budget.take(LINE.instruction)) this.instruction(id, inst);
        else open = false;
      } else if (open) {
        open = this.other(id, inst);
      }
      this.define(inst);
      if (open && this.options.measured) this.forward(id, inst);
    }
    if (this.options.measured) this.recordExit(id);
    this.env.leave(id);
    if (rec.on && work) rec.end();
  }

  private define(inst: Inst): void {
    const { numbering } = this.options;
    for (const [i, r] of defsOf(inst).entries()) {
      // Second results were numbered freshly: any number that nothing else has will do.
      this.env.set(r, i === 0 ? (numbering.version[inst.id] ?? 0) : -2 - inst.id);
    }
    for (const space of changedSpaces(inst)) this.env.set(space, -2 - inst.id);
  }

  /** Not eligible: says why; false when the scope of the block ends here. */
  private other(id: BlockId, inst: Inst): boolean {
    const { edit, rec, enhanced } = this.options;
    const barrier = effectOf(inst) === "barrier";
    if (rec.on && !isTerminator(inst)) {
      const { row, why } = eligibility(inst, enhanced);
      rec.event(
        "match",
        LINE.eligible,
        "'{inst}' is not eligible: {why}",
        { inst: printInst(edit.func, inst), why, row, verdict: "no", condition: "eligible" },
        { blocks: [id], insts: [inst.id] },
      );
    }
    if (!barrier || !this.options.barriersEndScope || this.options.barriersAreSafe || inst.op === "MEMBAR") return true;
    this.refuse("barrier");
    if (rec.on) {
      rec.event(
        "match",
        LINE.barrier,
        "'{inst}' is not safe to cross in this mode: the scope of {block} ends",
        { inst: printInst(edit.func, inst), block: edit.block(id).label, verdict: "no", condition: "barrier" },
        { blocks: [id], insts: [inst.id] },
      );
    }
    return false;
  }

  private instruction(id: BlockId, inst: Inst): void {
    const { rec, numbering, enhanced } = this.options;
    const key = numbering.key[inst.id] ?? -1;
    this.counts.eligible++;
    if (rec.on) {
      const { row, why } = eligibility(inst, enhanced);
      const text = printInst(numbering.fn, inst);
      rec.event("visit", LINE.eligible, "'{inst}' is eligible: {why}", { inst: text, why, row, key }, { blocks: [id], insts: [inst.id] });
      this.table.obs.at(LINE.lookup, { blocks: [id], insts: [inst.id] });
    }
    const found = this.table.insert(key, this.leaders.length);
    if (found.isNew) {
      this.lead(id, inst);
      if (this.options.measured && this.fromPredecessors(id, inst, key)) return;
      if (rec.on) this.say(id, inst, LINE.leader, "leader", `nothing has the number ${key} yet: it becomes the leader`, null);
      return;
    }
    const leader = this.leaders[found.value];
    if (leader === undefined) return;
    const problem = this.problem(id, inst, leader);
    if (problem === null) {
      this.replace(id, inst, leader);
      return;
    }
    this.refuse(problem.condition);
    if (rec.on) this.say(id, inst, problem.line, problem.condition, problem.why, leader);
    if (problem.takesOver) {
      this.table.replace(found.node, this.leaders.length);
      this.lead(id, inst);
      if (this.options.measured) this.fromPredecessors(id, inst, key);
    }
  }

  /** Why the leader cannot be used: T3 to T5 and what the notes leave to their callers. */
  private problem(
    id: BlockId,
    inst: Inst,
    leader: Leader,
  ): { readonly condition: string; readonly line: number; readonly why: string; readonly takesOver: boolean } | null {
    const { edit, numbering, ebbMarks } = this.options;
    const label = (b: BlockId): string => edit.block(b).label;
    if (leader.block !== id) {
      const above = numbering.walk.tree.idom[id] ?? -1;
      if (ebbMarks !== null && above >= 0 && ebbMarks[above] === 1) {
        return {
          condition: "T3",
          line: LINE.t3,
          why: `its dominator ${label(above as BlockId)} is marked 1: no candidate below it has a leader above`,
          takesOver: true,
        };
      }
      if (!this.cache.dominates(leader.block, id)) {
        return {
          condition: "T4",
          line: LINE.t4,
          why: `${label(leader.block)}, where the leader is, does not dominate ${label(id)}`,
          takesOver: true,
        };
      }
    }
    if (this.env.read(leader.reg) !== leader.version) {
      return {
        condition: "overwritten",
        line: LINE.holds,
        why: `${regName(leader.reg)} does not hold the leader's value any more`,
        takesOver: true,
      };
    }
    const dest = defsOf(inst)[0];
    if (dest === undefined || !mayCopy(dest, leader.reg)) {
      return {
        condition: "register-class",
        line: LINE.holds,
        why: `${regName(leader.reg)} cannot be copied into the uniform ${dest === undefined ? "" : regName(dest)}`,
        takesOver: false,
      };
    }
    if (inst.op === "MOV" || inst.op === "PMOV") return { condition: "T5", line: LINE.t5, why: "it is a MOV already", takesOver: false };
    return null;
  }

  private lead(block: BlockId, inst: Inst): void {
    const reg = defsOf(inst)[0];
    if (reg !== undefined) this.leaders.push({ inst: inst.id, block, reg, version: this.options.numbering.version[inst.id] ?? -1 });
  }

  private replace(id: BlockId, inst: Inst, leader: Leader): void {
    const { edit, rec } = this.options;
    const dest = defsOf(inst)[0];
    if (dest === undefined) return;
    this.counts.hits++;
    const where = edit.block(leader.block).label;
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.t6,
        dest === leader.reg
          ? "'{inst}' computes again what {leader} holds since {where}: removed"
          : "'{inst}' computes again what {leader} holds since {where}: a MOV instead",
        { inst: printInst(edit.func, inst), leader: regName(leader.reg), where, verdict: "yes", condition: "T6" },
        { blocks: [id, leader.block], insts: [inst.id, leader.inst], regs: [dest, leader.reg] },
      );
    }
    if (dest === leader.reg) {
      this.counts.removed++;
      edit.remove(id, this.at--);
    } else {
      this.counts.movs++;
      edit.replace(id, this.at, moveOf(inst, dest, leader.reg));
    }
    if (rec.on) rec.end();
  }

  private refuse(condition: string): void {
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
  }

  private say(id: BlockId, inst: Inst, line: number, condition: string, why: string, leader: Leader | null): void {
    const { edit, rec } = this.options;
    rec.event(
      "match",
      line,
      "'{inst}' in {block} stays: {why}",
      { inst: printInst(edit.func, inst), block: edit.block(id).label, why, verdict: "no", condition },
      { blocks: [id], insts: leader === null ? [inst.id] : [inst.id, leader.inst], nodes: [`value-numbers/${inst.id}`] },
    );
  }

  // --- policy 'measured' ---------------------------------------------------------------------------------------------------

  /** A store leaves its value in memory: a load of the same address finds the stored register. */
  private forward(id: BlockId, inst: Inst): void {
    const { numbering } = this.options;
    const key = numbering.forwarded[inst.id] ?? -1;
    const value = inst.ops[1];
    if (key < 0 || value?.kind !== "reg") return;
    const found = this.table.insert(key, this.leaders.length);
    this.leaders.push({ inst: inst.id, block: id, reg: value.reg, version: this.env.read(value.reg) });
    if (!found.isNew) this.table.replace(found.node, this.leaders.length - 1);
  }

  private recordExit(id: BlockId): void {
    const { numbering } = this.options;
    const block = numbering.fn.blocks[id];
    if (block === undefined || !block.succs.some((s) => (numbering.fn.blocks[s]?.preds.length ?? 0) > 1)) return;
    const held = new Map<number, Reg>();
    for (const inst of block.insts) {
      const key = numbering.key[inst.id] ?? -1;
      const reg = defsOf(inst)[0];
      if (key >= 0 && reg !== undefined && inst.guard === null && this.env.read(reg) === numbering.version[inst.id]) held.set(key, reg);
    }
    this.exits.set(id, held);
  }

  /** Every predecessor of the join holds the value: each copies it into one fresh register, from which the instruction is replaced. */
  private fromPredecessors(id: BlockId, inst: Inst, key: number): boolean {
    const { edit, rec, numbering } = this.options;
    const preds = numbering.fn.blocks[id]?.preds ?? [];
    const dest = defsOf(inst)[0];
    if (
      this.options.oneBlock ||
      preds.length < 2 ||
      dest === undefined ||
      inst.guard !== null ||
      isUniformReg(dest) ||
      inst.op === "MOV" ||
      inst.op === "PMOV"
    )
      return false;
    const sources = preds.map((p) => this.exits.get(p)?.get(key));
    if (sources.some((r) => r === undefined)) return false;
    this.counts.hits++;
    this.counts.joins++;
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.join,
        "every way into {block} has computed '{inst}': the results are copied together",
        { block: edit.block(id).label, inst: printInst(edit.func, inst), preds: preds.map((p) => edit.block(p).label), verdict: "yes" },
        { blocks: [id, ...preds], insts: [inst.id] },
      );
    }
    const shared = edit.freshReg(isPredicateReg(dest) ? "P" : is64(dest) ? "RD" : "R");
    for (const [i, pred] of preds.entries()) {
      const source = sources[i];
      if (source === undefined) continue;
      edit.insert(pred, terminatorsOf(edit.block(pred)).at, moveOf(edit.make("MOV", []), shared, source));
    }
    edit.replace(id, this.at, moveOf(inst, dest, shared));
    this.counts.movs += preds.length + 1;
    if (rec.on) rec.end();
    return true;
  }
}

/** A uniform register takes values from uniform ones only. */
function mayCopy(dest: Reg, source: Reg): boolean {
  return !isUniformReg(dest) || isUniformReg(source);
}

/** `inst` as a copy, under its own id and guard. */
function moveOf(inst: Inst, dest: Reg, source: Reg): Inst {
  const operand = (reg: Reg): Operand => ({ kind: "reg", reg, neg: false, abs: false, not: false });
  return {
    ...inst,
    op: isPredicateReg(dest) ? "PMOV" : "MOV",
    mods: is64(dest) ? ["64"] : [],
    ops: [operand(dest), operand(source)],
  };
}
