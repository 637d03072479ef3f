import { expect, it } from "vitest";
import { foldedLines, readLine, unusedLines } from "./folds.ts";

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

it("reads a line's words, and what the binary has there", () => {
  expect(readLine("    clear the marks // +48")).toEqual({ text: "    clear the marks", binary: "+48" });
  expect(readLine("  mark")).toEqual({ text: "  mark", binary: null });
});
