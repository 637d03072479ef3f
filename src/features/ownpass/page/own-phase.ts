/** The user's pass as a phase: in the pipeline's options, and in a result. */

import { isOwnPhase } from "../../../app/names/phases.ts";
import type { ActionContext } from "../../../app/session/context.ts";
import { selectPhase } from "../../../app/session/selectors.ts";
import type { CoreActions } from "../../../app/session/session.ts";
import type { SessionState } from "../../../app/session/state.ts";
import type { OwnPhase, Place } from "../../../engine/api/types.ts";
import type { Described } from "../engine/check/requests.ts";

/** A pass is a phase. An analysis analyses what is shown; at a place it is also a phase, and can be stepped through. */
export const isPhase = ({ kind }: Described, place: Place | null): boolean => kind === "pass" || place !== null;

/** What the pipeline needs to know of it. */
export function ownPhaseOf(state: SessionState, source: string, { name, summary }: Described): OwnPhase {
  return { name, summary, source, at: state.ownpass.place, lines: steppedLines(state, source) };
}

/** The pass in the pipeline; null: it has none. */
export const inPipeline = ({ options }: SessionState): OwnPhase | null => options.pipeline.own ?? null;

export function takeOut({ get }: ActionContext, { run }: Pick<CoreActions, "run">): void {
  if (inPipeline(get()) !== null) run.setOptions({ own: null });
}

/** The set of lines that are steps may have changed. */
export function updateLines({ get }: ActionContext, { run }: Pick<CoreActions, "run">): void {
  const own = inPipeline(get());
  if (own === null) return;
  const lines = steppedLines(get(), own.source);
  if (JSON.stringify(lines) !== JSON.stringify(own.lines)) run.setOptions({ own: { ...own, lines } });
}

/** Lines of the source that are steps; null: all of them. */
function steppedLines({ ownpass, breakpoints }: SessionState, source: string): readonly number[] | null {
  if (ownpass.everyLine) return null;
  const count = source.split("\n").length;
  const lines = breakpoints.list.flatMap(({ enabled, breakpoint: b }) =>
    enabled && b.kind === "line" && b.line >= 1 && b.line <= count ? [b.line] : [],
  );
  return lines.sort((a, b) => a - b);
}

/** The line of the step that is shown, where it is a step of the pass as it is written now; null: it is not. */
export function selectPassLine(state: SessionState): number | null {
  const { report, ran, source } = state.ownpass;
  const phase = selectPhase(state);
  if (report === null || ran !== source || state.run.stale || phase === null || !isOwnPhase(phase)) return null;
  const line = state.position.moment?.event?.line ?? 0;
  return line > 0 ? line : null;
}
