/**
 * The position as one state machine: its states, its events, and the pure function from one place to the next.
 * The requests to the engine are in `load.ts`; the actions that move are in `../actions/position.ts`.
 */

import type { PhaseRun, TraceInfo, UnionGraph } from "../../../engine/api/types.ts";
import type { MomentState } from "../moment.ts";
import { clampStep, firstDecision } from "../navigate.ts";
import type { RunOf } from "../provenance.ts";

/** `change`: the first decision that changes the program; if none does, the first decision, or the start. */
export type StepTarget = number | "start" | "end" | "change";

/** A run named by its phase: numbers of runs change with the options. */
export interface NamedRun {
  readonly id: string;
  /** Which of that phase's runs, from 0. */
  readonly occurrence: number;
}

/** A run of the program opened at a revision. */
interface OpenRun extends NamedRun {
  readonly since: number;
}

/** What to open with the next result. */
export interface Destination {
  /** null: the first phase that changes the program. */
  readonly id: string | null;
  readonly occurrence: number;
  readonly step: StepTarget;
}

export interface PositionSlice {
  /**
   * idle: no result, or its engine has ended. tracing: the steps of `run` are being loaded; what was shown stays until they arrive.
   * loaded: `trace` and `graph` are those of `run`. failed: they were requested and did not arrive.
   */
  readonly state: "idle" | "tracing" | "loaded" | "failed";
  /** Index into `result.phases`; -1 before the first run. */
  readonly run: number;
  /** The requested step; the moment follows. -1 is the phase's input. */
  readonly step: number;
  /** The step wanted in a phase whose steps are being loaded. */
  readonly landing: StepTarget;
  readonly trace: TraceInfo | null;
  readonly graph: UnionGraph | null;
  /** The state last received: of `run`, at `step` or (briefly) at that of an earlier request. */
  readonly moment: MomentState | null;
  /** The run and the result (by its epoch) that `trace`, `graph` and `moment` belong to. */
  readonly held: { readonly run: number; readonly epoch: number } | null;
  /** What they are of, also while the steps of another result are being loaded. */
  readonly of: RunOf | null;
  /** Requests of the open phase that are not repeated automatically, because they were stopped. */
  readonly stopped: "recording" | "graph" | null;
  /** A run that is recorded with a multiple of the usual limits. */
  readonly more: { readonly run: number; readonly epoch: number; readonly times: number } | null;
  /** What to open with the next result; null: the phase that was open. */
  readonly destination: Destination | null;
  /** The phase that was loaded last, and the revision at which its program was opened. */
  readonly opened: OpenRun | null;
  /** The phase whose steps are being loaded, if it was requested: a result that arrives first opens it, too. */
  readonly coming: OpenRun | null;
}

export const NOWHERE: PositionSlice = {
  state: "idle",
  run: -1,
  step: -1,
  landing: "start",
  trace: null,
  graph: null,
  moment: null,
  held: null,
  of: null,
  stopped: null,
  more: null,
  destination: null,
  opened: null,
  coming: null,
};

/** The result that a place belongs to. */
export interface Ground {
  readonly phases: readonly PhaseRun[];
  readonly epoch: number;
  readonly of: RunOf | null;
  /** The revision at which the open program replaced another. */
  readonly since: number;
  /** The result is of the program that was open before. */
  readonly late: boolean;
}

export type PositionEvent =
  /** A phase of the next result is wanted. */
  | { readonly kind: "request"; readonly destination: Destination }
  /** A result arrived. */
  | { readonly kind: "settle"; readonly ground: Ground }
  | { readonly kind: "go"; readonly run: number; readonly target: StepTarget; readonly ground: Ground }
  /** The steps of `run` arrived, and the state at `step`. */
  | {
      readonly kind: "loaded";
      readonly step: number;
      readonly trace: TraceInfo | null;
      /** null: it was stopped. */
      readonly graph: UnionGraph | null;
      readonly moment: MomentState;
      readonly ground: Ground;
    }
  /** The state at a step arrived. */
  | { readonly kind: "viewed"; readonly moment: MomentState }
  /** An answer did not arrive; `stopped`: because the user ended it. */
  | { readonly kind: "failed"; readonly stopped: boolean }
  /** The user repeats what was stopped. */
  | { readonly kind: "again" }
  /** Record the open phase again, with wider limits. */
  | { readonly kind: "more" }
  /** The engine ended; a new one may follow. */
  | { readonly kind: "lost"; readonly phases: readonly PhaseRun[] };

/** Factor on the limits when a cut trace is recorded again. */
const MORE = 4;

/** The place after `event`; the same object if nothing changes. */
export function nextPlace(place: PositionSlice, event: PositionEvent): PositionSlice {
  switch (event.kind) {
    case "request":
      return { ...place, destination: event.destination };
    case "settle":
      return settled(place, event.ground);
    case "go":
      return gone(place, event.run, event.target, event.ground);
    case "loaded":
      return arrived(place, event);
    case "viewed":
      return { ...place, moment: event.moment };
    case "failed":
      if (event.stopped)
        return {
          ...place,
          state: "failed",
          trace: null,
          graph: null,
          moment: null,
          held: null,
          of: null,
          stopped: "recording",
          coming: null,
        };
      // Without the state of one step the phase is still open.
      return place.state === "loaded" ? place : { ...place, state: "failed", coming: null };
    case "again":
      return place.stopped === null ? place : asked(place);
    case "more": {
      if (place.state !== "loaded" || place.held === null || place.trace?.cut !== true) return place;
      return asked({ ...place, more: { ...place.held, times: timesOf(place, place.held.epoch) * MORE } });
    }
    case "lost": {
      // A phase that was loading is opened when the engine is back.
      const name = place.state === "tracing" || place.state === "failed" ? nameOfRun(event.phases, place.run) : null;
      const destination = place.destination ?? (name === null ? null : { ...name, step: place.landing });
      return { ...place, state: "idle", held: null, destination };
    }
  }
}

/** How many times the usual limits the open phase is recorded with. */
export function timesOf({ run, more }: PositionSlice, epoch: number): number {
  return more !== null && more.run === run && more.epoch === epoch ? more.times : 1;
}

/** The number of a named step. */
export function stepOf(trace: TraceInfo | null, target: StepTarget): number {
  if (trace === null || target === "start") return -1;
  if (target === "end") return trace.steps - 1;
  return target === "change" ? firstDecision(trace) : clampStep(trace, target);
}

/** The n-th run of a phase; the last one when there are fewer, -1 when there is none. */
export function findRun(phases: readonly PhaseRun[], id: string, occurrence: number): number {
  let found = -1;
  let seen = 0;
  for (const [index, phase] of phases.entries()) {
    if (phase.id !== id || seen > occurrence) continue;
    found = index;
    seen++;
  }
  return found;
}

/** A run by its phase's id and which of that phase's runs it is. */
export function nameOfRun(phases: readonly PhaseRun[], run: number): NamedRun | null {
  const id = phases[run]?.id;
  return id === undefined ? null : { id, occurrence: phases.slice(0, run).filter((p) => p.id === id).length };
}

/** The open phase is requested again; the step is kept. */
function asked(place: PositionSlice): PositionSlice {
  return { ...place, state: "tracing", landing: place.step, held: null, stopped: null };
}

/** In a new result: what was requested, else the phase and step requested last or open, else the first phase that changes the program. */
function settled(place: PositionSlice, { phases, since, late }: Ground): PositionSlice {
  const { coming, opened, landing: asked, step } = place;
  const kept = coming?.since === since ? { ...coming, step: asked } : opened?.since === since ? { ...opened, step } : null;
  const aim: Destination | null = late ? null : (place.destination ?? kept);
  const named = aim === null || aim.id === null ? -1 : findRun(phases, aim.id, aim.occurrence);
  const first = firstToOpen(phases);
  const landing = aim !== null && (named >= 0 || (aim.id === null && first.changes)) ? aim.step : "start";
  return {
    ...place,
    state: "tracing",
    run: named >= 0 ? named : first.run,
    landing,
    held: null,
    stopped: null,
    destination: late ? place.destination : null,
    coming: named >= 0 ? openRun(phases, named, since) : null,
  };
}

const openRun = (phases: readonly PhaseRun[], run: number, since: number): OpenRun | null => {
  const name = nameOfRun(phases, run);
  return name === null ? null : { ...name, since };
};

function firstToOpen(phases: readonly PhaseRun[]): { readonly run: number; readonly changes: boolean } {
  const changes = (p: PhaseRun): boolean => p.ran && p.changed;
  // Phases before ptxas have no block numbers to show yet: one is opened only if nothing after it changes the program.
  const numbered = phases.findIndex((p) => changes(p) && p.group !== "cicc");
  const run = numbered >= 0 ? numbered : phases.findIndex(changes);
  const ran = phases.findIndex((p) => p.ran);
  return run >= 0 ? { run, changes: true } : { run: Math.max(0, ran), changes: false };
}

function gone(place: PositionSlice, run: number, target: StepTarget, { phases, epoch, since, late }: Ground): PositionSlice {
  if (run < 0 || run >= phases.length) return place;
  if (place.held?.run !== run || place.held.epoch !== epoch) {
    const coming = late ? null : openRun(phases, run, since);
    return { ...place, state: "tracing", run, step: typeof target === "number" ? target : -1, landing: target, stopped: null, coming };
  }
  const step = stepOf(place.trace, target);
  const same = place.state === "loaded" && place.run === run && place.step === step;
  return same ? place : { ...place, state: "loaded", run, step, stopped: place.graph === null ? "graph" : null, coming: null };
}

function arrived(place: PositionSlice, event: Extract<PositionEvent, { kind: "loaded" }>): PositionSlice {
  const { step, trace, graph, moment, ground } = event;
  return {
    ...place,
    state: "loaded",
    step,
    trace,
    graph,
    moment,
    held: { run: place.run, epoch: ground.epoch },
    of: ground.of,
    stopped: graph === null ? "graph" : null,
    // In a late result of the previous program, the current position is not one of this program.
    opened: (ground.late ? null : openRun(ground.phases, place.run, ground.since)) ?? place.opened,
    coming: null,
  };
}
