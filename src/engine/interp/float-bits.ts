/** Bit patterns and directed rounding of the narrow float formats, exact by way of doubles rounded to odd. */

export type Rounding = "RN" | "RZ" | "RM" | "RP";

const f64 = new Float64Array(1);
const f64Words = new Uint32Array(f64.buffer);
const f32 = new Float32Array(1);
const f32Word = new Uint32Array(f32.buffer);
// Which half of a double comes first in memory.
f64[0] = 1;
const LO = f64Words[0] === 0 ? 0 : 1;
const HI = 1 - LO;

/** What a float operation leaves when its result is not a number. */
export const F32_NAN = 0x7fffffff;
export const F64_NAN_HI = 0xfff80000;
export const F16_NAN = 0x7fff;
export const BF16_NAN = 0x7fff;

export function f32FromBits(bits: number): number {
  f32Word[0] = bits;
  return f32[0] as number;
}

/** Bits of a value that is exactly a single; NaN becomes the canonical one. */
export function f32ToBits(value: number): number {
  if (Number.isNaN(value)) return F32_NAN;
  f32[0] = value;
  return f32Word[0] as number;
}

export function f64FromBits(hi: number, lo: number): number {
  f64Words[HI] = hi;
  f64Words[LO] = lo;
  return f64[0] as number;
}

/** High word of a double; NaN becomes the canonical one. Call `f64LowBits` with the same value for the rest. */
export function f64HighBits(value: number): number {
  if (Number.isNaN(value)) return F64_NAN_HI;
  f64[0] = value;
  return f64Words[HI] as number;
}

export function f64LowBits(value: number): number {
  if (Number.isNaN(value)) return 0;
  f64[0] = value;
  return f64Words[LO] as number;
}

/** a + b as a double rounded to odd: a later rounding to 51 bits or fewer gives the correctly rounded result. */
export function addOdd(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) return sum;
  const bb = sum - a;
  const error = a - (sum - bb) + (b - bb);
  return error === 0 ? sum : toOdd(sum, error > 0);
}

/** A finite rounded value and the side of its exact value (`above`: exact > value), as a double rounded to odd. */
export function toOdd(value: number, above: boolean): number {
  f64[0] = value;
  const lo = f64Words[LO] as number;
  if ((lo & 1) === 1) return value;
  const hi = f64Words[HI] as number;
  const grow = above === value > 0;
  if (grow) {
    f64Words[LO] = lo + 1;
  } else {
    // Even, so the low bit is 0 and a step towards zero borrows.
    f64Words[LO] = lo - 1;
    if (lo === 0) f64Words[HI] = hi - 1;
  }
  return f64[0] as number;
}

/** A binary format: bits of fraction, smallest normal exponent, largest finite value. */
export interface FloatFormat {
  readonly fraction: number;
  readonly minExponent: number;
  readonly max: number;
}

export const F32: FloatFormat = { fraction: 23, minExponent: -126, max: 3.4028234663852886e38 };
export const F16: FloatFormat = { fraction: 10, minExponent: -14, max: 65504 };
export const BF16: FloatFormat = { fraction: 7, minExponent: -126, max: 3.3895313892515355e38 };

/** Rounds a double (exact, or rounded to odd) into the format. */
export function roundTo(value: number, format: FloatFormat, mode: Rounding): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const magnitude = Math.abs(value);
  const exponent = Math.max(exponentOf(magnitude), format.minExponent) - format.fraction;
  const quantum = 2 ** exponent;
  // Scaling by a power of two is exact: a format's quantum is far above the double's.
  const scaled = magnitude / quantum;
  const down = Math.floor(scaled);
  const rest = scaled - down;
  let units = down;
  if (rest !== 0) {
    const negative = value < 0;
    const up =
      mode === "RN" ? rest > 0.5 || (rest === 0.5 && down % 2 === 1) : mode === "RP" ? !negative : mode === "RM" ? negative : false;
    if (up) units++;
  }
  let result = units * quantum;
  if (result > format.max) {
    const away = mode === "RN" || (mode === "RP" && value > 0) || (mode === "RM" && value < 0);
    result = away ? Number.POSITIVE_INFINITY : format.max;
  }
  return value < 0 ? -result : result;
}

/** Rounds a double (exact, or rounded to odd) to single precision. */
export function roundF32(value: number, mode: Rounding): number {
  return mode === "RN" ? Math.fround(value) : roundTo(value, F32, mode);
}

function exponentOf(magnitude: number): number {
  f64[0] = magnitude;
  const biased = ((f64Words[HI] as number) >>> 20) & 0x7ff;
  return biased === 0 ? -1023 : biased - 1023;
}

export function f16FromBits(bits: number): number {
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  const sign = (bits & 0x8000) !== 0 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Bits of a value that is exactly a half. */
export function f16ToBits(value: number): number {
  if (Number.isNaN(value)) return F16_NAN;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
  const exponent = exponentOf(magnitude);
  return sign | ((exponent + 15) << 10) | (magnitude * 2 ** (10 - exponent) - 1024);
}

export function bf16FromBits(bits: number): number {
  return f32FromBits((bits & 0xffff) << 16);
}

export function bf16ToBits(value: number): number {
  return Number.isNaN(value) ? BF16_NAN : f32ToBits(value) >>> 16;
}

/** Flushes a subnormal single to a zero of its sign. */
export function flushF32(value: number): number {
  return Math.abs(value) < 2 ** -126 ? (value < 0 || Object.is(value, -0) ? -0 : 0) : value;
}

/** Clamps to [0, 1]; NaN and -0 become +0. */
export function saturate(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0;
}
