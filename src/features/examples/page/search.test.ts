import { describe, expect, it } from "vitest";
import { absentPass } from "../../../app/names/absent-passes.ts";
import { examplesOf } from "../../../app/session/example.ts";
import { FEATURES } from "../../page.ts";
import { searchExamples } from "./search.ts";

const EXAMPLES = examplesOf({ features: FEATURES });

const titles = (query: string): readonly string[] => searchExamples(EXAMPLES, query).examples.map((e) => e.title);

describe("the gallery's search", () => {
  it("has every example without a word, in the gallery's order", () => {
    expect(searchExamples(EXAMPLES, " ").examples).toBe(EXAMPLES);
  });
  it("has a title before a description", () => {
    const [first] = titles("five");
    expect(first).toBe("Five blocks");
    for (const word of ["switch", "loop", "nested"]) expect(titles(word)[0]?.toLowerCase()).toContain(word);
  });
  it("reads a slip as the word that is nearest, and names it", () => {
    const found = searchExamples(EXAMPLES, "swicth");
    expect(found.instead).toBe("switch");
    expect(found.examples.length).toBeGreaterThan(3);
  });
  it("names the reason where no phase does what is looked for", () => {
    expect(titles("inlining")).toEqual([]);
    expect(absentPass("loop unrolling")).toContain("unrolled");
    expect(absentPass("switch")).toBeNull();
  });
});
