/** Float rows, each against exact arithmetic by big integers. */

import { big, type Case, float, half, int, s32, s64, w32, w64 } from "./cases.ts";
import type { Lane } from "./eval.ts";
import {
  add,
  DOUBLE,
  div,
  double,
  doubleBits,
  exact,
  type Format,
  fma,
  HALF,
  type Mode,
  mul,
  round,
  SINGLE,
  single,
  singleBits,
  sqrt,
} from "./exact.ts";

const MODES: readonly Mode[] = ["RN", "RZ", "RM", "RP"];
const suffix = (mode: Mode): string => (mode === "RN" ? "" : `.${mode}`);
const f = (bits: number): number => single(bits);
const d = (bits: bigint): number => double(bits);

/** A subnormal single as the zero of its sign. */
function flush(v: number): number {
  return Math.abs(v) < 2 ** -126 ? (v < 0 || Object.is(v, -0) ? -0 : 0) : v;
}

const clamp = (v: number): number => (Number.isNaN(v) || v <= 0 ? 0 : Math.min(1, v));

const singleCase = (line: string, value: (l: Lane) => number): Case => float(line, "R9", (l) => singleBits(value(l)));
const doubleCase = (line: string, value: (l: Lane) => number): Case => float(line, "RD9", (l) => doubleBits(value(l)));

function minMax(a: number, b: number, min: boolean): number {
  if (Number.isNaN(a)) return b;
  if (Number.isNaN(b)) return a;
  if (a === 0 && b === 0) return (Object.is(a, -0) || Object.is(b, -0)) === min ? (min ? -0 : 0) : Object.is(a, b) ? a : min ? -0 : 0;
  return a < b === min ? a : b;
}

const unordered = (a: number, b: number): boolean => Number.isNaN(a) || Number.isNaN(b);

const TESTS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  EQ: (a, b) => a === b,
  NE: (a, b) => a !== b && !unordered(a, b),
  LT: (a, b) => a < b,
  LE: (a, b) => a <= b,
  GT: (a, b) => a > b,
  GE: (a, b) => a >= b,
  EQU: (a, b) => a === b || unordered(a, b),
  NEU: (a, b) => a !== b,
  LTU: (a, b) => a < b || unordered(a, b),
  LEU: (a, b) => a <= b || unordered(a, b),
  GTU: (a, b) => a > b || unordered(a, b),
  GEU: (a, b) => a >= b || unordered(a, b),
  NUM: (a, b) => !unordered(a, b),
  NAN: unordered,
};

/** Rounds to an integer: half to even, towards zero, down, up. */
function whole(v: number, how: "" | ".TRUNC" | ".FLOOR" | ".CEIL"): number {
  if (!Number.isFinite(v)) return v;
  const down = Math.floor(v);
  const frac = v - down;
  const result =
    how === ".FLOOR" || frac === 0
      ? down
      : how === ".CEIL"
        ? down + 1
        : how === ".TRUNC"
          ? v < 0
            ? down + 1
            : down
          : frac < 0.5 || (frac === 0.5 && Math.abs(down) % 2 === 0)
            ? down
            : down + 1;
  return result === 0 && (v < 0 || Object.is(v, -0)) ? -0 : result;
}

function toInt(v: number, type: string, how: "" | ".TRUNC" | ".FLOOR" | ".CEIL"): bigint {
  const width = BigInt(type.slice(1));
  const low = type.startsWith("S") ? -(1n << (width - 1n)) : 0n;
  const high = (type.startsWith("S") ? 1n << (width - 1n) : 1n << width) - 1n;
  if (Number.isNaN(v)) return 0n;
  if (v === Number.POSITIVE_INFINITY) return high;
  if (v === Number.NEGATIVE_INFINITY) return low;
  const n = BigInt(whole(v, how));
  return n < low ? low : n > high ? high : n;
}

const fromInt = (v: bigint, format: Format, mode: Mode): number => round(v << 2300n, 1n, format, mode);
const narrow = (v: number, format: Format, mode: Mode): number => {
  if (!Number.isFinite(v) || v === 0) return v;
  return round(exact(v), 1n, format, mode);
};

/** The value of a half. */
export function halfValue(bits: number): number {
  const e = (bits >> 10) & 31;
  const m = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (e === 31) return m === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (e === 0 ? m * 2 ** -24 : (1 + m / 1024) * 2 ** (e - 15));
}

/** Bits of a value that is a half. */
function halfBits(v: number): number {
  if (Number.isNaN(v)) return 0x7fff;
  for (const sign of [0, 0x8000]) {
    // Positive halves are ordered like their bits.
    let low = 0;
    let high = 0x7c00;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (halfValue(mid) < Math.abs(v)) low = mid + 1;
      else high = mid;
    }
    if (Object.is(halfValue(low | sign), v)) return low | sign;
  }
  throw new Error(`${v} is not a half`);
}

const pair = (l: Lane, one: (a: number, b: number, c: number) => number): number =>
  w32(
    (BigInt(halfBits(one(halfValue(l.a >>> 16), halfValue(l.b >>> 16), halfValue(l.c >>> 16)))) << 16n) |
      BigInt(halfBits(one(halfValue(l.a & 0xffff), halfValue(l.b & 0xffff), halfValue(l.c & 0xffff)))),
  );

const MUFU: Readonly<Record<string, (v: number) => number>> = {
  RCP: (v) => 1 / v,
  RSQ: (v) => 1 / Math.sqrt(v),
  SQRT: Math.sqrt,
  LG2: Math.log2,
  EX2: (v) => 2 ** v,
  SIN: Math.sin,
  COS: Math.cos,
  TANH: Math.tanh,
};

export const FLOAT_CASES = {
  FADD: [
    ...MODES.map((m) => singleCase(`FADD${suffix(m)} R9, R0, R1`, (l) => add(f(l.a), f(l.b), SINGLE, m))),
    singleCase("FADD.FTZ R9, -R0, |R1|", (l) => flush(add(-flush(f(l.a)), Math.abs(flush(f(l.b))), SINGLE, "RN"))),
    singleCase("FADD.SAT R9, R0, 1.5", (l) => clamp(add(f(l.a), 1.5, SINGLE, "RN"))),
  ],
  FMUL: [
    ...MODES.map((m) => singleCase(`FMUL${suffix(m)} R9, R0, R1`, (l) => mul(f(l.a), f(l.b), SINGLE, m))),
    singleCase("FMUL.FTZ R9, R0, -R1", (l) => flush(mul(flush(f(l.a)), -flush(f(l.b)), SINGLE, "RN"))),
    singleCase("FMUL.SAT R9, R0, R1", (l) => clamp(mul(f(l.a), f(l.b), SINGLE, "RN"))),
  ],
  FFMA: [
    ...MODES.map((m) => singleCase(`FFMA${suffix(m)} R9, R0, R1, R2`, (l) => fma(f(l.a), f(l.b), f(l.c), SINGLE, m))),
    // The product and the addend nearly cancel: two roundings would show.
    singleCase("FMUL R8, R0, R1\nFFMA R9, R0, R1, -R8", (l) => fma(f(l.a), f(l.b), -mul(f(l.a), f(l.b), SINGLE, "RN"), SINGLE, "RN")),
  ],
  FMNMX: [
    singleCase("FMNMX R9, R0, R1, P0", (l) => minMax(f(l.a), f(l.b), l.p)),
    singleCase("FMNMX.NAN R9, R0, R1, P0", (l) =>
      Number.isNaN(f(l.a)) || Number.isNaN(f(l.b)) ? Number.NaN : minMax(f(l.a), f(l.b), l.p),
    ),
  ],
  FSEL: [
    float("FSEL R9, R0, R1, P0", "R9", (l) => (l.p ? l.a : l.b)),
    float("FSEL R9, -R0, |R1|, P0", "R9", (l) => w32(l.p ? big(l.a) ^ 0x80000000n : big(l.b) & 0x7fffffffn)),
  ],
  FDIV: MODES.map((m) => singleCase(`FDIV${suffix(m)} R9, R0, R1`, (l) => div(f(l.a), f(l.b), SINGLE, m))),
  FRCP: MODES.map((m) => singleCase(`FRCP${suffix(m)} R9, R0`, (l) => div(1, f(l.a), SINGLE, m))),
  FSQRT: MODES.map((m) => singleCase(`FSQRT${suffix(m)} R9, R0`, (l) => sqrt(f(l.a), SINGLE, m))),
  MUFU: Object.entries(MUFU).map(([name, fn]) => singleCase(`MUFU.${name} R9, R0`, (l) => Math.fround(fn(f(l.a))))),
  FRND: [
    ...(["", ".TRUNC", ".FLOOR", ".CEIL"] as const).map((how) => singleCase(`FRND${how} R9, R0`, (l) => whole(f(l.a), how))),
    doubleCase("FRND.64.FLOOR RD9, RD0", (l) => whole(d(l.x), ".FLOOR")),
  ],
  DADD: MODES.map((m) => doubleCase(`DADD${suffix(m)} RD9, RD0, RD1`, (l) => add(d(l.x), d(l.y), DOUBLE, m))),
  DMUL: MODES.map((m) => doubleCase(`DMUL${suffix(m)} RD9, RD0, RD1`, (l) => mul(d(l.x), d(l.y), DOUBLE, m))),
  DFMA: [
    ...MODES.map((m) => doubleCase(`DFMA${suffix(m)} RD9, RD0, RD1, RD2`, (l) => fma(d(l.x), d(l.y), d(l.z), DOUBLE, m))),
    doubleCase("DMUL RD8, RD0, RD1\nDFMA RD9, RD0, -RD1, RD8", (l) => fma(d(l.x), -d(l.y), d(l.x) * d(l.y), DOUBLE, "RN")),
  ],
  DMNMX: [doubleCase("DMNMX RD9, RD0, RD1, !P0", (l) => minMax(d(l.x), d(l.y), !l.p))],
  DDIV: MODES.map((m) => doubleCase(`DDIV${suffix(m)} RD9, RD0, RD1`, (l) => div(d(l.x), d(l.y), DOUBLE, m))),
  DRCP: MODES.map((m) => doubleCase(`DRCP${suffix(m)} RD9, RD0`, (l) => div(1, d(l.x), DOUBLE, m))),
  DRSQ: [
    doubleCase("DRSQ RD9, RD0", (l) => div(1, sqrt(d(l.x), DOUBLE, "RN"), DOUBLE, "RN")),
    doubleCase("MOV.64 RD8, 16.0\nDRSQ RD9, RD8", () => 0.25),
  ],
  DSQRT: MODES.map((m) => doubleCase(`DSQRT${suffix(m)} RD9, RD0`, (l) => sqrt(d(l.x), DOUBLE, m))),
  F2I: [
    ...["S32", "U32", "S8", "U16"].flatMap((type) =>
      (["", ".TRUNC", ".FLOOR", ".CEIL"] as const).map((how) =>
        float(`F2I.${type}.F32${how} R9, R0`, "R9", (l) => w32(toInt(f(l.a), type, how))),
      ),
    ),
    ...["S64", "U64"].map((type) => float(`F2I.${type}.F64.TRUNC RD9, RD0`, "RD9", (l) => w64(toInt(d(l.x), type, ".TRUNC")))),
    float("F2I.S32.F64 R9, RD0", "R9", (l) => w32(toInt(d(l.x), "S32", ""))),
    half("F2I.S32.F16 R9, R0", "R9", (l) => w32(toInt(halfValue(l.a & 0xffff), "S32", ""))),
  ],
  I2F: [
    ...MODES.flatMap((m) => [
      int(`I2F.F32.S32${suffix(m)} R9, R0`, "R9", (l) => singleBits(fromInt(s32(l.a), SINGLE, m))),
      int(`I2F.F32.U64${suffix(m)} R9, RD0`, "R9", (l) => singleBits(fromInt(l.x, SINGLE, m))),
      int(`I2F.F64.S64${suffix(m)} RD9, RD0`, "RD9", (l) => doubleBits(fromInt(s64(l.x), DOUBLE, m))),
    ]),
    int("I2F.F64.U32 RD9, R0", "RD9", (l) => doubleBits(fromInt(big(l.a), DOUBLE, "RN"))),
    int("I2F.F16.S16 R9, R0", "R9", (l) => halfBits(fromInt(BigInt.asIntN(16, big(l.a)), HALF, "RN"))),
    int("I2F.F32.U8 R9, R0", "R9", (l) => singleBits(fromInt(big(l.a) & 255n, SINGLE, "RN"))),
  ],
  F2F: [
    ...MODES.map((m) => float(`F2F.F32.F64${suffix(m)} R9, RD0`, "R9", (l) => singleBits(narrow(d(l.x), SINGLE, m)))),
    ...MODES.map((m) => float(`F2F.F16.F32${suffix(m)} R9, R0`, "R9", (l) => halfBits(narrow(f(l.a), HALF, m)))),
    float("F2F.F64.F32 RD9, R0", "RD9", (l) => doubleBits(f(l.a))),
    half("F2F.F32.F16 R9, R0", "R9", (l) => singleBits(halfValue(l.a & 0xffff))),
    float("F2F.F32.F32.SAT R9, R0", "R9", (l) => singleBits(clamp(f(l.a)))),
    float("F2F.BF16.F32 R9, R0", "R9", (l) => bfloat(l.a)),
    float("F2F.F32.BF16 R9, R0", "R9", (l) => singleBits(f(w32((big(l.a) & 0xffffn) << 16n)))),
  ],
  HADD2: [
    half("HADD2 R9, R0, R1", "R9", (l) => pair(l, (a, b) => add(a, b, HALF, "RN"))),
    half("HADD2.F32 R9, -RZ, R1", "R9", (l) => singleBits(add(-0, halfValue(l.b & 0xffff), SINGLE, "RN"))),
  ],
  HMUL2: [
    half("HMUL2 R9, R0, R1", "R9", (l) => pair(l, (a, b) => mul(a, b, HALF, "RN"))),
    half("HMUL2.SAT R9, R0, R1", "R9", (l) => pair(l, (a, b) => clamp(mul(a, b, HALF, "RN")))),
  ],
  HFMA2: [
    half("HFMA2 R9, R0, R1, R2", "R9", (l) => pair(l, (a, b, c) => fma(a, b, c, HALF, "RN"))),
    half("HFMA2.RELU R9, R0, R1, R2", "R9", (l) =>
      pair(l, (a, b, c) => {
        const v = fma(a, b, c, HALF, "RN");
        return v <= 0 ? 0 : v;
      }),
    ),
  ],
  FSETP: [
    ...Object.entries(TESTS).map(([name, test]) => float(`FSETP.${name} P9, R0, R1`, "P9", (l) => test(f(l.a), f(l.b)))),
    float("FSETP.LT.FTZ P9, R0, -R1", "P9", (l) => flush(f(l.a)) < -flush(f(l.b))),
    float("FSETP.GT.XOR P9, R0, R1, P0", "P9", (l) => f(l.a) > f(l.b) !== l.p),
  ],
  DSETP: Object.entries(TESTS).map(([name, test]) => float(`DSETP.${name} P9, RD0, RD1`, "P9", (l) => test(d(l.x), d(l.y)))),
  HSETP2: Object.entries(TESTS).map(([name, test]) =>
    half(`HSETP2.${name} P9, R0, R1`, "P9", (l) => test(halfValue(l.a & 0xffff), halfValue(l.b & 0xffff))),
  ),
} satisfies Record<string, readonly Case[]>;

/** A single's bits rounded to the upper half, ties to even. */
function bfloat(bits: number): number {
  if (Number.isNaN(f(bits))) return 0x7fff;
  const low = bits & 0xffff;
  const high = bits >>> 16;
  return low > 0x8000 || (low === 0x8000 && (high & 1) === 1) ? high + 1 : high;
}
