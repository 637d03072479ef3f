import { describe, expect, it } from "vitest";
import { parse } from "../interp/testing/eval.ts";
import { blocksApart, keepsOut, waysOf } from "./apart.ts";
import { EquivalenceChecker } from "./equivalence.ts";

const TEXT = `.func f(n: R0, m: R1) -> R9
BB0:
    ISETP.LT P0, R0, R1
@P0 BRA A
B:
    MOV R9, 2
    BRA JOIN
A:
    MOV R9, 1
JOIN:
    RET
`;

function apart(before: string, after: string): readonly number[] | null {
  const [a, b] = [parse(before).fn, parse(after).fn];
  return blocksApart(a, waysOf(a), b, waysOf(b));
}

describe("the blocks in which two versions may differ", () => {
  it("are those whose instructions differ", () => {
    expect(apart(TEXT, TEXT)).toEqual([]);
    expect(apart(TEXT, TEXT.replace("MOV R9, 2", "MOV R9, 3"))).toEqual([1]);
  });

  it("are those that are followed by another block, and those where other lanes meet", () => {
    const turned = TEXT.replace("A:\n    MOV R9, 1\n", "").replace("    RET\n", "    RET\nA:\n    MOV R9, 1\n    BRA JOIN\n");
    // By id, which is the order of the text: JOIN and A have changed places, and B no longer jumps over A.
    expect(apart(TEXT, turned)).toEqual(expect.arrayContaining([2, 3]));
    const away = TEXT.replace("MOV R9, 1\n", "MOV R9, 1\n    EXIT\n");
    // Lanes that diverge in BB0 do not reconverge.
    expect(apart(TEXT, away)).toEqual([0, 2]);
  });

  it("are all of them when a parameter lies elsewhere", () => {
    expect(apart(TEXT, TEXT.replace("m: R1", "m: R2"))).toBe(null);
  });

  it("keep a run out that enters none of them", () => {
    expect(keepsOut(Uint32Array.of(1, 0, 1), [1 as never])).toBe(true);
    expect(keepsOut(Uint32Array.of(1, 0, 1), [2 as never])).toBe(false);
    expect(keepsOut(Uint32Array.of(1), [7 as never])).toBe(true);
  });
});

it("a checker of related versions sees a difference that only later versions have, wherever it lies", () => {
  const { fn, module } = parse(TEXT);
  const checker = new EquivalenceChecker(fn, module, { inputs: 24, seed: 7, related: true });
  const verdict = (from: string, to: string): boolean => checker.check(parse(TEXT.replace(from, to)).fn).ok;
  expect(verdict("MOV R9, 2", "MOV R9, 2\n    NOP")).toBe(true);
  expect(verdict("MOV R9, 1", "MOV R9, 7")).toBe(false);
  expect(verdict("MOV R9, 2", "MOV R9, 7")).toBe(false);
  expect(verdict("MOV R9, 1", "MOV R9, 1\n    NOP")).toBe(true);
  expect(verdict("ISETP.LT P0", "ISETP.LE P0")).toBe(false);
});
