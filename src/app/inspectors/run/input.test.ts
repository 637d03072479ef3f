import { describe, expect, it } from "vitest";
import { guessInput, memoryRows } from "./input.ts";

describe("memoryRows", () => {
  it("reads little-endian signed words and drops zeros at the end", () => {
    expect(memoryRows(`05000000ffffffff${"00000000".repeat(30)}`)).toEqual([{ offset: 0, values: "5 -1 0 0 0 0 0 0" }]);
  });
});

describe("guessInput", () => {
  it("gives buffers to 64-bit parameters", () => {
    expect(guessInput("out", "RD2")).toBe("4096");
    expect(guessInput("a", "RD1")).toMatch(/^i32:-?\d+(,-?\d+)+$/);
    expect(guessInput("n", "R0")).toBe("16");
  });
});
