import { expect, it } from "vitest";
import { foldedLines, foldsOf, readLine, unusedLines } from "./folds.ts";

const lines = ["for each block:", "  mode 2:", "    clear the marks // +48", "    mark", "  number it", "  mode 3:", "    drain"];

it("hides what is deeper than a folded line", () => {
  expect([...foldedLines(lines, [2])]).toEqual([3, 4]);
  expect([...foldedLines(lines, [1])]).toEqual([2, 3, 4, 5, 6, 7]);
});

it("knows what a run does not use: lines with no step, nor any below them", () => {
  // Steps by line, from 1: the loop itself has none, but what is in it has.
  const steps = [0, 0, 0, 0, 0, 3, 0, 1];
  expect([...unusedLines(lines, steps)].sort()).toEqual([2, 3, 4]);
});

it("folds what a person folded, and what is not used unless a person unfolded it", () => {
  expect(foldsOf({}, [2, 6])).toEqual([2, 6]);
  expect(foldsOf({ 1: true, 2: false }, [2, 6])).toEqual([1, 6]);
  expect(foldsOf({ 1: true, 2: false })).toEqual([1]);
});

it("reads a line's words, and what the binary has there", () => {
  expect(readLine("    clear the marks // +48")).toEqual({ text: "    clear the marks", binary: "+48" });
  expect(readLine("  mark // a // b")).toEqual({ text: "  mark", binary: "a // b" });
  expect(readLine("  mark")).toEqual({ text: "  mark", binary: null });
});
