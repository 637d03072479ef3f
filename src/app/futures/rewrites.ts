/** The rewrite at the open step, and why nothing can be done otherwise there. */

import { type RewriteAt, rewriteAt } from "../session/rewrites.ts";
import type { SessionState } from "../session/state.ts";

export function rewriteHere({ position }: SessionState): RewriteAt | null {
  const { trace, step, moment } = position;
  const event = moment?.step === step ? moment.event : null;
  return rewriteAt(trace, step, event?.kind === "match" && event.facts.verdict === "yes");
}

/** Why nothing can be done otherwise at this step; null when something can. */
export function whyNoRewrite(state: SessionState): string | null {
  const { trace, step, state: at } = state.position;
  if (state.view.embed) return "An embedded view shows only one future.";
  if (trace === null) return at === "tracing" ? "The steps of this phase are still being recorded." : "This phase has no steps.";
  if (trace.rewrites === null) return "This is a recorded trace: it has only one future.";
  const here = rewriteHere(state);
  if (here?.refused === true) return `This future already refuses rewrite ${here.n}.`;
  if (here !== null) return null;
  const next = trace.rewrites.from.find((from) => from > step);
  return next === undefined
    ? "No rewrite of this phase is at this step or after it."
    : `This step is not part of a rewrite: the next rewrite begins at step ${next + 1}.`;
}
