/** The probes of the measured compiler: how each chain of compares came out of ptxas 13.0.88. */

import { describe, expect, it } from "vitest";
import { type ChainOptions, chainText, parse, runSwitchOpt, shapeOf } from "./testing/chain.ts";

const range = (from: number, n: number, step = 1): number[] => Array.from({ length: n }, (_, i) => from + i * step);

function measured(
  values: readonly number[],
  options: ChainOptions = {},
): { readonly compares: number; readonly tables: readonly number[] } {
  const { fn, module } = parse(chainText(values, options));
  return shapeOf(runSwitchOpt(fn, module, "measured").after);
}

const rows: readonly (readonly [
  probe: string,
  values: readonly number[],
  compares: number,
  tables: readonly number[],
  options?: ChainOptions,
])[] = [
  ["1 case", [10], 1, []],
  ["2 dense cases", range(10, 2), 0, [3]],
  ["3 dense cases", range(10, 3), 0, [4]],
  ["4 dense cases", range(10, 4), 0, [5]],
  ["8 dense cases", range(10, 8), 0, [9]],
  ["64 dense cases", range(10, 64), 0, [65]],
  ["1000 dense cases", range(10, 1000), 0, [1001]],
  ["4 cases, step 6", range(10, 4, 6), 0, [20]],
  ["64 cases, step 6", range(10, 64, 6), 59, [26]],
  ["64 cases, step 8", range(10, 64, 8), 62, [10]],
  ["3 sparse then 4 dense", [1000, 3000, 500, 10, 11, 12, 13], 3, [5]],
  ["4 dense then 3 sparse", [10, 11, 12, 13, 1000, 3000, 500], 7, []],
  ["two dense clusters", [...range(10, 8), ...range(1000, 8)], 8, [9]],
  ["interleaved clusters", range(0, 8).flatMap((i) => [10 + i, 1000 + i]), 16, []],
  ["0x7ffffffe to 0x80000001", [0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001], 2, [3]],
  ["-2 to 1 as unsigned", [0xfffffffe, 0xffffffff, 0, 1], 0, [5]],
  ["INT_MIN and INT_MAX", [-0x80000000, 0x7fffffff], 2, []],
  ["selector & 7, all 8 cases", range(0, 8), 0, [9], { selector: "LOP.AND R1, R0, 7" }],
  ["all cases one target", range(10, 8), 0, [9], { targets: range(0, 8).map(() => 0) }],
  ["8 sparse cases", range(0, 8, 1000), 8, []],
  ["400 sparse cases", range(0, 400, 1000), 400, []],
  ["repeated constants count", [10, 11, 12, 11, 34], 0, [26]],
];

describe("policy 'measured' on the probes", () => {
  for (const [probe, values, compares, tables, options] of rows) {
    it(probe, () => {
      expect(measured(values, options ?? {})).toEqual({ compares, tables });
    });
  }

  it.each([
    [2, 10],
    [3, 15],
    [4, 20],
    [5, 25],
    [8, 40],
    [16, 80],
    [32, 160],
    [64, 320],
  ])("%i cases reach over a range of %i and no further", (n, limit) => {
    // The far case first: every later suffix is dense, so only the whole run shows the limit.
    const reaching = (width: number): number[] => [width - 1, ...range(0, n - 1)];
    expect(measured(reaching(limit)).tables).toEqual([limit + 1]);
    expect(measured(reaching(limit + 1)).tables).toEqual(n > 2 ? [n] : []);
  });

  it("gives a repeated constant to its first target, and gaps and the last entry to the default", () => {
    const { fn, module } = parse(chainText([10, 11, 11, 12, 10, 14]));
    const { after } = runSwitchOpt(fn, module, "measured");
    const table = [...after.tables.values()][0];
    expect(table?.entries.map((id) => after.blocks[id]?.label)).toEqual(["L0", "L1", "L3", "LD", "L5", "LD"]);
  });
});

describe("a run of the measured compiler", () => {
  const base = chainText([10, 11, 12, 13, 14, 15]);
  const of = (text: string): { readonly compares: number; readonly tables: readonly number[] } => {
    const { fn, module } = parse(text);
    return shapeOf(runSwitchOpt(fn, module, "measured").after);
  };

  it.each([
    ["constant as the first operand", base.replace("P2, R1, 12", "P2, 12, R1"), 0, [7]],
    ["constant through a register", base.replace("BB0:", "BB0:\nMOV R8, 12").replace("P2, R1, 12", "P2, R1, R8"), 0, [7]],
    ["setp.ne with @!p", base.replace("ISETP.EQ P2", "ISETP.NE P2").replace("@P2", "@!P2"), 0, [7]],
    ["another register in the fourth compare", base.replace("P3, R1", "P3, R0"), 1, [4, 3]],
    ["an ordered compare", base.replace("ISETP.EQ P3", "ISETP.LT P3"), 0, [4, 3]],
    ["setp.ne with @p: its case is on the fall-through", base.replace("ISETP.EQ P3", "ISETP.NE P3"), 1, [4, 3]],
    ["bra.uni", base.replace("@P3 BRA", "@P3 BRA.U"), 1, [4, 3]],
    [
      "a store before the fourth compare: two runs, both complete",
      base.replace("ISETP.EQ P3", "STS [RZ+0x10], R0\nISETP.EQ P3"),
      0,
      [4, 4],
    ],
    ["a barrier before the fourth compare", base.replace("ISETP.EQ P3", "BAR.SYNC 0\nISETP.EQ P3"), 0, [4, 4]],
    ["a reduction before the fourth compare", base.replace("ISETP.EQ P3", "RED.ADD [0x10], R0\nISETP.EQ P3"), 0, [4, 4]],
    ["a dead volatile load", base.replace("ISETP.EQ P3", "LDS.VOLATILE R7, [RZ+0x10]\nISETP.EQ P3"), 0, [4, 4]],
    ["dead arithmetic", base.replace("ISETP.EQ P3", "IMUL R7, R0, 77\nISETP.EQ P3"), 0, [7]],
    [
      "a value used elsewhere: its compare stays",
      base.replace("ISETP.EQ P3", "IMUL R7, R0, 77\nISETP.EQ P3").replace("MOV R5, 1\n", "MOV R5, R7\n"),
      1,
      [4, 3],
    ],
    ["a predicate used elsewhere", base.replace("MOV R5, 1\n", "SEL R5, 1, 2, P3\n"), 1, [4, 3]],
    [
      "a 64-bit selector",
      base.replace("a: R0", "a: RD0").replaceAll("R1,", "RD0,").replace("MOV RD0, R0", "NOP").replaceAll("ISETP.EQ", "ISETP.EQ.64"),
      6,
      [],
    ],
    ["the selector defined in the head", base.replace("ISETP.GT P9, R3, 12345\n@P9 BRA LX\n", ""), 1, [6]],
  ])("%s", (_name, text, compares, tables) => {
    expect(text).not.toBe(base);
    expect(of(text)).toEqual({ compares, tables });
  });

  it("starts a new run at a second entry", () => {
    const text = base.replace("ISETP.EQ P3", "C3:\nISETP.EQ P3").replace("MOV R5, 9\nBRA LE", "BRA C3");
    expect(of(text)).toEqual({ compares: 0, tables: [4, 4] });
  });
});
