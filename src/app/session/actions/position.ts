/** Where one stands: the open phase and step, and every way to move. At most one view is ever asked for at a time. */

import type { PhaseRun, Subject, TraceInfo } from "../../../engine/api/types.ts";
import type { EventKind } from "../../../engine/trace/kinds.ts";
import { isOwnPhase } from "../../ownpass/own-phase.ts";
import type { ActionContext } from "../context.ts";
import { applyDelta } from "../moment.ts";
import {
  clampStep,
  type Direction,
  firstDecision,
  stepInto,
  stepOut,
  stepOver,
  toChange,
  toKind,
  toTick,
  toVisibleLine,
} from "../navigate.ts";
import { createPump } from "../pump.ts";
import { selectPhases } from "../selectors.ts";
import type { NamedMoment } from "../state.ts";
import { subjectTitle } from "../subject.ts";
import { RequestStopped } from "../watch-engine.ts";

/** `change`: the first decision that changes the program; where nothing does, the first one at all, or the start. */
export type StepTarget = number | "start" | "end" | "change";
export type Stride = "into" | "over" | "out" | "change" | "breakpoint";

export interface PositionActions {
  goTo(run: number, step: StepTarget): void;
  /** Opens a phase by its id (the n-th of its runs, from 0); waits for the next run if there is none yet. */
  goToPhase(id: string, step: StepTarget, occurrence?: number): void;
  /** Opens the next result where the program first changes, whatever phase that is in. */
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
  /** Records the open phase anew with limits four times as large; one stays at the step. */
  recordMore(): void;
  reset(): void;
}

/** How much more is recorded when a trace that was cut is asked for more. */
const MORE = 4;

interface Wish {
  /** null: the first phase that changes the program. */
  readonly id: string | null;
  readonly occurrence: number;
  readonly step: StepTarget;
}

export function positionActions(ctx: ActionContext, afterTrace: () => void): PositionActions {
  /** What to open with the next result; else the phase that was open. */
  let wish: Wish | null = null;
  /** Step wanted in a phase whose trace is still on its way. */
  let landing: StepTarget = "start";
  /** The run and epoch that `position.trace` and `.moment` belong to. */
  let loaded = { run: -1, epoch: -1 };
  /** The phase that is open, by name: run numbers change with the options. */
  let opened: { readonly id: string; readonly occurrence: number; readonly since: number } | null = null;
  let search = 0;
  /** Limits of the recording of `run`, so many times the usual ones. */
  let recorded = { run: -1, epoch: -1, times: 1 };

  const pump = createPump(
    async (wanted) => {
      const { position, run } = ctx.get();
      const { epoch } = run;
      if (position.run < 0 || run.result === null) return;
      if (loaded.run !== position.run || loaded.epoch !== epoch) {
        await load(position.run, epoch, wanted);
        return;
      }
      for (;;) {
        const { position: now, run: nowRun } = ctx.get();
        if (now.run !== loaded.run || nowRun.epoch !== loaded.epoch) {
          pump.request();
          return;
        }
        const have = now.moment;
        if (have !== null && have.run === now.run && have.step === now.step) return;
        const delta = await ctx.api.view(now.run, now.step, have?.run === now.run ? have.step : null);
        if (!wanted() || ctx.get().run.epoch !== loaded.epoch) return;
        ctx.patch("position", { moment: applyDelta(have, delta) });
      }
    },
    (error) => {
      const stopped = error instanceof RequestStopped;
      ctx.patch("position", {
        tracing: false,
        ...(stopped ? ({ trace: null, graph: null, moment: null, stopped: "recording" } as const) : {}),
      });
      ctx.report("The step could not be shown")(error);
    },
  );

  async function load(run: number, epoch: number, wanted: () => boolean): Promise<void> {
    const current = () => wanted() && ctx.get().position.run === run && ctx.get().run.epoch === epoch;
    ctx.patch("position", { tracing: true, stopped: null });
    const trace = await ctx.api.trace(run, recorded.run === run && recorded.epoch === epoch ? recorded.times : 1);
    if (!current()) return pump.request();
    const step = trace !== null && landing === "change" ? await firstEvent(trace) : stepOf(trace, landing);
    if (!current()) return pump.request();
    const [graph, delta] = await Promise.all([ctx.api.graph(run).catch(noneIfStopped), ctx.api.view(run, step, null)]);
    if (!current()) return pump.request();
    loaded = { run, epoch };
    const name = nameOfRun(selectPhases(ctx.get()), run);
    const { since } = ctx.get().document;
    // A late result of the program before: where one stood in it is no place in this one.
    if (name !== null && (ctx.get().run.result?.revision ?? 0) >= since) opened = { ...name, since };
    const stopped = graph === null ? "graph" : null;
    ctx.patch("position", { step, trace, graph, moment: applyDelta(null, delta), tracing: false, stopped });
    afterTrace();
    pump.request();
  }

  /** Where something happens: a decision that changes the program, else one that found something, else one that refused it. */
  async function firstEvent(trace: TraceInfo): Promise<number> {
    const decision = firstDecision(trace);
    if (decision >= 0) return decision;
    for (const verdict of ["yes", "no"]) {
      const ticks = await ctx.api.breakpointTicks(trace.run, [{ kind: "condition", text: `kind = match and verdict = ${verdict}` }]);
      if (ticks[0] !== undefined) return ticks[0];
    }
    // A pass of one's own says only what somebody wrote into it: that is what one wants to see.
    return isOwnPhase(trace) && trace.steps > 0 ? 0 : -1;
  }

  function goTo(run: number, step: StepTarget): void {
    const { position, run: runSlice } = ctx.get();
    if (run < 0 || run >= (runSlice.result?.phases.length ?? 0)) return;
    if (run === loaded.run && runSlice.epoch === loaded.epoch) {
      const clamped = stepOf(position.trace, step);
      if (position.run !== run || position.step !== clamped) ctx.patch("position", { run, step: clamped });
    } else {
      landing = step;
      ctx.patch("position", { run, step: typeof step === "number" ? step : -1 });
    }
    pump.request();
  }

  /** The nearest run in a direction that satisfies a condition. */
  function neighbour(from: number, direction: Direction, accept: (phase: PhaseRun) => boolean): number | null {
    const phases = selectPhases(ctx.get());
    for (let i = from + direction; i >= 0 && i < phases.length; i += direction) {
      const phase = phases[i];
      if (phase !== undefined && accept(phase)) return i;
    }
    return null;
  }

  /** Looks through the phases beyond the open one for a step; opens the first that has one. */
  async function searchBeyond(
    direction: Direction,
    accept: (phase: PhaseRun) => boolean,
    pick: (run: number) => Promise<number | null>,
    nothing: string,
  ): Promise<void> {
    const mine = ++search;
    const { epoch } = ctx.get().run;
    const found = await ctx.watch.together("find", async () => {
      let run: number | null = ctx.get().position.run;
      for (;;) {
        run = neighbour(run, direction, accept);
        if (run === null) return null;
        const step: number | null = await pick(run);
        if (mine !== search || ctx.get().run.epoch !== epoch) return "given up";
        if (step !== null) return { run, step };
      }
    });
    if (found === null) ctx.notify("info", nothing);
    else if (found !== "given up") goTo(found.run, found.step);
  }

  const where = (direction: Direction) => (direction === 1 ? "after" : "before");

  function move(stride: Stride, direction: Direction): void {
    const state = ctx.get();
    const { trace, step, run } = state.position;
    if (run !== loaded.run || state.run.epoch !== loaded.epoch) return;
    let to: number | null = null;
    if (trace !== null) {
      switch (stride) {
        case "into":
          to = toUnfolded(direction) ?? null;
          break;
        case "over":
          to = stepOver(trace, step, direction);
          break;
        case "out":
          to = stepOut(trace, step, direction);
          break;
        case "change":
          to = toChange(trace, step, direction);
          break;
        case "breakpoint":
          to = toTick(state.breakpoints.ticks, step, direction);
          break;
      }
    }
    if (to !== null) {
      goTo(run, to);
      return;
    }
    const failed = ctx.report("The search failed");
    switch (stride) {
      case "into":
      case "over": {
        const next = neighbour(run, direction, (p) => p.ran);
        if (next !== null) goTo(next, direction === 1 ? "start" : "end");
        else
          ctx.notify(
            "info",
            direction === 1 && state.lab.veil !== null
              ? "What comes next is what the open question asks: answer it first."
              : direction === 1
                ? "This is the last step: no later phase runs."
                : "This is the start: no earlier phase runs.",
          );
        return;
      }
      case "out": {
        if (step === -1 && direction === 1) goTo(run, "end");
        else ctx.notify("info", "There is nothing to step out of: this is the outermost level of the phase.");
        return;
      }
      case "change":
        searchBeyond(
          direction,
          (p) => p.ran && p.changed,
          async (r) => {
            const info = await ctx.api.trace(r);
            return info === null ? null : toChange(info, direction === 1 ? -1 : info.steps, direction);
          },
          `Nothing changes ${where(direction)} this step.`,
        ).catch(failed);
        return;
      case "breakpoint": {
        const enabled = state.breakpoints.list.filter((b) => b.enabled).map((b) => b.breakpoint);
        if (enabled.length === 0) {
          ctx.notify("info", "There is no breakpoint. Set one on a pseudocode line, a block, or in the breakpoint list.", {
            label: "Breakpoints",
            command: "breakpoints.edit",
          });
          return;
        }
        searchBeyond(
          direction,
          (p) => p.ran,
          async (r) => {
            const info = await ctx.api.trace(r);
            const ticks = await ctx.api.breakpointTicks(r, enabled);
            return toTick(ticks, direction === 1 ? -1 : (info?.steps ?? 0), direction);
          },
          `No breakpoint is met ${where(direction)} this step.`,
        ).catch(failed);
        return;
      }
    }
  }

  /** One step, passing over pseudocode lines that are folded away. */
  function toUnfolded(direction: Direction): number | null {
    const state = ctx.get();
    const { trace, step } = state.position;
    if (trace === null) return null;
    const folds = state.view.folds[trace.id] ?? [];
    return folds.length === 0
      ? stepInto(trace, step, direction)
      : toVisibleLine(trace, step, direction, foldedLines(trace.pseudocode, folds));
  }

  return {
    goTo,
    goToPhase(id, step, occurrence = 0) {
      const { run } = ctx.get();
      const index = findRun(selectPhases(ctx.get()), id, occurrence);
      if (index >= 0 && !run.stale && !run.running) goTo(index, step);
      else wish = { id, step, occurrence };
    },
    goToFirstChange() {
      wish = { id: null, step: "change", occurrence: 0 };
    },
    seek: (step) => goTo(ctx.get().position.run, step),
    move,
    moveToKind(kinds, direction) {
      const { trace, step, run } = ctx.get().position;
      const to = trace === null ? null : toKind(trace, step, direction, kinds);
      if (to !== null) goTo(run, to);
      else ctx.notify("info", `No such event ${where(direction)} this step in this phase.`);
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
      const to = neighbour(ctx.get().position.run, direction, (p) => p.ran && (which === "ran" || p.changed));
      if (to !== null) goTo(to, direction === 1 ? "start" : "end");
      else ctx.notify("info", `No phase ${where(direction)} this one ${which === "ran" ? "runs" : "changes the program"}.`);
    },
    settle() {
      const state = ctx.get();
      const phases = selectPhases(state);
      const { since } = state.document;
      const late = (state.run.result?.revision ?? 0) < since;
      const aim: Wish | null = late ? null : (wish ?? (opened?.since === since ? { ...opened, step: state.position.step } : null));
      if (!late) wish = null;
      const named = aim === null || aim.id === null ? -1 : findRun(phases, aim.id, aim.occurrence);
      // What runs before ptxas has no numbers of blocks to show yet: opened only where nothing after it changes the program.
      const changes = (p: PhaseRun): boolean => p.ran && p.changed;
      const numbered = phases.findIndex((p) => changes(p) && p.group !== "cicc");
      const first = numbered >= 0 ? numbered : phases.findIndex(changes);
      const run =
        named >= 0
          ? named
          : first >= 0
            ? first
            : Math.max(
                0,
                phases.findIndex((p) => p.ran),
              );
      landing = aim !== null && (named >= 0 || (aim.id === null && first >= 0)) ? aim.step : "start";
      ctx.patch("position", { run });
      pump.request();
    },
    named() {
      const state = ctx.get();
      return { phase: selectPhases(state)[state.position.run]?.id ?? null, step: state.position.step };
    },
    askAgain() {
      if (ctx.get().position.stopped === null) return;
      ctx.watch.release();
      landing = ctx.get().position.step;
      loaded = { run: -1, epoch: -1 };
      pump.request();
    },
    recordMore() {
      const { position, run } = ctx.get();
      if (position.run !== loaded.run || run.epoch !== loaded.epoch || position.trace?.cut !== true) return;
      const before = recorded.run === position.run && recorded.epoch === run.epoch ? recorded.times : 1;
      recorded = { run: position.run, epoch: run.epoch, times: before * MORE };
      landing = position.step;
      loaded = { run: -1, epoch: -1 };
      pump.request();
    },
    reset() {
      search++;
      // The phase that one was on the way to is where one stands when the engine is back.
      const { position, run } = ctx.get();
      if (position.run >= 0 && (position.run !== loaded.run || run.epoch !== loaded.epoch)) {
        const name = nameOfRun(selectPhases(ctx.get()), position.run);
        if (name !== null) wish ??= { ...name, step: landing };
      }
      loaded = { run: -1, epoch: -1 };
      pump.reset();
      ctx.patch("position", { tracing: false });
    },
  };
}

/** The number of a step that is named by what it is. */
function stepOf(trace: TraceInfo | null, target: StepTarget): number {
  if (trace === null || target === "start") return -1;
  if (target === "end") return trace.steps - 1;
  return target === "change" ? firstDecision(trace) : clampStep(trace, target);
}

/** A phase can be stepped without its graph. */
function noneIfStopped(error: unknown): null {
  if (error instanceof RequestStopped) return null;
  throw error;
}

/** The n-th run of a phase; the last one when there are fewer, -1 when there is none. */
function findRun(phases: readonly PhaseRun[], id: string, occurrence: number): number {
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
export function nameOfRun(phases: readonly PhaseRun[], run: number): { readonly id: string; readonly occurrence: number } | null {
  const id = phases[run]?.id;
  return id === undefined ? null : { id, occurrence: phases.slice(0, run).filter((p) => p.id === id).length };
}

/** Lines (1-based) hidden by folds: everything indented deeper than a folded line, up to the next that is not. */
export function foldedLines(pseudocode: readonly string[], folds: readonly number[]): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const fold of folds) {
    const own = indentOf(pseudocode[fold - 1] ?? "");
    for (let line = fold + 1; line <= pseudocode.length && indentOf(pseudocode[line - 1] ?? "") > own; line++) hidden.add(line);
  }
  return hidden;
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
