/** Exact arithmetic on floats by big integers, written apart from the interpreter's, to test it against. */

export type Mode = "RN" | "RZ" | "RM" | "RP";

/** A value as n / 2^SCALE; every finite double and every product of two is a whole n. */
const SCALE = 2300n;

const view = new DataView(new ArrayBuffer(8));

export function single(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

export function singleBits(value: number): number {
  if (Number.isNaN(value)) return 0x7fffffff;
  view.setFloat32(0, value);
  return view.getUint32(0);
}

export function double(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

export function doubleBits(value: number): bigint {
  if (Number.isNaN(value)) return 0xfff8000000000000n;
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** n with value = n / 2^SCALE. */
export function exact(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const n = biased === 0n ? fraction << (SCALE - 1074n) : (fraction | (1n << 52n)) << (SCALE - 1075n + biased);
  return bits >> 63n === 1n ? -n : n;
}

export interface Format {
  readonly digits: bigint;
  /** Exponent of the last digit of subnormals. */
  readonly tiny: bigint;
  /** Exponent above all finite values. */
  readonly top: bigint;
}

export const SINGLE: Format = { digits: 24n, tiny: -149n, top: 128n };
export const DOUBLE: Format = { digits: 53n, tiny: -1074n, top: 1024n };
export const HALF: Format = { digits: 11n, tiny: -24n, top: 16n };

/** Number of binary digits. */
function length(n: bigint): number {
  const hex = n.toString(16);
  return 4 * hex.length - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

/** n / d / 2^SCALE rounded to a format. `zero` is the sign of an exact zero. */
export function round(n: bigint, d: bigint, format: Format, mode: Mode, zero = 1): number {
  if (n === 0n) return zero < 0 ? -0 : 0;
  const negative = n < 0n !== d < 0n;
  const num = n < 0n ? -n : n;
  const den = (d < 0n ? -d : d) << SCALE;
  // Find e with 2^(digits-1) <= num / den / 2^e < 2^digits, but not below the subnormals' last digit.
  let e = BigInt(length(num) - length(den)) - format.digits;
  const at = (k: bigint): { q: bigint; rest: bigint; by: bigint } => {
    const [top, bottom] = k >= 0n ? [num, den << k] : [num << -k, den];
    return { q: top / bottom, rest: top % bottom, by: bottom };
  };
  let { q, rest, by } = at(e);
  // The estimate is one too small at most.
  while (q >= 1n << format.digits) ({ q, rest, by } = at(++e));
  if (e < format.tiny) {
    e = format.tiny;
    ({ q, rest, by } = at(e));
  }
  if (rest !== 0n) {
    const twice = 2n * rest;
    const up = mode === "RN" ? twice > by || (twice === by && q % 2n === 1n) : mode === "RP" ? !negative : mode === "RM" ? negative : false;
    if (up) q++;
  }
  if (q >= 1n << (format.top - e)) {
    const away = mode === "RN" || (mode === "RP" && !negative) || (mode === "RM" && negative);
    const biggest = Number((1n << format.digits) - 1n) * 2 ** Number(format.top - format.digits);
    return (away ? Number.POSITIVE_INFINITY : biggest) * (negative ? -1 : 1);
  }
  const half = Number(e) / 2;
  const value = Number(q) * 2 ** Math.ceil(half) * 2 ** Math.floor(half);
  return negative ? -value : value;
}

/** Sign of an exact zero sum: that of both, else + (- when rounding down). */
function zeroSign(a: number, b: number, mode: Mode): number {
  const sa = Object.is(a, -0) || a < 0 ? -1 : 1;
  const sb = Object.is(b, -0) || b < 0 ? -1 : 1;
  return sa === sb ? sa : mode === "RM" ? -1 : 1;
}

const finite = (...values: readonly number[]): boolean => values.every(Number.isFinite);

export function add(a: number, b: number, format: Format, mode: Mode): number {
  if (!finite(a, b)) return a + b;
  return round(exact(a) + exact(b), 1n, format, mode, zeroSign(a, b, mode));
}

export function mul(a: number, b: number, format: Format, mode: Mode): number {
  if (!finite(a, b)) return a * b;
  return round(exact(a) * exact(b), 1n << SCALE, format, mode, Object.is(a * b, -0) ? -1 : 1);
}

export function fma(a: number, b: number, c: number, format: Format, mode: Mode): number {
  if (!finite(a, b, c)) return finite(a, b) ? c : a * b + c;
  const product = exact(a) * exact(b);
  const negativeZero = (a < 0 || Object.is(a, -0)) !== (b < 0 || Object.is(b, -0));
  const p = product === 0n ? (negativeZero ? -0 : 0) : product < 0n ? -1 : 1;
  return round(product + (exact(c) << SCALE), 1n << SCALE, format, mode, zeroSign(p, c, mode));
}

export function div(a: number, b: number, format: Format, mode: Mode): number {
  if (!finite(a, b) || b === 0 || a === 0) return a / b;
  return round(exact(a) << SCALE, exact(b), format, mode);
}

export function sqrt(a: number, format: Format, mode: Mode): number {
  if (!(a > 0) || a === Number.POSITIVE_INFINITY) return Math.sqrt(a);
  // floor(sqrt(n * 2^SCALE)) is the root at the same scale; a sticky digit far below every format's precision decides ties.
  const n = exact(a) << SCALE;
  let low = 1n << BigInt((length(n) >> 1) + 1);
  for (let next = (low + n / low) >> 1n; next < low; next = (low + n / low) >> 1n) low = next;
  const sticky = low * low === n ? 0n : 1n;
  return round(2n * low + sticky, 2n, format, mode);
}
