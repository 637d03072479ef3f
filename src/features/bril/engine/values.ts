/** Literals and types of Bril, shared by its text and its JSON. */

import type { BrilType, BrilValue } from "./ast.ts";

/** Pointers to pointers are followed this far. */
export const MAX_POINTERS = 16;

/** Arguments of an instruction and parameters of a function: each becomes a register, and each kind of line that is printed a function. */
export const MOST_ARGS = 1000;

/** The largest code point. */
export const LAST_CHAR = 0x10_ffff;

export const INT_MIN = -(1n << 63n);
export const INT_MAX = (1n << 63n) - 1n;

/** A digit string longer than this is never a 64-bit integer. */
const MOST_DIGITS = 400;

export function namedType(name: string): BrilType | null {
  return name === "int" || name === "bool" || name === "float" || name === "char" ? name : null;
}

/** A number as written: an integer keeps all of its digits. */
export function numberValue(text: string): BrilValue {
  if (/^[+-]?\d+$/.test(text) && text.length <= MOST_DIGITS) return { kind: "int", value: BigInt(text.replace(/^\+/, "")) };
  return { kind: "float", value: Number(text) };
}

const ESCAPES: Readonly<Record<string, number>> = { "0": 0, a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The text between the quotes of a character; null when it is not one code point. */
export function charValue(text: string): BrilValue | null {
  const escaped = text.length === 2 && text.startsWith("\\") ? ESCAPES[text[1] ?? ""] : undefined;
  if (escaped !== undefined) return { kind: "char", code: escaped };
  const code = text.codePointAt(0);
  return code !== undefined && text.length === String.fromCodePoint(code).length ? { kind: "char", code } : null;
}

/** How a character is written; null for one that has no spelling there. */
export function charText(code: number): string | null {
  for (const [letter, value] of Object.entries(ESCAPES)) if (value === code) return `'\\${letter}'`;
  const char = String.fromCodePoint(code);
  return code < 0x20 || char === "'" || (code >= 0xd800 && code < 0xe000) ? null : `'${char}'`;
}

/** The value as one of `type` (null: its own), or what is wrong with it. Integers are reduced to 64 bits as arithmetic does. */
export function fitValue(value: BrilValue, type: BrilType | null): BrilValue | string {
  if (type !== null && typeof type !== "string") return "a pointer has no constants";
  switch (value.kind) {
    case "int":
      if (type === "float") return { kind: "float", value: Number(value.value) };
      if (type !== null && type !== "int") return `${value.value} is not ${anOf(type)}`;
      if (value.value < INT_MIN || value.value > INT_MAX) return `${short(String(value.value))} does not fit 64 bits`;
      return value;
    case "float":
      return type === null || type === "float" ? value : `${value.value} is not ${anOf(type)}`;
    case "bool":
      return type === null || type === "bool" ? value : `${value.value} is not ${anOf(type)}`;
    case "char":
      return type === null || type === "char" ? value : `a character is not ${anOf(type)}`;
  }
}

const anOf = (type: string): string => `${type === "int" ? "an" : "a"} ${type}`;
const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
