import { describe, expect, it } from "vitest";
import { execInput, guessInput, memoryRows } from "./input.ts";

describe("memoryRows", () => {
  it("reads little-endian signed words and drops zeros at the end", () => {
    const [row, ...more] = memoryRows(`05000000ffffffff${"00000000".repeat(30)}`);
    expect(row?.words.map((w) => w.value)).toEqual([5, -1, 0, 0, 0, 0, 0, 0]);
    expect([row?.offset, more]).toEqual([0, []]);
  });

  it("marks words of which some byte is a stand-in", () => {
    const [row] = memoryRows("05000000ffffffff01000000", [{ from: 6, to: 9, source: 2 }]);
    expect(row?.words.map((w) => w.source)).toEqual([null, 2, 2]);
  });
});

describe("guessInput", () => {
  it("gives buffers to 64-bit parameters", () => {
    expect(guessInput("out", "RD2")).toBe("4096");
    expect(guessInput("a", "RD1")).toMatch(/^i32:-?\d+(,-?\d+)+$/);
    expect(guessInput("n", "R0")).toBe("16");
    expect(guessInput("n", "RD0", "int", { int: "7" })).toBe("7");
  });
});

describe("execInput", () => {
  it("gives addresses buffers and typed parameters values", () => {
    const params = [
      { name: "a", reg: "RD0" },
      { name: "x", reg: "RD1", type: "float" },
      { name: "k", reg: "R0" },
    ];
    expect(execInput(params, (p) => `<${p.name}>`)).toEqual({ args: ["x=<x>", "k=<k>"], mem: ["a=<a>"] });
  });
});
