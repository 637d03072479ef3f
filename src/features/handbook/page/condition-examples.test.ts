import { expect, it } from "vitest";
import { CONDITION_EXAMPLES } from "../../futures/engine/condition-examples.ts";
import { conditionRows } from "../../futures/engine/searches.ts";
import { SHOWN_BY } from "./shown-by.ts";
import { sentencesOf } from "./testing/find-shown.ts";

it("each example is the sentence of a run", () => {
  expect(CONDITION_EXAMPLES).toEqual(sentencesOf(SHOWN_BY.conditions));
}, 300_000);

/** Holes that are filled with whole clauses: without an example nothing readable can be said of them. */
const CLAUSES = /\b(?:why|reason|sentence|effect|obstacle)\b/;

it("no sentence of a condition has a hole, and no condition is listed twice", () => {
  const rows = conditionRows(null);
  expect(rows.length).toBeGreaterThan(400);
  const shown = rows.map(({ sentence, without, note }) => [sentence, without ?? "", note ?? ""].join(" | "));
  expect(shown.filter((text) => /[‹›]|\{[a-z]/.test(text))).toEqual([]);
  const made = rows.filter(({ example, sentence }) => !example && CLAUSES.test(sentence));
  expect(made.map(({ phase, condition, sentence }) => `${phase}:${condition}: ${sentence}`)).toEqual([]);
  const pairs = rows.map(({ phase, condition }) => `${phase}:${condition}`);
  expect(pairs.filter((pair, i) => pairs.indexOf(pair) !== i)).toEqual([]);
});
