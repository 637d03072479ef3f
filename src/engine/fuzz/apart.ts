/**
 * Finds the blocks in which two versions of a function could behave differently. A run that enters none of them is the same in both: the
 * same instructions, in the same order, by the same lanes. So if a version differs from one known to agree only in blocks that an input
 * never reaches, it need not be run on that input.
 */

import { postDominators } from "../analysis/dominators.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Block, Func, JumpTable } from "../ir/types.ts";
import { sameInst } from "../ir/visit.ts";

/** What the interpreter reads of a function in addition to its instructions. */
interface Ways {
  /** By block id: the block after it in the layout, and where lanes that diverge in it reconverge; -1 for none. */
  readonly next: Int32Array;
  readonly meets: ArrayLike<number>;
  /** Blocks where lanes wait for others. */
  readonly rejoins: ReadonlySet<number>;
}

/** A version, and which blocks each input's run enters (`ExecOutcome.executions`; missing if unknown). */
export interface Agreed {
  readonly fn: Func;
  readonly ways: Ways;
  readonly entered: readonly (Uint32Array | undefined)[];
}

export function waysOf(fn: Func): Ways {
  const next = new Int32Array(fn.blocks.length).fill(-1);
  for (const [i, id] of fn.layout.entries()) next[id] = fn.layout[i + 1] ?? -1;
  const meets = postDominators(fn).idom;
  return { next, meets, rejoins: new Set(Array.from(meets)) };
}

/** Ids of the blocks in which `b` may behave differently from `a`; null: in any block. */
export function blocksApart(a: Func, x: Ways, b: Func, y: Ways): readonly BlockId[] | null {
  if (a.layout[0] !== b.layout[0] || !sameTables(a.tables, b.tables)) return null;
  if (!sameList(a.returns, b.returns) || a.params.length !== b.params.length || a.params.some((p, i) => p.reg !== b.params[i]?.reg)) {
    return null;
  }
  const apart: BlockId[] = [];
  for (let id = 0; id < Math.max(a.blocks.length, b.blocks.length); id++) {
    const one = a.blocks[id];
    const other = b.blocks[id];
    const alike =
      (x.next[id] ?? -1) === (y.next[id] ?? -1) &&
      (x.meets[id] ?? -1) === (y.meets[id] ?? -1) &&
      x.rejoins.has(id) === y.rejoins.has(id) &&
      sameBlock(one, other);
    if (!alike) apart.push(id as BlockId);
  }
  return apart;
}

/** Whether a run that entered these blocks (by id, how often) entered none of those in `apart`. */
export function keepsOut(entered: Uint32Array, apart: readonly BlockId[]): boolean {
  return apart.every((id) => (entered[id] ?? 0) === 0);
}

function sameBlock(a: Block | undefined, b: Block | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  if (a.insts === b.insts) return true;
  return (
    a.insts.length === b.insts.length &&
    a.insts.every((inst, i) => {
      const other = b.insts[i];
      return other !== undefined && (inst === other || sameInst(inst, other));
    })
  );
}

/** Compares their order, too: the addresses of tables follow it. */
function sameTables(a: ReadonlyMap<string, JumpTable>, b: ReadonlyMap<string, JumpTable>): boolean {
  if (a === b) return true;
  const others = [...b];
  return (
    a.size === b.size &&
    [...a].every(([name, table], i) => {
      const [otherName, other] = others[i] ?? [];
      if (other === undefined || name !== otherName) return false;
      if (table === other) return true;
      return table.base === other.base && table.default === other.default && sameList(table.entries, other.entries);
    })
  );
}

const sameList = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((x, i) => x === b[i]);
