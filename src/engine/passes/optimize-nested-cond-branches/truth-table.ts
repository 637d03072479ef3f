/** Composition of two conditions into one 8-bit truth table (inputs a = 0xF0, b = 0xCC, c = 0xAA). */

import type { Inst } from "../../ir/types.ts";
import type { Literal } from "./pair.ts";

export interface Composition {
  readonly outer: number;
  readonly inner: number;
  readonly combined: number;
  /** The operator in the source; mixed: one of the two conditions is negated. */
  readonly form: "AND" | "OR" | "NAND" | "NOR" | "mixed";
  /** The combined predicate's complement leads to the common target. */
  readonly negated: boolean;
}

const A = 0xf0;
const B = 0xcc;

/**
 * The edge to the common target is taken when either condition is true. The branch expresses the body that follows: `if (a && b)` where both leave when negated
 * (0xC0), `if (!(a && b))` where their target is what follows (0x3F); without negation `if (a || b)` (0xFC) and `if (!(a || b))` (0x03). One negation alone is folded
 * into the table. Source: branch-and-switch, LOP3 Truth Table Composition.
 */
export function compose(outerExit: Literal, innerExit: Literal, commonFollows: boolean): Composition {
  const outer = outerExit.neg ? ~A & 0xff : A;
  const inner = innerExit.neg ? ~B & 0xff : B;
  if (outerExit.neg !== innerExit.neg) return { outer, inner, combined: outer | inner, form: "mixed", negated: false };
  if (commonFollows) return { outer, inner, combined: outer | inner, form: outerExit.neg ? "NAND" : "OR", negated: false };
  // The complements of both, where the body follows: what leaves is the complement of the result.
  const [a, b] = [~outer & 0xff, ~inner & 0xff];
  return { outer: a, inner: b, combined: a & b, form: outerExit.neg ? "AND" : "NOR", negated: true };
}

/** The rows of a table for the inspector: a, b, c and the result, from 111 to 000. */
export function rows(table: number): { readonly a: number; readonly b: number; readonly c: number; readonly result: number }[] {
  return Array.from({ length: 8 }, (_, i) => {
    const bits = 7 - i;
    return { a: (bits >> 2) & 1, b: (bits >> 1) & 1, c: bits & 1, result: (table >> bits) & 1 };
  });
}

/** A row of the reference's table of compare types: the type's number, its index into the sub-tables, what it means. */
export interface CompareType {
  readonly type: number;
  readonly index: number;
  readonly means: string;
}

/** The types that the reference gives an index for; 3, 8, 10, 11, 17 and 18 of the 22 have none. Source: branch-and-switch, LOP3 Truth Table Composition. */
export const COMPARE_TYPES: readonly CompareType[] = [
  { type: 1, index: 0x10, means: "GT" },
  { type: 2, index: 0x0c, means: "LT" },
  { type: 4, index: 0x01, means: "EQ" },
  { type: 5, index: 0x03, means: "LE" },
  { type: 6, index: 0x0b, means: "GE" },
  { type: 7, index: 0x02, means: "NE" },
  { type: 9, index: 0x02, means: "NE" },
  { type: 12, index: 0x04, means: "XOR" },
  { type: 13, index: 0x00, means: "FALSE" },
  { type: 14, index: 0x08, means: "AND" },
  { type: 15, index: 0x11, means: "XNOR" },
  { type: 16, index: 0x07, means: "NAND" },
  { type: 0x13, index: 0x0f, means: "TRUE" },
  { type: 0x14, index: 0x06, means: "ordered" },
  { type: 0x15, index: 0x05, means: "unordered" },
  { type: 0x16, index: 0x05, means: "unordered" },
];

/** Tables over two predicates that a PLOP3 may contain, as the reference's logical types. */
const LOGICAL: ReadonlyMap<number, string> = new Map([
  [A ^ B, "XOR"],
  [0, "FALSE"],
  [A & B, "AND"],
  [~(A ^ B) & 0xff, "XNOR"],
  [~(A & B) & 0xff, "NAND"],
  [0xff, "TRUE"],
]);

/** The type of the instruction that sets a predicate; null where the reference's table has none for it. */
export function compareType(inst: Inst | undefined): CompareType | null {
  const means = inst === undefined ? null : meaningOf(inst);
  return COMPARE_TYPES.find((each) => each.means === means) ?? null;
}

function meaningOf({ op, mods, ops }: Inst): string | null {
  switch (op) {
    case "ISETP":
    case "FSETP":
    case "DSETP": {
      const [compare = null] = mods;
      if (compare === "NUM") return "ordered";
      return compare === "NAN" ? "unordered" : compare;
    }
    case "PLOP3": {
      const table = ops.at(-1);
      return table?.kind === "imm" ? (LOGICAL.get(Number(table.value) & 0xff) ?? null) : null;
    }
    default:
      return null;
  }
}
