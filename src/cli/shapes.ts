/** The JSON that the core's commands print; a feature's are in its folder. Others build on these shapes: fields may be added, none may change or be removed. */

import type { ControlFlowReport } from "../engine/api/analysis/control-flow.ts";
import type { Diagnostic, ExecReport, InterventionResult, KnobRow, OwnBlock, WatchHit } from "../engine/api/types.ts";

/** `phases --json` */
export interface PhaseJson {
  /** null in the cicc group. */
  readonly number: number | null;
  readonly group: "ptxas" | "cicc";
  readonly id: string;
  readonly name: string;
  readonly modelled: boolean;
  /** On the chosen target and level, with the chosen knobs. */
  readonly runs: boolean;
  readonly reason: string | null;
  readonly knobs: readonly string[];
}

/** `knobs --json`: an array of these. */
export type KnobJson = KnobRow;

/** `analyze --json` */
export interface AnalyzeJson {
  readonly kernels: readonly ControlFlowReport[];
  /** `--pass` with an analysis: its result for each kernel. */
  readonly own?: readonly OwnAnalysisJson[];
}

export interface OwnAnalysisJson {
  readonly kernel: string;
  readonly name: string;
  /** Which of ours it is compared with; null: none. */
  readonly of: string | null;
  readonly blocks: readonly OwnBlock[];
}

/** `run --json` */
export interface RunJson {
  readonly engine: string;
  readonly target: string;
  readonly level: number;
  readonly kernels: readonly RunKernelJson[];
}

export interface RunKernelJson {
  readonly name: string;
  readonly phases: readonly RunPhaseJson[];
  /** The result as a complete text, `.target` and symbols included. */
  readonly text: string;
  readonly digest: string;
  /** What became of each intervention. */
  readonly interventions: readonly InterventionResult[];
  /** With `--emit json`: blocks, edges and loops of the result. */
  readonly graph?: unknown;
}

export interface RunPhaseJson {
  /** Its index among the runs, including inserted ones and a user's pass. */
  readonly run: number;
  readonly phase: number | null;
  readonly id: string;
  readonly name: string;
  readonly ran: boolean;
  /** Why it did not run, or why it changed nothing. */
  readonly reason: string | null;
  readonly changed: boolean;
  readonly blocks: readonly [before: number, after: number];
  readonly instructions: readonly [before: number, after: number];
  readonly matches: number;
  readonly rewrites: number;
  readonly ms: number;
  /** `notDecided`: why no input decides anything; left out where one does. */
  readonly check: {
    readonly inputs: number;
    readonly ok: boolean;
    readonly counterexample: string | null;
    readonly notDecided?: string;
  } | null;
  readonly verifyErrors: readonly Diagnostic[];
  /** What interventions call it. */
  readonly address: string;
  /** Rewrites that requested a permit, refused ones included, and those that interventions refused. */
  readonly asked: number;
  readonly refused: number;
  /** Conditions that were dropped, and failed at least once. */
  readonly dropped: readonly string[];
}

/** `trace`: one of these per line; with `--json` an array of them. */
export interface TraceJson {
  readonly step: number;
  readonly parent: number;
  readonly depth: number;
  readonly kind: string;
  readonly line: number;
  readonly sentence: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly focus: { readonly blocks: readonly string[]; readonly instructions: readonly number[] };
}

/** `exec --json` */
export type ExecJson = Omit<ExecReport, "heat" | "diagnostics"> & {
  readonly heat: readonly { readonly block: string; readonly executions: number; readonly divergences: number }[];
};

/** `watch --json` */
export type WatchJson = readonly WatchHit[];

/** `import --json` */
export interface ImportJson {
  readonly kernels: readonly {
    readonly name: string;
    readonly blocks: number;
    readonly instructions: number;
    readonly opaque: number;
    readonly text: string;
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `link --json` */
export interface LinkJson {
  readonly url: string;
  readonly characters: number;
  /** Longer than what every program passes on unchanged. */
  readonly long: boolean;
}
