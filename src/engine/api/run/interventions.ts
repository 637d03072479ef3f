/** Interventions before a run: their text form, what another order of phases breaks, and whether a setting can be read. */

import { parseKnobs } from "../../config/knob-parse.ts";
import { isPassId, type PassId } from "../../passes/positions.ts";
import { brokenBy } from "../../pipeline/constraints.ts";

export { INTERVENTION_FORMS, parseIntervention } from "../../pipeline/intervention.ts";

/** Limit on the orders examined in one question: a pipeline has about 160 positions. */
const MOST_ORDERS = 1000;

/** For each other order of phases, by id: the sentences of what it breaks that the given one does not. Ids without constraints are passed over. */
export function orderBreaks(before: readonly string[], orders: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const known = (ids: readonly string[]): readonly PassId[] => ids.filter((id): id is PassId => isPassId(id));
  const now = known(before);
  return orders.slice(0, MOST_ORDERS).map((order) => brokenBy(now, known(order)));
}

/** What is wrong with `NAME=VALUE`; null when it can be set. */
export function knobProblem(assignment: string): string | null {
  return parseKnobs([assignment]).errors[0]?.message ?? null;
}
