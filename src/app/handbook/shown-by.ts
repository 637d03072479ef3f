/** Which fixture shows a thing: found by running all of them, and held true by a test, which also rewrites it (`npm run bless -- shown-by`). */

import json from "./shown-by.json" with { type: "json" };

/** A fixture as `FAMILY/NAME`. */
type Fixture = string;

export interface ShownBy {
  /** By the name of the structure in a trace: its title, how it is drawn, and the phases that show it. */
  readonly structures: Readonly<
    Record<string, { readonly title: string; readonly type: string; readonly phases: readonly string[]; readonly fixture: Fixture }>
  >;
  /** A refusal under the condition, by `FAMILY:REASON`. */
  readonly conditions: Readonly<Record<string, Fixture>>;
  /** One in which the phase rewrites something, by the phase's id. */
  readonly phases: Readonly<Record<string, Fixture>>;
}

export const SHOWN_BY: ShownBy = json;
