/** The value of a PTX literal: `0f`/`0d` bit patterns, hexadecimal, binary, octal, decimal with an optional `U`, decimal floats. */

import type { OperandAst } from "./ast.ts";

export type Literal = Extract<OperandAst, { readonly kind: "int" | "f32" | "f64" | "real" }>;

const INTEGER = /^(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)[uU]?$/;

/** Null when the text is not a literal. Integers are as written, up to 64 bits unsigned. */
export function parseLiteral(text: string): Literal | null {
  const second = text.charCodeAt(1) | 32;
  if (text.charCodeAt(0) === 48 && text.length > 1) {
    if (second === 102) {
      return /^0[fF][0-9a-fA-F]{8}$/.test(text) ? { kind: "f32", bits: Number.parseInt(text.slice(2), 16) } : null;
    }
    if (second === 100) {
      if (!/^0[dD][0-9a-fA-F]{16}$/.test(text)) return null;
      return { kind: "f64", hi: Number.parseInt(text.slice(2, 10), 16), lo: Number.parseInt(text.slice(10), 16) };
    }
  }
  if (INTEGER.test(text)) return parseInteger(text);
  if (/^[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/.test(text)) return { kind: "real", value: Number(text) };
  return null;
}

function parseInteger(text: string): Literal | null {
  const last = text.charCodeAt(text.length - 1);
  // In hexadecimal digits there is no U, so it can only be the suffix.
  const digits = last === 85 || last === 117 ? text.slice(0, -1) : text;
  const octal = digits.length > 1 && digits.charCodeAt(0) === 48 && (classDigit(digits.charCodeAt(1)) || false);
  if (octal) {
    const value = BigInt(`0o${digits.slice(1)}`);
    return value > 0xffffffffffffffffn ? null : { kind: "int", value: narrow(value) };
  }
  if (digits.length <= 15) return { kind: "int", value: Number(digits) };
  // Longer than 64 bits is an error; a cap on the digits keeps BigInt's quadratic conversion away from garbage.
  if (digits.length > 80) return null;
  const value = BigInt(digits);
  return value > 0xffffffffffffffffn ? null : { kind: "int", value: narrow(value) };
}

function classDigit(c: number): boolean {
  return c >= 48 && c <= 55;
}

/** A number where it is exact, else the bigint. */
export function narrow(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

const f32 = new Float32Array(1);
const f32Bits = new Uint32Array(f32.buffer);
const f64 = new Float64Array(1);
const f64Bits = new Uint32Array(f64.buffer);

/** IEEE-754 single bits of a number, rounded to nearest. */
export function singleBits(value: number): number {
  f32[0] = value;
  return f32Bits[0] ?? 0;
}

/** IEEE-754 double bits as two unsigned halves. */
export function doubleBits(value: number): { readonly hi: number; readonly lo: number } {
  f64[0] = value;
  // Every platform this runs on is little-endian; the halves' order follows from it.
  return { lo: f64Bits[0] ?? 0, hi: f64Bits[1] ?? 0 };
}

/** The double with these bits. */
export function doubleValue(hi: number, lo: number): number {
  f64Bits[0] = lo;
  f64Bits[1] = hi;
  return f64[0] ?? 0;
}
