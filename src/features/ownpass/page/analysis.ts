/** Runs the user's analysis on the program that is shown, and again when that changes: at most one request at a time, the latest program wins. */

import type { ActionContext } from "../../../app/session/context.ts";
import { lastChange } from "../../../app/session/last-change.ts";
import { createPump, type Pump } from "../../../app/session/pump.ts";
import { selectMoment, selectTrace } from "../../../app/session/selectors.ts";
import type { SessionState } from "../../../app/session/state.ts";
import { codeOf } from "./compiler.ts";
import { answerText, type PassSandbox } from "./sandbox-port.ts";
import { type PassAnalysis, problemsOf } from "./state.ts";

type Place = Pick<PassAnalysis, "epoch" | "run" | "step">;

/** Where the program that is shown comes from; null: none is. */
function shownProgram(state: SessionState): Place | null {
  const moment = selectMoment(state);
  if (moment === null || state.run.stale) return null;
  return { epoch: state.run.epoch, run: moment.run, step: lastChange(selectTrace(state), moment.step) };
}

/** The source of the active analysis; null: there is none. */
function selectAnalysisSource({ ownpass }: SessionState): string | null {
  const { on, described, ran, source } = ownpass;
  return on && described?.kind === "analysis" && ran === source ? ran : null;
}

/** Its result for the program that is shown; null: nothing yet. */
export function selectAnalysis(state: SessionState): PassAnalysis | null {
  const { analysis } = state.ownpass;
  const place = analysis === null ? null : shownProgram(state);
  if (analysis === null || place === null || analysis.source !== state.ownpass.source) return null;
  return analysis.epoch === place.epoch && analysis.run === place.run && analysis.step === place.step ? analysis : null;
}

export function analysisPump(ctx: ActionContext, sandbox: PassSandbox): Pump {
  return createPump(
    async (wanted) => {
      const source = selectAnalysisSource(ctx.get());
      const place = source === null ? null : shownProgram(ctx.get());
      const { described } = ctx.get().ownpass;
      if (source === null || place === null || described === null || selectAnalysis(ctx.get()) !== null) return;
      const { run, step } = place;
      const moment = { run, step };
      const [handed, code] = await Promise.all([ctx.api.ownProgram(moment), codeOf(source)]);
      if (handed === null || typeof code !== "string") return;
      const { text, nextReg } = handed;
      ctx.patch("ownpass", { running: true });
      const program = { text, nextReg };
      const answer = await sandbox.ask({ ask: "analyze", code, program, source: source.split("\n") });
      if (typeof answer !== "string" && answer.ended === "stopped") {
        // What stopped it asks again, if anything does.
        ctx.patch("ownpass", { running: false });
        return;
      }
      const { blocks, problem } = await ctx.api.ownCompared(moment, described.of, answerText(answer));
      ctx.patch("ownpass", { running: false });
      if (!wanted() || selectAnalysisSource(ctx.get()) !== source) return;
      const { name, of } = described;
      const report = { changed: false, rewrites: 0, why: null, problem: problem === null ? null : { ...problem, column: 0 } };
      ctx.patch("ownpass", {
        analysis: { ...place, source, name, of, blocks },
        report,
        problems: problemsOf(report),
      });
    },
    (error) => {
      ctx.patch("ownpass", { running: false });
      ctx.report("The analysis could not be run")(error);
    },
  );
}
