/** CSE of one block at a time: looks each eligible instruction up in the value table and replaces it by a MOV from its leader. */

import type { BitSet } from "../../../base/bitset.ts";
import { copiedRegister, moveOf } from "../../analysis/commoning.ts";
import { dominates } from "../../analysis/dominators.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import { Environment } from "../../analysis/value-environment.ts";
import type { Budget } from "../../config/knob-store.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, terminatorsOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { printInst } from "../../text/printer.ts";
import type { Facts } from "../../trace/event.ts";
import { DeferredMoves } from "./deferred.ts";
import { DominanceCache } from "./dominance-cache.ts";
import { eligibility } from "./eligibility.ts";
import { extendedRoots } from "./extended-blocks.ts";
import type { LeaderScope } from "./modes.ts";
import type { Numbering } from "./numbering.ts";
import type { LeaderRow } from "./rows.ts";
import { RULES } from "./rules.ts";
import { SortedOperands } from "./sorted-operands.ts";

export interface CseOptions {
  readonly edit: Editor;
  readonly remark: Remarks;
  readonly numbering: Numbering;
  readonly enhanced: boolean;
  /** After the remapping rules: 1 to 6. */
  readonly mode: number;
  readonly scope: LeaderScope;
  /** Modes 1 and 2: a barrier that is not safe ends the block's scope. */
  readonly barriersEndScope: boolean;
  readonly barriersAreSafe: boolean;
  /** The full modes: places of blocks with an eligible instruction; those that were not pushed have leaders all the same. */
  readonly visited: BitSet | null;
  /** Marks of the EBB pre-pass; null when it did not run. */
  readonly ebbMarks: Uint8Array | null;
  /** Largest version number is 28671: a hook of the backend sorts operands and marks them. */
  readonly sortsOperands: boolean;
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
  /** Root of its extended basic block, where that is the scope; else -1. */
  readonly root: number;
  /** The instruction after it copies its result. */
  readonly followed: boolean;
  /** The leader of the same value that it took over from, while its own extended block is walked; -1 for none. */
  readonly before: number;
}

/** A block of the walk: looked at in full, only for the leaders it has, or passed through. */
type Visit = "all" | "leaders" | "none";

export class Cse {
  readonly counts = { eligible: 0, movs: 0, removed: 0, joins: 0 };
  readonly table: ValueTable;
  readonly cache: DominanceCache;
  private readonly options: CseOptions;
  private readonly leaders: Leader[] = [];
  private readonly leaderView: ShownTable<LeaderRow>;
  private readonly sorted: SortedOperands | null;
  private readonly env: Environment;
  /** Next block of the dominator walk that the environment has not entered. */
  private entered = 0;
  /** Where the instruction at hand stands in its block now: removed ones are gone. */
  private at = 0;
  /** The instruction after the one at hand, in the function as it came in. */
  private after: Inst | undefined;
  private readonly roots: Int32Array | null;
  /** The full modes write at the end. */
  private readonly deferred: DeferredMoves | null;
  /** Values that registers hold at a block's end, for joins; only under policy 'measured'. */
  private readonly exits = new Map<BlockId, Map<number, Reg>>();

  constructor(options: CseOptions) {
    this.options = options;
    const { edit, remark, numbering, mode, scope } = options;
    this.table = new ValueTable(remark.observe("value-table", "Value table", RULES.lookup));
    this.leaderView = remark.shown.table<LeaderRow>("leaders", "Value records: the leader of each entry (node +16)");
    this.cache = new DominanceCache(numbering.walk.tree, remark, mode === 2);
    this.roots = scope === "extended" ? extendedRoots(numbering.fn, numbering.walk.order) : null;
    this.deferred = mode > 2 ? new DeferredMoves(edit, remark) : null;
    this.env = new Environment(numbering.fn, numbering.numbers, numbering.merges, numbering.walk, numbering.merged);
    this.sorted = options.sortsOperands && remark.listening ? new SortedOperands(remark) : null;
  }

  /** Processes the block at a place of the dominator walk; places must ascend. Of blocks in between only the leaders are taken. */
  block(place: number): void {
    while (this.entered < place) this.between();
    if (this.entered === place) this.pass(place, "all");
  }

  /** Walks to the end and writes what waits. */
  finish(): void {
    while (this.entered < this.options.numbering.walk.order.length) this.between();
    this.deferred?.flush();
  }

  private between(): void {
    this.pass(this.entered, this.options.visited?.has(this.entered) === true ? "leaders" : "none");
  }

  private pass(place: number, visit: Visit): void {
    const { remark, numbering } = this.options;
    this.entered = place + 1;
    const id = numbering.walk.order[place];
    if (id === undefined) return;
    this.env.enter(id);
    if (this.options.scope === "block" && visit === "all") this.table.clear();
    if (visit !== "none") remark.open(RULES.instruction, visit, { block: id });
    let open = visit !== "none";
    // The block of the original function: its instructions keep their ids, and replaced ones keep their numbers.
    this.at = -1;
    const insts = numbering.fn.blocks[id]?.insts ?? [];
    for (const [place, inst] of insts.entries()) {
      this.at++;
      this.after = insts[place + 1];
      if (open && (numbering.key[inst.id] ?? -1) >= 0) {
        if (!this.options.budget.take(RULES.instruction)) open = false;
        else if (visit === "all") this.instruction(id, inst);
        else this.leaderOnly(id, inst);
      } else if (open && visit === "all") {
        open = this.other(id, inst);
      } else if (open || visit === "none") {
        this.refuseSubtype(id, inst);
      }
      this.define(inst);
      if (open && this.options.measured) this.forward(id, inst);
    }
    if (this.options.measured) this.recordExit(id);
    this.env.leave(id);
    if (visit !== "none") remark.close();
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
    const { remark, barriersEndScope, barriersAreSafe } = this.options;
    if (!this.refuseSubtype(block, inst) && !isTerminator(inst)) {
      remark.missed(RULES.eligible, "not-eligible", () => {
        const { row, why } = eligibility(inst, this.options);
        return { inst, why, block, also: { row } };
      });
    }
    const ends = effectOf(inst) === "barrier" && barriersEndScope && !barriersAreSafe && inst.op !== "MEMBAR";
    return !ends || remark.missed(RULES.barrier, "unsafe-barrier", { inst, block }) !== null;
  }

  /** A vote or a match that is no candidate for its subtype alone: a decision of the policy's, told and counted wherever it stands. */
  private refuseSubtype(block: BlockId, inst: Inst): boolean {
    if (inst.op !== "VOTE" && inst.op !== "MATCH") return false;
    const { row, why, subtype = false } = eligibility(inst, this.options);
    if (subtype) this.options.remark.missed(RULES.eligible, "subtype", { inst, why, block, also: { row } });
    return subtype;
  }

  private instruction(block: BlockId, inst: Inst): void {
    const { remark, numbering } = this.options;
    const key = numbering.key[inst.id] ?? -1;
    this.counts.eligible++;
    remark.step(RULES.eligible, () => {
      const { row, why } = eligibility(inst, this.options);
      return { inst, why, block, also: { row, key } };
    });
    this.sorted?.tell(block, inst, this.env.readReg);
    this.table.obs.at(RULES.lookup, { block, inst });
    const found = this.table.insert(key, this.leaders.length);
    if (found.isNew) {
      this.lead(block, inst, -1);
      if (this.options.measured && this.fromPredecessors(block, inst, key)) return;
      this.sayFirst(block, inst, key);
      return;
    }
    const index = this.roots === null ? found.value : this.leaderInSight(found.node, found.value, block);
    const leader = this.leaders[index];
    if (leader === undefined) {
      this.table.replace(found.node, this.leaders.length);
      this.lead(block, inst, -1);
      this.sayFirst(block, inst, key);
      return;
    }
    const verdict = this.usable(block, inst, leader);
    if (verdict === "replace") this.replace(block, inst, leader);
    if (verdict !== "lead") return;
    this.table.replace(found.node, this.leaders.length);
    this.lead(block, inst, index);
    if (this.options.measured) this.fromPredecessors(block, inst, key);
  }

  /** A miss. Mode 2 tells apart whether there is anything above the block to look at. */
  private sayFirst(block: BlockId, inst: Inst, key: number): void {
    const { remark, numbering, mode } = this.options;
    const about = { inst, block, key, node: numbering.view.node(inst.id) };
    if (mode !== 2) remark.missed(RULES.leader, "first-of-its-value", about);
    else if ((numbering.walk.tree.idom[block] ?? -1) < 0) remark.missed(RULES.leader, "no-dominator", about);
    else remark.missed(RULES.leader, "empty-slot", about);
  }

  /** A block that the walk did not push: nothing that dominates it computes any of its values, so that its instructions only lead. */
  private leaderOnly(block: BlockId, inst: Inst): void {
    const { remark, numbering } = this.options;
    const key = numbering.key[inst.id] ?? -1;
    this.counts.eligible++;
    this.table.obs.at(RULES.lookup, { block, inst });
    const found = this.table.insert(key, this.leaders.length);
    if (!found.isNew) this.table.replace(found.node, this.leaders.length);
    this.lead(block, inst, found.isNew ? -1 : found.value);
    remark.missed(RULES.leader, "leads-unpushed", { inst, block, key, node: numbering.view.node(inst.id) });
  }

  /** Extended blocks nest in the dominator tree: a leader whose own extended block has been walked to its end gives way to the one it took over from. */
  private leaderInSight(node: number, index: number, block: BlockId): number {
    const { tree } = this.options.numbering.walk;
    let at = index;
    for (let leader = this.leaders[at]; leader !== undefined && !dominates(tree, leader.root, block); leader = this.leaders[at])
      at = leader.before;
    if (at !== index && at >= 0) this.table.replace(node, at);
    return at;
  }

  /**
   * T3 to T5, and what the reference leaves to its callers: the instruction is replaced, stays, or leads from now on, since its leader
   * cannot be used any more.
   */
  private usable(block: BlockId, inst: Inst, leader: Leader): "replace" | "stay" | "lead" {
    const { remark, numbering, ebbMarks, mode } = this.options;
    const about = { inst, block, insts: [leader.inst], leader: leader.reg, node: numbering.view.node(inst.id) };
    if (leader.block !== block) {
      const above = numbering.walk.tree.idom[block] ?? -1;
      if (ebbMarks !== null && above >= 0 && ebbMarks[above] === 1) {
        remark.missed(RULES.t3, "dominator-marked", { ...about, above: above as BlockId });
        return "lead";
      }
      if (this.roots !== null && leader.root !== this.roots[block]) {
        remark.missed(RULES.scope, "outside-extended-block", { ...about, home: leader.block });
        return "lead";
      }
      const own = this.cache.denies(leader.block, block);
      if (!remark.holds(RULES.t4, "leader-dominates", !own, { ...about, home: leader.block })) return "lead";
      if (mode === 2 && leader.followed) {
        remark.missed(RULES.t5, "followed-by-a-move", about);
        return "stay";
      }
    }
    const held = this.env.read(leader.reg) === leader.version;
    if (!remark.holds(RULES.holds, "value-overwritten", held, about)) return "lead";
    const dest = defsOf(inst)[0];
    const copies = dest !== undefined && mayCopy(dest, leader.reg);
    if (!copies) return remark.missed(RULES.holds, "register-class", { ...about, dest: dest ?? null }) ?? "stay";
    if (inst.op !== "MOV" && inst.op !== "PMOV") return "replace";
    remark.missed(RULES.holds, "already-a-move", about);
    return "stay";
  }

  private lead(block: BlockId, inst: Inst, before: number): void {
    const reg = defsOf(inst)[0];
    if (reg !== undefined) this.record(block, inst, reg, this.options.numbering.version[inst.id] ?? -1, before);
  }

  private record(block: BlockId, inst: Inst, reg: Reg, version: number, before: number): void {
    const followed = this.after !== undefined && copiedRegister(this.after) === reg;
    this.leaderView.set(this.leaders.length, () => {
      const { fn } = this.options.numbering;
      return { inst: printInst(fn, inst), block: fn.blocks[block]?.label ?? "", reg: regName(reg), number: version, before };
    });
    this.leaders.push({ inst: inst.id, block, reg, version, root: this.roots?.[block] ?? -1, followed, before });
  }

  private replace(block: BlockId, inst: Inst, leader: Leader): void {
    const { edit, remark } = this.options;
    const dest = defsOf(inst)[0];
    if (dest === undefined) return;
    const about = { blocks: [block, leader.block], insts: [leader.inst], regs: [dest, leader.reg], also: { condition: "T6" } };
    const remove = dest === leader.reg;
    const name = remove ? "removed" : "copied";
    const said = { inst, leader: leader.reg, where: leader.block, ...about };
    const apply = (at: number): boolean => {
      if (remove) {
        this.counts.removed++;
        edit.remove(block, at);
      } else {
        this.counts.movs++;
        edit.replace(block, at, moveOf(inst, dest, leader.reg));
      }
      return remove;
    };
    if (this.deferred === null) {
      if (remark.found(RULES.t6, name, said, () => apply(this.at)) === true) this.at--;
      return;
    }
    remark.matched(RULES.t6, name, said);
    this.deferred.add(block, inst, (at) => remark.done(RULES.t6, name, said, () => apply(at)) ?? false);
  }

  // --- policy 'measured' ---------------------------------------------------------------------------------------------------

  /** A store leaves its value in memory: a load of the same address finds the stored register. */
  private forward(id: BlockId, inst: Inst): void {
    const { numbering } = this.options;
    const key = numbering.forwarded[inst.id] ?? -1;
    const value = inst.ops[1];
    if (key < 0 || value?.kind !== "reg") return;
    const found = this.table.insert(key, this.leaders.length);
    this.record(id, inst, value.reg, this.env.read(value.reg), found.isNew ? -1 : found.value);
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
      this.deferred === null ||
      this.options.scope !== "dominator" ||
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
    const said = { block: id, inst, blocks: preds, also: labels };
    remark.matched(RULES.join, said);
    this.deferred.add(id, inst, (at) => {
      remark.done(RULES.join, said, () => {
        this.counts.joins++;
        this.counts.movs += preds.length + 1;
        const shared = edit.freshReg(isPredicateReg(dest) ? "P" : is64(dest) ? "RD" : "R");
        for (const [i, pred] of preds.entries()) {
          const source = sources[i];
          if (source !== undefined) edit.insert(pred, terminatorsOf(edit.block(pred)).at, moveOf(edit.make("MOV", []), shared, source));
        }
        edit.replace(id, at, moveOf(inst, dest, shared));
      });
      return false;
    });
    return true;
  }
}

/** A uniform register takes values from uniform ones only. */
function mayCopy(dest: Reg, source: Reg): boolean {
  return !isUniformReg(dest) || isUniformReg(source);
}
