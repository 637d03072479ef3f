/** The files of a run: reports, and inputs that failed. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAMAGED } from "../../features/damaged.ts";
import { type DamagedReport, damagedText, mergeDamaged } from "./damaged-report.ts";
import type { Options } from "./options.ts";
import { type FuzzReport, mergeReports, reportText } from "./report.ts";

export type Report = FuzzReport | DamagedReport;

export const readReport = (file: string): Report => JSON.parse(readFileSync(file, "utf8")) as Report;

const isPrograms = (report: Report): report is FuzzReport => report.kind === "programs";

/** The sums, one a kind of run. */
export function mergeAll(reports: readonly Report[]): readonly Report[] {
  const programs = reports.filter(isPrograms);
  const damaged = reports.flatMap((report) => (isPrograms(report) ? [] : [report]));
  return [
    ...(programs.length > 0 ? [mergeReports(programs)] : []),
    ...Object.keys(DAMAGED).flatMap((kind) => {
      const own = damaged.filter((report) => report.kind === kind);
      return own.length > 0 ? [mergeDamaged(own, kind)] : [];
    }),
  ];
}

/** Prints reports and writes the last one to the file of `--report`; returns the exit code. */
export function show(reports: readonly Report[], { words, switches }: Options): number {
  for (const report of reports) {
    if (!switches.has("quiet")) process.stdout.write(isPrograms(report) ? reportText(report) : damagedText(report));
    if (words.report !== undefined) writeFileSync(words.report, `${JSON.stringify(report, null, 1)}\n`);
  }
  return reports.some((report) => report.failures.length > 0) ? 1 : 0;
}

/** Writes what failed to a file of the folder; its path. */
export function writeFailure(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
