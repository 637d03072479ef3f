/** Check of an analysis: compares its result for each block of each program with the built-in one; the first program on which they differ is minimized. */

import { type AnalysisRow, compareAnalysis } from "../analysis-results.ts";
import {
  type Candidate,
  type CheckFailure,
  type CheckSubject,
  MOST_FAILURES,
  type Programs,
  programsOf,
  smallestFailure,
} from "./check.ts";
import { csvCell, endedBy } from "./evidence.ts";
import type { PassProgram } from "./requests.ts";
import type { Standing } from "./standing.ts";

export interface AnalysisCheckOptions extends Programs {
  /** The built-in analysis it is compared with; null: it only has to end. */
  readonly of: string | null;
  readonly shrink?: boolean;
  /** Called after each program, smaller ones of the first failure included; true ends the check. */
  readonly progress?: (programs: number, failures: number) => boolean;
}

/** The result on one program: the number of `wanted` names, of the `right` ones among them, and of those that do not belong. */
export interface AnalysisCheckRow {
  readonly program: string;
  readonly seed: number | null;
  readonly shape: string;
  /** `agrees`, `ends`, `throws` or `program` is broken; null: none. */
  readonly law: string | null;
  readonly blocks: number;
  readonly same: number;
  readonly wanted: number;
  readonly right: number;
  readonly spurious: number;
}

export interface AnalysisReport {
  readonly of: string | null;
  readonly seed: number;
  readonly failures: readonly CheckFailure[];
  readonly rows: readonly AnalysisCheckRow[];
  readonly cancelled: boolean;
  /** It ended early, after too many failures. */
  readonly enough: boolean;
}

export async function checkAnalysis(subject: CheckSubject, options: AnalysisCheckOptions): Promise<AnalysisReport> {
  const rows: AnalysisCheckRow[] = [];
  const failures: CheckFailure[] = [];
  const { of, seed, progress } = options;
  let cancelled = false;
  const unread = (name: string, text: string, why: string): void => {
    failures.push(failed("program", { name, seed: 0 }, text, `${name}: ${why}`));
  };
  for (const candidate of programsOf(options, unread)) {
    const { row, failure } = await tryProgram(subject, of, candidate);
    rows.push(row);
    if (failure !== null) {
      const first = failures.length === 0 && options.shrink !== false;
      const stop = (): boolean => progress?.(rows.length, failures.length + 1) === true;
      failures.push(first ? await madeSmall(subject, of, failure, stop) : failure);
    }
    cancelled = progress?.(rows.length, failures.length) === true;
    if (cancelled || failures.length >= MOST_FAILURES || failure?.law === "kind") break;
  }
  return { of, seed, failures, rows, cancelled, enough: failures.length >= MOST_FAILURES };
}

type Of = Pick<CheckFailure, "name" | "seed">;

const failed = (law: string, { name, seed }: Of, program: string, message: string, line = 0): CheckFailure => ({
  law,
  name,
  seed,
  program,
  input: null,
  message,
  rewrite: null,
  line,
});

const NO_ROWS: readonly AnalysisRow[] = [];

async function tryProgram(
  { runner, code, forbid = [] }: CheckSubject,
  of: string | null,
  { name, seed, shape, program }: Candidate,
): Promise<{ readonly row: AnalysisCheckRow; readonly failure: CheckFailure | null }> {
  const outcome = (rows: readonly AnalysisRow[], failure: CheckFailure | null) => {
    const sum = (pick: (row: AnalysisRow) => number): number => rows.reduce((n, row) => n + pick(row), 0);
    const counts = { wanted: sum((r) => r.wanted), right: sum((r) => r.right), spurious: sum((r) => r.spurious) };
    const row = { program: name, seed, shape, law: failure?.law ?? null, blocks: rows.length, same: sum((r) => Number(r.same)), ...counts };
    return { row, failure };
  };
  const wrong = (law: string, message: string, line = 0) =>
    outcome(NO_ROWS, failed(law, { name, seed: seed ?? 0 }, program.text, message, line));
  const answer = await runner.ask({ ask: "analyze", code, forbid, program, source: [] });
  if ("ended" in answer) return wrong(answer.ended === "depth" ? "throws" : "ends", answer.message, answer.line);
  if ("failed" in answer) {
    const { message, line } = answer.failed;
    return wrong(/did not end within/.test(message) ? "ends" : "throws", message, line);
  }
  if (of === null) return outcome(NO_ROWS, null);
  const rows = compareAnalysis(of, program.text, answer.blocks);
  // An unknown name of an analysis is wrong on every program.
  if (typeof rows === "string") return wrong("kind", rows);
  const first = rows.find((row) => !row.same);
  if (first === undefined) return outcome(rows, null);
  return outcome(
    rows,
    failed(
      "agrees",
      { name, seed: seed ?? 0 },
      program.text,
      `${of} of ${first.block} is ${first.ours}, but the analysis reports ${first.theirs}`,
    ),
  );
}

async function madeSmall(subject: CheckSubject, of: string | null, failure: CheckFailure, stop: () => boolean): Promise<CheckFailure> {
  if (failure.law !== "agrees" && failure.law !== "throws") return failure;
  const { name, seed } = failure;
  const on = async (program: PassProgram) => (await tryProgram(subject, of, { name, seed, shape: "", program })).failure;
  return smallestFailure(failure, on, stop);
}

/** For all programs together. The mark is that of courses: right names minus spurious ones, relative to the wanted ones. */
export interface AnalysisFigures {
  readonly programs: number;
  readonly agree: number;
  readonly blocks: number;
  readonly same: number;
  readonly wanted: number;
  readonly right: number;
  readonly spurious: number;
  /** From 0 to 1; null: nothing was wanted. */
  readonly mark: number | null;
}

const markOf = ({ wanted, right, spurious }: Pick<AnalysisFigures, "wanted" | "right" | "spurious">): number | null =>
  wanted === 0 ? null : Math.max(0, (right - spurious) / wanted);

export function analysisFigures({ rows }: AnalysisReport): AnalysisFigures {
  const sum = (pick: (row: AnalysisCheckRow) => number): number => rows.reduce((n, row) => n + pick(row), 0);
  const counts = { wanted: sum((r) => r.wanted), right: sum((r) => r.right), spurious: sum((r) => r.spurious) };
  return {
    programs: rows.length,
    agree: rows.filter((row) => row.law === null).length,
    blocks: sum((r) => r.blocks),
    same: sum((r) => r.same),
    ...counts,
    mark: markOf(counts),
  };
}

/** Any program tests an analysis, since it changes nothing. */
export function analysisStanding({ failures, rows }: Pick<AnalysisReport, "failures" | "rows">): Standing {
  if (failures.length > 0) return "failed";
  return rows.length === 0 ? "untested" : "held";
}

/** `benchmark,run,result`: the mark of each program, or Brench's words where there is none. */
export function analysisCsv(name: string, { rows }: AnalysisReport): string {
  const lines = rows.map((row) => {
    const result = row.law === "ends" ? "timeout" : row.law === "throws" || row.law === "kind" ? "incorrect" : markOf(row)?.toFixed(3);
    return [csvCell(row.program), csvCell(name), result ?? "missing"].join(",");
  });
  return `${["benchmark,run,result", ...lines].join("\n")}\n`;
}

/** A page of Markdown. */
export function analysisText(name: string, report: AnalysisReport): string {
  const f = analysisFigures(report);
  const { of, seed, failures } = report;
  const rows = [
    `# ${name}: results of a check`,
    "",
    `${f.programs} programs, random ones from seed ${seed}; ${of === null ? "not compared with an analysis of ours" : `compared with our ${of}`}.`,
    ...(endedBy(report) === "" ? [] : ["", endedBy(report)]),
    "",
    "| | |",
    "|---|---|",
    `| programs without a difference | ${f.agree} of ${f.programs} |`,
    `| blocks without a difference | ${f.same} of ${f.blocks} |`,
    `| correct names, of those wanted | ${f.right} of ${f.wanted} |`,
    `| spurious names | ${f.spurious} |`,
    `| (right − spurious) / wanted | ${f.mark === null ? "" : f.mark.toFixed(3)} |`,
    ...failures.flatMap(({ law, message, name: of, program }) => [
      "",
      `## ${of}: ${law}`,
      "",
      message,
      "",
      "```",
      program.trimEnd(),
      "```",
    ]),
  ];
  return `${rows.join("\n")}\n`;
}
