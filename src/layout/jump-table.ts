/** A jump table as one node: a line of case ranges and one edge per distinct target, never an edge per case. */
import { type CardMetrics, type CardSize, measureCard } from "./measure.ts";
import type { GraphEdge } from "./types.ts";

export interface CaseGroup {
  readonly target: string;
  /** For example `0-3, 7`: the cases that lead to the target. */
  readonly cases: string;
  readonly count: number;
}

/** Groups `targets` (the target of case `base`, `base + 1`, …) by target, in order of first appearance. */
export function groupCases(targets: readonly string[], base = 0): CaseGroup[] {
  const runs = new Map<string, { first: number; last: number }[]>();
  targets.forEach((target, i) => {
    const list = runs.get(target) ?? [];
    runs.set(target, list);
    const run = list.at(-1);
    if (run !== undefined && run.last === base + i - 1) run.last = base + i;
    else list.push({ first: base + i, last: base + i });
  });
  return [...runs].map(([target, list]) => ({
    target,
    cases: list.map((r) => (r.first === r.last ? `${r.first}` : `${r.first}-${r.last}`)).join(", "),
    count: list.reduce((sum, r) => sum + r.last - r.first + 1, 0),
  }));
}

/** The table's edges, one per group, ids `<table>:<target>`. */
export function tableEdges(table: string, groups: readonly CaseGroup[]): GraphEdge[] {
  return groups.map((g, port) => ({ id: `${table}:${g.target}`, from: table, to: g.target, kind: "table", port }));
}

/** The size of the table's card: one line per group, `cases: target`. */
export function measureTable(title: string, groups: readonly CaseGroup[], metrics: CardMetrics): CardSize {
  const lines = groups.map((g) => `${g.cases}: ${g.target}`);
  return measureCard({ headerColumns: title.length, lines, successors: groups.length }, metrics);
}
