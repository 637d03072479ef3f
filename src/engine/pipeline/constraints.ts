/** Ordering constraints between modelled phases, as data with reasons, checked before a pipeline starts. */

import { type PassId, passName } from "../passes/positions.ts";

/**
 * `feeds`: some run of `earlier` must come before the first run of `later`.
 * `closes`: after the last run of `earlier` there must be a run of `later`.
 * Either holds only when both are in the order.
 */
export type ConstraintKind = "feeds" | "closes";

export interface OrderConstraint {
  readonly kind: ConstraintKind;
  readonly earlier: PassId;
  readonly later: PassId;
  readonly reason: string;
}

export interface OrderViolation {
  readonly constraint: OrderConstraint;
  /** Index in the order of the offending run: the first `later` (feeds) or the last `earlier` (closes). */
  readonly at: number;
  readonly message: string;
}

const feeds = (earlier: PassId, later: PassId, reason: string): OrderConstraint => ({ kind: "feeds", earlier, later, reason });
const closes = (earlier: PassId, later: PassId, reason: string): OrderConstraint => ({ kind: "closes", earlier, later, reason });

const ENDS_BLOCKS = "it looks for branches only at the ends of blocks";
const CLEAN_UP = "what it leaves dead is removed by the next liveness pass";

/** Sources: the Pipeline Placement, Pipeline Positioning and Interaction sections of the reference pages. */
export const ORDER_CONSTRAINTS: readonly OrderConstraint[] = [
  feeds("branch-folding", "analyze-control-flow", "cicc writes the PTX that ptxas reads"),
  feeds("analyze-control-flow", "set-control-flow-op-last-in-bb", "block ends are checked against the edges that the analysis found"),
  feeds("analyze-control-flow", "general-optimize-early", "the first bundle visits blocks in the order of their RPO numbers"),
  feeds("set-control-flow-op-last-in-bb", "general-optimize-early", ENDS_BLOCKS),
  feeds("set-control-flow-op-last-in-bb", "do-switch-opt-first", ENDS_BLOCKS),
  feeds("set-control-flow-op-last-in-bb", "ori-branch-opt", ENDS_BLOCKS),
  feeds("general-optimize-early", "do-switch-opt-first", "copies and constants in selectors must be resolved"),
  feeds("general-optimize-early", "ori-branch-opt", "constant conditions are found by folding predicates first"),
  feeds("do-switch-opt-first", "ori-branch-opt", "the blocks that it leaves empty are threaded"),
  closes("ori-branch-opt", "ori-perform-live-dead-first", CLEAN_UP),
  feeds("general-optimize", "do-switch-opt-second", "selectors must be one register and case constants immediates"),
  feeds("do-switch-opt-second", "ori-linear-replacement", "a select would hide a chain of compares from the switch recognizer"),
  feeds("ori-linear-replacement", "ori-perform-live-dead-second", CLEAN_UP),
  feeds("general-optimize-mid", "optimize-nested-cond-branches", "conditions must be in their propagated form to be combined"),
  feeds("optimize-nested-cond-branches", "ori-do-predication", "predication takes one level of branches"),
  feeds("ori-linear-replacement", "ori-do-predication", "the cheap choices become selects before guards are tried"),
  feeds("general-optimize-mid2", "gvn-cse", "copies would hide equal operands from value numbering"),
  feeds("gvn-cse", "ori-reassociate-and-common", "reassociation looks for what value numbering missed"),
  feeds("ori-do-predication", "late-ori-commoning", "predication puts computations of exclusive arms beside one another"),
  closes("late-ori-commoning", "general-optimize-late2", "the copies that commoning leaves are propagated there"),
  closes("do-switch-opt-second", "expand-jmx-computation", "a JMX is a pseudo-instruction and must be expanded"),
  feeds("gvn-cse", "expand-jmx-computation", "the index computation is one pseudo-instruction while it may still be commoned"),
  feeds(
    "general-optimize-late2",
    "advanced-phase-back-prop-vreg",
    "backward propagation is for the copies that forward propagation cannot remove",
  ),
  closes("advanced-phase-back-prop-vreg", "ori-back-copy-propagate", "the pipeline counter may advance only when the copies are gone"),
  closes("advanced-phase-back-prop-vreg", "ori-perform-live-dead-fourth", CLEAN_UP),
  feeds("ori-do-predication", "merge-equivalent-conditional-flow", "merged arms can no longer be predicated apart"),
  feeds(
    "merge-equivalent-conditional-flow",
    "late-merge-equivalent-conditional-flow",
    "the late run repeats the merge on what the first one left",
  ),
];

/** Checks an order of passes (repeats allowed). Returns every violated constraint, in table order. */
export function checkOrder(order: readonly PassId[]): readonly OrderViolation[] {
  const first = new Map<PassId, number>();
  const last = new Map<PassId, number>();
  order.forEach((pass, index) => {
    if (!first.has(pass)) first.set(pass, index);
    last.set(pass, index);
  });
  const violations: OrderViolation[] = [];
  for (const constraint of ORDER_CONSTRAINTS) {
    const ends = constraint.kind === "feeds" ? first : last;
    const earlier = ends.get(constraint.earlier);
    const later = ends.get(constraint.later);
    if (earlier === undefined || later === undefined || earlier < later) continue;
    violations.push({ constraint, at: constraint.kind === "feeds" ? later : earlier, message: describe(constraint) });
  }
  return violations;
}

/**
 * What a new order breaks that the previous one does not, one sentence each. A phase that is no longer in it breaks what it had to feed or close,
 * if both were there before.
 */
export function brokenBy(before: readonly PassId[], after: readonly PassId[]): readonly string[] {
  const known = new Set(checkOrder(before).map((v) => v.constraint));
  const broken = new Set(checkOrder(after).map((v) => v.constraint));
  const [were, are] = [new Set(before), new Set(after)];
  return ORDER_CONSTRAINTS.flatMap((constraint) => {
    if (known.has(constraint)) return [];
    if (broken.has(constraint)) return [describe(constraint)];
    const { kind, earlier, later, reason } = constraint;
    if (!were.has(earlier) || !were.has(later)) return [];
    if (kind === "closes" && are.has(earlier) && !are.has(later)) return [describe(constraint)];
    if (kind === "feeds" && are.has(later) && !are.has(earlier))
      return [`${passName(later)} runs without ${passName(earlier)} before it: ${reason}.`];
    return [];
  });
}

function describe(constraint: OrderConstraint): string {
  const earlier = passName(constraint.earlier);
  const later = passName(constraint.later);
  return constraint.kind === "feeds"
    ? `${later} runs before ${earlier}, but should follow it: ${constraint.reason}.`
    : `${earlier} runs with no ${later} after it: ${constraint.reason}.`;
}
