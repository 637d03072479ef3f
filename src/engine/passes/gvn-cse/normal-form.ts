/** Policy 'measured': the few arithmetic identities that the real compiler was seen to use when it compares expressions, and no others. */

import { type Numbers, operandText, type ReadNumber } from "../../analysis/expression-text.ts";
import type { Inst, Operand } from "../../ir/types.ts";

/**
 * x << 3 = x * 8; a * b + c as multiply-add or as two; (x + 1) + 2 = x + 3; a * c + b * c (two products and a sum) = (a + b) * c.
 * Never, as measured: sums of variables regrouped, x + x against x << 1, swapped or inverse compares.
 */
export class NormalForms {
  private readonly numbers: Numbers;
  /** What a number is, where that is known: a base plus a constant, or a product of two terms. */
  private readonly offsets = new Map<number, { readonly base: string; readonly offset: number }>();
  private readonly products = new Map<number, readonly [string, string]>();

  constructor(numbers: Numbers) {
    this.numbers = numbers;
  }

  /** The number of an unguarded 32-bit integer instruction by its normal form; null when it has none. */
  numberOf(inst: Inst, read: ReadNumber): number | null {
    if (inst.guard !== null || inst.mods.includes("64") || inst.mods.includes("WIDE") || inst.mods.includes("HI")) return null;
    const [, a, b, c] = inst.ops;
    if (a === undefined || b === undefined) return null;
    switch (inst.op) {
      case "SHL":
        return b.kind === "imm" && b.value >= 0 && b.value < 32 ? this.product(this.term(a, read), `i${(1 << b.value) | 0}`) : null;
      case "IMUL":
        return this.product(this.term(a, read), this.term(b, read));
      case "IMAD":
        return c === undefined ? null : this.sum(`#${this.product(this.term(a, read), this.term(b, read))}`, this.term(c, read));
      case "IADD":
        return this.sum(this.term(a, read), this.term(b, read));
      case "ISUB":
        return b.kind === "imm" ? this.sum(this.term(a, read), `i${-b.value | 0}`) : null;
      default:
        return null;
    }
  }

  private term(operand: Operand, read: ReadNumber): string {
    return operand.kind === "imm" ? `i${operand.value | 0}` : operandText(operand, read);
  }

  private product(a: string, b: string): number {
    const [x, y] = a <= b ? [a, b] : [b, a];
    const n = this.numbers.intern(`IMUL.:R(${x},${y})`);
    this.products.set(n, [x, y]);
    return n;
  }

  private sum(a: string, b: string): number {
    const [x, y] = constant(a) === null ? [a, b] : [b, a];
    const k = constant(y);
    if (k !== null && constant(x) === null) return this.offset(x, k);
    const factored = this.factor(x, y);
    if (factored !== null) return factored;
    const [first, second] = x <= y ? [x, y] : [y, x];
    return this.numbers.intern(`IADD.:R(${first},${second})`);
  }

  private offset(term: string, k: number): number {
    const number = numberIn(term);
    const known = number === null ? undefined : this.offsets.get(number);
    const base = known?.base ?? term;
    const total = ((known?.offset ?? 0) + k) | 0;
    const ofBase = numberIn(base);
    if (total === 0 && ofBase !== null) return ofBase;
    const n = this.numbers.intern(`IADD.:R(${base},i${total})`);
    this.offsets.set(n, { base, offset: total });
    return n;
  }

  /** a * c + b * c as (a + b) * c. */
  private factor(x: string, y: string): number | null {
    const [p, q] = [numberIn(x), numberIn(y)].map((n) => (n === null ? undefined : this.products.get(n)));
    if (p === undefined || q === undefined) return null;
    for (const [i, j] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      if (p[i] !== q[j]) continue;
      return this.product(`#${this.sum(p[1 - i] ?? "", q[1 - j] ?? "")}`, p[i]);
    }
    return null;
  }
}

function constant(term: string): number | null {
  return term.startsWith("i") ? Number(term.slice(1)) : null;
}

function numberIn(term: string): number | null {
  return term.startsWith("#") ? Number(term.slice(1)) : null;
}
