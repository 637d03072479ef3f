/** What a fuzzing run has done, by phase: plain data that adds up over processes and machines. */

import type { FuzzCase, FuzzFailure } from "../../engine/api/exec/fuzz.ts";
import { formatTable } from "../table.ts";

/** Checks of one phase. */
export interface PhaseCounts {
  readonly notes: number;
  readonly measured: number;
  /** With settings other than the defaults. */
  readonly knobs: number;
  /** Those that changed the program. */
  readonly changed: number;
  /** Changed programs that were run and compared; the others equalled one that was. */
  readonly compared: number;
  /** Checks of the laws that are drawn: run twice, printed and parsed, recorded and replayed. */
  readonly repeated: number;
  readonly printed: number;
  readonly traced: number;
  /** Sets of refused rewrites: each run, verified, and compared where no result was equal. */
  readonly refused: number;
  /** Runs inside the whole pipeline, not among the checks: each verified, the last result compared. */
  readonly pipeline: number;
  readonly failures: number;
}

export interface FuzzReport {
  readonly kind: "programs";
  /** Seeds `first`, `first + step`, …, `count` of them. */
  readonly seeds: readonly { readonly first: number; readonly step: number; readonly count: number }[];
  readonly programs: number;
  readonly checks: number;
  readonly pipelines: number;
  /** Of all processes together: by the clock, and of the processor. */
  readonly seconds: number;
  readonly processor: number;
  readonly phases: Readonly<Record<string, PhaseCounts>>;
  readonly profiles: Readonly<Record<string, number>>;
  readonly targets: Readonly<Record<string, number>>;
  /** Checks by setting, as `NAME=VALUE`: modes and limits that were tried. */
  readonly settings: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly kind: string; readonly seed: number; readonly message: string }[];
}

type Counter = { -readonly [K in keyof PhaseCounts]: number };

const COLUMNS = [
  "notes",
  "measured",
  "knobs",
  "changed",
  "compared",
  "repeated",
  "printed",
  "traced",
  "refused",
  "pipeline",
  "failures",
] as const;

const noCounts = (): Counter => ({
  notes: 0,
  measured: 0,
  knobs: 0,
  changed: 0,
  compared: 0,
  repeated: 0,
  printed: 0,
  traced: 0,
  refused: 0,
  pipeline: 0,
  failures: 0,
});

/** Adds up cases as they come. */
export class FuzzTally {
  programs = 0;
  checks = 0;
  pipelines = 0;
  private readonly phases = new Map<string, Counter>();
  private readonly profiles = new Map<string, number>();
  private readonly targets = new Map<string, number>();
  private readonly settings = new Map<string, number>();
  private readonly failures: FuzzReport["failures"][number][] = [];

  constructor(positions: readonly string[]) {
    for (const id of positions) this.phases.set(id, noCounts());
  }

  add(result: FuzzCase): void {
    this.programs++;
    this.checks += result.checks.length;
    bump(this.profiles, result.profile);
    bump(this.targets, result.target);
    for (const check of result.checks) {
      const row = this.row(check.id);
      if (check.policy === "measured") row.measured++;
      else row.notes++;
      if (check.knobs.length > 0) row.knobs++;
      if (check.changed) row.changed++;
      if (check.changed && !check.known) row.compared++;
      if (check.repeated) row.repeated++;
      if (check.printed && check.changed) row.printed++;
      row.refused += check.subsets;
      if (check.traced) row.traced++;
      for (const setting of check.knobs) bump(this.settings, setting);
    }
    if (result.pipeline.length > 0) this.pipelines++;
    for (const id of result.pipeline) this.row(id).pipeline++;
    for (const failure of result.failures) this.fail(failure);
  }

  report(seeds: FuzzReport["seeds"][number], took: Pick<FuzzReport, "seconds" | "processor">): FuzzReport {
    return {
      kind: "programs",
      seeds: [seeds],
      programs: this.programs,
      checks: this.checks,
      pipelines: this.pipelines,
      ...took,
      phases: Object.fromEntries(this.phases),
      profiles: sorted(this.profiles),
      targets: sorted(this.targets),
      settings: sorted(this.settings),
      failures: this.failures,
    };
  }

  private fail({ id, kind, seed, message }: FuzzFailure): void {
    this.row(id).failures++;
    this.failures.push({ kind, seed, message });
  }

  private row(id: string): Counter {
    let row = this.phases.get(id);
    if (row === undefined) {
      row = noCounts();
      this.phases.set(id, row);
    }
    return row;
  }
}

const bump = (map: Map<string, number>, key: string, by = 1): void => void map.set(key, (map.get(key) ?? 0) + by);

const sorted = (map: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

/** The sum of reports. */
export function mergeReports(reports: readonly FuzzReport[]): FuzzReport {
  const phases = new Map<string, Counter>();
  for (const report of reports) {
    for (const [id, counts] of Object.entries(report.phases)) {
      const row = phases.get(id) ?? noCounts();
      // Reports of earlier versions lack some.
      for (const column of COLUMNS) row[column] += (counts as Partial<PhaseCounts>)[column] ?? 0;
      phases.set(id, row);
    }
  }
  const sum = (of: (report: FuzzReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  const union = (of: (report: FuzzReport) => Readonly<Record<string, number>>): Record<string, number> => {
    const all = new Map<string, number>();
    for (const report of reports) for (const [key, n] of Object.entries(of(report))) bump(all, key, n);
    return sorted(all);
  };
  return {
    kind: "programs",
    seeds: reports.flatMap((report) => report.seeds),
    programs: sum((r) => r.programs),
    checks: sum((r) => r.checks),
    pipelines: sum((r) => r.pipelines),
    seconds: sum((r) => r.seconds),
    processor: sum((r) => r.processor),
    phases: Object.fromEntries(phases),
    profiles: union((r) => r.profiles),
    targets: union((r) => r.targets),
    settings: union((r) => r.settings),
    failures: reports.flatMap((report) => report.failures),
  };
}

/** The report for a terminal. */
export function reportText(report: FuzzReport): string {
  const total = noCounts();
  const rows = Object.entries(report.phases).map(([id, counts]) => {
    for (const column of COLUMNS) total[column] += counts[column];
    return [...COLUMNS.map((column) => String(counts[column])), id];
  });
  const table = formatTable([...COLUMNS, "phase"], [...rows, [...COLUMNS.map((column) => String(total[column])), "all"]]);
  const { programs, checks, pipelines, seconds, processor, seeds } = report;
  // By the processor's time: what a quiet core does, however busy this machine was.
  const rate = processor > 0 ? Math.round((checks * 3600) / processor) : 0;
  const ranges = seeds.map(({ first, step, count }) => `${first} (${count}${step > 1 ? `, one in ${step}` : ""})`).join(", ");
  const counts = (name: string, of: Readonly<Record<string, number>>): string =>
    `${name}: ${Object.entries(of)
      .map(([key, n]) => `${key} ${n}`)
      .join(", ")}\n`;
  const kinds = new Map<string, number>();
  for (const { kind } of report.failures) bump(kinds, kind);
  const failed = [...kinds].map(([kind, n]) => `fuzz: ${n} x ${kind}\n`).join("");
  return (
    `${table}${counts("profiles", report.profiles)}${counts("targets", report.targets)}` +
    `settings: ${Object.keys(report.settings).length} different ones\nseeds: ${ranges}\n` +
    `fuzz: ${programs} programs, ${checks} checks, ${total.refused} sets of refused rewrites, ${pipelines} whole pipelines, ${report.failures.length} failures, ` +
    `${seconds.toFixed(0)} s of processes, ${processor.toFixed(0)} s of processor time (${rate} checks an hour of it)\n${failed}`
  );
}
