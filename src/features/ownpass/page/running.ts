/** Running the user's pass: it is loaded, put into the pipeline, and its result is shown. `answer.ts` executes it for the engine. */

import { isOwnPhase } from "../../../app/names/phases.ts";
import type { ActionContext } from "../../../app/session/context.ts";
import { createPump, type Pump } from "../../../app/session/pump.ts";
import type { CoreActions } from "../../../app/session/session.ts";
import type { SessionState } from "../../../app/session/state.ts";
import type { OwnPhase, PhaseRun } from "../../../engine/api/types.ts";
import type { Described } from "../engine/check/requests.ts";
import { analysisPump, selectAnalysis } from "./analysis.ts";
import { loadPass } from "./compiler.ts";
import { inPipeline, isPhase, ownPhaseOf, takeOut, updateLines } from "./own-phase.ts";
import type { PassSandbox } from "./sandbox-port.ts";
import { isRepeated, type OwnPassSlice, type PassProblem, problemsOf } from "./state.ts";

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

  constructor(ctx: ActionContext, core: Pick<CoreActions, "run" | "position">, sandbox: PassSandbox) {
    this.ctx = ctx;
    this.core = core;
    this.sandbox = sandbox;
    this.loading = createPump(
      (wanted) => this.load(wanted),
      (error) => {
        this.patch({ running: false });
        ctx.report("The pass could not be run")(error);
      },
    );
    this.analysing = analysisPump(ctx, sandbox);
    this.dispose = ctx.store.subscribe((state, before) => this.follow(state, before));
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

  /** Stops the current run. */
  halt(): void {
    this.patch({ pressed: false });
    clearTimeout(this.timer);
    this.loading.reset();
    this.sandbox.stop();
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

  private use(source: string, described: Described): void {
    if (described.kind === "analysis") this.analyse();
    if (isPhase(described, this.slice().place)) this.enter(ownPhaseOf(this.ctx.get(), source, described));
    else {
      this.patch({ pressed: false });
      takeOut(this.ctx, this.core);
    }
  }

  /** Its answer for the program that is shown is still there, or is computed. */
  private analyse(): void {
    const state = this.ctx.get();
    const { ownpass } = state;
    if (ownpass.pressed) this.ctx.patch("view", { overlay: "own" });
    const isKept = selectAnalysis(state) !== null && !isRepeated(ownpass);
    this.patch(isKept ? { problems: problemsOf(ownpass.report) } : { problems: [], analysis: null });
    this.analysing.request();
  }

  /** Makes it a phase of the pipeline; if it already is one, shows its result. */
  private enter(own: OwnPhase): void {
    const state = this.ctx.get();
    const { stale, result } = state.run;
    if (isRepeated(state.ownpass) || JSON.stringify(own) !== JSON.stringify(inPipeline(state))) {
      this.patch({ problems: [] });
      this.core.run.setOptions({ own });
    }
    // Run was pressed while the pipeline ran, which stopped the sandbox: that run ended without a result.
    else if (stale) this.core.run.request();
    else {
      this.patch({ problems: problemsOf(state.ownpass.report) });
      this.arrived(result?.phases ?? []);
    }
  }

  /** On a new result: reports what the verifier found, and goes to the pass's phase in it if Run was pressed. */
  arrived(phases: readonly PhaseRun[]): void {
    const phase = phases.find(isOwnPhase);
    if (phase === undefined) return;
    const { pressed, report } = this.slice();
    const rejected = rejectionOf(phase);
    if (rejected !== null) this.patch({ problems: [...problemsOf(report), rejected] });
    if (!pressed) return;
    this.patch({ pressed: false });
    this.core.position.goToPhase(phase.id, "change");
  }

  private follow(state: SessionState, before: SessionState): void {
    // The program that is shown may be a different one: an active analysis runs on it.
    const { on, described } = state.ownpass;
    if ((state.position !== before.position || state.run !== before.run) && on && described?.kind === "analysis") this.analysing.request();
    // Each line with a breakpoint has to be a step.
    if (state.breakpoints.list !== before.breakpoints.list) updateLines(this.ctx, this.core);
  }

  private readonly slice = (): OwnPassSlice => this.ctx.get().ownpass;
  private readonly patch = (part: Partial<OwnPassSlice>): void => this.ctx.patch("ownpass", part);
}

/** The pass came to its end, but the verifier rejects what it made; null: it does not. */
function rejectionOf({ verifyErrors: [wrong] }: PhaseRun): PassProblem | null {
  if (wrong === undefined) return null;
  const message = `The verifier rejects the result: ${wrong.message} (${wrong.code}). The run ends here; your text is unchanged.`;
  return { line: 0, column: 0, message };
}
