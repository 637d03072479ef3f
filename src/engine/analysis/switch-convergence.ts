/** Whether it matters which lanes of a warp run a piece of code together: what a new dispatch may regroup, and what it may not. */

import type { BlockId, Reg } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { defsOf, effectOf, getBlock, usesOf } from "../ir/visit.ts";
import { postDominators } from "./dominators.ts";
import { reversePostOrder } from "./order.ts";
import { uniformity } from "./uniformity.ts";

/** Blocks that all questions about one function may visit together; beyond it the answer is 'not safe'. */
export const REGROUP_LIMIT = 4_000_000;

/** The instruction that would see another set of lanes, or null when there is none; `capped`: the limit was reached. */
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
 * Depends on which group of lanes comes first: atomics whose result or rounding shows it, and calls, which may hold some. Plain stores of different lanes
 * to one address race in the source already. `isRead`: the register has a reader somewhere.
 */
export function seesOrder(inst: Inst, isRead: (r: Reg) => boolean = () => true): boolean {
  const effect = effectOf(inst);
  if (effect === "call") return true;
  if (effect !== "atomic") return false;
  if (inst.mods.includes("F32") || inst.mods.includes("F64")) return true;
  if (inst.op === "RED") return false;
  return !COMMUTING.has(inst.mods[0] ?? "") || defsOf(inst).some(isRead);
}

/** Atomics that leave the same value in whatever order they come. */
const COMMUTING = new Set(["ADD", "MIN", "MAX", "AND", "OR", "XOR"]);

/** Answers for one state of a function; make one before its edits and ask all questions of it. */
export class Regrouping {
  /** Some reachable or unreachable instruction of the function depends on the lanes it runs with. */
  readonly matters: boolean;
  private readonly fn: Func;
  private readonly sensitive: (Inst | undefined)[];
  private readonly ordered: (Inst | undefined)[];
  private open: Uint8Array | null = null;
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
   * May the lanes that leave `branches` be grouped differently on their way to where all of them are together again? `branches` is a chain of blocks, the
   * first of which all lanes pass. Null when no branch is divergent, or nothing on the way depends on the grouping. `onlyOrder`: the groups stay the
   * same, and only come in another order.
   */
  obstacle(branches: readonly BlockId[], onlyOrder = false): RegroupObstacle {
    const head = branches[0];
    if (!this.matters || head === undefined) return null;
    this.open ??= openRegions(this.fn);
    // In an open region the lanes come together at its BSYNC, which may lie anywhere behind.
    const end = this.open[head] === 1 ? -1 : (postDominators(this.fn).idom[head] ?? -1);
    const found = this.search(branches, end, onlyOrder ? this.ordered : this.sensitive);
    if (found === null) return null;
    const uniform = uniformity(this.fn);
    return branches.some((id) => uniform.isDivergent(id)) ? found : null;
  }

  /** Lanes that leave the branches apart come together again at one place, whichever branch it was. */
  sameEnd(branches: readonly BlockId[]): boolean {
    const { idom } = postDominators(this.fn);
    return branches.every((id) => idom[id] === idom[branches[0] ?? id]);
  }

  /** Everything between the branches and their common end, the end left out. Going round a loop the branches are passed again. */
  private search(branches: readonly BlockId[], end: number, sensitive: readonly (Inst | undefined)[]): RegroupObstacle {
    const seen = new Set<BlockId>();
    const stack: BlockId[] = [];
    for (const id of branches) for (const s of getBlock(this.fn, id).succs) stack.push(s);
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (id === end || seen.has(id)) continue;
      seen.add(id);
      if (++this.work > REGROUP_LIMIT) return "capped";
      const inst = sensitive[id];
      if (inst !== undefined) return { block: id, inst };
      for (const s of getBlock(this.fn, id).succs) stack.push(s);
    }
    return null;
  }
}

function regsRead(fn: Func): Set<Reg> {
  const read = new Set<Reg>(fn.returns);
  for (const id of fn.layout) for (const inst of getBlock(fn, id).insts) for (const r of usesOf(inst)) read.add(r);
  return read;
}

/** By block id: 1 where a convergence region may be open at the block's end. A lane that broke out still counts as inside. */
export function openRegions(fn: Func): Uint8Array {
  const bits = new Map<Reg, number>();
  const opens: { readonly block: BlockId; readonly ops: readonly { readonly bit: number; readonly open: boolean }[] }[] = [];
  const { order } = reversePostOrder(fn);
  for (const block of order) {
    const ops: { bit: number; open: boolean }[] = [];
    for (const inst of getBlock(fn, block).insts) {
      if (inst.op !== "BSSY" && inst.op !== "BSYNC") continue;
      const barrier = (inst.op === "BSSY" ? defsOf(inst) : usesOf(inst)).at(-1);
      // A guarded BSYNC leaves the other lanes inside.
      if (barrier === undefined || (inst.op === "BSYNC" && inst.guard !== null)) continue;
      const bit = bits.get(barrier) ?? bits.size;
      bits.set(barrier, bit);
      ops.push({ bit, open: inst.op === "BSSY" });
    }
    opens.push({ block, ops });
  }
  const words = (bits.size + 31) >>> 5;
  const out = new Uint32Array(fn.blocks.length * words);
  const row = new Uint32Array(words);
  for (let changed = words > 0; changed; ) {
    changed = false;
    for (const { block, ops } of opens) {
      row.fill(0);
      for (const p of getBlock(fn, block).preds) for (let w = 0; w < words; w++) row[w] = (row[w] ?? 0) | (out[p * words + w] ?? 0);
      for (const { bit, open } of ops) {
        const w = bit >>> 5;
        const mask = 1 << (bit & 31);
        row[w] = open ? (row[w] ?? 0) | mask : (row[w] ?? 0) & ~mask;
      }
      for (let w = 0; w < words; w++) {
        if (out[block * words + w] === row[w]) continue;
        out[block * words + w] = row[w] ?? 0;
        changed = true;
      }
    }
  }
  const open = new Uint8Array(fn.blocks.length);
  for (const { block } of opens) for (let w = 0; w < words; w++) if (out[block * words + w] !== 0) open[block] = 1;
  return open;
}
