/**
 * The veil of a prediction: the engine as it would answer if the run ended right before a step. Whatever shows the program asks the
 * engine, so nothing of the page can show what comes after. Every call is named here: one that is new cannot be made under a veil before
 * somebody has said what it may tell.
 */

import type { Moment, PhaseRun, PipelineOptions, RunResult, TraceInfo } from "../../engine/api/types.ts";
import type { AsyncEngine } from "../session/engine-port.ts";
import type { Veil } from "../session/state.ts";

/** Something asked of the engine would tell what is to be predicted. */
export class Veiled extends Error {
  override readonly name = "Veiled";
  constructor() {
    super("this would reveal the answer to the open question: answer it first");
  }
}

/** `veil`: what is veiled now; null: nothing. */
export function veiledEngine(engine: AsyncEngine, veil: () => Veil | null): AsyncEngine {
  /** The run that the veil cuts, by the last result. */
  let cut = -1;
  const runOf = (phases: readonly PhaseRun[], { phase, occurrence }: Veil): number =>
    phases.filter((p) => p.id === phase)[occurrence]?.run ?? -1;
  const last = (now: Veil): number => now.step - 1;
  const kept = (moment: Moment, now: Veil): Moment => {
    if (moment.run > cut) throw new Veiled();
    return moment.run === cut && (moment.step === null || moment.step >= now.step) ? { ...moment, step: last(now) } : moment;
  };
  const runKept = (run: number): void => {
    if (run > cut) throw new Veiled();
  };
  /** As the engine answers, except under a veil. */
  const under = <A extends readonly unknown[], T>(plain: (...args: A) => Promise<T>, veiled: (now: Veil, ...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      const now = veil();
      return now === null || cut < 0 ? plain(...args) : veiled(now, ...args);
    };
  };
  const atMoment = <A extends readonly unknown[], T>(ask: (moment: Moment, ...rest: A) => Promise<T>) =>
    under(ask, async (now, moment, ...rest) => ask(kept(moment, now), ...rest));

  return {
    // What follows from the text and from the tables alone.
    version: engine.version,
    open: engine.open,
    openFirst: engine.openFirst,
    openEdited: engine.openEdited,
    openMore: engine.openMore,
    printed: engine.printed,
    ahead: engine.ahead,
    sourceAt: engine.sourceAt,
    phiFree: engine.phiFree,
    checkCondition: engine.checkCondition,
    checkWatch: engine.checkWatch,
    orderBreaks: engine.orderBreaks,
    checkKnob: engine.checkKnob,
    checkEdit: engine.checkEdit,
    conditions: engine.conditions,
    waysIn: engine.waysIn,
    phases: engine.phases,
    knobs: engine.knobs,
    opcodes: engine.opcodes,
    handbook: engine.handbook,
    rules: engine.rules,
    async run(revision: number, kernel: string, options: PipelineOptions): Promise<RunResult> {
      const result = await engine.run(revision, kernel, options);
      const now = veil();
      cut = now === null ? -1 : runOf(result.phases, now);
      if (now === null || cut < 0) return result;
      return { ...result, phases: result.phases.slice(0, cut + 1).map((phase) => (phase.run === cut ? untold(phase) : phase)) };
    },
    trace: under(engine.trace, async (now, run, times) => {
      runKept(run);
      const info = await engine.trace(run, times);
      return info === null || run !== cut ? info : shortened(info, now.step);
    }),
    events: under(engine.events, async (now, run, from, count) => {
      runKept(run);
      return run === cut ? engine.events(run, from, Math.max(0, Math.min(count, now.step - from))) : engine.events(run, from, count);
    }),
    view: under(engine.view, async (now, run, step, have) => {
      runKept(run);
      return engine.view(
        run,
        run === cut ? Math.min(step, last(now)) : step,
        run === cut && have !== null && have > last(now) ? null : have,
      );
    }),
    find: under(engine.find, async (now, run, ...rest) => {
      runKept(run);
      const found = await engine.find(run, ...rest);
      return run === cut && found !== null && found >= now.step ? null : found;
    }),
    breakpointTicks: under(engine.breakpointTicks, async (now, run, list) => {
      runKept(run);
      const ticks = await engine.breakpointTicks(run, list);
      return run === cut ? ticks.filter((tick) => tick < now.step) : ticks;
    }),
    watch: under(engine.watch, async (now, text, run) => {
      if (run !== null) runKept(run);
      const report = await engine.watch(text, run);
      if (typeof report === "string") return report;
      return { hits: report.hits.filter((hit) => hit.run < cut || (hit.run === cut && hit.step < now.step)), notes: report.notes };
    }),
    history: under(engine.history, async (now, run, subject) => {
      const { items, notes } = await engine.history(run, subject);
      return { items: items.filter((item) => item.run < cut || (item.run === cut && item.step < now.step)), notes };
    }),
    graph: under(engine.graph, async (now, run) => {
      runKept(run);
      const union = await engine.graph(run);
      if (run !== cut) return union;
      const { blocks } = await engine.view(run, last(now), null);
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
    }),
    text: atMoment(engine.text),
    lineChanges: atMoment(engine.lineChanges),
    exec: atMoment(engine.exec),
    brilAt: atMoment(engine.brilAt),
    analyses: atMoment(engine.analyses),
    ownProgram: atMoment(engine.ownProgram),
    ownCompared: atMoment(engine.ownCompared),
    reducibility: atMoment(engine.reducibility),
    exportAs: atMoment(engine.exportAs),
    switches: atMoment(engine.switches),
    align: atMoment(engine.align),
    gvnModes: under(engine.gvnModes, async (_now, run) => (run >= cut ? [] : engine.gvnModes(run))),
    registerLife: under(engine.registerLife, refuse),
    publish: under(engine.publish, refuse),
    compareFutures: under(engine.compareFutures, refuse),
    futureText: under(engine.futureText, refuse),
    light: under(engine.light, refuse),
    bisect: under(engine.bisect, refuse),
    rung: under(engine.rung, refuse),
    searchNeed: under(engine.searchNeed, refuse),
    // A pass of one's own could tell in its own words what it meets after the step.
    ownAsk: async (...args) => (veil() === null ? engine.ownAsk(...args) : refuse()),
    lendOwn: async (...args) => (veil() === null ? engine.lendOwn(...args) : refuse()),
  };
}

const refuse = async (): Promise<never> => {
  throw new Veiled();
};

/** What the strip tells of a phase before it has run to its end: nothing. */
function untold(phase: PhaseRun): PhaseRun {
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
