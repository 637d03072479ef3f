/** Whether it matters which lanes of a warp run a piece of code together: what a new dispatch may regroup, and what it may not. */

import type { BlockId, Reg } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { defsOf, effectOf, getBlock, usesOf } from "../ir/visit.ts";
import { postDominators } from "./dominators.ts";
import { laneMeets, type Meet } from "./lane-meets.ts";
import { uniformity } from "./uniformity.ts";

/** Blocks that all questions about one function may visit together; beyond it the answer is 'not safe'. */
export const REGROUP_LIMIT = 4_000_000;

/** The instruction that would see a different set of lanes, or null if there is none; `capped`: the limit was reached. */
export type RegroupObstacle = { readonly block: BlockId; readonly inst: Inst } | "capped" | null;

/** Depends on which lanes arrive together: warp operations, barriers, calls, and what depends on their order. */
export function seesOtherLanes(inst: Inst, isRead?: (r: Reg) => boolean): boolean {
  switch (effectOf(inst)) {
    case "warp":
    case "barrier":
      return true;
    case "sync":
      return inst.op === "WARPSYNC";
    default:
      return seesOrder(inst, isRead);
  }
}

/**
 * Depends on which group of lanes comes first: atomics whose result or rounding shows it, and calls, which may contain some. Plain stores of different lanes
 * to one address race in the source already. `isRead`: the register has a reader somewhere.
 */
export function seesOrder(inst: Inst, isRead: (r: Reg) => boolean = ANY): boolean {
  const effect = effectOf(inst);
  if (effect === "call") return true;
  if (effect !== "atomic") return false;
  if (inst.mods.includes("F32") || inst.mods.includes("F64")) return true;
  if (inst.op === "RED") return false;
  return !COMMUTING.has(inst.mods[0] ?? "") || defsOf(inst).some(isRead);
}

/** One shared function: this runs for every instruction. */
const ANY = (): boolean => true;

/** Atomics that leave the same value in whatever order they come. */
const COMMUTING = new Set(["ADD", "MIN", "MAX", "AND", "OR", "XOR"]);

/** Answers for one state of a function; make one before its edits and ask all questions of it. */
export class Regrouping {
  /** Some reachable or unreachable instruction of the function depends on the lanes it runs with. */
  readonly matters: boolean;
  private readonly fn: Func;
  private readonly sensitive: (Inst | undefined)[];
  private readonly ordered: (Inst | undefined)[];
  private work = 0;

  constructor(fn: Func) {
    this.fn = fn;
    this.sensitive = new Array(fn.blocks.length);
    this.ordered = new Array(fn.blocks.length);
    let matters = false;
    let readRegs: Set<Reg> | null = null;
    const isRead = (r: Reg): boolean => {
      readRegs ??= regsRead(fn);
      return readRegs.has(r);
    };
    for (const id of fn.layout) {
      for (const inst of getBlock(fn, id).insts) {
        if (!seesOtherLanes(inst, isRead)) continue;
        matters = true;
        this.sensitive[id] ??= inst;
        if (seesOrder(inst, isRead)) this.ordered[id] ??= inst;
      }
    }
    this.matters = matters;
  }

  /**
   * May the lanes that leave `branches` be grouped differently on their paths to where all of them reconverge? `branches` is a chain of blocks, the
   * first of which all lanes pass. Null when lanes agree about every branch, or nothing on those paths depends on the grouping. `onlyOrder`: the groups stay the
   * same, and only come in another order.
   */
  obstacle(branches: readonly BlockId[], onlyOrder = false): RegroupObstacle {
    const head = branches[0];
    if (!this.matters || head === undefined) return null;
    const found = this.search(branches, this.commonMeet(branches), onlyOrder ? this.ordered : this.sensitive);
    if (found === null) return null;
    const uniform = uniformity(this.fn);
    return branches.some((id) => uniform.disagrees(id)) ? found : null;
  }

  /** Lanes that leave the branches apart reconverge at one place, whichever branch it was. */
  sameEnd(branches: readonly BlockId[]): boolean {
    const { idom } = postDominators(this.fn);
    return branches.every((id) => idom[id] === idom[branches[0] ?? id]);
  }

  /** Where all lanes that leave one of the branches are together again. */
  private commonMeet(branches: readonly BlockId[]): Meet {
    const meets = laneMeets(this.fn);
    const [first = NOWHERE, ...others] = branches.map((id) => meets.meet(id));
    // All lanes pass the first one, so its post-dominator comes after them all.
    if (first.kind === "head" && branches.every((id) => !meets.isOpen(id))) return first;
    const same = others.every(
      (other) => other.kind === "sync" && first.kind === "sync" && other.block === first.block && other.at === first.at,
    );
    return same ? first : NOWHERE;
  }

  /** Everything between the branches and their common end. Going round a loop the branches are passed again. */
  private search(branches: readonly BlockId[], end: Meet, sensitive: readonly (Inst | undefined)[]): RegroupObstacle {
    const succs = branches.flatMap((id) => getBlock(this.fn, id).succs);
    let found: RegroupObstacle = null;
    laneMeets(this.fn).walk(succs, end, (block, count) => {
      if (++this.work > REGROUP_LIMIT) {
        found = "capped";
        return true;
      }
      const inst = sensitive[block];
      if (inst === undefined || getBlock(this.fn, block).insts.indexOf(inst) >= count) return false;
      found = { block, inst };
      return true;
    });
    return found;
  }
}

const NOWHERE: Meet = { kind: "nowhere" };

function regsRead(fn: Func): Set<Reg> {
  const read = new Set<Reg>(fn.returns);
  for (const id of fn.layout) for (const inst of getBlock(fn, id).insts) for (const r of usesOf(inst)) read.add(r);
  return read;
}
