/** What the questions about futures answer: plain data, for the page and the command line. */

import type { InputText } from "../../../engine/api/exec/input-text.ts";
import type { ExecReport } from "../../../engine/api/types.ts";
import type { Need } from "./need.ts";

/** Whether the program after the first `n` rewrites still means what it did. */
export interface LightReport {
  readonly n: number;
  readonly colour: "green" | "red" | "grey";
  readonly reason: string;
  /** Of a red one: an input that shows it; null where the verifier does. */
  readonly input: InputText | null;
}

/** The programs on both sides of one rewrite, and what each does on an input. */
export interface RewriteReport {
  readonly n: number;
  /** Texts before and after the rewrite. */
  readonly before: string;
  readonly after: string;
  /** What each does on the input that was given; null without one, or where it cannot be read. */
  readonly runs: { readonly before: ExecReport; readonly after: ExecReport } | null;
}

export interface BisectReport {
  /** All rewrites of the run. */
  readonly rewrites: number;
  /** No examined prefix is right after a wrong one. */
  readonly monotone: boolean;
  readonly first: {
    /** `49#3` */
    readonly address: string;
    readonly run: number;
    /** Among the rewrites of its run, from 1. */
    readonly n: number;
    /** Among all rewrites, from 1. */
    readonly total: number;
    readonly phase: string;
    /** In a trace that ends with the rewrite; null where none could be recorded. */
    readonly step: number | null;
    readonly sentence: string;
  } | null;
  readonly counterexample: { readonly input: InputText | null; readonly difference: string } | null;
  /** Why there is no answer; null if there is one. */
  readonly undecided: string | null;
  /** Number of prefixes examined, and whether those were all. */
  readonly looked: number;
  readonly scanned: boolean;
}

/** A condition under which a phase refuses a candidate. */
export interface ConditionRow {
  readonly phase: string;
  /** Its name in the table of rules. */
  readonly condition: string;
  /** The reference's name for it; null when the reference has none. */
  readonly code: string | null;
  /** The sentence of a run about one candidate. */
  readonly sentence: string;
  /** False: no run with it is known, and the names of registers, blocks and instructions stay general. */
  readonly example: boolean;
  /** A legality condition; the others are structural: the code cannot continue without them. */
  readonly droppable: boolean;
  /** What breaks without it. */
  readonly without: string | null;
  /** A stored program whose meaning the phase preserves with the condition and changes without it; null if there is none. */
  readonly witness: string | null;
  /** By what the spoilt program is found out. */
  readonly caught: "meaning" | "verifier" | null;
  /** What else the witness drops, or why there is none. */
  readonly note: string | null;
}

export interface NeedOptions {
  /** Whether stored programs are tried first; default true. */
  readonly kept?: boolean;
  /** Random programs to try. */
  readonly count: number;
  readonly seed: number;
  readonly stop?: (searched: number) => boolean;
}

export type NeedReport = Need;
