/** From what was chosen to the two programs: the text and the state of each side. */

import type { Moment, PhaseRun, PipelineOptions } from "../../engine/api/types.ts";
import { numberedName } from "../names/phase-status.ts";
import { plainName } from "../names/phases.ts";
import { POLICY_TITLES } from "../names/policies.ts";
import type { NamedRun, PlaceChoice, RunChoice, SideChoice } from "../session/comparison.ts";
import type { AsyncEngine } from "../session/engine-port.ts";
import { applyDelta, type MomentState } from "../session/moment.ts";
import { selectKernel } from "../session/selectors.ts";
import type { SessionState } from "../session/state.ts";
import { inNumbersOf } from "./match-blocks.ts";
import type { SideEngine, SideProgram } from "./side-engine.ts";

export interface Side {
  /** The run and the place in it. */
  readonly title: string;
  readonly runTitle: string;
  /** What the run ran with. */
  readonly pipeline: PipelineOptions;
  readonly at: Moment;
  readonly text: string;
  readonly moment: MomentState;
}

export interface Pair {
  readonly left: Side;
  readonly right: Side;
}

/** What a run other than the shown one runs; null: it is the shown one. */
export function programOf(run: RunChoice, state: SessionState, runs: readonly NamedRun[], secondText: string): SideProgram | null {
  const { document, options } = state;
  const kernel = selectKernel(state)?.name ?? null;
  const with_ = (part: Partial<PipelineOptions>): SideProgram => ({
    text: document.text,
    format: document.format ?? document.open?.format ?? null,
    kernel,
    pipeline: { ...options.pipeline, own: null, ...part },
  });
  switch (run.kind) {
    case "shown":
      return null;
    case "named": {
      const named = runs.find(({ name }) => name === run.name);
      return named === undefined || named.isShown ? null : with_(named.pipeline);
    }
    case "policy":
      return run.policy === options.pipeline.policy ? null : with_({ policy: run.policy });
    case "level":
      return run.level === options.pipeline.level ? null : with_({ level: run.level });
    case "kernel":
      return run.name === kernel ? null : { ...with_({ interventions: [] }), kernel: run.name };
    case "text":
      return { ...with_({ interventions: [] }), text: secondText, format: null, kernel: null };
  }
}

export function runTitle(run: RunChoice, { document }: SessionState, runs: readonly NamedRun[]): string {
  switch (run.kind) {
    case "shown":
    case "named":
      return runs.find(({ name, isShown }) => (run.kind === "named" ? name === run.name : isShown))?.title ?? "This run";
    case "policy":
      return POLICY_TITLES[run.policy];
    case "level":
      return `-O${run.level}`;
    case "kernel":
      return run.name;
    case "text":
      return `Second text, next to ${document.title}`;
  }
}

/** A boundary between phases, from 0 (the input), or a step of a run. */
type Spot = { readonly before: number } | { readonly run: number; readonly step: number };

function spotOf(at: PlaceChoice, phases: readonly PhaseRun[], state: SessionState, shown: boolean): Spot | null {
  const open = state.run.result?.phases[state.position.run];
  const find = (id: string | undefined): number =>
    Math.max(
      phases.findIndex((p) => p.address === id),
      phases.findIndex((p) => p.id === id),
    );
  const after = (run: number): Spot | null => (run < 0 ? null : { before: run + 1 });
  switch (at) {
    case "last":
      return { before: phases.length };
    case "current": {
      const { run, step } = state.position;
      return shown && run >= 0 ? { run, step } : after(find(open?.address));
    }
    case "start": {
      const run = find(open?.address);
      return run < 0 ? null : { before: run };
    }
    case "end":
      return after(find(open?.address));
    default: {
      if (at.phase === null) return { before: 0 };
      const run = find(at.phase);
      return run < 0 ? null : at.step === null ? { before: run + 1 } : shown ? { run, step: at.step } : { before: run + 1 };
    }
  }
}

async function stateAt(api: AsyncEngine, spot: Spot, phases: readonly PhaseRun[]): Promise<MomentState> {
  if ("run" in spot) return applyDelta(null, await api.view(spot.run, spot.step, null));
  if (spot.before < phases.length) return applyDelta(null, await api.view(spot.before, -1, null));
  const last = phases.length - 1;
  const trace = await api.trace(last);
  return applyDelta(null, await api.view(last, (trace?.steps ?? 0) - 1, null));
}

const momentOf = (spot: Spot): Moment => ("run" in spot ? spot : { run: spot.before - 1, step: null });

async function sideAt(
  choice: SideChoice,
  state: SessionState,
  { runs, text: secondText }: Choices,
  api: AsyncEngine,
  other: SideEngine,
): Promise<Side> {
  const program = programOf(choice.run, state, runs, secondText);
  const title = runTitle(choice.run, state, runs);
  const ran = program === null ? { api, result: state.run.result } : await other.run(program).catch(refused(title));
  const phases = ran.result?.phases ?? [];
  if (phases.length === 0) throw new Error(`${title} has not run.`);
  const spot = spotOf(choice.at, phases, state, program === null);
  if (spot === null) throw new Error(`${title} has no such phase. Choose another place.`);
  const at = momentOf(spot);
  const [moment, { text }] = await Promise.all([stateAt(ran.api, spot, phases), ran.api.text(at)]);
  const pipeline = program?.pipeline ?? state.options.pipeline;
  return { title: `${title}, ${placeTitle(choice.at, spot, phases)}`, runTitle: title, pipeline, at, text, moment };
}

const refused = (title: string) => (error: unknown) => {
  throw new Error(`${title} cannot be run: ${error instanceof Error ? error.message : String(error)}`);
};

function placeTitle(at: PlaceChoice, spot: Spot, phases: readonly PhaseRun[]): string {
  if (at === "last") return "after all phases";
  if ("run" in spot) {
    const phase = phases[spot.run];
    return `${spot.step < 0 ? "input" : `step ${spot.step + 1}`} of ${phase === undefined ? "" : plainName(phase)}`;
  }
  if (spot.before === 0) return "as written";
  if (at === "start") return `before ${named(phases[spot.before])}`;
  return `after ${named(phases[spot.before - 1])}`;
}

const named = (phase: PhaseRun | undefined): string => (phase === undefined ? "all phases" : numberedName(phase));

export interface Choices {
  readonly left: SideChoice;
  readonly right: SideChoice;
  /** What `named` means. */
  readonly runs: readonly NamedRun[];
  readonly text: string;
}

/** Both sides, the blocks of the right one with the numbers of the left. */
export async function pairOf(
  choices: Choices,
  state: SessionState,
  api: AsyncEngine,
  engines: readonly [SideEngine, SideEngine],
): Promise<Pair> {
  const [left, right] = await Promise.all([
    sideAt(choices.left, state, choices, api, engines[0]),
    sideAt(choices.right, state, choices, api, engines[1]),
  ]);
  return { left, right: { ...right, moment: inNumbersOf(left.moment, right.moment) } };
}
