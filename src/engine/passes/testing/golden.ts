/**
 * The content of a golden file: the change, the decisions, the evaluation. One fixture of a family has the full log of events instead of the decisions:
 * rewording a sentence changes that one. A file keeps the form it has.
 */

import { plural } from "../../../base/plural.ts";
import type { BlockId, InstId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import { type Decision, decisionOf } from "../../remark/decision.ts";
import type { Rule } from "../../remark/rules.ts";
import { printFunc } from "../../text/printer.ts";
import type { Trace } from "../../trace/trace.ts";
import { lineDiff } from "./diff.ts";
import type { FixtureRun } from "./run-fixture.ts";

export type GoldenForm = "events" | "decisions";

/** The form of a golden file's text. */
export function formOf(golden: string): GoldenForm {
  return golden.includes("\n## Decisions\n") ? "decisions" : "events";
}

/** The content of the golden file of a fixture. */
export function describeFixture(name: string, f: FixtureRun, form: GoldenForm): string {
  const { run, directives } = f;
  const { options } = directives;
  const set = [`-O${options.level}`, `policy ${options.policy}`, ...(options.target === null ? [] : [options.target]), ...options.knobs];
  const diff = lineDiff(printFunc(f.input), printFunc(run.after));
  const figures = Object.entries(run.outcome?.figures ?? {}).map(([key, value]) => `- ${key}: ${value}`);
  return `${[
    `# ${name}`,
    "",
    `${run.planned.name} (\`${run.planned.id}\`), ${set.join(", ")}${directives.before.length > 0 ? `, after ${directives.before.join(", ")}` : ""}`,
    "",
    `**${f.fired ? "Fires" : "Does not fire"}**: ${form === "events" ? run.summary : countsOf(f)}`,
    ...(figures.length > 0 ? ["", ...figures] : []),
    "",
    "## Change",
    "",
    ...(diff === "" ? ["No change of the text."] : ["```diff", diff, "```"]),
    "",
    ...(form === "events" ? section(`## Events (${f.trace.steps})`, eventRows(f.trace)) : section("## Decisions", decisionRows(f))),
    "",
    "## Evaluation",
    "",
    ...f.evaluation.rows,
  ].join("\n")}\n`;
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [title, "", "None."] : [title, "", "```", ...rows, "```"];
}

/** The phase's figures without its sentence. */
function countsOf({ run: { outcome } }: FixtureRun): string {
  if (outcome === null) return "it did not run";
  return `${plural(outcome.matches, "match", "matches")}, ${plural(outcome.rewrites, "rewrite")}`;
}

const MOST_EVENTS = 160;
const TAIL = 20;

function eventRows(trace: Trace): string[] {
  const rows: string[] = [];
  for (let step = 0; step < trace.steps; step++) {
    if (trace.steps > MOST_EVENTS && step === MOST_EVENTS - TAIL) {
      rows.push(`… ${trace.steps - MOST_EVENTS} more`);
      step = trace.steps - TAIL;
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

/** `fold ✗ not-next BB0`: rule, verdict, reason and form, and what the decision is about; then what the other policy answers where that differs. */
function decisionRows({ trace, pass, input, run }: FixtureRun): string[] {
  const rules = Object.values(pass.rules ?? {});
  const rows: string[] = [];
  for (let step = 0; step < trace.steps; step++) {
    const { kind, line, facts, focus } = trace.event(step);
    const decision = decisionOf(kind, line, facts, focus);
    if (decision === null) continue;
    const { otherPolicy, otherVerdict } = facts;
    const other = otherPolicy === undefined || otherVerdict === "same" ? [] : [`(${otherPolicy}: ${otherVerdict})`];
    const { verdict, reason, form } = decision;
    const parts = [nameAt(rules, line, reason), verdict === "yes" ? "✓" : "✗", reason, form, objectText(decision, [input, run.after])];
    rows.push([...parts.filter((part) => part !== ""), ...other].join(" "));
  }
  return rows.length <= MOST_EVENTS ? rows : [...rows.slice(0, MOST_EVENTS), `… ${rows.length - MOST_EVENTS} more`];
}

/** The rule at a line of the pseudocode; of several, the one with the reason. */
function nameAt(rules: readonly Rule[], line: number, reason: string): string {
  const here = rules.filter((rule) => rule.line === line);
  const found = here.find((rule) => rule.reasons.some(({ condition }) => condition === reason)) ?? here[0];
  return found?.name ?? `line ${line}`;
}

/** The label of a block, the opcode and id of an instruction. */
function objectText({ about }: Decision, versions: readonly Func[]): string {
  const [, what, id] = /^(inst|block) (\d+)$/.exec(about) ?? [];
  if (what === "block") return versions.map((fn) => fn.blocks[Number(id) as BlockId]?.label).find((label) => label !== undefined) ?? about;
  return what === "inst" ? `${opcodeOf(versions, Number(id) as InstId)}#${id}` : about;
}

function opcodeOf(versions: readonly Func[], id: InstId): string {
  for (const fn of versions) {
    for (const block of fn.layout) {
      const found = getBlock(fn, block).insts.find((inst) => inst.id === id);
      if (found !== undefined) return found.op;
    }
  }
  return "";
}
