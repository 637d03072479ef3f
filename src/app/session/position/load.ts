/** Requests what the place needs from the engine, one at a time: the steps of a phase, then the state at the step requested last. */

import type { TraceInfo, UnionGraph } from "../../../engine/api/types.ts";
import { isOwnPhase } from "../../names/phases.ts";
import type { ActionContext } from "../context.ts";
import { applyDelta, type MomentState, sharing } from "../moment.ts";
import { firstDecision } from "../navigate.ts";
import { createPump, type Pump } from "../pump.ts";
import { reuse } from "../reuse.ts";
import { selectPhases } from "../selectors.ts";
import { RequestStopped } from "../watch-engine.ts";
import { type Ground, nextPlace, type PositionEvent, stepOf, timesOf } from "./place.ts";

/** Applies an event to the place. */
export type Happen = (event: PositionEvent) => void;

export function createHappen(ctx: ActionContext): Happen {
  return (event) => {
    const { position } = ctx.get();
    const next = nextPlace(position, event);
    if (next !== position) ctx.patch("position", next);
  };
}

export function groundOf(ctx: ActionContext): Ground {
  const state = ctx.get();
  const { since } = state.document;
  const { result, epoch } = state.run;
  return { phases: selectPhases(state), epoch, of: result, since, late: (result?.revision ?? 0) < since };
}

/** `afterTrace` is called whenever the steps of a phase have arrived. */
export function positionPump(ctx: ActionContext, happen: Happen, afterTrace: () => void): Pump {
  const pump = createPump(
    async (wanted) => {
      const { state } = ctx.get().position;
      if (state === "tracing") await load(wanted);
      if (state === "loaded") await follow(wanted);
    },
    (error) => {
      happen({ kind: "failed", stopped: error instanceof RequestStopped });
      ctx.report("The step could not be shown")(error);
    },
  );

  async function load(wanted: () => boolean): Promise<void> {
    const { position, run: result } = ctx.get();
    const { run } = position;
    const { epoch } = result;
    const current = (): boolean => {
      const now = ctx.get();
      return wanted() && now.position.state === "tracing" && now.position.run === run && now.run.epoch === epoch;
    };
    // All requests at once, if the step is known before the trace: no round trip through the page between them.
    const likely = position.landing === "start" ? -1 : typeof position.landing === "number" ? position.landing : null;
    const asked = ctx.api.trace(run, timesOf(position, epoch));
    const drawn = ctx.api.graph(run).catch(noneIfStopped);
    const seen = likely === null ? null : ctx.api.view(run, likely, null);
    // A failure of a request made ahead is reported below, or not at all if the trace itself fails.
    for (const ahead of [drawn, seen]) ahead?.catch(() => undefined);
    const trace = await asked;
    if (!current()) return pump.request();
    // The user may have requested a different step meanwhile.
    const { landing } = ctx.get().position;
    const step = trace !== null && landing === "change" ? await firstEvent(trace) : stepOf(trace, landing);
    if (!current()) return pump.request();
    const [graph, delta] = await Promise.all([drawn, seen !== null && step === likely ? seen : ctx.api.view(run, step, null)]);
    // A key that was pressed meanwhile is not lost.
    if (!current() || ctx.get().position.landing !== landing) return pump.request();
    happen({ kind: "loaded", step, trace, ...asBefore(graph, applyDelta(null, delta)), ground: groundOf(ctx) });
    afterTrace();
    pump.request();
  }

  /** Reuses the objects on screen for what an edit left unchanged. */
  function asBefore(graph: UnionGraph | null, moment: MomentState): { readonly graph: UnionGraph | null; readonly moment: MomentState } {
    const { document, position } = ctx.get();
    const { opened, moment: before } = position;
    if (opened?.since !== document.since || before?.run !== moment.run || before.name !== moment.name) return { graph, moment };
    return { graph: reuse(position.graph, graph), moment: sharing(before, moment) };
  }

  /** Loads the state of the wanted step; steps that were skipped meanwhile are never requested. */
  async function follow(wanted: () => boolean): Promise<void> {
    const { held } = ctx.get().position;
    for (;;) {
      const { state, run, step, moment, held: now } = ctx.get().position;
      if (state !== "loaded" || now !== held) return pump.request();
      if (moment !== null && moment.run === run && moment.step === step) return;
      const delta = await ctx.api.view(run, step, moment?.run === run ? moment.step : null);
      if (!wanted() || ctx.get().position.held !== held) return;
      happen({ kind: "viewed", moment: applyDelta(moment, delta) });
    }
  }

  /** The first step of interest: a decision that changes the program, else one that found something, else one that refused it. */
  async function firstEvent(trace: TraceInfo): Promise<number> {
    const decision = firstDecision(trace);
    if (decision >= 0) return decision;
    for (const verdict of ["yes", "no"]) {
      const ticks = await ctx.api.breakpointTicks(trace.run, [{ kind: "condition", text: `kind = match and verdict = ${verdict}` }]);
      if (ticks[0] !== undefined) return ticks[0];
    }
    // A user's pass reports only what its author wrote: start at its first report.
    return isOwnPhase(trace) && trace.steps > 0 ? 0 : -1;
  }

  return pump;
}

/** A phase can be stepped without its graph. */
function noneIfStopped(error: unknown): null {
  if (error instanceof RequestStopped) return null;
  throw error;
}
