/** Composition of two conditions into one 8-bit truth table (inputs a = 0xF0, b = 0xCC, c = 0xAA). */

import type { Inst } from "../../ir/types.ts";
import type { Literal } from "./pair.ts";

export interface Composition {
  readonly outer: number;
  readonly inner: number;
  readonly combined: number;
  /** AND, OR, or mixed: one of the two conditions is negated. */
  readonly form: "AND" | "OR" | "mixed";
  /** The combined predicate's complement leads to the common target. */
  readonly negated: boolean;
}

const A = 0xf0;
const B = 0xcc;

/**
 * The way to the common target is taken when either condition holds. With both negated this is the complement of an AND, which is written as one
 * (0xC0); with none negated an OR (0xFC); otherwise the negation is folded into the table.
 */
export function compose(outerExit: Literal, innerExit: Literal): Composition {
  if (outerExit.neg && innerExit.neg) return { outer: A, inner: B, combined: A & B, form: "AND", negated: true };
  const outer = outerExit.neg ? ~A & 0xff : A;
  const inner = innerExit.neg ? ~B & 0xff : B;
  return { outer, inner, combined: outer | inner, form: outerExit.neg || innerExit.neg ? "mixed" : "OR", negated: false };
}

/** The rows of a table for the inspector: a, b, c and the result, from 111 to 000. */
export function rows(table: number): { readonly a: number; readonly b: number; readonly c: number; readonly result: number }[] {
  return Array.from({ length: 8 }, (_, i) => {
    const bits = 7 - i;
    return { a: (bits >> 2) & 1, b: (bits >> 1) & 1, c: bits & 1, result: (table >> bits) & 1 };
  });
}

/** Table index that the notes give for a compare's type (branch and switch, "LOP3 Truth Table Composition"); null for any other instruction. */
export function compareIndex(inst: Inst | undefined): number | null {
  if (inst === undefined || (inst.op !== "ISETP" && inst.op !== "FSETP" && inst.op !== "DSETP")) return null;
  switch (inst.mods[0]) {
    case "GT":
      return 0x10;
    case "LT":
      return 0x0c;
    case "EQ":
      return 0x01;
    case "LE":
      return 0x03;
    case "GE":
      return 0x0b;
    case "NE":
      return 0x02;
    default:
      return null;
  }
}
