/** Runs a fixture's phase, traced and untraced, and writes down what happened as the Markdown that a golden file holds. */

import type { Func, Module } from "../../ir/types.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { type PositionRun, passFor, runPipeline } from "../../pipeline/run.ts";
import { type PhaseResult, runPhase } from "../../pipeline/run-phase.ts";
import { parseModule } from "../../text/parser.ts";
import { printFunc } from "../../text/printer.ts";
import { Recording } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";
import { verifyFunc } from "../../verify/verify.ts";
import type { Pass } from "../pass.ts";
import { lineDiff } from "./diff.ts";
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
  const evaluation = evaluate(run.before, run.after, module, directives.inputs, directives.threads);
  return { directives, pass, module, input: run.before, run, traced, trace, fired, evaluation, lines };
}

const MOST_EVENTS = 160;

/** What the golden file of a fixture holds. */
export function describeFixture(name: string, f: FixtureRun): string {
  const { run, directives, trace } = f;
  const { options } = directives;
  const set = [`-O${options.level}`, `policy ${options.policy}`, ...(options.target === null ? [] : [options.target]), ...options.knobs];
  const before = printFunc(f.input);
  const diff = lineDiff(before, printFunc(run.after));
  const figures = Object.entries(run.outcome?.figures ?? {}).map(([key, value]) => `- ${key}: ${value}`);
  return `${[
    `# ${name}`,
    "",
    `${run.planned.name} (\`${run.planned.id}\`), ${set.join(", ")}${directives.before.length > 0 ? `, after ${directives.before.join(", ")}` : ""}`,
    "",
    `**${f.fired ? "Fires" : "Does not fire"}**: ${run.summary}`,
    ...(figures.length > 0 ? ["", ...figures] : []),
    "",
    "## Change",
    "",
    ...(diff === "" ? ["No change of the text."] : ["```diff", diff, "```"]),
    "",
    `## Events (${trace.steps})`,
    "",
    "```",
    ...eventLines(trace),
    "```",
    "",
    "## Evaluation",
    "",
    ...f.evaluation.rows,
  ].join("\n")}\n`;
}

function eventLines(trace: Trace): string[] {
  const rows: string[] = [];
  const tail = 20;
  for (let step = 0; step < trace.steps; step++) {
    if (trace.steps > MOST_EVENTS && step === MOST_EVENTS - tail) {
      rows.push(`… ${trace.steps - MOST_EVENTS} more`);
      step = trace.steps - tail;
    }
    const event = trace.event(step);
    const indent = "  ".repeat(event.depth);
    rows.push(`${String(event.line).padStart(3)} ${indent}${event.kind}: ${event.sentence}`);
    const { otherPolicy, otherVerdict, otherAnswer } = event.facts;
    if (otherPolicy !== undefined && otherVerdict !== "same")
      rows.push(
        `    ${indent}  ↳ policy '${otherPolicy}': ${otherVerdict === "yes" || otherVerdict === "no" ? `${otherVerdict}: ` : ""}${otherAnswer}`,
      );
  }
  return rows;
}
