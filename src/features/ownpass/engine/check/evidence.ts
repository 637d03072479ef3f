/** What a check has shown, as a table to hand in: CSV with the columns of Brench, and a page of Markdown. */

import type { CheckReport, CheckRow } from "./check.ts";
import { type Looked, lookedOf, type Standing, standingOf, type Untested, untestedOf } from "./standing.ts";

/** `benchmark,run,result`: executed instructions, or Brench's words where there are none. */
export function brenchCsv(name: string, report: CheckReport): string {
  const lines = ["benchmark,run,result"];
  for (const row of report.rows) {
    lines.push([csvCell(row.program), "baseline", row.executed[0] > 0 ? row.executed[0] : "missing"].join(","));
    lines.push([csvCell(row.program), csvCell(name), resultOf(row)].join(","));
  }
  return `${lines.join("\n")}\n`;
}

function resultOf({ law, executed }: CheckRow): string | number {
  if (law === "ends") return "timeout";
  if (law !== null) return "incorrect";
  return executed[1] > 0 ? executed[1] : "missing";
}

/** A spreadsheet reads a cell that begins like this as a formula. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const sum = (rows: readonly CheckRow[], pick: (row: CheckRow) => number): number => rows.reduce((n, row) => n + pick(row), 0);

export interface Evidence {
  readonly standing: Standing;
  readonly programs: number;
  readonly equal: number;
  readonly different: number;
  readonly undecided: number;
  readonly failed: number;
  readonly inputs: number;
  readonly rewrites: number;
  /** Programs whose text was changed. */
  readonly changed: number;
  readonly looked: Looked;
  /** null: it was tested. */
  readonly untested: Untested | null;
  readonly size: readonly [number, number];
  readonly executed: readonly [number, number];
  /** How many programs did not change again when the pass ran on its own result, of how many. */
  readonly settled: readonly [number, number];
  /** By executed instructions saved; null if nothing was saved or lost. */
  readonly best: CheckRow | null;
  readonly worst: CheckRow | null;
}

export function evidenceOf(report: CheckReport): Evidence {
  const { rows } = report;
  const standing = standingOf(report);
  const tried = {
    programs: rows.length,
    rewrites: sum(rows, (row) => row.rewrites),
    changed: rows.filter((row) => row.changed).length,
    looked: lookedOf(rows),
  };
  const count = (verdict: CheckRow["verdict"]): number => rows.filter((row) => row.verdict === verdict).length;
  const good = rows.filter((row) => row.law === null);
  const again = good.filter((row) => row.settled !== null);
  const saved = (row: CheckRow): number => row.executed[0] - row.executed[1];
  const bySaving = good.toSorted((a, b) => saved(b) - saved(a));
  const [best] = bySaving;
  const worst = bySaving.at(-1);
  return {
    standing,
    ...tried,
    untested: standing === "untested" ? untestedOf(tried) : null,
    equal: count("equal"),
    different: count("different"),
    undecided: count("undecided"),
    failed: count("failed"),
    inputs: sum(rows, (row) => row.inputs),
    size: [sum(good, (row) => row.size[0]), sum(good, (row) => row.size[1])],
    executed: [sum(good, (row) => row.executed[0]), sum(good, (row) => row.executed[1])],
    settled: [again.filter((row) => row.settled === true).length, again.length],
    best: best !== undefined && saved(best) > 0 ? best : null,
    worst: worst !== undefined && saved(worst) < 0 ? worst : null,
  };
}

/** How much it changed: `-12.5 %`. */
export const percentOf = (before: number, after: number): string =>
  before === 0 ? "" : `${((100 * (after - before)) / before).toFixed(1)} %`;

/** Why fewer programs were tried than requested; empty: all were. */
export function endedBy({ cancelled, enough, failures }: Pick<CheckReport, "cancelled" | "enough" | "failures">): string {
  if (cancelled) return "The check was cancelled.";
  return enough ? `The check ended after ${failures.length} failures.` : "";
}

/** A page of Markdown. */
export function evidenceText(name: string, report: CheckReport): string {
  const e = evidenceOf(report);
  const of = ([before, after]: readonly [number, number]): string => `${before} | ${after} | ${percentOf(before, after)}`;
  const rows = [
    `# ${name}: results of a check`,
    "",
    `${e.programs} programs, random ones from seed ${report.seed}; the pass made ${e.rewrites} rewrites in ${e.changed} of them.`,
    "",
    ...(e.untested === null ? [] : [`**Not tested: ${e.untested.reason}.**`, "", e.untested.sentences.join(" "), ""]),
    endedBy(report),
    "",
    "| verdict | programs |",
    "|---|---|",
    `| same meaning on every input tried (${e.inputs} inputs in all) | ${e.equal} |`,
    `| another meaning | ${e.different} |`,
    `| undecided: no input lets the program end | ${e.undecided} |`,
    `| failed in another way: it does not end, throws, or produces no valid program | ${e.failed} |`,
    "",
    ...(e.equal + e.undecided === 0
      ? []
      : [
          "| programs that pass | before | after | |",
          "|---|---|---|---|",
          `| instructions | ${of(e.size)} |`,
          `| executed warp instructions | ${of(e.executed)} |`,
        ]),
    "",
    e.settled[1] === 0 ? "" : `Run again on its own result, it changed nothing in ${e.settled[0]} of ${e.settled[1]} programs tried.`,
    e.best === null ? "" : `Most saved: ${e.best.program}, ${e.best.executed[0]} to ${e.best.executed[1]} executed instructions.`,
    e.worst === null ? "" : `Most lost: ${e.worst.program}, ${e.worst.executed[0]} to ${e.worst.executed[1]} executed instructions.`,
    ...report.failures.flatMap(({ law, message, name: of, program, rewrite }) => [
      "",
      `## ${of}: ${law}`,
      "",
      message,
      "",
      rewrite === null ? "" : `First wrong rewrite, ${rewrite.n} of ${rewrite.of}: ${rewrite.said}`,
      "",
      "```",
      program.trimEnd(),
      "```",
    ]),
  ];
  return `${rows.filter((line, i) => line !== "" || rows[i - 1] !== "").join("\n")}\n`;
}
