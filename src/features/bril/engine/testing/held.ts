/** Runs a Bril program in every possible way and reports where two of them differ. */

import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import type { ExecReport, PipelineOptions } from "../../../../engine/api/types.ts";
import { BrilSink, readBril } from "../import.ts";
import { printBrilJson, printBrilText } from "../print.ts";
import { type BrilRun, interpretBril, type Value } from "./interpret.ts";

export interface Argument {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** The JSON of a program in any form. */
export function jsonOf(text: string): string {
  return printBrilJson(readBril(text, new BrilSink(10), 1e9));
}

export function canonicalText(text: string): string {
  return printBrilText(readBril(text, new BrilSink(10), 1e9));
}

export function argumentValue({ type, text }: Argument): Value {
  switch (type) {
    case "int":
      return BigInt.asIntN(64, BigInt(text));
    case "float":
      return Number(text);
    case "bool":
      return text === "true";
    default:
      return { char: text.codePointAt(0) ?? 0 };
  }
}

/** Of ours, at least, and for each instruction of Bril: what it does in one may take several. */
const FUEL = 60_000_000;
const FUEL_EACH = 12;

export interface Held {
  /** What differs, in words; null: nothing. */
  readonly difference: string | null;
  /** The reference itself ended; else there was nothing to compare. */
  readonly effective: boolean;
}

/** `plans`: the pipelines that the program must survive. */
export function holdBril(text: string, args: readonly Argument[], plans: readonly Partial<PipelineOptions>[], fuel = 200_000): Held {
  const own = Math.max(FUEL, FUEL_EACH * fuel);
  const expected = interpretBril(jsonOf(text), args.map(argumentValue), fuel);
  if (expected.status === "fuel") return { difference: null, effective: false };
  return { difference: firstDifference(text, args, plans, expected, own), effective: true };
}

function firstDifference(
  text: string,
  args: readonly Argument[],
  plans: readonly Partial<PipelineOptions>[],
  expected: BrilRun,
  fuel: number,
): string | null {
  const session = new EngineSession();
  const { ok, diagnostics, kernels } = session.open(1, text, null);
  if (!ok) return `not read: ${diagnostics.map((d) => `${d.line}:${d.column} ${d.code} ${d.message}`).join("; ")}`;
  const names = kernels.filter((k) => k.helper !== true).map((k) => k.name);
  const imported = ranAs(session, args, "as imported", expected, { phases: [] }, fuel);
  if (imported !== null) return imported;
  for (const plan of [{ phases: [] }, ...plans]) {
    const name =
      plan.phases === undefined
        ? `after the pipeline for ${plan.target ?? "the usual target"}, ${plan.policy ?? "notes"}`
        : "without a phase";
    const ran = plan.phases === undefined ? ranAs(session, args, name, expected, plan, fuel) : null;
    if (ran !== null) return ran;
    const { text: result, problem } = exported(session, names, plan);
    const found =
      problem ?? (plan.phases === undefined ? null : unstable(result)) ?? heldText(result, args, `exported ${name}`, expected, fuel);
    if (found !== null) return found;
  }
  return null;
}

/** What was written without a phase is in its last form: canonical, and written the same once it has been read. */
function unstable(text: string): string | null {
  if (canonicalText(text) !== text) return `exported without a phase, this is not canonical:\n${text}`;
  const session = new EngineSession();
  const { kernels } = session.open(1, text, null);
  const again = session.written(kernels.filter((k) => k.helper !== true).map((k) => k.name))?.text ?? "";
  return again === text ? null : `exported without a phase, read and exported again:\n${again}\nwhere it was\n${text}`;
}

/** The exported text run by the reference, and read again and run by us. */
function heldText(text: string, args: readonly Argument[], where: string, expected: BrilRun, fuel: number): string | null {
  const run = interpretBril(jsonOf(text), args.map(argumentValue), fuel);
  const found = compare(expected, run.status, run.lines, run.message, where);
  if (found !== null) return `${found}\n${text}`;
  const session = new EngineSession();
  const { ok, diagnostics } = session.open(1, text, null);
  if (!ok) return `${where}, read again: ${diagnostics.map((d) => `${d.line}:${d.column} ${d.code} ${d.message}`).join("; ")}\n${text}`;
  const again = ranAs(session, args, `${where} and read again`, expected, { phases: [] }, fuel);
  return again === null ? null : `${again}\n${text}`;
}

function ranAs(
  session: EngineSession,
  args: readonly Argument[],
  where: string,
  expected: BrilRun,
  plan: Partial<PipelineOptions>,
  fuel: number,
): string | null {
  const result = session.run(1, "main", { ...DEFAULT_PIPELINE, verify: true, ...plan });
  const errors = [...result.diagnostics, ...result.phases.flatMap((p) => p.verifyErrors)].filter((d) => d.severity === "error");
  if (errors.length > 0) return `${where}: ${errors[0]?.code} ${errors[0]?.message}`;
  const report: ExecReport = session.exec(
    plan.phases === undefined ? { run: result.phases.length - 1, step: null } : { run: -1, step: null },
    { threads: 1, fuel, args: args.map(({ name, type, text }) => `${name}=${type === "char" ? `'${text}'` : text}`), mem: [] },
  );
  if (report.status === "trap" && !/BPT|TRAP|trap/.test(report.message)) return `${where}: ${report.message}`;
  const status = report.status === "ok" ? "ok" : report.status === "trap" ? "error" : "fuel";
  return compare(expected, status, report.output ?? [], report.message, where);
}

/** The program as Bril after a plan has run on every function. */
function exported(session: EngineSession, names: readonly string[], plan: Partial<PipelineOptions>): Exported {
  for (const name of names) session.run(1, name, { ...DEFAULT_PIPELINE, ...plan });
  const bril = session.written(names);
  if (bril === null || bril.problems.length > 0) return { text: "", problem: `not exported: ${bril?.problems.join("; ")}` };
  return { text: bril.text, problem: null };
}

interface Exported {
  readonly text: string;
  readonly problem: string | null;
}

function compare(expected: BrilRun, status: string, lines: readonly string[], message: string, where: string): string | null {
  if (status !== expected.status) return `${where}: ${status} (${message}), expected ${expected.status} (${expected.message})`;
  const at = [...expected.lines, ""].findIndex((line, i) => line !== (lines[i] ?? ""));
  if (at < 0 && lines.length === expected.lines.length) return null;
  return `${where}: line ${at + 1} is ${JSON.stringify(lines[at])}, expected ${JSON.stringify(expected.lines[at])}`;
}
