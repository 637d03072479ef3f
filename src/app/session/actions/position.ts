/** The position: the open phase and step, and every action that moves it. At most one view is requested at a time. */

import type { PhaseRun, Subject, TraceInfo } from "../../../engine/api/types.ts";
import type { EventKind } from "../../../engine/trace/kinds.ts";
import { plainName } from "../../names/phases.ts";
import type { ActionContext } from "../context.ts";
import { type Direction, stepInto, stepOut, stepOver, toChange, toKind, toTick, toVisibleLine } from "../navigate.ts";
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
  /** To the neighbouring phase: any that ran, or one that changed something. */
  movePhase(direction: Direction, which: "ran" | "changed"): void;
  /** Finds the place again after a new run. */
  settle(): void;
  /** The open moment, named by its phase. */
  named(): NamedMoment;
  /** Asks again for what of the open phase was stopped. */
  askAgain(): void;
  /** Records the open phase again with limits four times as large; the step is kept. */
  recordMore(): void;
  reset(): void;
}

/** Where a stride leads inside the open phase; null: out of it. */
const WITHIN: Readonly<Record<Stride, (trace: TraceInfo, from: number, direction: Direction, state: SessionState) => number | null>> = {
  into: (trace, from, direction, { view }) => {
    // Lines that a person folded away are passed over; what else is folded has no steps.
    const folds = foldsOf(view.folds[trace.id] ?? {});
    return folds.length === 0
      ? stepInto(trace, from, direction)
      : toVisibleLine(trace, from, direction, foldedLines(trace.pseudocode, folds));
  },
  over: stepOver,
  out: stepOut,
  change: toChange,
  breakpoint: (_, from, direction, { breakpoints }) => toTick(breakpoints.ticks, from, direction),
};

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

  /** Lets something happen to the place, and asks the engine for what it then lacks. */
  function become(event: PositionEvent): void {
    happen(event);
    pump.request();
  }

  const waiting = waitForPlace(ctx);
  const goTo = (run: number, target: StepTarget): void => {
    // The move that waits would begin somewhere else.
    waiting.stop();
    become({ kind: "go", run, target, ground: groundOf(ctx) });
  };
  const search = phaseSearch(ctx, goTo);

  function move(stride: Stride, direction: Direction): void {
    const state = ctx.get();
    const { trace, step, run, state: at } = state.position;
    const begins = at === "idle" && (state.run.running || state.document.open === null);
    if (at === "tracing" || begins) waiting.begin(() => move(stride, direction));
    if (at !== "loaded") return;
    if (trace === null) {
      ctx.notify("info", noSteps(state));
      return;
    }
    const to = WITHIN[stride](trace, step, direction, state);
    if (to !== null) goTo(run, to);
    else moveBeyond(stride, direction, state);
  }

  /** A stride that the open phase has no step for. */
  function moveBeyond(stride: Stride, direction: Direction, state: SessionState): void {
    const { run, step } = state.position;
    switch (stride) {
      case "into":
      case "over": {
        const next = neighbour(selectPhases(state), run, direction, (p) => p.ran);
        if (next !== null) goTo(next, edgeOf(direction));
        else if (direction === -1) ctx.notify("info", "This is the start: no earlier phase runs.");
        else if (state.engine.veil === null) ctx.notify("info", "This is the last step: no later phase runs.");
        else ctx.notify("info", "The next step is what the open question asks about: answer it first.");
        return;
      }
      case "out":
        if (step === -1 && direction === 1) goTo(run, "end");
        else ctx.notify("info", "There is nothing to step out of: this is the outermost level of the phase.");
        return;
      case "change":
        search.begin(direction, {
          accept: (p) => p.ran && p.changed,
          pick: async (r) => {
            const info = await ctx.api.trace(r);
            return info === null ? null : toChange(info, direction === 1 ? -1 : info.steps, direction);
          },
          nothing: `Nothing changes ${where(direction)} this step.`,
        });
        return;
      case "breakpoint": {
        const enabled = state.breakpoints.list.filter((b) => b.enabled).map((b) => b.breakpoint);
        if (enabled.length === 0) {
          ctx.notify("info", "There are no breakpoints. Set one on a pseudocode line or a block, or add one in the breakpoint list.", {
            label: "Breakpoints",
            command: "breakpoints.edit",
          });
          return;
        }
        search.begin(direction, {
          accept: (p) => p.ran,
          pick: async (r) => {
            const info = await ctx.api.trace(r);
            const ticks = await ctx.api.breakpointTicks(r, enabled);
            return toTick(ticks, direction === 1 ? -1 : (info?.steps ?? 0), direction);
          },
          nothing: `No breakpoint stops ${where(direction)} this step.`,
        });
        return;
      }
    }
  }

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
      if (to !== null) goTo(run, to);
      else ctx.notify("info", `No event of this kind ${where(direction)} this step in this phase.`);
    },
    moveToSubject(subject, direction) {
      const { run, step, moment } = ctx.get().position;
      if (run < 0) return;
      const { epoch } = ctx.get().run;
      ctx.api.find(run, step, direction, { kind: "object", subject }, []).then((to) => {
        if (ctx.get().run.epoch !== epoch || ctx.get().position.run !== run) return;
        if (to !== null) goTo(run, to);
        else ctx.notify("info", `No step ${where(direction)} this one in this phase touches ${subjectTitle(subject, moment)}.`);
      }, ctx.report("The search failed"));
    },
    movePhase(direction, which) {
      const { position } = ctx.get();
      const to = neighbour(selectPhases(ctx.get()), position.run, direction, (p) => p.ran && (which === "ran" || p.changed));
      if (to !== null) goTo(to, edgeOf(direction));
      else ctx.notify("info", `No phase ${where(direction)} this one ${which === "ran" ? "runs" : "changes the program"}.`);
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
      search.stop();
      pump.reset();
      happen({ kind: "lost", phases: selectPhases(ctx.get()) });
    },
  };
}

const where = (direction: Direction): string => (direction === 1 ? "after" : "before");
/** Where a phase is entered that is reached in this direction. */
const edgeOf = (direction: Direction): StepTarget => (direction === 1 ? "start" : "end");

/** The nearest run in a direction that satisfies a condition. */
function neighbour(phases: readonly PhaseRun[], from: number, direction: Direction, accept: (phase: PhaseRun) => boolean): number | null {
  for (let i = from + direction; i >= 0 && i < phases.length; i += direction) {
    const phase = phases[i];
    if (phase !== undefined && accept(phase)) return i;
  }
  return null;
}

interface Wanted {
  readonly accept: (phase: PhaseRun) => boolean;
  /** The step of a run, if it has one. */
  readonly pick: (run: number) => Promise<number | null>;
  /** The message where no phase has one. */
  readonly nothing: string;
}

/** Looks through the phases beyond the open one for a step, and opens the first that has one. A later search ends an earlier one. */
function phaseSearch(ctx: ActionContext, goTo: PositionActions["goTo"]) {
  let latest = 0;
  const find = async (direction: Direction, { accept, pick, nothing }: Wanted): Promise<void> => {
    const mine = ++latest;
    const { epoch } = ctx.get().run;
    const found = await ctx.watch.together("find", async () => {
      let run: number | null = ctx.get().position.run;
      for (;;) {
        run = neighbour(selectPhases(ctx.get()), run, direction, accept);
        if (run === null) return null;
        const step: number | null = await pick(run);
        if (mine !== latest || ctx.get().run.epoch !== epoch) return "given up";
        if (step !== null) return { run, step };
      }
    });
    if (found === null) ctx.notify("info", nothing);
    else if (found !== "given up") goTo(found.run, found.step);
  };
  return {
    begin: (direction: Direction, wanted: Wanted): void => void find(direction, wanted).catch(ctx.report("The search failed")),
    stop: (): void => void latest++,
  };
}

/** Moves that wait for the place they begin at; of several the last. */
function waitForPlace(ctx: ActionContext) {
  let stop = (): void => undefined;
  const begin = (move: () => void): void => {
    stop();
    const { text, since } = ctx.get().document;
    stop = ctx.store.subscribe(({ position, document }) => {
      // Another program meanwhile, unless there was none; or none that can be run.
      const over = (text !== "" && document.since !== since) || document.open?.ok === false || position.state === "failed";
      if (!over && position.state !== "loaded") return;
      stop();
      if (!over) queueMicrotask(move);
    });
  };
  return { begin, stop: () => stop() };
}
