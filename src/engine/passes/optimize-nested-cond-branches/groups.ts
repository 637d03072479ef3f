/** Policy 'measured': chains of conditions with one common target, grouped from the bottom up under the cost limit. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId } from "../../ir/ids.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { chainableCompare } from "./combine.ts";
import { conditionOf, type Pair, pairOf } from "./pair.ts";

/** The longest run of nested pairs below `head` that all leave to one block. */
export function chainFrom(edit: Editor, head: BlockId, common: BlockId | null): Pair[] {
  const pairs: Pair[] = [];
  const seen = new Set<BlockId>([head]);
  let outer = head;
  for (;;) {
    const condition = conditionOf(edit, outer);
    if (condition === null) return pairs;
    const next = [condition.no, condition.yes]
      .map((inner) => pairOf(edit, outer, condition, inner))
      .find((pair): pair is Pair => !("missing" in pair) && (common === null || pair.common === common) && !seen.has(pair.inner));
    if (next === undefined || (pairs[0] !== undefined && next.common !== pairs[0].common)) return pairs;
    pairs.push(next);
    seen.add(next.inner);
    outer = next.inner;
  }
}

export interface Group {
  /** The pairs whose inner blocks are flattened into the first one's outer block, from the top. */
  readonly pairs: readonly Pair[];
  readonly cost: number;
}

/** Instructions of the inner block besides its test and its branch, without those that are `moved` out of it first. */
export function extraInstructions(edit: Editor, live: Liveness, pair: Pair, moved: ReadonlySet<InstId>): number {
  const { insts } = edit.block(pair.inner);
  const body = insts.slice(0, terminatorsOf(edit.block(pair.inner)).at).filter((inst) => !moved.has(inst.id));
  return body.length - (chainableCompare(edit, live, pair) === null ? 0 : 1);
}

/**
 * Groups of a chain, from the bottom: a group of g tests costs (g - 1) tests + (g - 2) combines + the extra instructions of its lower blocks. `refused(pair)`
 * ends a group above the pair; `tooDear(group, cost)` is told where the limit did.
 */
export function groupChain(
  edit: Editor,
  live: Liveness,
  chain: readonly Pair[],
  limit: number,
  moved: ReadonlySet<InstId>,
  refused: (pair: Pair) => boolean,
  tooDear: (pair: Pair, cost: number) => void,
): Group[] {
  const groups: Group[] = [];
  let end = chain.length;
  while (end > 0) {
    let start = end;
    let extra = 0;
    let cost = 0;
    while (start > 0) {
      const pair = chain[start - 1];
      if (pair === undefined || refused(pair)) break;
      const tests = end - start + 1;
      const own = extraInstructions(edit, live, pair, moved);
      const grown = tests + (tests - 1) + extra + own;
      if (grown > limit) {
        tooDear(pair, grown);
        break;
      }
      extra += own;
      cost = grown;
      start--;
    }
    if (start < end) groups.push({ pairs: chain.slice(start, end), cost });
    // The pair above a group joins two groups and stays as it is.
    end = start - 1;
  }
  return groups;
}
