/** Extended basic blocks: trees of blocks that are entered at their root only. */

import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";

/** By block id, the root of its extended block; -1 where `order` does not come. `order`: dominators before what they dominate. */
export function extendedRoots(fn: Func, order: readonly BlockId[]): Int32Array {
  const root = new Int32Array(fn.blocks.length).fill(-1);
  for (const [at, id] of order.entries()) {
    const preds = fn.blocks[id]?.preds ?? [];
    const [only] = preds;
    root[id] = at > 0 && preds.length === 1 && only !== undefined ? (root[only] ?? id) : id;
  }
  return root;
}
