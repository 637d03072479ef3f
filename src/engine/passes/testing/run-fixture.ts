/** Runs a fixture's phase, traced and untraced. */

import type { Func, Module } from "../../ir/types.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { type PositionRun, passFor, runPipeline } from "../../pipeline/run.ts";
import { type PhaseResult, runPhase } from "../../pipeline/run-phase.ts";
import { parseModule } from "../../text/parser.ts";
import { Recording } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";
import { verifyFunc } from "../../verify/verify.ts";
import type { Pass } from "../pass.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { type Directives, readDirectives } from "./fixture.ts";

export interface FixtureRun {
  readonly directives: Directives;
  readonly pass: Pass;
  readonly module: Module;
  readonly input: Func;
  readonly run: PositionRun;
  readonly traced: PhaseResult;
  readonly trace: Trace;
  readonly fired: boolean;
  readonly evaluation: Evaluation;
  /** Pseudocode lines that some event of the pass names. */
  readonly lines: ReadonlySet<number>;
}

/** Runs one fixture; what is wrong with it comes back as text. */
export function runFixture(text: string): FixtureRun | string {
  const directives = readDirectives(text);
  if (typeof directives === "string") return directives;
  const { module, diagnostics } = parseModule(text);
  const errors = diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) return errors.map((d) => `${d.line}:${d.column}: ${d.code}: ${d.message}`).join("\n");
  const fn = module.funcs[0];
  if (fn === undefined) return "no kernel";
  const unsound = verifyFunc(fn, module).filter((d) => d.severity === "error");
  if (unsound.length > 0) return `the fixture itself does not verify: ${unsound.map((d) => `${d.code} ${d.message}`).join("\n")}`;
  const { plan, problems } = planPipeline(directives.options, module.target);
  const refused = problems.filter((p) => p.severity === "error");
  if (refused.length > 0) return refused.map((p) => p.message).join("\n");
  const { runs } = runPipeline(fn, module, plan);
  const run = runs[runs.length - 1];
  if (run === undefined) return "no run";
  const pass = passFor(run.planned.id);
  if (pass === undefined) return `no pass is registered for ${run.planned.id}`;
  const recording = new Recording(run.before);
  const traced = runPhase(run.planned, pass, run.before, { module, plan, rec: recording });
  const trace = new Trace(recording, run.before);
  const lines = new Set<number>();
  for (let step = 0; step < trace.steps; step++) if (trace.fact(step, "pipeline") !== true) lines.add(trace.tape.lines.get(step));
  const fired = run.changed || (run.outcome?.rewrites ?? 0) > 0;
  let evaluated: Evaluation | null = null;
  return {
    directives,
    pass,
    module,
    input: run.before,
    run,
    traced,
    trace,
    fired,
    lines,
    // Takes longer than all the rest, and not every test needs it.
    get evaluation() {
      evaluated ??= evaluate(run.before, run.after, module, directives.inputs, directives.threads);
      return evaluated;
    },
  };
}
