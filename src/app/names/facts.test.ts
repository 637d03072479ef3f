import { expect, it } from "vitest";
import { exactRows, factName, factRows } from "./facts.ts";

it("names facts in words and leaves out what the sentence says", () => {
  expect(factName("takenLimit")).toBe("taken limit");
  expect(
    factRows({ verdict: "no", condition: "shape", takenLimit: 6, divergent: false, arms: ["BB1", "BB2"], before: 1, beforeHex: "0x1" }),
  ).toEqual([
    { name: "taken limit", value: "6" },
    { name: "divergent", value: "no" },
    { name: "arms", value: "BB1, BB2" },
    { name: "before", value: "1" },
  ]);
});

it("keeps the reference's names of conditions, symbols and flags for the second look", () => {
  const facts = { verdict: "no", condition: "T5", symbol: "sub_849110", cleared: [], block: "BB1" };
  expect(exactRows(facts)).toEqual([
    { name: "condition", value: "T5" },
    { name: "symbol", value: "sub_849110" },
  ]);
  expect(factRows(facts)).toEqual([{ name: "block", value: "BB1" }]);
});

it("keeps hex and its calculation for the second look", () => {
  const bucket = { op: "bucket", key: 3, hash: 2613195814, hashHex: "0x9BC23426", mask: 7, buckets: 8, bucket: 6, count: 0 };
  expect(exactRows(bucket)).toEqual([{ name: "calculation", value: "0x9BC23426 & 7 = 6" }]);
  expect(factRows(bucket).map((row) => row.value)).not.toContain("0x9BC23426");
  const flags = { block: "BB1", word: "+280", set: ["IN_LOOP"], before: "0x0", after: "0x800000" };
  expect(exactRows(flags)).toEqual([
    { name: "word", value: "+280" },
    { name: "set", value: "IN_LOOP" },
    { name: "before", value: "0x0" },
    { name: "after", value: "0x800000" },
  ]);
});
