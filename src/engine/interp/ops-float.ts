/** Single, double and half precision instructions. */

import type { Opcode } from "../ir/opcodes.ts";
import type { Inst } from "../ir/types.ts";
import { type Build, type Builder, hasMod, modOf, Unsupported } from "./builder.ts";
import {
  addOdd,
  BF16,
  bf16FromBits,
  bf16ToBits,
  F16,
  f16FromBits,
  f16ToBits,
  f32ToBits,
  flushF32,
  type Rounding,
  roundF32,
  roundTo,
  saturate,
} from "./float-bits.ts";
import { lanes, lanesOf, type Rows } from "./lanes.ts";
import type { Exec } from "./machine.ts";
import { doubleAt, finish, lanesWith, narrow, putDouble, rows, select, singleAt } from "./shapes.ts";
import { add64, div64, divOdd, fma64, mul64, sqrt64, sqrtOdd } from "./soft-double.ts";

export const FLOAT_OPS = {
  FADD: (b, inst) => {
    const mode = rounding(inst);
    return single(b, inst, mode === "RN" ? (x, y) => Math.fround((x as number) + (y as number)) : (x, y) => directedAdd(x, y, mode));
  },
  FMUL: (b, inst) => {
    const mode = rounding(inst);
    return single(b, inst, (x, y) => roundF32(x * y, mode));
  },
  FFMA: (b, inst) => {
    const mode = rounding(inst);
    return single(b, inst, (x, y, z) => fma32(x, y, z, mode));
  },
  FMNMX: (b, inst) => {
    const p = b.srcP(inst.ops[3]);
    const nan = hasMod(inst, "NAN");
    const flush = hasMod(inst, "FTZ");
    const [d, xs, ys] = [b.dst32(inst.ops[0]), b.src32(inst.ops[1], "f32"), b.src32(inst.ops[2], "f32")];
    // By `lanes` it takes 1.7 times as long.
    const main: Exec = (s, mask) => {
      const { r } = s;
      const min = lanesWith(s, p);
      for (const l of lanesOf(mask)) {
        const x = flush ? flushF32(singleAt(r, xs + l)) : singleAt(r, xs + l);
        const y = flush ? flushF32(singleAt(r, ys + l)) : singleAt(r, ys + l);
        r[d + l] = f32ToBits(minMax(x, y, ((min >>> l) & 1) !== 0, nan));
      }
    };
    return finish(b, main);
  },
  FSEL: select("f32"),
  FDIV: (b, inst) => {
    const mode = rounding(inst);
    return single(b, inst, mode === "RN" ? (x, y) => Math.fround(x / y) : (x, y) => roundF32(divOdd(x, y), mode));
  },
  MUFU: (b, inst) => single(b, inst, mufu(inst)),
  FSQRT: (b, inst) => {
    const mode = rounding(inst);
    return single(b, inst, mode === "RN" ? (x) => Math.fround(Math.sqrt(x)) : (x) => roundF32(sqrtOdd(x), mode));
  },
  FRCP: (b, inst) => {
    const mode = rounding(inst);
    return single(b, inst, mode === "RN" ? (x) => Math.fround(1 / x) : (x) => roundF32(divOdd(1, x), mode));
  },
  FRND: (b, inst) => {
    const how = integral(inst);
    return hasMod(inst, "64") ? double(b, inst, (x) => how(x)) : single(b, inst, (x) => how(x));
  },
  DADD: (b, inst) => {
    const mode = rounding(inst);
    return double(b, inst, (x, y) => add64(x, y, mode));
  },
  DMUL: (b, inst) => {
    const mode = rounding(inst);
    return double(b, inst, (x, y) => mul64(x, y, mode));
  },
  DFMA: (b, inst) => {
    const mode = rounding(inst);
    return double(b, inst, (x, y, z) => fma64(x, y, z, mode));
  },
  DMNMX: (b, inst) => {
    const p = b.srcP(inst.ops[3]);
    const [xs, ys] = [b.src64(inst.ops[1], "f64"), b.src64(inst.ops[2], "f64")];
    const { row: d, post } = b.dst64(inst.ops[0]);
    const main = lanes((l, r, s) => {
      putDouble(r, d + l, minMax(doubleAt(r, xs + l), doubleAt(r, ys + l), ((lanesWith(s, p) >>> l) & 1) !== 0, false));
    });
    return finish(b, main, post);
  },
  DDIV: (b, inst) => {
    const mode = rounding(inst);
    return double(b, inst, (x, y) => div64(x, y, mode));
  },
  DSQRT: (b, inst) => {
    const mode = rounding(inst);
    return double(b, inst, (x) => sqrt64(x, mode));
  },
  DRSQ: (b, inst) => double(b, inst, (x) => 1 / Math.sqrt(x)),
  DRCP: (b, inst) => {
    const mode = rounding(inst);
    return double(b, inst, (x) => div64(1, x, mode));
  },
  HADD2: (b, inst) => {
    if (!hasMod(inst, "F32")) return halves(b, inst, (x, y) => x + y);
    // The sum of the low halves as a single: how halves are widened.
    const sat = hasMod(inst, "SAT") ? saturate : same;
    const sum = (x: number, y: number): number => Math.fround(f16FromBits(x & 0xffff) + f16FromBits(y & 0xffff));
    return narrow(2, (x, y) => f32ToBits(sat(sum(x, y))), "f16x2")(b, inst);
  },
  HMUL2: (b, inst) => halves(b, inst, (x, y) => x * y),
  HFMA2: (b, inst) => {
    const relu = hasMod(inst, "RELU");
    return halves(b, inst, (x, y, z) => {
      const product = x * y;
      const value = Number.isFinite(product) && Number.isFinite(z) ? addOdd(product, z) : product + z;
      return relu && !(value > 0) ? (Number.isNaN(value) ? value : 0) : value;
    });
  },
} satisfies Partial<Record<Opcode, Build>>;

const same = (v: number): number => v;

export function rounding(inst: Inst): Rounding {
  return modOf(inst, ["RN", "RZ", "RM", "RP"]) ?? "RN";
}

function directedAdd(x: number, y: number, mode: Rounding): number {
  const sum = addOdd(x, y);
  // An exact zero from opposite values is -0 only when rounding down.
  if (sum === 0 && mode === "RM" && (x !== 0 || !Object.is(x, y))) return -0;
  return roundF32(sum, mode);
}

/** a * b + c on singles with one rounding: the product is exact in a double, the sum is rounded to odd before the final rounding. */
export function fma32(a: number, b: number, c: number, mode: Rounding): number {
  const product = a * b;
  if (!Number.isFinite(product) || !Number.isFinite(c)) return product + c;
  return directedSum(product, c, mode);
}

function directedSum(product: number, c: number, mode: Rounding): number {
  const sum = addOdd(product, c);
  if (sum === 0 && mode === "RM" && (product !== 0 || !Object.is(product, c))) return -0;
  return roundF32(sum, mode);
}

/** Minimum or maximum; a NaN loses against a number unless NaNs are to win; -0 is below +0. */
function minMax(x: number, y: number, min: boolean, nan: boolean): number {
  if (Number.isNaN(x)) return nan ? x : y;
  if (Number.isNaN(y)) return nan ? y : x;
  return min ? Math.min(x, y) : Math.max(x, y);
}

export function integral(inst: Inst): (x: number) => number {
  switch (modOf(inst, ["TRUNC", "FLOOR", "CEIL"])) {
    case "TRUNC":
      return Math.trunc;
    case "FLOOR":
      return Math.floor;
    case "CEIL":
      return Math.ceil;
    case null:
      return nearestEven;
  }
}

function nearestEven(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x;
  const down = Math.floor(x);
  const rest = x - down;
  const result = rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down;
  return result === 0 && (x < 0 || Object.is(x, -0)) ? -0 : result;
}

/** Functions of the special unit, computed in double and rounded to single. Angles are in radians. */
function mufu(inst: Inst): (x: number) => number {
  switch (modOf(inst, ["RCP", "RSQ", "SQRT", "LG2", "EX2", "SIN", "COS", "TANH"])) {
    case "RCP":
      return (x) => Math.fround(1 / x);
    case "RSQ":
      return (x) => Math.fround(1 / Math.sqrt(x));
    case "SQRT":
      return (x) => Math.fround(Math.sqrt(x));
    case "LG2":
      return (x) => Math.fround(Math.log2(x));
    case "EX2":
      return (x) => Math.fround(2 ** x);
    case "SIN":
      return (x) => Math.fround(Math.sin(x));
    case "COS":
      return (x) => Math.fround(Math.cos(x));
    case "TANH":
      return (x) => Math.fround(Math.tanh(x));
    case null:
      throw new Unsupported("MUFU needs a function");
  }
}

type Scalar = (x: number, y: number, z: number) => number;

/** A single-precision instruction; `f` returns a single. */
function single(b: Builder, inst: Inst, f: Scalar): Exec {
  const enter = hasMod(inst, "FTZ") ? flushF32 : same;
  const sat = hasMod(inst, "SAT");
  // By `words`, with one more call per lane, a kernel of these takes 1.3 times as long; with one loop for both, FFMA takes 1.8 times as long.
  const plain: Rows =
    (d, x, y, z) =>
    ({ r }, mask) => {
      for (const l of lanesOf(mask)) r[d + l] = f32ToBits(f(singleAt(r, x + l), singleAt(r, y + l), singleAt(r, z + l)));
    };
  const modified: Rows =
    (d, x, y, z) =>
    ({ r }, mask) => {
      for (const l of lanesOf(mask)) {
        const value = enter(f(enter(singleAt(r, x + l)), enter(singleAt(r, y + l)), enter(singleAt(r, z + l))));
        r[d + l] = f32ToBits(sat ? saturate(value) : value);
      }
    };
  return rows(inst.ops.length - 1, enter === same && !sat ? plain : modified, "f32")(b, inst);
}

function double(b: Builder, inst: Inst, f: Scalar): Exec {
  const count = inst.ops.length - 1;
  const xs = b.src64(inst.ops[1], "f64");
  const ys = count > 1 ? b.src64(inst.ops[2], "f64") : xs;
  const zs = count > 2 ? b.src64(inst.ops[3], "f64") : xs;
  const { row: d, post } = b.dst64(inst.ops[0]);
  const main: Exec = ({ r }, mask) => {
    for (const l of lanesOf(mask)) putDouble(r, d + l, f(doubleAt(r, xs + l), doubleAt(r, ys + l), doubleAt(r, zs + l)));
  };
  return finish(b, main, post);
}

/** Two halves at once. `f` gives an exact value or one rounded to odd. */
const HALF = { format: F16, from: f16FromBits, to: f16ToBits };
const BRAIN_HALF = { format: BF16, from: bf16FromBits, to: bf16ToBits };

function halves(b: Builder, inst: Inst, f: Scalar): Exec {
  const ftz = hasMod(inst, "FTZ");
  const sat = hasMod(inst, "SAT") ? saturate : same;
  const { format, from, to } = hasMod(inst, "BF16_V2") ? BRAIN_HALF : HALF;
  const smallest = 2 ** format.minExponent;
  const flush = (v: number): number => (ftz && Math.abs(v) < smallest ? (v < 0 || Object.is(v, -0) ? -0 : 0) : v);
  const one = (x: number, y: number, z: number): number =>
    to(sat(flush(roundTo(f(flush(from(x)), flush(from(y)), flush(from(z))), format, "RN"))));
  const both = (x: number, y: number, z: number): number =>
    one(x & 0xffff, y & 0xffff, z & 0xffff) | (one(x >>> 16, y >>> 16, z >>> 16) << 16);
  return narrow(inst.ops.length - 1, both, "f16x2")(b, inst);
}
