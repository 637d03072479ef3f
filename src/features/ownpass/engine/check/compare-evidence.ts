/** What a comparison has shown, to hand in: CSV with the columns of Brench, and a page of Markdown. */

import { type CompareReport, type CompareRow, type CompareSide, comparisonOf } from "./compare.ts";
import { csvCell, percentOf } from "./evidence.ts";

/** `benchmark,run,result`, with one run each for the unchanged program, the user's pass and the built-in phase. */
export function compareCsv(name: string, { rows, against }: CompareReport): string {
  const lines = ["benchmark,run,result"];
  const figure = ({ problem, executed }: CompareSide): string | number =>
    problem !== null ? "incorrect" : executed > 0 ? executed : "missing";
  for (const { program, before, mine, ours } of rows) {
    for (const [run, side] of [
      ["baseline", before],
      [name, mine],
      [against, ours],
    ] as const)
      lines.push([csvCell(program), csvCell(run), figure(side)].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** A page of Markdown. */
export function compareText(name: string, report: CompareReport): string {
  const c = comparisonOf(report);
  const { title: against } = report;
  const of = ([before, mine, ours]: readonly [number, number, number]): string =>
    `${before} | ${mine} (${percentOf(before, mine)}) | ${ours} (${percentOf(before, ours)})`;
  const list = (heading: string, rows: readonly CompareRow[]): readonly string[] =>
    rows.length === 0
      ? []
      : [
          "",
          `## ${heading}`,
          "",
          `| program | before | ${name} | ${against} |`,
          "|---|---|---|---|",
          ...rows.map(({ program, before, mine, ours }) => `| ${program} | ${sideText(before)} | ${sideText(mine)} | ${sideText(ours)} |`),
        ];
  const rows = [
    `# ${name} compared with ${against}`,
    "",
    `${c.programs} programs, random ones from seed ${report.seed}; on ${c.counted} of them both results are valid and have the program's meaning${c.counted === 0 ? "" : ", and the figures are for those"}.`,
    ...(c.counted === 0
      ? []
      : [
          "",
          `| | before | ${name} | ${against} |`,
          "|---|---|---|---|",
          `| instructions | ${of(c.size)} |`,
          `| executed warp instructions | ${of(c.executed)} |`,
          "",
          `The same program up to names: ${c.same} of ${c.counted}. ${name} executes fewer instructions on ${c.better}, more on ${c.worse}, and as many on ${c.level}.`,
        ]),
    ...list(`Where ${name} is ahead`, c.best),
    ...list(`Where ${against} is ahead`, c.worst),
    ...list(`Where the result of ${name} does not count`, c.wrong),
  ];
  return `${rows.join("\n")}\n`;
}

const sideText = ({ problem, size, executed }: CompareSide): string =>
  problem === null ? `${size}, ${executed} executed` : problem.replaceAll("\n", " ").replaceAll("|", "\\|");
