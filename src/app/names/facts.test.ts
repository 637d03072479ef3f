import { expect, it } from "vitest";
import { factName, factRows } from "./facts.ts";

it("names facts in words and leaves out what the sentence says", () => {
  expect(factName("takenLimit")).toBe("taken limit");
  expect(
    factRows({ verdict: "no", condition: "shape", takenLimit: 6, divergent: false, arms: ["BB1", "BB2"], before: 1, beforeHex: "0x1" }),
  ).toEqual([
    { name: "in the reference", value: "shape" },
    { name: "taken limit", value: "6" },
    { name: "divergent", value: "no" },
    { name: "arms", value: "BB1, BB2" },
    { name: "before", value: "1" },
  ]);
});
