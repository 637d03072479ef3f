/** Running the user's pass: it is loaded, put into the pipeline, and executed in the sandbox whenever the engine asks what it does. */

import type { OwnPhase, OwnSaid, PhaseRun, PipelineOptions } from "../../engine/api/types.ts";
import type { Described } from "../../ownpass/requests.ts";
import { isOwnPhase } from "../names/phases.ts";
import type { ActionContext } from "../session/context.ts";
import type { Begun } from "../session/feature.ts";
import { createPump } from "../session/pump.ts";
import type { CoreActions } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { analysisPump, selectAnalysis } from "./analysis.ts";
import { codeOf, loadPass } from "./compiler.ts";
import type { MakeSandbox, PassSandbox } from "./sandbox-port.ts";
import type { PassProblem } from "./state.ts";

/** Steps of a trace that are statements of the source: more make it slow after each key. */
const MOST_LINES = 5_000;

export interface PassRunning extends Required<Pick<Begun, "prepare" | "arrived" | "dispose">> {
  /** Run was pressed: the result is shown when it is there. */
  press(): void;
  /** Runs it again after this many milliseconds without another request. */
  again(delay: number): void;
  /** Stops the current run. */
  halt(): void;
  /** It is no phase of the pipeline any more. */
  takeOut(): void;
  /** The lines that are steps may be others. */
  relist(): void;
}

export function runPass(
  ctx: ActionContext,
  { run: { request, setOptions }, position }: Pick<CoreActions, "run" | "position">,
  make: MakeSandbox,
): PassRunning {
  const sandbox = whenNeeded(make);
  const analysing = analysisPump(ctx, sandbox.get);
  const loading = createPump(load, (error) => {
    ctx.patch("ownpass", { running: false });
    ctx.report("The pass could not be run")(error);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(wanted: () => boolean): Promise<void> {
    const { source, on } = ctx.get().ownpass;
    if (!on || source === null) return;
    ctx.patch("ownpass", { running: true });
    const loaded = await loadPass(source, await sandbox.get());
    const now = ctx.get().ownpass;
    if (!wanted() || !now.on || now.source !== source || loaded === null) ctx.patch("ownpass", { running: false });
    else if (!loaded.ok) ctx.patch("ownpass", { running: false, problems: loaded.problems });
    else {
      ctx.patch("ownpass", { running: false, described: loaded.described, ran: source, report: now.ran === source ? now.report : null });
      use(source, loaded.described);
    }
  }

  /** A pass is a phase. An analysis analyses what is shown; at a place it is also a phase, and can be stepped through. */
  function use(source: string, { kind, name, summary }: Described): void {
    const { place, report } = ctx.get().ownpass;
    // Of its last run, which is not repeated where its answer is still there.
    const problems = report?.problem == null ? [] : [report.problem];
    if (kind === "analysis") analyse(problems);
    if (kind === "analysis" && place === null) {
      ctx.patch("ownpass", { pressed: false });
      takeOut();
    } else enter({ name, summary, source, at: place, lines: steppedLines(source, ctx.get()) }, problems);
  }

  function analyse(problems: readonly PassProblem[]): void {
    if (ctx.get().ownpass.pressed) ctx.patch("view", { overlay: "own" });
    const isKept = selectAnalysis(ctx.get()) !== null && !isRepeated(ctx.get());
    ctx.patch("ownpass", isKept ? { problems } : { problems: [], analysis: null });
    analysing.request();
  }

  function enter(own: OwnPhase, problems: readonly PassProblem[]): void {
    const { run } = ctx.get();
    if (isRepeated(ctx.get()) || JSON.stringify(own) !== JSON.stringify(inPipeline(ctx.get()))) {
      ctx.patch("ownpass", { problems: [] });
      setOptions({ own });
    }
    // Run was pressed while the pipeline ran, which stopped the sandbox: that run ended without a result.
    else if (run.stale) request();
    else {
      ctx.patch("ownpass", { problems });
      arrived(run.result?.phases ?? []);
    }
  }

  function arrived(phases: readonly PhaseRun[]): void {
    const phase = ctx.get().ownpass.pressed ? phases.find(isOwnPhase) : undefined;
    if (phase === undefined) return;
    ctx.patch("ownpass", { pressed: false });
    position.goToPhase(phase.id, "change");
  }

  function takeOut(): void {
    if (inPipeline(ctx.get()) !== null) setOptions({ own: null });
  }
  function relist(): void {
    const own = inPipeline(ctx.get());
    if (own === null) return;
    const lines = steppedLines(own.source, ctx.get());
    if (JSON.stringify(lines) !== JSON.stringify(own.lines)) setOptions({ own: { ...own, lines } });
  }
  function again(delay: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      sandbox.stop();
      loading.request();
    }, delay);
  }

  const unsubscribe = ctx.store.subscribe((state, before) => {
    // The program that is shown may be a different one: an active analysis runs on it.
    const { on, described } = state.ownpass;
    if ((state.position !== before.position || state.run !== before.run) && on && described?.kind === "analysis") analysing.request();
    // The lines with breakpoints may be others: each has to be a step.
    if (state.breakpoints.list !== before.breakpoints.list) relist();
  });

  return {
    press() {
      ctx.patch("ownpass", { on: true, pressed: true, linked: false });
      again(0);
    },
    again,
    halt() {
      ctx.patch("ownpass", { pressed: false });
      clearTimeout(timer);
      loading.reset();
      sandbox.stop();
    },
    takeOut,
    relist,
    prepare: (kernel, options) =>
      options.own == null ? null : answerEngine(ctx, sandbox.get, options.own, { kernel, options, repeated: isRepeated(ctx.get()) }),
    arrived: ({ phases }) => arrived(phases),
    dispose: unsubscribe,
  };
}

/** Run was pressed on a pass that failed: it shows whether it fails again. */
const isRepeated = ({ ownpass: { pressed, report } }: SessionState): boolean => pressed && report?.problem != null;

/** The sandbox, made when it is first asked for. */
function whenNeeded(make: MakeSandbox): { get(): Promise<PassSandbox>; stop(): void } {
  let made: Promise<PassSandbox> | null = null;
  let started: PassSandbox | null = null;
  return {
    async get() {
      made ??= make();
      try {
        started = await made;
        return started;
      } catch (error) {
        // The next press tries again.
        made = null;
        throw error;
      }
    },
    stop: () => started?.stop(),
  };
}

/** The pass in the pipeline; null: it has none. */
export const inPipeline = ({ options }: SessionState): OwnPhase | null => options.pipeline.own ?? null;

/** Lines of the source that are steps; null: all of them. */
function steppedLines(source: string, { ownpass, breakpoints }: SessionState): readonly number[] | null {
  if (ownpass.everyLine) return null;
  const count = source.split("\n").length;
  const lines = breakpoints.list.flatMap(({ enabled, breakpoint: b }) =>
    enabled && b.kind === "line" && b.line >= 1 && b.line <= count ? [b.line] : [],
  );
  return lines.sort((a, b) => a - b);
}

function report(ctx: ActionContext, said: OwnSaid): void {
  const problem = said.problem === null ? null : { ...said.problem, column: 0 };
  ctx.patch("ownpass", { running: false, report: { ...said, problem }, problems: problem === null ? [] : [problem] });
}

/** Before the pipeline runs: computes what the pass does at its position, unless the engine knows it. False: it was stopped. */
async function answerEngine(
  ctx: ActionContext,
  sandboxed: () => Promise<PassSandbox>,
  own: OwnPhase,
  { kernel, options, repeated }: { readonly kernel: string; readonly options: PipelineOptions; readonly repeated: boolean },
): Promise<boolean> {
  const ask = await ctx.api.ownAsk(kernel, options, repeated);
  if (ask === null) return true;
  if (!("id" in ask)) {
    report(ctx, ask);
    return true;
  }
  const code = await codeOf(own.source);
  if (typeof code !== "string") return true;
  ctx.patch("ownpass", { running: true });
  const { program, skips, fuel } = ask;
  const source = own.source.split("\n");
  const only = own.lines === null ? {} : { only: own.lines ?? [] };
  const run = { program, source, skips, fuel, record: true, lines: MOST_LINES, ...only, twice: false } as const;
  const request = { ask: "run", code, ...run } as const;
  const answer = await (await sandboxed()).ask(request);
  if (typeof answer !== "string" && answer.ended === "stopped") {
    ctx.patch("ownpass", { running: false });
    return false;
  }
  const text = typeof answer === "string" ? answer : JSON.stringify({ failed: { message: answer.message, line: answer.line ?? 0 } });
  report(ctx, await ctx.api.lendOwn(ask.id, text));
  return true;
}
