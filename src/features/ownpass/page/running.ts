/** Running the user's pass: it is loaded, put into the pipeline, and its result is shown. `answer.ts` executes it for the engine. */

import { isOwnPhase } from "../../../app/names/phases.ts";
import type { ActionContext } from "../../../app/session/context.ts";
import { createPump, type Pump } from "../../../app/session/pump.ts";
import type { CoreActions } from "../../../app/session/session.ts";
import type { SessionState } from "../../../app/session/state.ts";
import type { OwnPhase, PhaseRun, PipelineOptions } from "../../../engine/api/types.ts";
import type { Described } from "../engine/check/requests.ts";
import { analysisPump, selectAnalysis } from "./analysis.ts";
import { answerEngine } from "./answer.ts";
import { loadPass } from "./compiler.ts";
import { lateSandbox, type MakeSandbox, type PassSandbox } from "./sandbox-port.ts";
import type { OwnPassSlice, PassProblem } from "./state.ts";

/** The pass of a session as it runs: from the press to the result that shows it. */
export class RunningPass {
  private readonly ctx: ActionContext;
  private readonly core: Pick<CoreActions, "run" | "position">;
  private readonly sandbox: PassSandbox;
  private readonly loading: Pump;
  private readonly analysing: Pump;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Stops following the session. */
  readonly dispose: () => void;

  constructor(ctx: ActionContext, core: Pick<CoreActions, "run" | "position">, make: MakeSandbox) {
    this.ctx = ctx;
    this.core = core;
    this.sandbox = lateSandbox(make);
    this.loading = createPump(
      (wanted) => this.load(wanted),
      (error) => {
        this.patch({ running: false });
        ctx.report("The pass could not be run")(error);
      },
    );
    this.analysing = analysisPump(ctx, this.sandbox);
    this.dispose = ctx.store.subscribe((state, before) => {
      // The program that is shown may be a different one: an active analysis runs on it.
      const { on, described } = state.ownpass;
      if ((state.position !== before.position || state.run !== before.run) && on && described?.kind === "analysis")
        this.analysing.request();
      // Each line with a breakpoint has to be a step.
      if (state.breakpoints.list !== before.breakpoints.list) this.relist();
    });
  }

  /** Run was pressed: the result is shown when it is there. */
  press(): void {
    this.patch({ on: true, pressed: true, linked: false });
    this.again(0);
  }

  /** Runs it again after this many milliseconds without another request. */
  again(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.sandbox.stop();
      this.loading.request();
    }, delay);
  }

  private async load(wanted: () => boolean): Promise<void> {
    const { source, on } = this.slice();
    if (!on || source === null) return;
    this.patch({ running: true });
    const loaded = await loadPass(source, this.sandbox);
    const now = this.slice();
    if (!wanted() || !now.on || now.source !== source || loaded === null) this.patch({ running: false });
    else if (!loaded.ok) this.patch({ running: false, problems: loaded.problems });
    else {
      this.patch({ running: false, described: loaded.described, ran: source, report: now.ran === source ? now.report : null });
      this.use(source, loaded.described);
    }
  }

  /** A pass is a phase. An analysis analyses what is shown; at a place it is also a phase, and can be stepped through. */
  private use(source: string, { kind, name, summary }: Described): void {
    const { place, report } = this.slice();
    // Of its last run, which is not repeated where its answer is still there.
    const problems = report?.problem == null ? [] : [report.problem];
    if (kind === "analysis") this.analyse(problems);
    if (kind === "analysis" && place === null) {
      this.patch({ pressed: false });
      this.takeOut();
    } else this.enter({ name, summary, source, at: place, lines: steppedLines(source, this.ctx.get()) }, problems);
  }

  private analyse(problems: readonly PassProblem[]): void {
    const state = this.ctx.get();
    if (state.ownpass.pressed) this.ctx.patch("view", { overlay: "own" });
    const isKept = selectAnalysis(state) !== null && !isRepeated(state);
    this.patch(isKept ? { problems } : { problems: [], analysis: null });
    this.analysing.request();
  }

  /** Makes it a phase of the pipeline; if it already is one, shows its result. */
  private enter(own: OwnPhase, problems: readonly PassProblem[]): void {
    const state = this.ctx.get();
    const { stale, result } = state.run;
    if (isRepeated(state) || JSON.stringify(own) !== JSON.stringify(inPipeline(state))) {
      this.patch({ problems: [] });
      this.core.run.setOptions({ own });
    }
    // Run was pressed while the pipeline ran, which stopped the sandbox: that run ended without a result.
    else if (stale) this.core.run.request();
    else {
      this.patch({ problems });
      this.arrived(result?.phases ?? []);
    }
  }

  /** Before the pipeline runs; null: the pass is not in it. */
  prepare(kernel: string, options: PipelineOptions): Promise<boolean> | null {
    const { ctx, sandbox } = this;
    return options.own == null ? null : answerEngine(ctx, sandbox, options.own, { kernel, options, repeated: isRepeated(ctx.get()) });
  }

  /** On a new result: goes to the pass's phase in it if Run was pressed. */
  arrived(phases: readonly PhaseRun[]): void {
    const phase = this.slice().pressed ? phases.find(isOwnPhase) : undefined;
    if (phase === undefined) return;
    this.patch({ pressed: false });
    this.core.position.goToPhase(phase.id, "change");
  }

  /** Stops the current run. */
  halt(): void {
    this.patch({ pressed: false });
    clearTimeout(this.timer);
    this.loading.reset();
    this.sandbox.stop();
  }

  /** Takes it out of the pipeline. */
  takeOut(): void {
    if (inPipeline(this.ctx.get()) !== null) this.core.run.setOptions({ own: null });
  }

  /** The set of lines that are steps may have changed. */
  relist(): void {
    const own = inPipeline(this.ctx.get());
    if (own === null) return;
    const lines = steppedLines(own.source, this.ctx.get());
    if (JSON.stringify(lines) !== JSON.stringify(own.lines)) this.core.run.setOptions({ own: { ...own, lines } });
  }

  private readonly slice = (): OwnPassSlice => this.ctx.get().ownpass;
  private readonly patch = (part: Partial<OwnPassSlice>): void => this.ctx.patch("ownpass", part);
}

/** Run was pressed on a pass that failed: it shows whether it fails again. */
const isRepeated = ({ ownpass: { pressed, report } }: SessionState): boolean => pressed && report?.problem != null;

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
