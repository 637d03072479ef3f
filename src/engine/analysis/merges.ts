/** Where the values of registers merge: virtual PHIs, so that a program with several definitions a register can be numbered as if it were in SSA form. */

import type { BlockId, Reg } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { defsOf } from "../ir/visit.ts";
import { dominanceFrontiers, iteratedFrontier } from "./dominance-frontier.ts";
import { liveness } from "./liveness.ts";
import { reversePostOrder } from "./order.ts";

/** A register, or a memory space: `-1 - i` for space i. Memory is a variable like any other; a store defines a new version of it. */
export type Variable = number;

/** Limit on the merges in all blocks together, above which they are not listed: this many per instruction, plus a constant. */
const MERGES_PER_INSTRUCTION = 64;
const MERGES_BESIDES = 200_000;

export interface Merges {
  /** By block id: the variables whose value at the block's entry may come from several definitions. */
  readonly at: readonly (readonly Variable[])[];
  /** True when there were too many to list: everything merges at every join, and `at` is empty. */
  readonly coarse: boolean;
}

interface Definitions {
  readonly first: BlockId;
  /** Null while there is one. */
  blocks: Set<BlockId> | null;
  count: number;
}

/**
 * Merges by iterated dominance frontiers. A register with one definition merges only where it is live; one with several merges wherever they may join, live
 * or not, so that 'does it still contain that value' can be answered anywhere. `memory(inst)`: the memory spaces that the instruction may change.
 */
export function computeMerges(fn: Func, memory: (inst: Inst) => readonly Variable[]): Merges {
  const at: Variable[][] = Array.from({ length: fn.blocks.length }, () => []);
  const coarse: Merges = { at, coarse: true };
  const { order } = reversePostOrder(fn);
  const frontiers = dominanceFrontiers(fn);
  const entry = fn.layout[0];
  if (entry === undefined) return { at, coarse: false };
  if (frontiers === null) return coarse;
  const defs = new Map<Variable, Definitions>();
  const define = (v: Variable, id: BlockId): void => {
    const known = defs.get(v);
    if (known === undefined) {
      defs.set(v, { first: id, blocks: null, count: 1 });
      return;
    }
    known.blocks ??= new Set([known.first]);
    known.blocks.add(id);
    known.count++;
  };
  for (const id of order) {
    const insts = fn.blocks[id]?.insts ?? [];
    for (let at = 0; at < insts.length; at++) {
      const inst = insts[at] as Inst;
      const regs = defsOf(inst);
      for (let i = 0; i < regs.length; i++) define(regs[i] as Reg, id);
      const spaces = memory(inst);
      for (let i = 0; i < spaces.length; i++) define(spaces[i] as Variable, id);
    }
  }
  const live = liveness(fn);
  const limit = MERGES_BESIDES + MERGES_PER_INSTRUCTION * order.reduce((n, id) => n + (fn.blocks[id]?.insts.length ?? 0), 0);
  const stamp = new Int32Array(fn.blocks.length).fill(-1);
  let mark = 0;
  let total = 0;
  for (const [variable, known] of defs) {
    // One definition, and nothing reads the register's earlier value.
    const single = variable >= 0 && known.count === 1 && !live.isLiveIn(entry, variable as Reg);
    if (single && !live.bit.has(variable as Reg)) continue;
    // The variable's value at the start of the function counts as a definition in the entry.
    const blocks = known.blocks ?? new Set([known.first]);
    blocks.add(entry);
    for (const join of iteratedFrontier(frontiers, blocks, stamp, mark++)) {
      if (single && !live.isLiveIn(join, variable as Reg)) continue;
      at[join]?.push(variable);
      if (++total > limit) return { at: Array.from({ length: fn.blocks.length }, () => []), coarse: true };
    }
  }
  return { at, coarse: false };
}
