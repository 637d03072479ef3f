/** The position: the open phase and step, and every action that moves it. At most one view is requested at a time. */

import type { PhaseRun, Subject, TraceInfo } from "../../../engine/api/types.ts";
import type { EventKind } from "../../../engine/trace/kinds.ts";
import { plainName } from "../../names/phases.ts";
import type { Notice } from "../../ui/notices.tsx";
import type { ActionContext } from "../context.ts";
import type { AsyncEngine } from "../engine-port.ts";
import { type Direction, stepOut, stepOver, toChange, toKind, toTick, toVisibleLine } from "../navigate.ts";
import { foldedLines, foldsOf } from "../position/folds.ts";
import { createHappen, groundOf, positionPump } from "../position/load.ts";
import { findRun, type PositionEvent, type StepTarget } from "../position/place.ts";
import { selectPhase, selectPhases, selectTracing } from "../selectors.ts";
import type { NamedMoment, SessionState } from "../state.ts";
import { subjectTitle } from "../subject.ts";

export type Stride = "into" | "over" | "out" | "change" | "breakpoint";

export interface PositionActions {
  goTo(run: number, step: StepTarget): void;
  /** Opens a phase by its id (the n-th of its runs, from 0); waits for the next run if there is none yet. */
  goToPhase(id: string, step: StepTarget, occurrence?: number): void;
  /** Opens the next result where the program first changes, in any phase. */
  goToFirstChange(): void;
  seek(step: StepTarget): void;
  move(stride: Stride, direction: Direction): void;
  moveToKind(kinds: readonly EventKind[], direction: Direction): void;
  moveToSubject(subject: Subject, direction: Direction): void;
  /** Moves to the next or previous phase that ran, or that changed something. */
  movePhase(direction: Direction, which: "ran" | "changed"): void;
  /** Finds the place again after a new run. */
  settle(): void;
  /** The open moment, named by its phase. */
  named(): NamedMoment;
  /** Repeats the requests of the open phase that were stopped. */
  askAgain(): void;
  /** Records the open phase again with limits four times as large; the step is kept. */
  recordMore(): void;
  reset(): void;
}

interface Place {
  readonly run: number;
  readonly step: StepTarget;
}

/** A step searched for in the phases after or before the open one. */
interface Search {
  readonly direction: Direction;
  readonly accept: (phase: PhaseRun) => boolean;
  /** The step of a run, if it has one. */
  readonly pick: (api: AsyncEngine, run: number) => Promise<number | null>;
}

/** Where a move leads, and the message if it leads nowhere. */
interface Lead {
  readonly to: Place | Search | null;
  readonly nothing: string;
  readonly action?: Notice["action"];
}

/** A step of the open phase, else what comes after or before it. */
const STRIDES: Readonly<Record<Stride, (direction: Direction, state: SessionState, trace: TraceInfo) => Lead>> = {
  into(direction, state, trace) {
    // Lines that the user folded are skipped; other folded lines have no steps.
    const folded = foldedLines(trace.pseudocode, foldsOf(state.view.folds[trace.id] ?? {}));
    return stepOrPhase(direction, state, toVisibleLine(trace, state.position.step, direction, folded));
  },
  over: (direction, state, trace) => stepOrPhase(direction, state, stepOver(trace, state.position.step, direction)),
  out(direction, { position: { run, step } }, trace) {
    const to = stepOut(trace, step, direction) ?? (step === -1 && direction === 1 ? "end" : null);
    return { to: placeIn(run, to), nothing: "There is nothing to step out of: this is the outermost level of the phase." };
  },
  change: (direction, { position: { run, step } }, trace) => ({
    to: placeIn(run, toChange(trace, step, direction)) ?? {
      direction,
      accept: (p) => p.ran && p.changed,
      async pick(api, run) {
        const other = await api.trace(run);
        return other === null ? null : toChange(other, direction === 1 ? -1 : other.steps, direction);
      },
    },
    nothing: `Nothing changes ${where(direction)} this step.`,
  }),
  breakpoint(direction, { position: { run, step }, breakpoints: { list, ticks } }) {
    const enabled = list.filter((b) => b.enabled).map((b) => b.breakpoint);
    if (enabled.length === 0)
      return {
        to: null,
        nothing: "There are no breakpoints. Set one on a pseudocode line or a block, or add one in the breakpoint list.",
        action: { label: "Breakpoints", command: "breakpoints.edit" },
      };
    const from = direction === 1 ? -1 : Number.POSITIVE_INFINITY;
    return {
      to: placeIn(run, toTick(ticks, step, direction)) ?? {
        direction,
        accept: (p) => p.ran,
        pick: async (api, run) => toTick(await api.breakpointTicks(run, enabled), from, direction),
      },
      nothing: `No breakpoint stops ${where(direction)} this step.`,
    };
  },
};

/** The step, else the phase next to the open one. */
function stepOrPhase(direction: Direction, state: SessionState, step: number | null): Lead {
  const last =
    state.engine.veil === null
      ? "This is the last step: no later phase runs."
      : "The next step is what the open question asks about: answer it first.";
  return {
    to: placeIn(state.position.run, step) ?? neighbour(state, direction, (p) => p.ran),
    nothing: direction === 1 ? last : "This is the start: no earlier phase runs.",
  };
}

/** Why there is nothing to step through. */
export function noSteps(state: SessionState): string {
  const phase = selectPhase(state);
  if (phase === null) return "Nothing has run yet.";
  if (selectTracing(state)) return "The steps of this phase are still being recorded.";
  const why = phase.modelled ? "did not run" : "is not modelled";
  return `${plainName(phase)} ${why}: there is nothing to step through. ] goes to the next phase that changed something.`;
}

export function positionActions(ctx: ActionContext, afterTrace: () => void): PositionActions {
  const happen = createHappen(ctx);
  const pump = positionPump(ctx, happen, afterTrace);

  /** Applies an event to the place, and requests from the engine what it then lacks. */
  function become(event: PositionEvent): void {
    happen(event);
    pump.request();
  }

  const { goTo, follow, move, stopSearch } = createMoves(ctx, become);
  return {
    goTo,
    goToPhase(id, step, occurrence = 0) {
      const { run } = ctx.get();
      const index = findRun(selectPhases(ctx.get()), id, occurrence);
      if (index >= 0 && !run.stale && !run.running) goTo(index, step);
      else happen({ kind: "request", destination: { id, step, occurrence } });
    },
    goToFirstChange() {
      happen({ kind: "request", destination: { id: null, step: "change", occurrence: 0 } });
    },
    seek: (step) => goTo(ctx.get().position.run, step),
    move,
    moveToKind(kinds, direction) {
      const { trace, step, run } = ctx.get().position;
      const to = trace === null ? null : toKind(trace, step, direction, kinds);
      follow({ to: placeIn(run, to), nothing: `No event of this kind ${where(direction)} this step in this phase.` });
    },
    moveToSubject(subject, direction) {
      const { run, step, moment } = ctx.get().position;
      if (run < 0) return;
      const { epoch } = ctx.get().run;
      ctx.api.find(run, step, direction, { kind: "object", subject }, []).then((to) => {
        if (ctx.get().run.epoch !== epoch || ctx.get().position.run !== run) return;
        follow({
          to: placeIn(run, to),
          nothing: `No step ${where(direction)} this one in this phase touches ${subjectTitle(subject, moment)}.`,
        });
      }, ctx.report("The search failed"));
    },
    movePhase(direction, which) {
      const to = neighbour(ctx.get(), direction, (p) => p.ran && (which === "ran" || p.changed));
      follow({ to, nothing: `No phase ${where(direction)} this one ${which === "ran" ? "runs" : "changes the program"}.` });
    },
    settle: () => become({ kind: "settle", ground: groundOf(ctx) }),
    named() {
      const state = ctx.get();
      return { phase: selectPhases(state)[state.position.run]?.id ?? null, step: state.position.step };
    },
    askAgain() {
      ctx.watch.release();
      become({ kind: "again" });
    },
    recordMore: () => become({ kind: "more" }),
    reset() {
      stopSearch();
      pump.reset();
      happen({ kind: "lost", phases: selectPhases(ctx.get()) });
    },
  };
}

/** The moves: to a place, to where a lead leads (perhaps after a search of other phases), by a stride (once the open place is there). */
function createMoves(ctx: ActionContext, become: (event: PositionEvent) => void) {
  const waiting = waitForPlace(ctx);
  const search = phaseSearch(ctx);

  function goTo(run: number, target: StepTarget): void {
    // The pending move would start from a different place.
    waiting.stop();
    become({ kind: "go", run, target, ground: groundOf(ctx) });
  }

  function follow({ to, nothing, action }: Lead): void {
    if (to === null) ctx.notify("info", nothing, action);
    else if ("run" in to) goTo(to.run, to.step);
    else
      search.find(to).then((found) => {
        if (found !== "given up") follow({ to: found, nothing });
      }, ctx.report("The search failed"));
  }

  function move(stride: Stride, direction: Direction): void {
    const state = ctx.get();
    const { trace, state: at } = state.position;
    const begins = at === "idle" && (state.run.running || state.document.open === null);
    if (at === "tracing" || begins) waiting.begin(() => move(stride, direction));
    if (at === "loaded") follow(trace === null ? { to: null, nothing: noSteps(state) } : STRIDES[stride](direction, state, trace));
  }

  return { goTo, follow, move, stopSearch: search.stop };
}

const where = (direction: Direction): string => (direction === 1 ? "after" : "before");

const placeIn = (run: number, step: StepTarget | null): Place | null => (step === null ? null : { run, step });

/** The nearest run in a direction that satisfies a condition, and the step at which it is entered from there. */
function neighbour(
  state: SessionState,
  direction: Direction,
  accept: (phase: PhaseRun) => boolean,
  from = state.position.run,
): Place | null {
  const phases = selectPhases(state);
  for (let run = from + direction; run >= 0 && run < phases.length; run += direction) {
    const phase = phases[run];
    if (phase !== undefined && accept(phase)) return { run, step: direction === 1 ? "start" : "end" };
  }
  return null;
}

/** Searches the phases after or before the open one for a step. A later search ends an earlier one. */
function phaseSearch(ctx: ActionContext) {
  let latest = 0;
  const find = ({ direction, accept, pick }: Search): Promise<Place | null | "given up"> => {
    const mine = ++latest;
    const { epoch } = ctx.get().run;
    return ctx.watch.together("find", async () => {
      let phase = neighbour(ctx.get(), direction, accept);
      for (; phase !== null; phase = neighbour(ctx.get(), direction, accept, phase.run)) {
        const step = await pick(ctx.api, phase.run);
        if (mine !== latest || ctx.get().run.epoch !== epoch) return "given up";
        if (step !== null) return { run: phase.run, step };
      }
      return null;
    });
  };
  return { find, stop: (): void => void latest++ };
}

/** Moves that wait for the place they start from; the last one replaces the others. */
function waitForPlace(ctx: ActionContext) {
  let stop = (): void => undefined;
  const begin = (move: () => void): void => {
    stop();
    const { text, since } = ctx.get().document;
    stop = ctx.store.subscribe(({ position, document }) => {
      // Meanwhile a different program was opened (unless there was none), or one that cannot be run.
      const over = (text !== "" && document.since !== since) || document.open?.ok === false || position.state === "failed";
      if (!over && position.state !== "loaded") return;
      stop();
      if (!over) queueMicrotask(move);
    });
  };
  return { begin, stop: () => stop() };
}
