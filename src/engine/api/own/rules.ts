/** The table of a user's pass: its source is the pseudocode, and at each line it may say anything. */

import { type LineSpec, line, type Rule, type RuleTable, rules } from "../../remark/rules.ts";

const SPEC = {
  step: { step: "{said}", line: "{said}" },
  found: { because: "{said}" },
  done: { rewrite: "{said}" },
  missed: { refused: { say: "{said}" } },
} as const satisfies LineSpec;

export type OwnRule = Rule<typeof SPEC>;

/** One rule for each line of the source, at most so many; a table is made from the first one of each. */
export const MOST_LINES = 5000;

export function ownRules(source: readonly string[]): RuleTable {
  const lines = source.length === 0 ? [""] : source.slice(0, MOST_LINES);
  const shared = line("", SPEC);
  return rules(Object.fromEntries(lines.map((text, i) => [`line${i + 1}`, { ...shared, text }])));
}

/** The rule of a line; one that the source does not have counts as the last. */
export function ruleAt(table: RuleTable, at: number): OwnRule {
  const found = table[`line${Math.max(1, at)}`] ?? table[`line${Object.keys(table).length}`];
  return found as OwnRule;
}
