import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { passFor } from "../../../engine/pipeline/run.ts";
import { jsonByEntry } from "../../../engine/testing/json-lines.ts";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { textOfProgram } from "./programs.ts";
import { type Difference, SHOWN_BY, type Shown } from "./shown-by.ts";
import { linkOfShown } from "./shown-link.ts";
import {
  difference,
  outcomeOf,
  reasonsIn,
  sentencesOf,
  shownByFixtures,
  shownElsewhere,
  shownKnobs,
  sorted,
} from "./testing/find-shown.ts";
import { allPrograms, runLink } from "./testing/run-shown.ts";
import { unshownCondition } from "./unshown.ts";

const FILE = join(import.meta.dirname, "shown-by.json");
const EXAMPLES = join(import.meta.dirname, "../../futures/engine/condition-examples.json");
const linkOf = (shown: Shown) => linkOfShown(shown, textOfProgram(shown.program) ?? "");

function refusesAt(id: string, shown: Shown): boolean {
  const ran = textOfProgram(shown.program) === null ? null : runLink(linkOf(shown));
  const [family, reason = ""] = id.split(":");
  return ran !== null && ran.pass.family === family && reasonsIn(ran).get(reason) === shown.step;
}

function differenceOf(shown: Shown): Difference | null {
  const { future: _, ...without } = shown;
  return difference(outcomeOf(runLink(linkOf(without))), outcomeOf(runLink(linkOf(shown))));
}

it.runIf(process.env.BLESS !== undefined)(
  "is found anew",
  () => {
    const programs = allPrograms();
    const own = shownByFixtures(programs);
    // Programs that still show their subject stay: only for the others are programs searched, which takes minutes if none of their own shows it.
    const known = {
      ...own.conditions,
      ...Object.fromEntries(Object.entries(SHOWN_BY.conditions).filter(([id, shown]) => refusesAt(id, shown))),
    };
    const explained = (id: string): boolean => unshownCondition(`condition:${id}`, { ...own, knobs: SHOWN_BY.knobs }) !== null;
    const conditions = sorted({ ...known, ...shownElsewhere(programs, (id) => known[id] === undefined && !explained(id)) });
    const knobs = Object.fromEntries(Object.entries(SHOWN_BY.knobs).filter(([, { differs, shown }]) => differenceOf(shown) === differs));
    writeFileSync(FILE, jsonByEntry({ ...own, conditions, knobs: sorted({ ...shownKnobs(programs, knobs), ...knobs }) }, 2));
    writeFileSync(EXAMPLES, jsonByEntry(sentencesOf(conditions), 1));
  },
  600_000,
);

describe.skipIf(process.env.BLESS !== undefined)("what is said to show a thing shows it", () => {
  it("has the structures and phases that the fixtures show", () => {
    const { structures, phases } = shownByFixtures(allPrograms());
    expect(SHOWN_BY.structures).toEqual(structures);
    expect(SHOWN_BY.phases).toEqual(phases);
  }, 120_000);

  it("refuses under the condition at the step", () => {
    // A third of them, another one on every commit; that there is a sentence at each step is checked with the conditions' examples.
    const some = Object.entries(SHOWN_BY.conditions).filter((_, i) => i % 3 === freshSeed() % 3);
    const wrong = some.filter(([id, shown]) => !refusesAt(id, shown));
    expect(wrong).toEqual([]);
  }, 120_000);

  it("differs under the other value of a knob as it is said to", () => {
    for (const [key, { differs, shown }] of Object.entries(SHOWN_BY.knobs)) expect(differenceOf(shown), key).toBe(differs);
  }, 120_000);

  it("names phases that there are", () => {
    for (const { phase } of Object.values(SHOWN_BY.conditions)) if (phase !== undefined) expect(passFor(phase), phase).toBeDefined();
  });
});
