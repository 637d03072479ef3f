import { describe, expect, it } from "vitest";
import { runKernel } from "../../../interp/interpreter.ts";
import type { Func, Inst, Module } from "../../../ir/types.ts";
import { parseModule } from "../../../text/parser.ts";
import { printInst } from "../../../text/printer.ts";
import { fold } from "./fold.ts";

const OPTIONS = { limitFp: false, selects: true };

function program(line: string): { module: Module; fn: Func; inst: Inst } {
  const text = `.func f(p: P1, q: P2, a: R1, b: R2) -> P9, R9\nBB0:\n    ${line}\n    RET\n`;
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const fn = module.funcs[0]!;
  return { module, fn, inst: fn.blocks[0]!.insts[0]! };
}

/** P9 and R9 after the instruction, for all values of the two predicates. */
function results(module: Module, fn: Func): string {
  const rows: string[] = [];
  for (const p of [0, 1]) {
    for (const q of [0, 1]) {
      for (const a of [0, 5, 0x8000_0000]) {
        const outcome = runKernel(module, fn, { threads: 1, fuel: 10, args: [p, q, a, 5], buffers: [] });
        rows.push(`${p}${q}${a}:${outcome.returns.map((r) => r.lo[0]).join(",")}`);
      }
    }
  }
  return rows.join(" ");
}

function withFirst(fn: Func, inst: Inst): Func {
  const block = fn.blocks[0]!;
  return { ...fn, version: fn.version + 1, blocks: [{ ...block, insts: [inst, ...block.insts.slice(1)] }] };
}

/** The folded form's text; the two forms must do the same. */
function folded(line: string): string | null {
  const { module, fn, inst } = program(line);
  const found = fold(inst, OPTIONS);
  if (found === null) return null;
  const after = withFirst(fn, found.inst);
  expect({ line, results: results(module, after) }).toEqual({ line, results: results(module, fn) });
  return printInst(after, found.inst);
}

describe("fold", () => {
  it("reduces every truth table with repeated, negated and constant inputs without changing it", () => {
    const inputs = ["P1", "!P1", "P2", "PT", "!PT"];
    let reduced = 0;
    for (let table = 0; table < 256; table += 3) {
      for (const a of inputs) {
        const b = inputs[(table + inputs.indexOf(a)) % 5]!;
        const c = inputs[(table * 3 + 1) % 5]!;
        if (folded(`PLOP3 P9, ${a}, ${b}, ${c}, ${table}`) !== null) reduced++;
      }
    }
    expect(reduced).toBeGreaterThan(200);
  });

  it("combines compares with predicates as the interpreter does", () => {
    for (const bool of ["AND", "OR", "XOR"]) {
      for (const cmp of ["EQ", "NE", "LT", "GE"]) {
        for (const sides of ["R1, R1", "3, 4", "4, 4", "R1, R2"]) {
          for (const q of ["P1", "!P1", "PT", "!PT"]) {
            const text = folded(`ISETP.${cmp}.${bool} P9, ${sides}, ${q}`);
            // Only two unknown registers combined with an unknown predicate, or inverted by true, stay.
            if (sides !== "R1, R2") expect(text).not.toBe(null);
          }
        }
      }
    }
    expect(folded("ISETP.LT.AND P9, R1, R2, P1")).toBe(null);
    expect(folded("ISETP.LT.XOR P9, R1, R2, PT")).toBe(null);
    expect(folded("FSETP.EQ.OR P9, R1, R2, PT")).toBe("PMOV P9, PT");
    expect(folded("FSETP.EQ P9, R1, R1")).toBe(null);
  });

  it.each([
    ["SEL R9, R1, R2, PT", "MOV R9, R1"],
    ["SEL R9, R1, -R2, !PT", "MOV R9, -R2"],
    ["SEL R9, R1, R1, P1", "MOV R9, R1"],
    ["SEL R9, R1, -R1, P1", null],
    ["FSEL R9, R1, -R2, !PT", null],
    ["FSEL R9, 1.5, R2, PT", "MOV R9, 1.5"],
    ["MOV R9, -RZ", "MOV R9, 0"],
    ["IADD R9, R1, 0", null],
    ["ISUB R9, R1, R1", null],
    ["IADD R9, 0x7fffffff, 1", "MOV R9, -2147483648"],
  ])("%s: %s", (line, expected) => {
    expect(folded(line)).toBe(expected);
  });

  it("leaves float instructions alone under limit-fold-fp", () => {
    const { inst } = program("FADD R9, 1.0, 2.0");
    expect(fold(inst, { limitFp: true, selects: true })).toBe(null);
    expect(fold(inst, OPTIONS)?.inst.ops[1]).toEqual({ kind: "f32", bits: 0x4040_0000 });
  });
});
