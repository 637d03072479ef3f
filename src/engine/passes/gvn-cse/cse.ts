/** CSE of one block at a time: looks each eligible instruction up in the value table and replaces it by a MOV from its leader. */

import { moveOf } from "../../analysis/commoning.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import { Environment } from "../../analysis/value-environment.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, isUniformReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, terminatorsOf } from "../../ir/visit.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { ValueTable } from "../../structures/value-table.ts";
import type { Facts } from "../../trace/event.ts";
import { DominanceCache } from "./dominance-cache.ts";
import { eligibility } from "./eligibility.ts";
import type { Numbering } from "./numbering.ts";
import { RULES } from "./rules.ts";

export interface CseOptions {
  readonly edit: Editor;
  readonly remark: Remarks;
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
  readonly counts = { eligible: 0, movs: 0, removed: 0, joins: 0 };
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
    const { remark, numbering } = options;
    this.table = new ValueTable(remark.observe("value-table", "Value table", RULES.lookup));
    this.cache = new DominanceCache(numbering.walk.tree, remark);
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
    const { remark, numbering } = this.options;
    this.entered = place + 1;
    const id = numbering.walk.order[place];
    if (id === undefined) return;
    this.env.enter(id);
    if (this.options.oneBlock && work) this.table.clear();
    if (work) remark.open(RULES.instruction, { block: id });
    let open = work;
    // The block of the original function: its instructions keep their ids, and replaced ones keep their numbers.
    this.at = -1;
    for (const inst of numbering.fn.blocks[id]?.insts ?? []) {
      this.at++;
      if (open && (numbering.key[inst.id] ?? -1) >= 0) {
        if (this.options.budget.take(RULES.instruction)) this.instruction(id, inst);
        else open = false;
      } else if (open) {
        open = this.other(id, inst);
      }
      this.define(inst);
      if (open && this.options.measured) this.forward(id, inst);
    }
    if (this.options.measured) this.recordExit(id);
    this.env.leave(id);
    if (work) remark.close();
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
  private other(block: BlockId, inst: Inst): boolean {
    const { remark, enhanced, barriersEndScope, barriersAreSafe } = this.options;
    if (!isTerminator(inst)) {
      remark.missed(RULES.eligible, "not-eligible", () => {
        const { row, why } = eligibility(inst, enhanced);
        return { inst, why, block, also: { row } };
      });
    }
    const ends = effectOf(inst) === "barrier" && barriersEndScope && !barriersAreSafe && inst.op !== "MEMBAR";
    return remark.holds(RULES.barrier, "unsafe-barrier", !ends, { inst, block });
  }

  private instruction(block: BlockId, inst: Inst): void {
    const { remark, numbering, enhanced } = this.options;
    const key = numbering.key[inst.id] ?? -1;
    this.counts.eligible++;
    remark.step(RULES.eligible, () => {
      const { row, why } = eligibility(inst, enhanced);
      return { inst, why, block, also: { row, key } };
    });
    this.table.obs.at(RULES.lookup, { block, inst });
    const found = this.table.insert(key, this.leaders.length);
    if (found.isNew) {
      this.lead(block, inst);
      if (this.options.measured && this.fromPredecessors(block, inst, key)) return;
      remark.missed(RULES.leader, "first-of-its-value", { inst, block, key, node: numbering.view.node(inst.id) });
      return;
    }
    const leader = this.leaders[found.value];
    if (leader === undefined) return;
    const verdict = this.usable(block, inst, leader);
    if (verdict === "replace") this.replace(block, inst, leader);
    if (verdict !== "lead") return;
    this.table.replace(found.node, this.leaders.length);
    this.lead(block, inst);
    if (this.options.measured) this.fromPredecessors(block, inst, key);
  }

  /**
   * T3 to T5, and what the notes leave to their callers: the instruction is replaced, stays, or leads from now on, since its leader
   * cannot be used any more.
   */
  private usable(block: BlockId, inst: Inst, leader: Leader): "replace" | "stay" | "lead" {
    const { remark, numbering, ebbMarks } = this.options;
    const about = { inst, block, insts: [leader.inst], leader: leader.reg, node: numbering.view.node(inst.id) };
    if (leader.block !== block) {
      const above = numbering.walk.tree.idom[block] ?? -1;
      if (ebbMarks !== null && above >= 0 && ebbMarks[above] === 1) {
        remark.missed(RULES.t3, "dominator-marked", { ...about, above: above as BlockId });
        return "lead";
      }
      const dominates = this.cache.dominates(leader.block, block);
      if (!remark.holds(RULES.t4, "leader-dominates", dominates, { ...about, home: leader.block })) return "lead";
    }
    const held = this.env.read(leader.reg) === leader.version;
    if (!remark.holds(RULES.holds, "value-overwritten", held, about)) return "lead";
    const dest = defsOf(inst)[0];
    const copies = dest !== undefined && mayCopy(dest, leader.reg);
    if (!remark.holds(RULES.holds, "register-class", copies, { ...about, dest: dest ?? null })) return "stay";
    if (inst.op !== "MOV" && inst.op !== "PMOV") return "replace";
    remark.missed(RULES.t5, "already-a-move", about);
    return "stay";
  }

  private lead(block: BlockId, inst: Inst): void {
    const reg = defsOf(inst)[0];
    if (reg !== undefined) this.leaders.push({ inst: inst.id, block, reg, version: this.options.numbering.version[inst.id] ?? -1 });
  }

  private replace(block: BlockId, inst: Inst, leader: Leader): void {
    const { edit, remark } = this.options;
    const dest = defsOf(inst)[0];
    if (dest === undefined) return;
    const about = { blocks: [block, leader.block], insts: [leader.inst], regs: [dest, leader.reg], also: { condition: "T6" } };
    remark.found(RULES.t6, dest === leader.reg ? "removed" : "copied", { inst, leader: leader.reg, where: leader.block, ...about }, () => {
      if (dest === leader.reg) {
        this.counts.removed++;
        edit.remove(block, this.at--);
      } else {
        this.counts.movs++;
        edit.replace(block, this.at, moveOf(inst, dest, leader.reg));
      }
    });
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
    const { edit, remark, numbering } = this.options;
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
    const labels = (): Facts => ({ preds: preds.map((p) => edit.block(p).label) });
    const copied = remark.found(RULES.join, { block: id, inst, blocks: preds, also: labels }, () => {
      this.counts.joins++;
      this.counts.movs += preds.length + 1;
      const shared = edit.freshReg(isPredicateReg(dest) ? "P" : is64(dest) ? "RD" : "R");
      for (const [i, pred] of preds.entries()) {
        const source = sources[i];
        if (source !== undefined) edit.insert(pred, terminatorsOf(edit.block(pred)).at, moveOf(edit.make("MOV", []), shared, source));
      }
      edit.replace(id, this.at, moveOf(inst, dest, shared));
      return true;
    });
    return copied ?? false;
  }
}

/** A uniform register takes values from uniform ones only. */
function mayCopy(dest: Reg, source: Reg): boolean {
  return !isUniformReg(dest) || isUniformReg(source);
}
