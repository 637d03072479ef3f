import { expect, it } from "vitest";
import { compareSources } from "./expression-text.ts";

it("exchangeable operands are in the order of their numbers, not of their digits, then what has none", () => {
  expect(["i5", "#13", "-#3", "#2", "c0[+8]"].sort(compareSources)).toEqual(["#2", "-#3", "#13", "c0[+8]", "i5"]);
});
