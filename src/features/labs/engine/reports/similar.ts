/** Hand-ins with the same programs: what a file without a server can show, not who copied from whom. */

import type { Grade } from "../grade.ts";
import type { Work } from "./work.ts";

export interface Cluster {
  readonly task: string;
  readonly files: readonly string[];
  /** How many different seeds they have: the same answer to different programs is the strongest sign. */
  readonly seeds: number;
  readonly instructions: number;
}

/** Shorter programs are alike by themselves. */
const LEAST_LINES = 4;

export function similar(handIns: readonly { readonly grade: Grade; readonly work: readonly Work[] }[]): readonly Cluster[] {
  const groups = new Map<string, { readonly task: string; readonly form: string; readonly of: Map<string, number | null> }>();
  for (const { grade, work } of handIns) {
    for (const { task, form } of work) {
      const key = `${task}\n${form}`;
      const group = groups.get(key) ?? { task, form, of: new Map<string, number | null>() };
      group.of.set(grade.file, grade.seed);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .filter(({ of, form }) => of.size > 1 && form.split("\n").length >= LEAST_LINES)
    .map(({ task, form, of }) => ({ task, files: [...of.keys()], seeds: new Set(of.values()).size, instructions: form.split("\n").length }))
    .sort((a, b) => b.seeds - a.seeds || b.files.length - a.files.length);
}

export function similarText(clusters: readonly Cluster[]): string {
  if (clusters.length === 0) return "No two hand-ins have the same programs.\n";
  return clusters
    .map(
      ({ task, files, seeds, instructions }) =>
        `${task}: ${files.length} hand-ins, ${seeds} ${seeds === 1 ? "seed" : "different seeds"}, ${instructions} lines: ${files.join(", ")}\n`,
    )
    .join("");
}
