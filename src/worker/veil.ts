/**
 * The veil of a prediction: the engine as it would answer if the run ended right before a step. Every view of the program gets its data from the engine, so no part of the page
 * can show what comes after. Each row of the questions says what it may reveal.
 */

import type {
  Breakpoint,
  GvnModeReport,
  History,
  Moment,
  PhaseRun,
  Reason,
  RunResult,
  StateDelta,
  StepCommand,
  Subject,
  TraceInfo,
  UnionGraph,
  WatchReport,
} from "../engine/api/types.ts";
import type { TraceEvent } from "../engine/trace/event.ts";

/** The step to predict: neither it nor what follows is shown. */
export interface Veil {
  readonly phase: string;
  readonly occurrence: number;
  readonly step: number;
}

/** The answer would reveal what the user must predict. */
export class Veiled extends Error {
  override readonly name = "Veiled";
  constructor() {
    super("this would reveal the answer to the open question: answer it first");
  }
}

/** What is hidden of the last run: a run of a phase from a step on, and all runs after it. */
export interface Hidden {
  readonly run: number;
  readonly step: number;
  /** The engine without a veil. */
  readonly engine: { view(run: number, step: number, have: number | null): Promise<StateDelta> };
}

/**
 * What a question may reveal. "all": its answer follows from the text and from tables alone. "none": it is refused once there is a run with the step; "never": also
 * before. "cut": it is the run, of which the phases up to the step are shown. "until the step": its first argument is a moment, and later ones become the last that
 * is shown. A function: its own answer.
 */
export type VeilRule<A extends readonly unknown[], T> =
  | "all"
  | "none"
  | "never"
  | (T extends RunResult ? "cut" : never)
  | (A extends readonly [Moment, ...unknown[]] ? "until the step" : never)
  | ((hidden: Hidden, ask: (...args: A) => Promise<T>, ...args: A) => Promise<T>);

/** A rule, for code that treats all of them alike. */
export type AnyRule =
  | "all"
  | "none"
  | "never"
  | "cut"
  | "until the step"
  | ((hidden: Hidden, ask: (...args: unknown[]) => Promise<unknown>, ...args: unknown[]) => Promise<unknown>);

/** Refuses a run after the one that is cut. */
export function shownRun({ run: last }: Hidden, run: number): void {
  if (run > last) throw new Veiled();
}

export function shownMoment(hidden: Hidden, moment: Moment): Moment {
  shownRun(hidden, moment.run);
  const late = moment.run === hidden.run && (moment.step === null || moment.step >= hidden.step);
  return late ? { ...moment, step: hidden.step - 1 } : moment;
}

const isShown = ({ run, step }: Hidden, at: { readonly run: number; readonly step: number }): boolean =>
  at.run < run || (at.run === run && at.step < step);

type Rule<A extends readonly unknown[], T> = Extract<VeilRule<A, T>, (...args: never[]) => unknown>;

export const trace: Rule<[run: number, times?: number], TraceInfo | null> = async (hidden, ask, run, times) => {
  shownRun(hidden, run);
  const info = await ask(run, times);
  return info === null || run !== hidden.run ? info : shortened(info, hidden.step);
};

export const events: Rule<[run: number, from: number, count: number], readonly TraceEvent[]> = async (hidden, ask, run, from, count) => {
  shownRun(hidden, run);
  return ask(run, from, run === hidden.run ? Math.max(0, Math.min(count, hidden.step - from)) : count);
};

/** A reason may name a later step: the deletion of a reader. */
export const reasons: Rule<[run: number, step: number], readonly Reason[]> = async (hidden, ask, run, step) => {
  if (!isShown(hidden, { run, step })) return [];
  const found = await ask(run, step);
  return found.filter((reason) => reason.step === null || isShown(hidden, { run, step: reason.step }));
};

export const view: Rule<[run: number, step: number, have: number | null], StateDelta> = async (hidden, ask, run, step, have) => {
  shownRun(hidden, run);
  if (run !== hidden.run) return ask(run, step, have);
  const last = hidden.step - 1;
  return ask(run, Math.min(step, last), have !== null && have > last ? null : have);
};

type Find = [run: number, from: number, direction: 1 | -1, command: StepCommand, breakpoints: readonly Breakpoint[]];

export const find: Rule<Find, number | null> = async (hidden, ask, run, ...rest) => {
  shownRun(hidden, run);
  const found = await ask(run, ...rest);
  return run === hidden.run && found !== null && found >= hidden.step ? null : found;
};

export const breakpointTicks: Rule<[run: number, breakpoints: readonly Breakpoint[]], Int32Array> = async (hidden, ask, run, list) => {
  shownRun(hidden, run);
  const ticks = await ask(run, list);
  return run === hidden.run ? ticks.filter((tick) => tick < hidden.step) : ticks;
};

export const watch: Rule<[text: string, run: number | null], WatchReport | string> = async (hidden, ask, text, run) => {
  if (run !== null) shownRun(hidden, run);
  const report = await ask(text, run);
  return typeof report === "string" ? report : { ...report, hits: report.hits.filter((hit) => isShown(hidden, hit)) };
};

export const history: Rule<[run: number | null, subject: Subject], History> = async (hidden, ask, run, subject) => {
  const found = await ask(run, subject);
  return { ...found, items: found.items.filter((item) => isShown(hidden, item)) };
};

export const graph: Rule<[run: number], UnionGraph> = async (hidden, ask, run) => {
  shownRun(hidden, run);
  const union = await ask(run);
  if (run !== hidden.run) return union;
  const { blocks } = await hidden.engine.view(run, hidden.step - 1, null);
  const there = new Set(blocks.map((b) => b.id));
  const edges = new Set(blocks.flatMap((b) => b.succs.map((to) => `${b.id} ${to}`)));
  return {
    ...union,
    blocks: union.blocks.filter((b) => b.before || there.has(b.id)).map((b) => ({ ...b, after: there.has(b.id) })),
    edges: union.edges
      .filter((e) => (e.before || edges.has(`${e.from} ${e.to}`)) && (there.has(e.from) || e.before))
      .map((e) => ({ ...e, after: edges.has(`${e.from} ${e.to}`) })),
    loops: [],
  };
};

export const gvnModes: Rule<[run: number], readonly GvnModeReport[]> = async (hidden, ask, run) => (run >= hidden.run ? [] : ask(run));

/** The runs up to the cut one, without what is known of that one only at its end. */
export function shownPhases(result: RunResult, run: number): RunResult {
  return { ...result, phases: result.phases.slice(0, run + 1).map((phase) => (phase.run === run ? unfinished(phase) : phase)) };
}

function unfinished({ stopped: _, ...phase }: PhaseRun): PhaseRun {
  const { blocks, instructions } = phase;
  return {
    ...phase,
    changed: false,
    reason: null,
    blocks: [blocks[0], blocks[0]],
    instructions: [instructions[0], instructions[0]],
    matches: 0,
    rewrites: 0,
    asked: 0,
    refused: 0,
    dropped: [],
    figures: {},
    ms: 0,
    check: null,
    hidden: true,
  };
}

function shortened(info: TraceInfo, steps: number): TraceInfo {
  return {
    ...info,
    steps: Math.min(info.steps, steps),
    cut: false,
    kinds: info.kinds.slice(0, steps),
    depths: info.depths.slice(0, steps),
    parents: info.parents.slice(0, steps),
    lines: info.lines.slice(0, steps),
    changes: info.changes.slice(0, steps),
  };
}
