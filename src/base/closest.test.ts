import { describe, expect, it } from "vitest";
import { closest } from "./closest.ts";

describe("closest", () => {
  it.each([
    ["SwitchOptBuget", "SwitchOptBudget"],
    ["switchoptbudget", "SwitchOptBudget"],
    ["tail-merge-sise", "tail-merge-size"],
    ["zzzzzz", null],
    ["", null],
    ["x".repeat(10_000), null],
  ])("%s → %s", (word, expected) => {
    expect(closest(word, ["SwitchOptBudget", "tail-merge-size", "CopyPropAddr"])).toBe(expected);
  });

  it("takes the earlier of two equally near words", () => {
    expect(closest("abcx", ["abcd", "abce"])).toBe("abcd");
  });
});
