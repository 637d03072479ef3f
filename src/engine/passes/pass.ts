/** What a pass is: metadata, numbered pseudocode and one function that runs it at one of its positions. */

import type { KnobReader } from "../config/knob-store.ts";
import type { Policy } from "../config/policy.ts";
import type { Target } from "../config/targets.ts";
import type { Editor } from "../ir/edit.ts";
import type { Module } from "../ir/types.ts";
import type { Remarks } from "../remark/remarks.ts";
import type { Rule, RuleTable } from "../remark/rules.ts";
import type { Outcome } from "../remark/tally.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { About } from "./about.ts";
import type { BRIEF } from "./shared/control-flow/control-flow-rules.ts";

export interface Pass {
  /** The pass's folder name. */
  readonly family: string;
  /** Ids of the phases that it runs at, and of its named parts; a pass with several reads `ctx.id`. */
  readonly ids: readonly string[];
  /** One sentence: what it does. */
  readonly summary: string;
  /** The table of sentences for its remarks; a pass without one emits its events itself, and its rewrites cannot be refused. */
  readonly rules?: RuleTable;
  /** Events name a line by its 1-based number. Leading blanks show nesting; the name in the binary follows after ` // `. `pseudocodeOf(rules)` where there is a table. */
  readonly pseudocode: readonly string[];
  /** Its code reads `ctx.policy`: a traced run then also observes the other policy's run, and shows its decisions. */
  readonly readsPolicy?: true;
  /** An immediate second run changes nothing, unless the outcome of the first one gives a reason in `further`: a law of the random tests. */
  readonly settles?: true;
  /** The line of its table at which the control-flow service is called when the pass left a record stale. */
  readonly records?: Rule<typeof BRIEF>;
  /** Conditions of the table that some of its phases never reach: there they cannot be dropped. */
  readonly unmet?: readonly Unmet[];
  /** Accepts every verified function, with PHIs, several definitions of a register and irreducible graphs, or declines it and says why. */
  readonly run: (ctx: PassContext) => PassOutcome;
  /** A promise that the laws check: never more instructions than before. */
  readonly neverLonger?: true;
}

export interface Unmet {
  readonly ids: readonly string[];
  /** By name; null: all. */
  readonly conditions: readonly string[] | null;
  /** Why: a sentence. */
  readonly why: string;
}

/** Why a phase never reaches a condition of its pass; null: it does. */
export const unmetAt = ({ unmet = [] }: Pass, id: string, condition: string): string | null =>
  unmet.find(({ ids, conditions }) => ids.includes(id) && (conditions === null || conditions.includes(condition)))?.why ?? null;

/** The part of a pass that its `about.ts` has. */
export const identityOf = ({ family, summary, phases, parts = [] }: About): Pick<Pass, "family" | "ids" | "summary"> => ({
  family,
  summary,
  ids: [...phases, ...parts].map(({ id }) => id),
});

export interface PassContext {
  /** The position's id, for example `ori-perform-live-dead-second`. */
  readonly id: string;
  /** The function to work on: read `edit.func`, change it through `edit`. */
  readonly edit: Editor;
  /** How a pass with `rules` reports steps, decides and requests rewrites. */
  readonly remark: Remarks;
  readonly rec: Recorder;
  readonly knobs: KnobReader;
  readonly target: Target;
  /** Effective opt level, 0 to 4 (knob 499 already applied). */
  readonly level: number;
  readonly policy: Policy;
  /** The module as it came in: symbols and other functions. Not the current state of other functions. */
  readonly module: Module;
  /** Ids of what `--no-phase` named; a pass with named parts leaves those out. */
  readonly skipped: ReadonlySet<string>;
}

export interface PassOutcome extends Outcome {
  /** Candidates that were examined, accepted or refused. */
  readonly matches: number;
  readonly rewrites: number;
  /** When nothing was changed: the sentence that says why (no candidate; or every candidate refused, and for what). */
  readonly why: string | null;
  /** For a pass that settles: why a further run may find more, as a clause ('its budget is spent'); null if it finds nothing. */
  readonly further?: string | null;
  /** Extra figures for the phase's summary (rounds, MOV count, cost, …). */
  readonly figures?: Readonly<Record<string, number>>;
}
