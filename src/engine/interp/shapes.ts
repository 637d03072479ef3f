/** Operand shapes that instruction families share: one, two, three operands of 32 or 64 bit, lane by lane. */

import { isConstantReg, regClass } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { type Build, type Builder, compose, hasMod, type PredRef, type Reading, Unsupported } from "./builder.ts";
import { f32FromBits, f64FromBits, f64HighBits, f64LowBits } from "./float-bits.ts";
import * as int from "./integer.ts";
import { lanes, lanesOf, type Rows, words } from "./lanes.ts";
import { type Exec, type Frame, LANES } from "./machine.ts";

/** An operand is 64 bit when the instruction says so or when it is a 64-bit register. */
export function isWide(inst: Inst, operand: Operand | undefined): boolean {
  return hasMod(inst, "64") || isPair(operand);
}

export function isPair(operand: Operand | undefined): boolean {
  return operand?.kind === "reg" && !isConstantReg(operand.reg) && regClass(operand.reg) === "RD";
}

export function constantOperand(operand: Operand | undefined): number {
  if (operand?.kind !== "imm") throw new Unsupported("an integer constant was expected");
  return operand.value;
}

/** Takes over what operands need to be read first. */
export function finish(b: Builder, main: Exec, post: Exec | null = null): Exec {
  const pre = b.pre;
  b.pre = [];
  return compose(pre, main, post);
}

/** The lanes for which a predicate operand holds. */
export const lanesWith = (s: Frame, { p, x }: PredRef): number => (s.p[p] as number) ^ x;

/** By whether the instruction has `.U32`. */
export const bySign =
  (unsigned: Build, signed: Build): Build =>
  (b, inst) =>
    (hasMod(inst, "U32") ? unsigned : signed)(b, inst);

// --- 32 bit --------------------------------------------------------------------------------------------------------------

type Narrow = (x: number, y: number, z: number) => number;

/** The first `count` sources are words, and so is the result. */
export const rows =
  (count: number, op: Rows, reading: Reading = "int"): Build =>
  (b, inst) => {
    const d = b.dst32(inst.ops[0]);
    const [x = 0, y = x, z = x] = Array.from({ length: count }, (_, i) => b.src32(inst.ops[1 + i], reading));
    return finish(b, op(d, x, y, z));
  };

/** The same, of what one lane does. */
export const narrow = (count: number, f: Narrow, reading: Reading = "int"): Build => rows(count, words(f), reading);

export function singleAt(r: Uint32Array, x: number): number {
  return f32FromBits(r[x] as number);
}

// --- 64 bit: pairs of rows -----------------------------------------------------------------------------------------------

/** One lane of a 64-bit operation on row pairs at word offsets. */
type Pairs = (r: Uint32Array, d: number, x: number, y: number) => void;

/** A test of one lane, on words at offsets. */
export type Test = (r: Uint32Array, x: number, y: number) => boolean;

export function lessThan(unsigned: boolean, wide: boolean): Test {
  if (wide) return (r, x, y) => int.less64(r, x, y, unsigned);
  const bias = unsigned ? 0 : 0x8000_0000;
  return (r, x, y) => ((r[x] as number) ^ bias) >>> 0 < ((r[y] as number) ^ bias) >>> 0;
}

function longAt(r: Uint32Array, x: number): bigint {
  return int.toLong(r[x] as number, r[x + LANES] as number);
}

export function putLong(r: Uint32Array, d: number, value: bigint): void {
  r[d] = Number(value & 0xffff_ffffn);
  r[d + LANES] = Number((value >> 32n) & 0xffff_ffffn);
}

export function doubleAt(r: Uint32Array, x: number): number {
  return f64FromBits(r[x + LANES] as number, r[x] as number);
}

export function putDouble(r: Uint32Array, d: number, value: number): void {
  r[d] = f64LowBits(value);
  r[d + LANES] = f64HighBits(value);
}

export const addWords: Pairs = (r, d, x, y) => {
  const low = (r[x] as number) + (r[y] as number);
  const high = (r[x + LANES] as number) + (r[y + LANES] as number) + (low > 0xffff_ffff ? 1 : 0);
  r[d] = low;
  r[d + LANES] = high;
};

export const subWords: Pairs = (r, d, x, y) => {
  const low = (r[x] as number) - (r[y] as number);
  const high = (r[x + LANES] as number) - (r[y + LANES] as number) - (low < 0 ? 1 : 0);
  r[d] = low;
  r[d + LANES] = high;
};

export const eachWord =
  (f: (x: number, y: number) => number): Pairs =>
  (r, d, x, y) => {
    const low = f(r[x] as number, r[y] as number);
    const high = f(r[x + LANES] as number, r[y + LANES] as number);
    r[d] = low;
    r[d + LANES] = high;
  };

export const bigWords =
  (f: (x: bigint, y: bigint) => bigint): Pairs =>
  (r, d, x, y) =>
    putLong(r, d, f(longAt(r, x), longAt(r, y)));

/** The first two sources are 64 bit, and so is the result. */
export const pairs =
  (f: Pairs): Build =>
  (b, inst) => {
    const [x, y] = [b.src64(inst.ops[1]), b.src64(inst.ops[2])];
    const { row: d, post } = b.dst64(inst.ops[0]);
    const main: Exec = ({ r }, mask) => {
      for (const l of lanesOf(mask)) f(r, d + l, x + l, y + l);
    };
    return finish(b, main, post);
  };

/** A 64-bit result from 64-bit sources (`longs`) and 32-bit ones (`shorts`), by big integers. */
export function wideShape(
  b: Builder,
  inst: Inst,
  longs: readonly (Operand | undefined)[],
  shorts: readonly (Operand | undefined)[],
  f: (longs: readonly bigint[], shorts: readonly number[]) => bigint,
): Exec {
  const pairs = longs.map((o) => b.src64(o));
  const rows = shorts.map((o) => b.src32(o));
  const { row: d, post } = b.dst64(inst.ops[0]);
  const main = lanes((l, r) => {
    const value = f(
      pairs.map((x) => longAt(r, x + l)),
      rows.map((x) => r[x + l] as number),
    );
    putLong(r, d + l, value);
  });
  return finish(b, main, post);
}

// --- either --------------------------------------------------------------------------------------------------------------

/** By whether the result is 64 bit. */
export const either =
  (short: Build, long: Build): Build =>
  (b, inst) =>
    (isWide(inst, inst.ops[0]) ? long : short)(b, inst);

export const unary = (f: (x: number) => number, wide: (x: bigint) => bigint): Build =>
  either(narrow(1, f), (b, inst) => wideShape(b, inst, [inst.ops[1]], [], ([x]) => wide(x as bigint)));

export const binary = (f: (x: number, y: number) => number, wide: Pairs): Build => either(narrow(2, f), pairs(wide));

export const shift = (f: (x: number, n: number) => number, wide: (x: bigint, n: number) => bigint): Build =>
  either(narrow(2, f), (b, inst) => wideShape(b, inst, [inst.ops[1]], [inst.ops[2]], ([x], [n]) => wide(x as bigint, n as number)));

export const ternary = (f: Narrow, wide: (x: bigint, y: bigint, z: bigint) => bigint): Build =>
  either(narrow(3, f), (b, inst) =>
    wideShape(b, inst, inst.ops.slice(1, 4), [], ([x, y, z]) => wide(x as bigint, y as bigint, z as bigint)),
  );

/** Counts in a word, with 0 for `hi`, or in a pair. */
export function countOnes(b: Builder, inst: Inst, f: (lo: number, hi: number) => number): Exec {
  const d = b.dst32(inst.ops[0]);
  const wide = isWide(inst, inst.ops[1]);
  const x = b.src(inst.ops[1], wide);
  return finish(b, words(f)(d, x, wide ? x + LANES : b.constant(0), x));
}

/** The lanes of `mask` for which a test of rows `x` and `y` holds. */
export function lanesWhere(test: Test, r: Uint32Array, mask: number, x: number, y: number): number {
  let bits = 0;
  for (const l of lanesOf(mask)) if (test(r, x + l, y + l)) bits |= 1 << l;
  return bits;
}

/** Each lane's result is one of two sources: the first one for the lanes of `first`. `holds`: the lanes for which the predicate operand holds. */
export function choose(
  b: Builder,
  inst: Inst,
  reading: "int" | "f32",
  first: (holds: number, r: Uint32Array, mask: number, x: number, y: number) => number,
): Exec {
  const [target, one, other, condition] = inst.ops;
  const p = b.srcP(condition);
  const wide = reading === "int" && isWide(inst, target);
  const [x, y] = [b.src(one, wide, reading), b.src(other, wide, reading)];
  const { row: d, post } = b.dst(target, wide);
  const main: Exec = (s, mask) => {
    const { r } = s;
    const bits = first(lanesWith(s, p), r, mask, x, y);
    for (const l of lanesOf(mask)) {
      const from = ((bits >>> l) & 1 ? x : y) + l;
      r[d + l] = r[from] as number;
      if (wide) r[d + LANES + l] = r[from + LANES] as number;
    }
  };
  return finish(b, main, post);
}

/** FSEL is SEL with float modifiers on its operands. */
export const select =
  (reading: "int" | "f32"): Build =>
  (b, inst) =>
    choose(b, inst, reading, (holds) => holds);
