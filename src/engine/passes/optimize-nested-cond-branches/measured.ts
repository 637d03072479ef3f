/** Policy 'measured': chains of conditions with one common target, grouped from the bottom up under the cost limit. */

import type { Liveness } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId } from "../../ir/ids.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import { chainableCompare, combine, type Form } from "./combine.ts";
import { type Places, placesOf } from "./moved-down.ts";
import { conditionOf, type Pair, pairOf } from "./pair.ts";
import { opensRegion, pastJoin } from "./regions.ts";
import { aboutPair, mayFlatten, SAFETY, STAYS } from "./safety.ts";
import { prepare, type State } from "./state.ts";

export const MEASURED = {
  below: line(
    "      policy 'measured': B computes no value for a block below it, after values moved down to the block above their readers first",
    {
      stays: STAYS,
      missed: {
        "read-below": { say: "{inner:block} computes {result:reg} for a block below it, by '{inst}'" },
        "moved-down": { say: "'{inst}' would move down into {inner:block} first, which then computes {result:reg} for a block below it" },
      },
      policy: "measured",
    },
  ),
  cost: line("      policy 'measured': group from the bottom; running the lower tests always may cost at most nested-cond-cost-limit", {
    kind: "cost",
    step: "{block} and the {count} {count:test|tests} below it form a group: running these always costs {cost}, the limit is {limit}",
    policy: "measured",
    missed: {
      cost: {
        say: "{outer:block} does not join the group below it: running {inner:block} always would make it cost {cost}, the limit is {limit}",
      },
    },
  }),
};

/** Returns the number of groups. */
export function flattenGroups(state: State): number {
  const { edit, remark, knobs } = state;
  const limit = knobs.int("nested-cond-cost-limit", MEASURED.cost);
  const round = prepare(state);
  // Computed for the input: nothing is merged before a pair is examined. Most functions have none.
  let places: Places | null = null;
  const grouped = new Set<BlockId>();
  for (const head of reversePostOrder(edit.func).order) {
    if (grouped.has(head)) continue;
    const chain = chainFrom(edit, head, null);
    if (chain.length === 0) continue;
    for (const pair of chain) grouped.add(pair.inner);
    places ??= placesOf(edit.func);
    const at = places;
    const found = groupChain(
      edit,
      round.live,
      chain,
      limit,
      at.moved,
      (pair) => holdsForBelow(state, at, pair) || !mayFlatten(state, round, pair),
      (pair, cost) => remark.missed(MEASURED.cost, "cost", { ...aboutPair(edit, pair), cost, limit }),
    );
    for (const { pairs, cost } of found) {
      const outer = pairs[0]?.outer;
      if (outer === undefined) continue;
      remark.candidate(MEASURED.cost, { block: outer, count: pairs.length, cost, limit, blocks: () => pairs.map((p) => p.inner) });
      flatten(state, round.live, outer, pairs);
    }
  }
  sayRegions(state);
  return remark.candidates(MEASURED.cost);
}

/** Merges a group's lower tests into its top block one after the other, up to the first one that is refused. */
function flatten(state: State, live: Liveness, outer: BlockId, pairs: readonly Pair[]): void {
  const { edit } = state;
  for (const [i, planned] of pairs.entries()) {
    const condition = conditionOf(edit, outer);
    const pair = condition === null ? null : pairOf(edit, outer, condition, planned.inner);
    if (pair === null || "missing" in pair) return;
    const empty = edit.block(pair.inner).insts.every((inst) => inst.op === "BRA");
    const last = i === pairs.length - 1;
    const form: Form = chainableCompare(edit, live, pair) !== null ? "chained-compare" : empty && last ? "two-predicates" : "plop3";
    const rewrite = combine.look(state, { pair, form, live, region: null })?.request() ?? null;
    if (rewrite === null) return;
    rewrite.commit();
  }
}

function holdsForBelow({ edit, remark }: State, { held }: Places, pair: Pair): boolean {
  const value = held.get(pair.inner);
  if (value === undefined) return false;
  const about = { ...aboutPair(edit, pair), inst: value.inst, result: value.result };
  remark.missed(MEASURED.below, value.moved ? "moved-down" : "read-below", about);
  return true;
}

/** Pairs that policy 'notes' examines, since the inner block opens its own region: ptxas was not seen to make one region of two. */
function sayRegions({ edit, remark }: State): void {
  for (const outer of reversePostOrder(edit.func).order) {
    const condition = conditionOf(edit, outer);
    if (condition === null) continue;
    for (const inner of [condition.no, condition.yes]) {
      if (opensRegion(edit.block(inner)) === undefined) continue;
      const pair = pairOf(edit, outer, condition, inner, (block) => pastJoin(edit, block));
      if (!("missing" in pair)) remark.missed(SAFETY.regions, "measured", aboutPair(edit, pair));
    }
  }
}

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

interface Group {
  /** The pairs whose inner blocks are flattened into the first one's outer block, from the top. */
  readonly pairs: readonly Pair[];
  readonly cost: number;
}

/** Instructions of the inner block other than its test and its branch, without those that are `moved` out of it first. */
export function extraInstructions(edit: Editor, live: Liveness, pair: Pair, moved: ReadonlySet<InstId>): number {
  const { insts } = edit.block(pair.inner);
  const body = insts.slice(0, terminatorsOf(edit.block(pair.inner)).at).filter((inst) => !moved.has(inst.id));
  return body.length - (chainableCompare(edit, live, pair) === null ? 0 : 1);
}

/**
 * Groups of a chain, from the bottom: a group of g tests costs (g - 1) tests + (g - 2) combines + the extra instructions of its lower blocks. `refused(pair)`
 * ends a group above the pair; `tooDear(group, cost)` reports where the limit did.
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
    // The pair above a group joins two groups and is unchanged.
    end = start - 1;
  }
  return groups;
}
