/** Which reason of a table a refusal gives. Several may share a condition's name at one line: the sentence distinguishes them. */

import type { Reason, RuleTable } from "../../remark/rules.ts";
import type { TraceEvent } from "../../trace/event.ts";

export function reasonOf(table: RuleTable, { line, sentence, facts }: Pick<TraceEvent, "line" | "sentence" | "facts">): Reason | null {
  const there = Object.values(table).filter((rule) => rule.line === line);
  const named = there.flatMap(({ reasons }) => reasons.filter(({ condition }) => condition === facts.condition));
  return named.find((reason) => textsOf(reason).some((text) => fits(text, sentence))) ?? null;
}

/** The sentence of a reason's refusals, with holes. */
function textsOf({ template, frames, clause }: Reason): readonly string[] {
  if (clause === null) return [template.text];
  return (frames === null ? [template] : [...frames.values()]).map(({ text }) => text.replace("{why}", () => clause.text));
}

function fits(template: string, sentence: string): boolean {
  const pieces = template.split(/\{[^{}]*\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`, "s").test(sentence);
}
