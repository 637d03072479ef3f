/** What a run over damaged inputs has done: plain data that adds up. */

import type { DamagedCase } from "./damaged.ts";

export interface DamagedReport {
  readonly kind: string;
  readonly seeds: readonly { readonly first: number; readonly step: number; readonly count: number }[];
  readonly inputs: number;
  /** Read without an error. */
  readonly accepted: number;
  /** Bodies that went through the whole pipeline. */
  readonly pipelines: number;
  /** The one that took longest: processor time, in milliseconds. */
  readonly slowest: { readonly seed: number; readonly ms: number };
  /** The peak memory of a process, in bytes. */
  readonly memory: number;
  readonly seconds: number;
  readonly failures: readonly { readonly kind: string; readonly seed: number; readonly message: string }[];
}

/** What one input may take. */
export const MOST_MS = 5000;
export const MOST_MEMORY = 1_000_000_000;

/** What the run of one input cost. */
export interface Cost {
  readonly ms: number;
  /** The process's peak memory so far, before and after the input. */
  readonly before: number;
  readonly after: number;
}

export class DamagedTally {
  inputs = 0;
  private accepted = 0;
  private pipelines = 0;
  private slowest = { seed: -1, ms: 0 };
  private memory = 0;
  private readonly failures: DamagedReport["failures"][number][] = [];
  private readonly kind: string;

  constructor(kind: string) {
    this.kind = kind;
  }

  /** Counts an input; what is wrong with it, or null. */
  add(seed: number, result: DamagedCase, cost: Cost): string | null {
    this.inputs++;
    if (result.accepted) this.accepted++;
    this.pipelines += result.pipelines;
    if (cost.ms > this.slowest.ms) this.slowest = { seed, ms: cost.ms };
    this.memory = Math.max(this.memory, cost.after);
    const message = result.failure ?? costly(cost);
    if (message !== null) this.failures.push({ kind: this.kind, seed, message });
    return message;
  }

  report(seeds: DamagedReport["seeds"][number], seconds: number): DamagedReport {
    const { kind, inputs, accepted, pipelines, slowest, memory, failures } = this;
    return { kind, seeds: [seeds], inputs, accepted, pipelines, slowest, memory, seconds, failures };
  }
}

function costly({ ms, before, after }: Cost): string | null {
  if (ms > MOST_MS) return `it took ${Math.round(ms)} ms`;
  return after > MOST_MEMORY && after > before * 1.1 ? `it took ${Math.round(after / 1e6)} MB of memory` : null;
}

/** The sum of reports of one kind; there is at least one. */
export function mergeDamaged(reports: readonly DamagedReport[], kind: string): DamagedReport {
  const sum = (of: (report: DamagedReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  return {
    kind,
    seeds: reports.flatMap((r) => r.seeds),
    inputs: sum((r) => r.inputs),
    accepted: sum((r) => r.accepted),
    pipelines: sum((r) => r.pipelines),
    slowest: reports.reduce((most, { slowest }) => (slowest.ms > most.ms ? slowest : most), { seed: -1, ms: 0 }),
    memory: Math.max(0, ...reports.map((r) => r.memory)),
    seconds: sum((r) => r.seconds),
    failures: reports.flatMap((r) => r.failures),
  };
}

export function damagedText({ kind, seeds, inputs, accepted, pipelines, slowest, memory, seconds, failures }: DamagedReport): string {
  const ranges = seeds.map(({ first, count }) => `${first} (${count})`).join(", ");
  return (
    `seeds: ${ranges}\nfuzz: ${inputs} damaged ${kind}, ${accepted} of them read without an error, ${pipelines} bodies through the pipeline, ` +
    `${failures.length} failures; slowest ${Math.round(slowest.ms)} ms (seed ${slowest.seed}), most memory ${Math.round(memory / 1e6)} MB, ` +
    `${seconds.toFixed(0)} s of processes\n`
  );
}
