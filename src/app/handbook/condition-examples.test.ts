/** A sentence of each condition as it is read in a run: `futures/condition-examples.json`, from the programs that show the conditions. `npm run bless -- condition-examples` writes it. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conditionRows } from "../../engine/api/futures/searches.ts";
import { CONDITION_EXAMPLES } from "../../engine/futures/condition-examples.ts";
import { jsonByEntry } from "../../engine/testing/json-lines.ts";
import { textOfProgram } from "./programs.ts";
import { SHOWN_BY } from "./shown-by.ts";
import { linkOfShown } from "./shown-link.ts";
import { runLink } from "./testing/run-shown.ts";

const FILE = join(import.meta.dirname, "../../engine/futures/condition-examples.json");

function sentences(): Readonly<Record<string, string>> {
  const found = Object.entries(SHOWN_BY.conditions).flatMap(([id, shown]) => {
    const ran = runLink(linkOfShown(shown, textOfProgram(shown.program) ?? ""));
    return ran === null || shown.step === undefined ? [] : [[id, ran.trace.event(shown.step).sentence] as const];
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

it("each example is the sentence of a run", () => {
  const found = sentences();
  if (process.env.BLESS !== undefined) writeFileSync(FILE, jsonByEntry(found, 1));
  else expect(CONDITION_EXAMPLES).toEqual(found);
}, 300_000);

/** Holes that are filled with whole clauses: without an example nothing readable can be said of them. */
const CLAUSES = /\b(?:why|reason|sentence|effect|obstacle)\b/;

it.skipIf(process.env.BLESS !== undefined)("no sentence of a condition has a hole, and no condition is listed twice", () => {
  const rows = conditionRows(null);
  expect(rows.length).toBeGreaterThan(400);
  const shown = rows.map(({ sentence, without, note }) => [sentence, without ?? "", note ?? ""].join(" | "));
  expect(shown.filter((text) => /[‹›]|\{[a-z]/.test(text))).toEqual([]);
  const made = rows.filter(({ example, sentence }) => !example && CLAUSES.test(sentence));
  expect(made.map(({ phase, condition, sentence }) => `${phase}:${condition}: ${sentence}`)).toEqual([]);
  const pairs = rows.map(({ phase, condition }) => `${phase}:${condition}`);
  expect(pairs.filter((pair, i) => pairs.indexOf(pair) !== i)).toEqual([]);
});
