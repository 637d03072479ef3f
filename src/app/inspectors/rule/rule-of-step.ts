/** Which rule of the phase's table a step belongs to, its sentence, and its place in the code. */

import type { RuleReason, RuleRow, RuleSaying } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";

export interface RuleOfStep {
  readonly rule: RuleRow;
  /** The reason that the step gives, or the sentence that it is; both null for an edit, which only belongs to the rule's line. */
  readonly reason: RuleReason | null;
  readonly saying: RuleSaying | null;
}

/** A place in the code of a family. `verb`: "table", a verb of `Remarks`, or "" where the rule is handed on; `names`: the sentences or reasons named there. */
export interface RulePlace {
  readonly file: number;
  readonly line: number;
  readonly verb: string;
  readonly names: readonly string[];
}

/** The code of a family, by rule. */
export interface RuleSources {
  /** Paths from the repository's root. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly rules: Readonly<Record<string, readonly RulePlace[]>>;
}

type Step = Pick<TraceEvent, "kind" | "line" | "sentence" | "facts">;

/** Null for a step of the pipeline itself, without a rule. */
export function ruleOfStep(rules: readonly RuleRow[], event: Step): RuleOfStep | null {
  if (event.facts.pipeline === true) return null;
  const there = rules.filter(({ line }) => line === event.line);
  // Several rules may share a line: the one with the sentence is used.
  for (const rule of there) {
    const reason = event.facts.verdict === "no" ? reasonIn(rule, event) : null;
    const saying = reason === null ? sayingIn(rule, event) : null;
    if (reason !== null || saying !== null) return { rule, reason, saying };
  }
  const [rule] = there;
  return rule === undefined ? null : { rule, reason: null, saying: null };
}

function reasonIn(rule: RuleRow, { sentence, facts }: Step): RuleReason | null {
  const named = rule.reasons.filter(({ condition }) => condition === facts.condition);
  return named.find((reason) => framesOf(reason).some((text) => fits(text, sentence))) ?? null;
}

const framesOf = ({ frames, clause }: RuleReason): readonly string[] =>
  frames.length === 0 ? [clause] : frames.map((frame) => frame.replace("{why}", () => clause));

const sayingIn = (rule: RuleRow, { kind, sentence }: Step): RuleSaying | null =>
  rule.sayings.find((saying) => saying.kind === kind && fits(saying.text, sentence)) ?? null;

/** The sentence may be the template with its holes filled. */
function fits(template: string, sentence: string): boolean {
  const pieces = template.split(/\{[^{}]*\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`, "s").test(sentence);
}

const VERBS: Readonly<Record<RuleSaying["verb"], readonly string[]>> = {
  step: ["step", "span", "open"],
  found: ["found", "matched", "request"],
  done: ["found", "done", "request"],
  gate: ["gate", "closed"],
};
const REFUSING: readonly string[] = ["missed", "fails", "holds"];
const EDITING: readonly string[] = ["at", "found", "done", "request"];

/** The code that speaks by the rule, the place that the step came from first; the rule's line of the table last. */
export function placesOf(places: readonly RulePlace[], { reason, saying }: RuleOfStep): readonly RulePlace[] {
  const verbs = reason !== null ? REFUSING : saying !== null ? VERBS[saying.verb] : EDITING;
  const name = reason?.name ?? saying?.name ?? "";
  const score = (place: RulePlace): number => {
    if (place.verb === "table") return -1;
    return (verbs.includes(place.verb) ? 2 : 0) + (name !== "" && place.names.includes(name) ? 3 : 0);
  };
  return [...places].sort((a, b) => score(b) - score(a));
}
