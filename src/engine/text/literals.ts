/** Numbers and quoted text, read and written. Writing is canonical: what is written reads back as the same operand. */

import type { Operand } from "../ir/types.ts";

/** A decimal float whose width its place decides. */
export interface Decimal {
  readonly kind: "decimal";
  readonly value: number;
}

/** Reads a number token: an integer, `0f…` or `0d…` bits, or a decimal float. Null when it is malformed. */
export function readNumber(text: string, negative: boolean): Operand | Decimal | null {
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) {
    const value = Number(text);
    return { kind: "imm", value: negative && value !== 0 ? -value : value };
  }
  if (/^(?:0[xX][0-9a-fA-F]{1,64}|[0-9]{1,64})U?$/.test(text)) {
    const magnitude = BigInt(text.endsWith("U") ? text.slice(0, -1) : text);
    return integerOperand(negative ? -magnitude : magnitude);
  }
  const single = /^0[fF]([0-9a-fA-F]{8})$/.exec(text);
  if (single !== null) {
    const bits = Number.parseInt(single[1] ?? "", 16);
    return { kind: "f32", bits: negative ? (bits ^ 0x80000000) >>> 0 : bits };
  }
  const double = /^0[dD]([0-9a-fA-F]{8})([0-9a-fA-F]{8})$/.exec(text);
  if (double !== null) {
    const hi = Number.parseInt(double[1] ?? "", 16);
    return { kind: "f64", hi: negative ? (hi ^ 0x80000000) >>> 0 : hi, lo: Number.parseInt(double[2] ?? "", 16) };
  }
  if (/^[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    const value = Number(text);
    return { kind: "decimal", value: negative ? -value : value };
  }
  return null;
}

/** An integer as the operand kind that its size needs; null when it does not fit 64 bits. */
function integerOperand(value: bigint): Operand | null {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return { kind: "imm", value: Number(value) };
  if (value < -(2n ** 63n) || value >= 2n ** 64n) return null;
  return { kind: "imm64", value };
}

const view = new DataView(new ArrayBuffer(8));

export function f32Operand(value: number): Operand {
  view.setFloat32(0, value);
  return { kind: "f32", bits: view.getUint32(0) };
}

export function f64Operand(value: number): Operand {
  view.setFloat64(0, value);
  return { kind: "f64", hi: view.getUint32(0), lo: view.getUint32(4) };
}

/** The same half in both halves of 32 bits, rounded to nearest even. */
export function halvesOperand(value: number): Operand {
  const half = f16Bits(value);
  return { kind: "imm", value: half * 0x10000 + half };
}

function f16Bits(value: number): number {
  view.setFloat32(0, value);
  const sign = (view.getUint8(0) & 0x80) << 8;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  // Below the smallest normal half all steps are 2^-24 wide.
  const exponent = Math.max(-14, Math.floor(Math.log2(size === 0 ? 1 : size)));
  const step = 2 ** (exponent - 10);
  const steps = roundHalfEven(size / step);
  return sign | (size < 2 ** -14 ? steps : ((exponent + 14) << 10) + steps);
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

/** `1.5` if `decimal` (the place implies a single) and the value is finite, else `0f3FC00000`. */
export function f32Text(bits: number, decimal: boolean): string {
  view.setUint32(0, bits);
  const value = view.getFloat32(0);
  if (!decimal || !Number.isFinite(value)) return `0f${hex8(bits)}`;
  for (let digits = 1; digits <= 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return decimalText(Number(text), value);
  }
  return `0f${hex8(bits)}`;
}

/** `1.5` if `decimal` (the place implies a double) and the value is finite, else `0d…`. */
export function f64Text(hi: number, lo: number, decimal: boolean): string {
  view.setUint32(0, hi);
  view.setUint32(4, lo);
  const value = view.getFloat64(0);
  return decimal && Number.isFinite(value) ? decimalText(value, value) : `0d${hex8(hi)}${hex8(lo)}`;
}

function decimalText(value: number, sign: number): string {
  if (Object.is(sign, -0)) return "-0.0";
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function hex8(n: number): string {
  return n.toString(16).toUpperCase().padStart(8, "0");
}

/** `0x1f`, `-0x8`. */
export function hexText(n: number): string {
  return n < 0 ? `-0x${(-n).toString(16)}` : `0x${n.toString(16)}`;
}

/** An offset after a base: `+0x10`, `-0x8`, nothing for 0. */
export function offsetText(n: number): string {
  return n === 0 ? "" : n < 0 ? hexText(n) : `+${hexText(n)}`;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** The text between the quotes of a string token, escapes resolved. */
export function readQuoted(token: string): string {
  return token.slice(1, -1).replace(/\\(.)/g, (_, c: string) => ESCAPES[c] ?? c);
}

export function quotedText(text: string): string {
  return `"${text.replace(/["\\\n\t\r]/g, (c) => (c === "\n" ? "\\n" : c === "\t" ? "\\t" : c === "\r" ? "\\r" : `\\${c}`))}"`;
}
