import { describe, expect, it } from "vitest";
import { codeOf, findLabel, foldRanges, kernelRange, labelOf, mnemonicOf, namesIn, occurrences, wordAt } from "./ori-text.ts";

const LINES = `.kernel a(n: R0)
BB0:
    MOV  R1, R0   // R1 is no use here
@!P0 IADD.64 R1, R1, 5
    STG [RD2+4], R1
BB1: EXIT

.kernel b(n: R0)
BB0:
    EXIT`.split("\n");

const shape = (op: string) => ({ MOV: "d:A s:A", IADD: "d:X s:X s:X", STG: "m s:V" })[op] ?? null;

describe("Ori text", () => {
  it("finds the word under the cursor, not in comments", () => {
    expect(wordAt(LINES[3]!, 7)?.word).toBe("IADD.64");
    expect(wordAt(LINES[2]!, 24)).toBeNull();
  });

  it("finds mnemonics after guards and labels", () => {
    expect(mnemonicOf(LINES[3]!)).toMatchObject({ op: "IADD", full: "IADD.64" });
    expect(mnemonicOf(LINES[5]!)?.op).toBe("EXIT");
    expect(mnemonicOf("BB0:")).toBeNull();
  });

  it("keeps kernels apart", () => {
    expect(kernelRange(LINES, 3)).toEqual([1, 7]);
    expect(kernelRange(LINES, 10)).toEqual([8, 10]);
    expect(findLabel(LINES, [8, 10], "BB0")).toBe(9);
    expect(findLabel(LINES, [8, 10], "BB1")).toBeNull();
  });

  it("tells definitions from uses", () => {
    const found = occurrences(LINES, [1, 7], "R1", shape).map((o) => [o.line, o.definition]);
    expect(found).toEqual([
      [3, true],
      [4, true],
      [4, false],
      [5, false],
    ]);
    expect(occurrences(LINES, [1, 7], "R0", shape).map((o) => [o.line, o.definition])).toEqual([
      [1, true],
      [3, false],
    ]);
  });

  it("folds kernels and blocks", () => {
    expect(foldRanges(LINES)).toEqual([
      [2, 5],
      [1, 6],
      [9, 10],
      [8, 10],
    ]);
  });

  it("lists names for completion", () => {
    expect(namesIn(LINES, [1, 7])).toMatchObject({ labels: ["BB0", "BB1"], registers: ["R0", "R1", "P0", "RD2"] });
    expect(labelOf("  x.1 : EXIT")).toBe("x.1");
    expect(codeOf("a // b")).toBe("a ");
  });
});
