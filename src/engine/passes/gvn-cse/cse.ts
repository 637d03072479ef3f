/** CSE of one block at a time: looks each eligible instruction up in the value table and replaces it by a MOV from its leader. */

import { copiedRegister } from "../../analysis/commoning.ts";
import { dominates } from "../../analysis/dominators.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import { Environment } from "../../analysis/value-environment.ts";
import type { Budget } from "../../config/knob-store.ts";
import { copyBlock, copyFunc } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { printInst } from "../../text/printer.ts";
import { usable } from "./conditions.ts";
import { DominanceCache, STAYS } from "./dominance-cache.ts";
import { type DominatorRecords, RECORDS } from "./dominator-records.ts";
import { eligibility } from "./eligibility.ts";
import { forward, join, recordExit } from "./measured.ts";
import { extendedRoots, type LeaderScope } from "./modes.ts";
import type { Numbering } from "./numbering.ts";
import { DeferredMoves, t6 } from "./replace.ts";
import type { LeaderRow } from "./rows.ts";
import type { RpoWalk } from "./rpo-walk.ts";
import { SORTED, SortedOperands } from "./sorted-operands.ts";

/** The lines of a block's walk. */
export const WALK = {
  instruction: line("  for each instruction, while knob 257 lets it (modes 3 to 6: the RPO walk has asked it):", {
    step: {
      all: "examine the instructions of {block}",
      leaders: "{block} needs no scope, because its values are all new",
    },
  }),
  eligible: line("    ELIGIBLE(I)? a row of the table decides; modes 1 and 2 ask all instructions up to the sentinel first", {
    step: "'{inst}' is eligible: {why}",
    missed: {
      "not-eligible": { code: "eligible", counts: false, say: "'{inst}' is not eligible: {why}" },
      subtype: { why: "its subtype is none of the table's", say: "'{inst}' is not eligible: {why}" },
    },
  }),
  barrier: line("    a barrier that is not safe ends the scope of the block", {
    missed: {
      "unsafe-barrier": {
        code: "barrier",
        say: "'{inst}' is not safe to cross in this mode: the scope of {block} ends",
        fixed:
          "A register keeps its value across a barrier, and loads are numbered by the state of memory, so sharing would change no result. The reference's modes 1 and 2 end the scope.",
      },
    },
  }),
  ...RECORDS,
  ...SORTED,
  lookup: line("    look number(I) up in the value table: FNV-1a over its four bytes, bucket, chain"),
  leader: line("    a miss: I becomes the leader", {
    stays: STAYS,
    missed: {
      "first-of-its-value": { code: "leader", counts: false, say: "it is the first with value number {key}, so it becomes the leader" },
      "leads-unpushed": { code: "leader", counts: false, say: "nothing above has value number {key}, so it becomes the leader" },
    },
  }),
};

export interface CseOptions {
  readonly edit: Editor;
  readonly remark: Remarks;
  readonly numbering: Numbering;
  readonly enhanced: boolean;
  /** After the remapping rules: 1 to 6. */
  readonly mode: number;
  readonly scope: LeaderScope;
  /** Modes 1 and 2: a barrier does not end the block's scope. */
  readonly barriersAreSafe: boolean;
  /** Modes 3 to 6. Visited blocks that were not pushed have leaders, too. */
  readonly rpo: RpoWalk | null;
  /** Mode 2: what a block's immediate dominator records about leaders above it. */
  readonly records: DominatorRecords | null;
  /** Largest version number is 28671: a hook of the backend sorts operands and marks them. */
  readonly sortsOperands: boolean;
  readonly budget: Budget;
  /** Policy 'measured': stored values are forwarded, and values that all predecessors of a join have are used. */
  readonly measured: boolean;
}

export interface Leader {
  readonly inst: InstId;
  readonly block: BlockId;
  readonly reg: Reg;
  /** The number that its register has while the value is there. */
  readonly version: number;
  /** Root of its extended basic block, where that is the scope; else -1. */
  readonly root: number;
  /** The instruction after it copies its result. */
  readonly followed: boolean;
  /** The leader of the same value that it took over from, while its own extended block is walked; -1 for none. */
  readonly before: number;
}

/** A block of the walk: examined completely, only for its leaders, or skipped. */
type Visit = "all" | "leaders" | "none";

export class Cse {
  readonly edit: Editor;
  readonly remark: Remarks;
  /** With the function as it was numbered. */
  readonly numbering: Numbering;
  readonly mode: number;
  readonly scope: LeaderScope;
  readonly table: ValueTable;
  readonly cache: DominanceCache;
  readonly leaders: Leader[] = [];
  readonly env: Environment;
  /** Mode 5: by block, the root of its extended basic block. */
  readonly roots: Int32Array | null;
  /** The full modes write at the end. */
  readonly deferred: DeferredMoves | null;
  /** By block and value, the register that contains it at the block's end; only under policy 'measured'. */
  readonly exits = new Map<BlockId, Map<number, Reg>>();
  /** Where the current instruction is in its block now: removed ones are gone. */
  at = 0;
  private readonly options: CseOptions;
  private readonly leaderView: ShownTable<LeaderRow>;
  private readonly sorted: SortedOperands | null;
  /** Whether the current block may use leaders of other blocks. */
  above = true;
  /** Next block of the dominator walk that the environment has not entered. */
  private entered = 0;
  /** The instruction after the current one, in the function as it came in. */
  private after: Inst | undefined;

  constructor(options: CseOptions) {
    const { edit, remark, mode, scope } = options;
    const numbering = { ...options.numbering, fn: asNumbered(options.numbering.fn) };
    this.options = options;
    this.edit = edit;
    this.remark = remark;
    this.numbering = numbering;
    this.mode = mode;
    this.scope = scope;
    this.table = new ValueTable(remark.observe("value-table", "Value table", WALK.lookup));
    this.leaderView = remark.shown.table<LeaderRow>("leaders", "Value records: the leader of each entry (node +16)");
    this.cache = new DominanceCache(numbering, remark, mode === 2);
    this.roots = scope === "extended" ? extendedRoots(numbering.fn, numbering.walk.order) : null;
    this.deferred = mode > 2 ? new DeferredMoves(this) : null;
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
    while (this.entered < this.numbering.walk.order.length) this.between();
    this.deferred?.flush();
  }

  private between(): void {
    this.pass(this.entered, this.options.rpo?.visited.has(this.entered) === true ? "leaders" : "none");
  }

  private pass(place: number, visit: Visit): void {
    const { remark, numbering } = this;
    this.entered = place + 1;
    const id = numbering.walk.order[place];
    if (id === undefined) return;
    this.env.enter(id);
    if (this.scope === "block" && visit === "all") this.table.clear();
    if (visit !== "none") remark.open(WALK.instruction, visit, { block: id });
    // The block of the original function: its instructions keep their ids, and replaced ones keep their numbers.
    const insts = numbering.fn.blocks[id]?.insts ?? [];
    const { rpo, records, measured } = this.options;
    const end = visit === "none" ? 0 : rpo === null ? this.toSentinel(id, insts) : (rpo.examined[id] ?? 0);
    if (records !== null) this.above = records.ask(id);
    this.at = -1;
    for (const [at, inst] of insts.entries()) {
      // Not the place in the list: a removed instruction has moved the later ones back.
      this.at++;
      this.after = insts[at + 1];
      if (at < end && (numbering.key[inst.id] ?? -1) >= 0) {
        if (visit === "all") this.instruction(id, inst);
        else this.leaderOnly(id, inst);
      } else if (visit === "all" && at < end) {
        if (rpo !== null) this.refuse(id, inst);
      } else if (visit !== "all") {
        this.refuseSubtype(id, inst);
      }
      this.define(inst);
      if (at < end && measured) forward(this, id, inst);
    }
    if (this.options.measured) recordExit(this, id);
    this.env.leave(id);
    if (visit !== "none") remark.close();
  }

  private define(inst: Inst): void {
    const { numbering } = this;
    for (const [i, r] of defsOf(inst).entries()) {
      // Second results have fresh numbers, so any unused number will do.
      this.env.set(r, i === 0 ? (numbering.version[inst.id] ?? 0) : -2 - inst.id);
    }
    for (const space of changedSpaces(inst)) this.env.set(space, -2 - inst.id);
  }

  /** Modes 1 and 2 examine all instructions before they look for values: how many, as far as knob 257 and barriers let them. */
  private toSentinel(block: BlockId, insts: readonly Inst[]): number {
    const { budget, barriersAreSafe } = this.options;
    for (const [place, inst] of insts.entries()) {
      if ((this.numbering.key[inst.id] ?? -1) >= 0) {
        if (!budget.take(WALK.instruction)) return place;
        this.accept(block, inst);
        continue;
      }
      this.refuse(block, inst);
      if (effectOf(inst) !== "barrier" || barriersAreSafe || inst.op === "MEMBAR") continue;
      this.remark.missed(WALK.barrier, "unsafe-barrier", { inst, block });
      return place;
    }
    return insts.length;
  }

  private accept(block: BlockId, inst: Inst): void {
    this.remark.candidate(WALK.eligible, () => {
      const { row, why } = eligibility(inst, this.options);
      return { inst, why, block, also: { row, key: this.numbering.key[inst.id] ?? -1 } };
    });
  }

  /** Not eligible: reports why. */
  private refuse(block: BlockId, inst: Inst): void {
    if (!this.refuseSubtype(block, inst) && !isTerminator(inst)) {
      this.remark.missed(WALK.eligible, "not-eligible", () => {
        const { row, why } = eligibility(inst, this.options);
        return { inst, why, block, also: { row } };
      });
    }
  }

  /** A vote or a match that is not a candidate for its subtype alone: a decision of the policy's, reported and counted wherever it is. */
  private refuseSubtype(block: BlockId, inst: Inst): boolean {
    if (inst.op !== "VOTE" && inst.op !== "MATCH") return false;
    const { row, why, subtype = false } = eligibility(inst, this.options);
    if (subtype) this.remark.missed(WALK.eligible, "subtype", { inst, why, block, also: { row } });
    return subtype;
  }

  private instruction(block: BlockId, inst: Inst): void {
    const key = this.numbering.key[inst.id] ?? -1;
    if (this.options.rpo !== null) this.accept(block, inst);
    this.sorted?.tell(block, inst, this.env.readReg);
    this.table.obs.at(WALK.lookup, { block, inst });
    const found = this.table.insert(key, this.leaders.length);
    if (found.isNew) {
      this.lead(block, inst, -1);
      if (!this.fromPredecessors(block, inst, key)) this.sayFirst(block, inst, key);
      return;
    }
    const index = this.roots === null ? found.value : this.leaderInSight(found.node, found.value, block);
    const leader = this.leaders[index];
    if (leader === undefined) {
      this.leadInstead(found.node, block, inst, -1);
      this.sayFirst(block, inst, key);
      return;
    }
    const verdict = usable(this, block, inst, leader);
    if (verdict === "replace") this.replace(block, inst, leader);
    if (verdict !== "lead") return;
    this.leadInstead(found.node, block, inst, index);
    this.fromPredecessors(block, inst, key);
  }

  /** The record first: the step of the table shows that its leader is now this one. */
  private leadInstead(node: number, block: BlockId, inst: Inst, before: number): void {
    const index = this.leaders.length;
    this.lead(block, inst, before);
    this.table.replace(node, index);
  }

  private sayFirst(block: BlockId, inst: Inst, key: number): void {
    const { remark, numbering } = this;
    remark.missed(WALK.leader, "first-of-its-value", { inst, block, key, node: numbering.view.node(inst.id) });
  }

  /** A block that the walk did not push: nothing that dominates it computes any of its values, so that its instructions only lead. */
  private leaderOnly(block: BlockId, inst: Inst): void {
    const { remark, numbering } = this;
    const key = numbering.key[inst.id] ?? -1;
    this.table.obs.at(WALK.lookup, { block, inst });
    const found = this.table.insert(key, this.leaders.length);
    if (found.isNew) this.lead(block, inst, -1);
    else this.leadInstead(found.node, block, inst, found.value);
    remark.missed(WALK.leader, "leads-unpushed", { inst, block, key, node: numbering.view.node(inst.id) });
  }

  /** Extended blocks nest in the dominator tree: a leader whose own extended block has been walked to its end gives way to the one it took over from. */
  private leaderInSight(node: number, index: number, block: BlockId): number {
    const { tree } = this.numbering.walk;
    let at = index;
    for (let leader = this.leaders[at]; leader !== undefined && !dominates(tree, leader.root, block); leader = this.leaders[at])
      at = leader.before;
    if (at !== index && at >= 0) this.table.replace(node, at);
    return at;
  }

  private lead(block: BlockId, inst: Inst, before: number): void {
    const reg = defsOf(inst)[0];
    if (reg !== undefined) this.record(block, inst, reg, this.numbering.version[inst.id] ?? -1, before);
  }

  record(block: BlockId, inst: Inst, reg: Reg, version: number, before: number): void {
    const followed = this.after !== undefined && copiedRegister(this.after) === reg;
    this.leaderView.set(this.leaders.length, () => {
      const { fn } = this.numbering;
      return { inst: printInst(fn, inst), block: fn.blocks[block]?.label ?? "", reg: regName(reg), number: version, before };
    });
    this.options.records?.put(block, true);
    this.leaders.push({ inst: inst.id, block, reg, version, root: this.roots?.[block] ?? -1, followed, before });
  }

  private replace(block: BlockId, inst: Inst, leader: Leader): void {
    const match = t6.look(this, { block, inst, leader });
    if (match === null) return;
    if (this.deferred === null) match.request()?.commit();
    else this.deferred.add(block, inst, match);
  }

  /** Policy 'measured': every predecessor of the join contains the value. */
  private fromPredecessors(block: BlockId, inst: Inst, key: number): boolean {
    const match = this.options.measured ? join.look(this, { block, inst, key }) : null;
    if (match !== null) this.deferred?.add(block, inst, match);
    return match !== null;
  }
}

/** The editor changes its own blocks, the instruction lists of before are kept. */
function asNumbered(fn: Func): Func {
  const copy = copyFunc(fn);
  copy.blocks = fn.blocks.map((block) => (block === undefined ? undefined : copyBlock(block)));
  return copy;
}
