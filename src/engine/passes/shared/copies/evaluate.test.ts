import { describe, expect, it } from "vitest";
import { randomInts } from "../../../analysis/testing/graphs.ts";
import { runKernel } from "../../../interp/interpreter.ts";
import type { ParamValue } from "../../../interp/outcome.ts";
import { modGroupsOf, type Opcode } from "../../../ir/opcodes.ts";
import { is64, isPredicateReg, regName } from "../../../ir/reg.ts";
import { literalKind, slotsFor, widthOf } from "../../../ir/shape.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import { parseModule } from "../../../text/parser.ts";
import { type Constant, constantOf, literalKindAt, modified, operandFor } from "./constant.ts";
import { evaluate, FOLDABLE_OPCODES } from "./evaluate.ts";

const WORDS = [0, 1, 2, 5, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_fffe, 0x1234_5678];
const SINGLES = [0, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x807f_ffff, 0x7f7f_ffff, 0x4049_0fdb];
const HALVES = [0x3c00_3c00, 0xbc00_0000, 0x7c00_fc00, 0x7e00_0001, 0x0400_8001, 0x3555_7bff];
const SEED = 20240711;

/** All combinations of one choice (or none) from each group, thinned out to about `most`. */
function modSets(op: Opcode, most: number): string[][] {
  let sets: string[][] = [[]];
  for (const { choices, required } of modGroupsOf(op)) {
    const options: string[][] = [...(required ? [] : [[]]), ...choices.map((c) => [c])];
    sets = sets.flatMap((set) => options.map((o) => [...set, ...o]));
  }
  const step = Math.max(1, Math.floor(sets.length / most));
  return sets.filter((_, i) => i % step === 0);
}

const BOOLS = new Set(["AND", "OR", "XOR"]);
const COMPARES = new Set(["ISETP", "FSETP", "DSETP", "HSETP2"]);

interface Case {
  readonly text: string;
  readonly args: readonly ParamValue[];
}

/** One instruction on parameters, as text, with values for them; null for a form that does not exist. */
function makeCase(op: Opcode, mods: readonly string[], below: (n: number) => number): Case | null {
  const combines = mods.some((m) => BOOLS.has(m));
  const count = op === "LOP" ? (mods.includes("NOT") ? 2 : 3) : COMPARES.has(op) ? (combines ? 4 : 3) : (slotsFor(op, 2)?.length ?? 0);
  const counts = count > 0 ? [count] : [2, 3, 4, 5, 6];
  const n = counts.find((c) => slotsFor(op, c) !== null);
  if (n === undefined) return null;
  const slots = slotsFor(op, n)!;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const params: string[] = [];
  const args: ParamValue[] = [];
  const parts: string[] = [];
  const wideDest = mods.includes("64") || mods.includes("WIDE") || (mods[0]?.endsWith("64") ?? false);
  for (const [i, slot] of slots.entries()) {
    const cls = slot.cls;
    if (i === 0) {
      parts.push(cls === "P" ? "P9" : cls === "RD" || (cls === "X" && wideDest) || (cls === "A" && wideDest) ? "RD9" : "R9");
      continue;
    }
    if (cls === "I") {
      parts.push(String(below(256)));
      continue;
    }
    if (cls === "PV") return null;
    const name = `a${i}`;
    if (cls === "P") {
      params.push(`${name}: P${i}`);
      args.push(below(2));
      parts.push(`${below(2) === 0 ? "" : "!"}P${i}`);
      continue;
    }
    const width = widthOf(op, mods, slot, i, undefined);
    const kind = literalKind(op, mods, slot);
    const value = (): number => pick(kind === "f32" ? SINGLES : kind === "f16x2" ? HALVES : WORDS);
    const reg = `${width === 64 ? "RD" : "R"}${i}`;
    params.push(`${name}: ${reg}`);
    args.push(
      width === 64
        ? [pick([...WORDS, ...SINGLES]), pick([0, 1, 0xffff_ffff, 0x7ff0_0000, 0x3ff0_0000, 0x8000_0000, 0x7ff8_0000])]
        : value(),
    );
    const dressed = kind === "f32" || kind === "f64" ? pick(["", "", "-", "||"]) : kind === "bits" ? pick(["", "", "-", "~"]) : "";
    parts.push(dressed === "||" ? `|${reg}|` : `${dressed}${reg}`);
  }
  const result = parts[0]!;
  return { text: `.func f(${params.join(", ")}) -> ${result}\nBB0:\n    ${[op, ...mods].join(".")} ${parts.join(", ")}\n    RET\n`, args };
}

function withConstants(inst: Inst, values: ReadonlyMap<string, ParamValue>): Inst {
  const ops = inst.ops.map((operand, i): Operand => {
    if (i === 0 || operand.kind !== "reg") return operand;
    const value = values.get(regName(operand.reg))!;
    const c: Constant = isPredicateReg(operand.reg)
      ? { kind: "pred", value: value === 1 }
      : is64(operand.reg)
        ? { kind: "w64", lo: (value as readonly number[])[0]!, hi: (value as readonly number[])[1]! }
        : { kind: "w32", lo: value as number };
    const kind = literalKindAt(inst, i);
    return operandFor(modified(c, operand, kind), kind);
  });
  return { ...inst, ops };
}

describe(`constant evaluation against the interpreter (seed ${SEED})`, () => {
  it.each(FOLDABLE_OPCODES.map((op) => ({ op })))("$op", ({ op }) => {
    const below = randomInts(SEED + op.length * 131 + op.charCodeAt(0) * 7 + op.charCodeAt(op.length - 1));
    let compared = 0;
    for (const mods of modSets(op, 48)) {
      for (let round = 0; round < 10; round++) {
        const made = makeCase(op, mods, below);
        if (made === null) continue;
        const { module, diagnostics } = parseModule(made.text);
        const fn = module.funcs[0];
        if (fn === undefined || diagnostics.some((d) => d.severity === "error")) continue;
        const inst = fn.blocks[0]!.insts[0]!;
        const outcome = runKernel(module, fn, { threads: 1, fuel: 10, args: made.args, buffers: [] });
        const values = new Map(fn.params.map((p, i) => [regName(p.reg), made.args[i]!]));
        const result = evaluate(withConstants(inst, values));
        if (outcome.status !== "ok") {
          expect({ text: made.text, result }).toMatchObject({ result: null });
          continue;
        }
        const { lo, hi } = outcome.returns[0]!;
        const expected: Constant =
          result?.kind === "pred"
            ? { kind: "pred", value: lo[0] === 1 }
            : hi === null
              ? { kind: "w32", lo: lo[0]! }
              : { kind: "w64", lo: lo[0]!, hi: hi[0]! };
        expect({ text: made.text, args: made.args, result }).toEqual({ text: made.text, args: made.args, result: expected });
        compared++;
      }
    }
    if (op !== "P2R") expect(compared).toBeGreaterThan(9);
  });

  it("refuses what is not constant, not foldable, or approximate", () => {
    const first = (line: string): Inst =>
      parseModule(`.kernel f(a: R0)\nBB0:\n    ${line}\n    EXIT\n`).module.funcs[0]!.blocks[0]!.insts[0]!;
    expect(evaluate(first("IADD R1, R0, 1"))).toBe(null);
    expect(evaluate(first("MUFU.SIN R1, 1.0"))).toBe(null);
    expect(evaluate(first("LDC R1, c[0x0][0x160]"))).toBe(null);
    expect(evaluate(first("IADD R1, 2, -3"))).toEqual({ kind: "w32", lo: 0xffff_ffff });
    expect(evaluate(first("IADD R1, RZ, RZ"))).toEqual({ kind: "w32", lo: 0 });
    expect(evaluate(first("ISETP.LT P1, -1, 0"))).toEqual({ kind: "pred", value: true });
    expect(evaluate(first("ISETP.LT.U32 P1, -1, 0"))).toEqual({ kind: "pred", value: false });
  });

  it("reads and writes literals without loss", () => {
    for (const c of [
      { kind: "w32", lo: 0x8000_0000 },
      { kind: "w64", lo: 0xffff_ffff, hi: 0x7fff_ffff },
      { kind: "w64", lo: 5, hi: 0xffff_ffff },
    ] as const) {
      expect(constantOf(operandFor(c, "bits"), c.kind === "w64")).toEqual(c);
      expect(constantOf(operandFor(c, c.kind === "w64" ? "f64" : "f32"), c.kind === "w64")).toEqual(c);
    }
  });
});
