/** Double-precision operations that the machine's own arithmetic cannot give: fused multiply-add and directed rounding, exact by big integers. */

import { f64FromBits, f64HighBits, f64LowBits, type Rounding } from "./float-bits.ts";

/** A finite value: (-1)^neg * m * 2^e. */
interface Exact {
  readonly neg: boolean;
  readonly m: bigint;
  readonly e: number;
}

/** a * b + c with one rounding. */
export function fma64(a: number, b: number, c: number, mode: Rounding): number {
  if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) {
    // The product's own overflow must not count when c is infinite.
    return Number.isFinite(a) && Number.isFinite(b) ? c : a * b + c;
  }
  const x = decompose(a);
  const y = decompose(b);
  return addExact({ neg: x.neg !== y.neg, m: x.m * y.m, e: x.e + y.e }, decompose(c), mode);
}

export function add64(a: number, b: number, mode: Rounding): number {
  if (mode === "RN" || !Number.isFinite(a) || !Number.isFinite(b)) return a + b;
  return addExact(decompose(a), decompose(b), mode);
}

export function mul64(a: number, b: number, mode: Rounding): number {
  if (mode === "RN" || !Number.isFinite(a) || !Number.isFinite(b)) return a * b;
  const x = decompose(a);
  const y = decompose(b);
  return compose(x.neg !== y.neg, x.m * y.m, x.e + y.e, false, mode);
}

export function div64(a: number, b: number, mode: Rounding): number {
  if (mode === "RN" || !Number.isFinite(a) || !Number.isFinite(b) || b === 0 || a === 0) return a / b;
  const { neg, m, e, sticky } = quotient(a, b);
  return compose(neg, m, e, sticky, mode);
}

export function sqrt64(a: number, mode: Rounding): number {
  if (mode === "RN" || !(a > 0) || a === Number.POSITIVE_INFINITY) return Math.sqrt(a);
  const { m, e, sticky } = root(a);
  return compose(false, m, e, sticky, mode);
}

/** a / b as a double rounded to odd, for a later rounding to single. */
export function divOdd(a: number, b: number): number {
  if (!Number.isFinite(a) || !Number.isFinite(b) || b === 0 || a === 0) return a / b;
  const { neg, m, e, sticky } = quotient(a, b);
  return compose(neg, m, e, sticky, "odd");
}

/** sqrt(a) as a double rounded to odd. */
export function sqrtOdd(a: number): number {
  if (!(a > 0) || a === Number.POSITIVE_INFINITY) return Math.sqrt(a);
  const { m, e, sticky } = root(a);
  return compose(false, m, e, sticky, "odd");
}

/** An integer as a double. */
export function fromBigInt(value: bigint, mode: Rounding | "odd"): number {
  if (mode === "RN") return Number(value);
  return compose(value < 0n, value < 0n ? -value : value, 0, false, mode);
}

function quotient(a: number, b: number): Exact & { readonly sticky: boolean } {
  const x = decompose(a);
  const y = decompose(b);
  // The dividend may be subnormal (1 bit), the divisor has at most 53: 60 + 53 bits of quotient at least.
  const top = x.m << 120n;
  const m = top / y.m;
  return { neg: x.neg !== y.neg, m, e: x.e - y.e - 120, sticky: m * y.m !== top };
}

function root(a: number): { readonly m: bigint; readonly e: number; readonly sticky: boolean } {
  const x = decompose(a);
  const odd = (x.e & 1) !== 0;
  const scaled = x.m << (odd ? 121n : 120n);
  const e = ((odd ? x.e - 1 : x.e) - 120) / 2;
  const m = integerRoot(scaled);
  return { m, e, sticky: m * m !== scaled };
}

function integerRoot(n: bigint): bigint {
  let x = 1n << BigInt((bitLength(n) + 1) >> 1);
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}

function addExact(x: Exact, y: Exact, mode: Rounding): number {
  const e = Math.min(x.e, y.e);
  const xm = x.m << BigInt(x.e - e);
  const ym = y.m << BigInt(y.e - e);
  const sum = (x.neg ? -xm : xm) + (y.neg ? -ym : ym);
  // An exact zero: the sign of both if they agree, else + (- when rounding down).
  if (sum === 0n) return (x.neg === y.neg ? x.neg : mode === "RM") ? -0 : 0;
  return compose(sum < 0n, sum < 0n ? -sum : sum, e, false, mode);
}

function decompose(value: number): Exact {
  const hi = f64HighBits(value);
  const biased = (hi >>> 20) & 0x7ff;
  const fraction = (BigInt(hi & 0xfffff) << 32n) | BigInt(f64LowBits(value));
  const neg = hi >>> 31 === 1;
  return biased === 0 ? { neg, m: fraction, e: -1074 } : { neg, m: fraction | (1n << 52n), e: biased - 1075 };
}

function bitLength(n: bigint): number {
  if (n === 0n) return 0;
  const hex = n.toString(16);
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0] ?? "0", 16)));
}

/** (-1)^neg * (m + something in (0, 1) when sticky) * 2^e, rounded. */
function compose(neg: boolean, m: bigint, e: number, sticky: boolean, mode: Rounding | "odd"): number {
  if (m === 0n) return neg ? -0 : 0;
  const shift = Math.max(bitLength(m) - 53, -1074 - e);
  let units = m;
  let exponent = e;
  if (shift > 0) {
    const amount = BigInt(shift);
    units = m >> amount;
    exponent += shift;
    const rest = m - (units << amount);
    const inexact = rest !== 0n || sticky;
    if (inexact) {
      const half = 1n << (amount - 1n);
      const odd = (units & 1n) === 1n;
      if (mode === "odd") units |= 1n;
      else if (mode === "RN" ? rest > half || (rest === half && (sticky || odd)) : mode === "RP" ? !neg : mode === "RM" ? neg : false)
        units++;
    }
  }
  if (bitLength(units) + exponent > 1024) {
    const away = mode === "RN" || (mode === "RP" && !neg) || (mode === "RM" && neg);
    const value = away ? Number.POSITIVE_INFINITY : f64FromBits(0x7fefffff, 0xffffffff);
    return neg ? -value : value;
  }
  // Exactly representable, so both products are exact.
  const value = exponent < -900 ? Number(units) * 2 ** (exponent + 600) * 2 ** -600 : Number(units) * 2 ** exponent;
  return neg ? -value : value;
}
