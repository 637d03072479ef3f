import { describe, expect, test } from "vitest";
import { formatSentence } from "./event.ts";

describe("formatSentence", () => {
  test("fills places with facts", () => {
    expect(formatSentence("{a} and {b}: {c}", { a: 1, b: null, c: ["BB1", "BB2"] })).toBe("1 and none: BB1, BB2");
  });

  test("leaves a place without a fact visible", () => {
    expect(formatSentence("{a} and {missing} {missing:block|blocks}", { a: 1 })).toBe("1 and {missing} {missing:block|blocks}");
  });

  test.each([
    [0, "0 blocks are gone"],
    [1, "1 block is gone"],
    [2, "2 blocks are gone"],
  ])("chooses the words that go with %i", (blocks, sentence) => {
    expect(formatSentence("{blocks} {blocks:block is|blocks are} gone", { blocks })).toBe(sentence);
  });

  test("chooses by the length of a list", () => {
    const template = "{regs} {regs:dies|die} in {block}";
    expect(formatSentence(template, { regs: ["R1"], block: "BB2" })).toBe("R1 dies in BB2");
    expect(formatSentence(template, { regs: ["R1", "R2"], block: "BB2" })).toBe("R1, R2 die in BB2");
  });
});
