/** A few damaged texts and links of a fresh seed on every run of the tests; `npm run fuzz -- --mutate texts` tries them at length. */

import { describe, expect, it } from "vitest";
import { draws, freshSeed, seedsFrom } from "../../engine/testing/seed.ts";
import { DAMAGED } from "../../features/damaged.ts";
import { readPrograms, tryLink, tryText } from "./damaged.ts";
import { DamagedTally, damagedText, MOST_MEMORY, MOST_MS, mergeDamaged } from "./damaged-report.ts";
import { mergeAll } from "./files.ts";
import { damage, drawFrom } from "./mutate.ts";

const FIRST = freshSeed();
const TEXTS = draws(20);
const programs = readPrograms();

describe("damaged inputs", () => {
  it("begin with all fixtures and examples", () => {
    expect(programs.length).toBeGreaterThan(300);
  });

  it(`as texts: no throw, nothing broken (seeds from ${FIRST})`, () => {
    let accepted = 0;
    // Texts that are only refused would test little of the pipeline.
    for (const seed of seedsFrom(FIRST, TEXTS, () => accepted > 0)) {
      const result = tryText(seed, programs);
      expect(result.failure, `npm run fuzz -- --mutate texts --count 1 --seed ${seed}`).toBeNull();
      if (result.accepted) accepted++;
    }
    expect(accepted).toBeGreaterThan(0);
  });

  it(`as links: no throw, nothing broken (seeds from ${FIRST})`, async () => {
    for (let seed = FIRST; seed < FIRST + draws(10); seed++) {
      const { failure } = await tryLink(seed, programs);
      expect(failure, `npm run fuzz -- --mutate links --count 1 --seed ${seed}`).toBeNull();
    }
  });

  it("are the same for the same seed", async () => {
    expect(tryText(7, programs).input).toBe(tryText(7, programs).input);
    expect((await tryLink(7, programs)).input).toBe((await tryLink(7, programs)).input);
    const texts = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => damage(programs[0]!, programs, drawFrom(seed)));
    expect(new Set(texts).size).toBeGreaterThan(4);
  });
});

describe("the report", () => {
  const fine = { input: "", accepted: true, pipelines: 2, failure: null };
  const cheap = { ms: 5, before: 1000, after: 2000 };

  it("counts what takes too long or too much memory as a failure", () => {
    const tally = new DamagedTally("texts");
    expect(tally.add(1, fine, cheap)).toBeNull();
    expect(tally.add(2, fine, { ...cheap, ms: MOST_MS + 1 })).toContain("ms");
    expect(tally.add(3, fine, { ...cheap, after: MOST_MEMORY + 1 })).toContain("MB");
    expect(tally.add(4, { ...fine, failure: "thrown: boom" }, cheap)).toBe("thrown: boom");
    const report = tally.report({ first: 1, step: 1, count: 4 }, 1);
    expect(report).toMatchObject({ inputs: 4, accepted: 4, pipelines: 8, slowest: { seed: 2 } });
    expect(report.failures.map((f) => f.seed)).toEqual([2, 3, 4]);
    const both = mergeDamaged([report, report], "texts");
    expect(both).toMatchObject({ inputs: 8, pipelines: 16, seconds: 2 });
    expect(damagedText(both)).toContain("8 damaged texts");
  });

  it.each(Object.keys(DAMAGED))("adds up over processes: %s", (kind) => {
    const tally = new DamagedTally(kind);
    const report = tally.report({ first: 1, step: 2, count: 0 }, 1);
    expect(mergeAll([report, report])).toMatchObject([{ kind, seconds: 2 }]);
  });
});
