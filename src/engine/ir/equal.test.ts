import { describe, expect, it } from "vitest";
import { parseModule } from "../text/parser.ts";
import { firstDifference, sameFunc, sameModule } from "./equal.ts";
import { RESERVED_SPECIAL_REGISTERS } from "./special-registers.ts";
import type { Func } from "./types.ts";

const TEXT = `.func f(n: R0) -> R1
.table T base=1 default=C { B, C }
.weight B 5
A:
    MOV R1, 2
@P0 BRA C
B:
    JMX R0, T
C:
    PHI R2, [A: R1], [B: 3]
    RET
`;
const parse = (text: string): Func => parseModule(text).module.funcs[0]!;

describe("structural equality", () => {
  it("ignores ids, lines and comments", () => {
    const fn = parse(TEXT);
    expect(firstDifference(fn, parse(`// c\n\n${TEXT.replace("RET", "RET // r")}`))).toBeNull();
    const shifted: Func = {
      ...fn,
      blocks: [
        undefined,
        ...fn.blocks.map((b) => ({ ...b!, id: b!.id + 1, succs: b!.succs.map((s) => s + 1), preds: b!.preds.map((p) => p + 1) })),
      ].map(
        (b) =>
          b && {
            ...b,
            insts: b.insts.map((i) => ({
              ...i,
              ops: i.ops.map((o) =>
                o.kind === "label" ? { ...o, block: o.block + 1 } : o.kind === "phi" ? { ...o, pred: o.pred + 1 } : o,
              ),
            })),
          },
      ) as Func["blocks"],
      layout: fn.layout.map((id) => id + 1) as unknown as Func["layout"],
      tables: new Map(
        [...fn.tables].map(([k, t]) => [k, { ...t, default: t.default! + 1, entries: t.entries.map((e) => e + 1) }]),
      ) as unknown as Func["tables"],
    };
    expect(firstDifference(fn, shifted)).toBeNull();
  });

  it.each([
    ["f(n", "g(n", "header"],
    ["n: R0", "m: R0", "parameters"],
    ["-> R1", "-> R2", "results"],
    ["base=1", "base=2", "table T"],
    ["default=C", "default=A", "predecessors of A"],
    ["{ B, C }", "{ C, B }", "successors of B"],
    ["B 5", "B 6", "weight of B"],
    ["MOV R1, 2", "MOV R1, 3", "instruction 0 of A"],
    ["@P0", "@!P0", "instruction 1 of A"],
    ["BRA C", "BRA B", "instruction 1 of A"],
    ["[B: 3]", "[B: 4]", "instruction 0 of C"],
    ["    RET", "    NOP\n    RET", "number of instructions in C"],
    ["    RET", "    RET\nD:\n    RET", "number of blocks: 3 and 4"],
  ])("sees %j changed to %j", (from, to, where) => {
    expect(firstDifference(parse(TEXT), parse(TEXT.replace(from, to)))).toBe(where);
    expect(sameFunc(parse(TEXT), parse(TEXT.replace(from, to)))).toBe(false);
  });

  it("compares modules by target, symbols and functions", () => {
    const read = (text: string) => parseModule(text).module;
    const text = `.target sm_80\n.symbol a shared 4 4\n${TEXT}`;
    expect(sameModule(read(text), read(text))).toBe(true);
    for (const other of [
      text.replace("sm_80", "sm_90"),
      text.replace("a shared", "a global"),
      text.replace("MOV R1, 2", "MOV R1, 1"),
      TEXT,
    ]) {
      expect(sameModule(read(text), read(other))).toBe(false);
    }
  });
});

it("knows the 63 reserved special registers", () => {
  expect(new Set(RESERVED_SPECIAL_REGISTERS).size).toBe(63);
});
