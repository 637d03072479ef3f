/** The result of one run, or of two side by side, in one line. */

import type { ExecReport } from "../../../engine/api/types.ts";
import { plural } from "../../ui/plural.ts";

export interface Outcome {
  readonly where: string;
  readonly report: ExecReport;
  /** What it was given: only runs of the same input can be compared. */
  readonly input: string;
}

export interface VerdictLine {
  readonly tone: "ok" | "warn" | "error";
  readonly text: string;
}

/** Newest first, as the pane keeps them. */
export function verdictOf([latest, earlier]: readonly Outcome[]): VerdictLine | null {
  if (latest === undefined) return null;
  if (earlier === undefined || earlier.input !== latest.input) return single(latest);
  for (const { report, where } of [earlier, latest])
    if (report.status !== "ok") return { tone: "error", text: `No comparison: ${where} ${ended(report)}` };
  const from = `${earlier.where}, then ${latest.where}`;
  const undecided = [earlier, latest].find(({ report }) => report.standIns != null && report.standIns.undecided !== null);
  if (undecided !== undefined) return { tone: "warn", text: `Not decided (${from}). ${sentence(undecided.report)}` };
  const difference = outputDifference(earlier.report, latest.report) ?? memoryDifference(earlier.report, latest.report);
  if (difference !== null) return { tone: "error", text: `${difference} (${from}).` };
  const open = [latest, earlier].find(({ report }) => Object.keys(report.standIns?.memory ?? {}).length > 0);
  if (open !== undefined && !sameMemory(earlier.report, latest.report))
    return { tone: "warn", text: `Not decided: the memory differs only where it contains stand-ins (${from}). ${sentence(open.report)}` };
  const rest = open === undefined ? "" : ` ${sentence(open.report)}`;
  const saved = earlier.report.counters.warpInstructions - latest.report.counters.warpInstructions;
  const what = earlier.report.output === undefined ? "Same memory" : "Same output";
  const cost =
    saved === 0
      ? `as many instructions issued ${latest.where} as ${earlier.where}`
      : `${plural(Math.abs(saved), saved > 0 ? "fewer instruction" : "more instruction")} issued ${latest.where} than ${earlier.where}`;
  return { tone: saved < 0 || open !== undefined ? "warn" : "ok", text: `${what}, ${cost}.${rest}` };
}

function single({ where, report }: Outcome): VerdictLine {
  if (report.status !== "ok") return { tone: "error", text: `${where[0]?.toUpperCase()}${where.slice(1)} ${ended(report)}` };
  const { warpInstructions, divergentBranches } = report.counters;
  const divergent =
    divergentBranches === 0 ? "no branch diverged" : `${plural(divergentBranches, "divergent branch", "divergent branches")}`;
  const text = `Ended normally: ${plural(warpInstructions, "instruction")} issued, ${divergent}.`;
  return report.standIns === undefined ? { tone: "ok", text } : { tone: "warn", text: `${text} ${sentence(report)}` };
}

/** What is made up of a run's results. */
function sentence({ standIns }: ExecReport): string {
  const text = standIns?.message ?? "";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const sameMemory = (a: ExecReport, b: ExecReport): boolean => Object.entries(a.memory).every(([name, bytes]) => b.memory[name] === bytes);

/** The contents without what is made up in either run. */
function certain(hex: string, name: string, ...reports: readonly ExecReport[]): string {
  let bytes = hex;
  for (const { standIns } of reports)
    for (const { from, to } of standIns?.memory[name] ?? [])
      bytes = bytes.slice(0, 2 * from) + "0".repeat(2 * (to - from)) + bytes.slice(2 * to);
  return bytes;
}

const ended = (report: ExecReport): string => `the run ended by ${report.status}: ${report.message}`;

function outputDifference(a: ExecReport, b: ExecReport): string | null {
  if (a.output === undefined || b.output === undefined) return null;
  const most = Math.max(a.output.length, b.output.length);
  for (let line = 0; line < most; line++)
    if (a.output[line] !== b.output[line])
      return `The output differs from line ${line + 1} on: ${a.output[line] ?? "nothing"}, then ${b.output[line] ?? "nothing"}`;
  return null;
}

function memoryDifference(a: ExecReport, b: ExecReport): string | null {
  for (const name of new Set([...Object.keys(a.memory), ...Object.keys(b.memory)])) {
    const [given, second] = [a.memory[name], b.memory[name]];
    if (given === undefined || second === undefined || given.length !== second.length) return `The memory of ${name} differs in size`;
    const [one, other] = [certain(given, name, a, b), certain(second, name, a, b)];
    if (one === other) continue;
    // Two hexadecimal digits a byte.
    let at = 0;
    while (one.slice(at, at + 2) === other.slice(at, at + 2)) at += 2;
    return `The memory differs: ${name} +${at / 2} is 0x${one.slice(at, at + 2)}, then 0x${other.slice(at, at + 2)}`;
  }
  return null;
}
