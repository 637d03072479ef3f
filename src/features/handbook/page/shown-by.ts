/** Which program shows a thing, and where in it: found by running programs, and checked by a test, which also finds them again (`npm run bless -- shown-by`). */

import json from "./shown-by.json" with { type: "json" };

/** A place in a run of one of the phases' own programs. */
export interface Shown {
  /** `FAMILY/NAME` is a fixture, `FAMILY/witnesses/NAME` and `FAMILY/regressions/NAME` are what they say. */
  readonly program: string;
  /** Runs instead of the program's own phase. */
  readonly phase?: string;
  /** In the place of the program's own. */
  readonly policy?: string;
  /** Where it is seen; left out: the first change. */
  readonly step?: number;
  /** `NAME=VALUE`: a future with it is open, to be compared with the run without it. */
  readonly future?: string;
}

/** What a knob's other value changes. */
export type Difference = "result" | "decisions" | "events";

export interface ShownBy {
  /** By the name of the structure in a trace: its title, how it is drawn, and the phases that show it. */
  readonly structures: Readonly<
    Record<string, { readonly title: string; readonly type: string; readonly phases: readonly string[]; readonly shown: Shown }>
  >;
  /** A refusal under the condition, by `FAMILY:REASON`. */
  readonly conditions: Readonly<Record<string, Shown>>;
  /** A run in which the phase rewrites something, or one that says the most where it never does; by the phase's id. */
  readonly phases: Readonly<Record<string, Shown>>;
  /** A future with another value, by the knob's key. */
  readonly knobs: Readonly<Record<string, { readonly differs: Difference; readonly shown: Shown }>>;
}

export const SHOWN_BY: ShownBy = json as ShownBy;
