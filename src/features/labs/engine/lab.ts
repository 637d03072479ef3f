/** A lab as plain data: the content of its file, read and checked. */

import type { RootContent } from "mdast";
import type { Diagnostic, SourceFormat } from "../../../engine/api/types.ts";
import type { TaskPlan } from "./kinds/kind.ts";

/** When answers and reasons are shown. */
export const SHOWS = ["at-once", "after-tries", "at-end", "never"] as const;
export type Show = (typeof SHOWS)[number];

/** Which programs a lab has: the same for all students, one set per student, or new ones for each attempt. */
export const SEEDS = ["fixed", "per-student", "attempt"] as const;
export type Seeds = (typeof SEEDS)[number];

/** After a wrong final answer: a new program, or only the same one. */
export const RETRIES = ["new", "same"] as const;
export type Retry = (typeof RETRIES)[number];

/** What a hand-in reports about the path to its answers. */
export const LOGS = ["off", "short", "full"] as const;
export type Log = (typeof LOGS)[number];

export interface Front {
  readonly title: string;
  readonly id: string;
  readonly version: number;
  /** Least version of the engine; null: any. */
  readonly engine: string | null;
  readonly authors: readonly string[];
  readonly licence: string | null;
  readonly minutes: number | null;
  readonly level: string | null;
  readonly objectives: readonly string[];
  readonly seed: Seeds;
  /** Different programs a lab has; null: one for each student. */
  readonly variants: number | null;
  readonly attempts: number | null;
  readonly retry: Retry;
  readonly log: Log;
  readonly show: Show;
  readonly due: string | null;
  /** Share of the points at which the lab is passed; null: the lab does not define it. */
  readonly pass: number | null;
  readonly declare: string | null;
  /** The default pipeline of tasks. */
  readonly target: string | null;
  readonly policy: "notes" | "measured";
  readonly optLevel: number;
  readonly knobs: readonly string[];
}

/** A program that is written in the file. */
export interface WrittenProgram {
  readonly kind: "written";
  readonly name: string;
  readonly format: SourceFormat | null;
  readonly text: string;
  /** Line of the fence; the text begins on the next. */
  readonly line: number;
}

/** A whole number or a range `6..9`. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** A program made for each student. */
export interface GeneratedProgram {
  readonly kind: "generated";
  readonly name: string;
  readonly shape: string;
  /** Number of constructs, instructions or blocks that the shape aims at. */
  readonly size: number | null;
  readonly blocks: Range | null;
  readonly instructions: Range | null;
  readonly loops: Range | null;
  readonly irreducible: boolean | null;
  /** How many PHIs a register would need. */
  readonly phis: { readonly register: string; readonly count: Range } | null;
  readonly fires: readonly string[];
  readonly stays: readonly string[];
  /** `49:leader-dominates`. */
  readonly refuses: readonly string[];
  /** The same program for everyone. */
  readonly fixed: boolean;
  readonly line: number;
}

export type ProgramSource = WrittenProgram | GeneratedProgram;

/** A place in a run: the input, or a step of a phase. */
export type At =
  | { readonly kind: "input" }
  | { readonly kind: "start"; readonly phase: string }
  | { readonly kind: "end"; readonly phase: string }
  | { readonly kind: "step"; readonly phase: string; readonly step: number }
  | { readonly kind: "when"; readonly phase: string; readonly when: string; readonly nth: number };

export interface Hint {
  readonly text: string;
  /** Points it takes. */
  readonly cost: number;
}

export interface Task {
  readonly id: string;
  readonly points: number;
  readonly kind: string;
  readonly ask: string;
  readonly program: string | null;
  readonly at: At;
  readonly hints: readonly Hint[];
  readonly explain: string | null;
  readonly show: Show;
  readonly retry: Retry;
  /** The task of an earlier lab that it repeats: `cfg-1/order`. */
  readonly again: string | null;
  /** Share of the points for an answer given in earnest, right or wrong. */
  readonly tryShare: number;
  /** Options of the pipeline that differ from the lab's; null: none. */
  readonly plan: TaskPlan | null;
  /** What the kind reads: its own fields, as its schema left them. */
  readonly spec: unknown;
  readonly line: number;
  /** Place of a field of the task's YAML. */
  readonly place: (path: readonly (string | number)[]) => Place;
}

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** The content of the file, in its order. */
export type Part =
  | { readonly kind: "text"; readonly nodes: readonly RootContent[] }
  | { readonly kind: "program"; readonly name: string }
  | { readonly kind: "moment"; readonly moment: Moment }
  | { readonly kind: "task"; readonly id: string };

/** A place that the text points at. */
export interface Moment {
  readonly program: string;
  readonly at: At;
  readonly label: string;
  readonly place: Place;
}

export interface Lab {
  readonly front: Front;
  readonly digest: string;
  readonly parts: readonly Part[];
  readonly programs: readonly ProgramSource[];
  readonly tasks: readonly Task[];
  /** Places that links and buttons lead to. */
  readonly moments: readonly Moment[];
  readonly max: number;
}

export interface ReadLab {
  /** null: not even the front matter could be read. A lab with errors contains what could be read. */
  readonly lab: Lab | null;
  readonly diagnostics: readonly Diagnostic[];
}
