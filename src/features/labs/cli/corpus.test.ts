/**
 * Hand-ins with recorded grades get the same grades from this engine: one of every second lab, different ones on every run, or all of them with `CORPUS=all`. The labs are
 * those of the time of recording, so that a new version of a lab changes nothing here.
 */

import { describe, expect, it } from "vitest";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { boxRunner } from "../../ownpass/box/runner.ts";
import { corpusCodes, corpusGrade, corpusGrader, corpusLabs, corpusText, readCorpus } from "../engine/testing/corpus.ts";

const seed = freshSeed(1_000_000);

const all = process.env.CORPUS === "all";
describe.each(corpusLabs().filter((_, i) => all || i % 2 === seed % 2))("%s", (name) => {
  const { lab, handIns } = readCorpus(name);
  const codes = corpusCodes();
  const runner = boxRunner();
  const chosen = all ? handIns : [handIns[(seed >> 1) % handIns.length]!];

  it(`is graded as it was (seed ${seed})`, { timeout: 1_200_000 }, async () => {
    const grader = corpusGrader(lab);
    const differ: unknown[] = [];
    for (const one of chosen) {
      const grade = await corpusGrade(grader, corpusText(one, codes), runner);
      if (JSON.stringify(grade) !== JSON.stringify(one.grade)) differ.push({ name: one.name, was: one.grade, is: grade });
    }
    expect(differ).toEqual([]);
  });
});
