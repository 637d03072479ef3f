/** The JSON that the commands print. Others build on these shapes: fields may be added, none may change or be removed. */

import type { ControlFlowReport } from "../engine/api/analysis/control-flow.ts";
import type {
  AlignReport,
  BisectReport,
  ConditionRow,
  Diagnostic,
  ExecReport,
  InterventionResult,
  KnobRow,
  NeedReport,
  OwnBlock,
  WatchHit,
} from "../engine/api/types.ts";
import type { LabCheck } from "../labs/check.ts";
import type { Grade } from "../labs/grade.ts";
import type { Evidence } from "../ownpass/evidence.ts";
import type { FileTestResult } from "../ownpass/file-tests.ts";
import type { Standing } from "../ownpass/standing.ts";

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

/** `align --json` */
export interface AlignJson {
  readonly kernels: readonly AlignReport[];
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

/** `export --json` */
export interface ExportJson {
  /** What is printed without `--json`. */
  readonly text: string;
  readonly phases: number;
  readonly steps: number;
  /** What was left out. */
  readonly notes: readonly string[];
}

/** `exec --json` */
export type ExecJson = Omit<ExecReport, "heat" | "diagnostics"> & {
  readonly heat: readonly { readonly block: string; readonly executions: number; readonly divergences: number }[];
};

/** `check --json` */
export interface CheckJson {
  /** `untested`: nothing failed, but no program was changed, so nothing was put to the test (of an analysis: no program was tried). */
  readonly standing: Standing;
  /** How many were tried. */
  readonly programs: number;
  /** Of the first one. */
  readonly seed: number;
  readonly failures: readonly {
    /** `ends`, `program`, `signature`, `verifier`, `meaning` or `deterministic`; with `--pass` also `loads`, `throws` and, of an analysis, `agrees`. */
    readonly law: string;
    /** With `--pass`: what the program is called. */
    readonly name?: string;
    /** 0 for a given program. */
    readonly seed: number;
    readonly program: string;
    readonly input: string | null;
    readonly message: string;
    /** With `--pass`: the first rewrite after which it is wrong, and the line of the pass, 0 when not known. */
    readonly rewrite?: { readonly n: number; readonly of: number; readonly said: string } | null;
    readonly line?: number;
  }[];
  /** With `--pass-cmd`: programs that the command changed. */
  readonly changed?: number;
  /** With `--pass`: its name, what the check has shown, and the tests of the file. */
  readonly pass?: string;
  readonly evidence?: Evidence;
  readonly tests?: readonly FileTestResult[];
}

/** `conditions --json`: an array of these. */
export type ConditionJson = ConditionRow;

/** `bisect --json` */
export type BisectJson = BisectReport;

/** `need --json` */
export type NeedJson = NeedReport;

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

/** `lab check --json` */
export type LabCheckJson = LabCheck;

/** `grade --json` */
export interface GradeJson {
  readonly lab: { readonly id: string; readonly version: number; readonly digest: string };
  readonly results: readonly Grade[];
}
