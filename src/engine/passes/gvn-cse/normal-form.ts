/** Policy 'measured': the arithmetic identities that the real compiler was seen to use when it compares expressions, and no others. */

import { compareSources, type Numbers, operandText, type ReadNumber } from "../../analysis/expression-text.ts";
import type { Inst, Operand } from "../../ir/types.ts";

/** A value plus a constant. */
interface Offset {
  readonly base: string;
  readonly offset: number;
}

/** A compare of two values, for which its predicate's number is used. */
interface Compare {
  readonly sense: string;
  readonly type: string;
  readonly a: string;
  readonly b: string;
}

/**
 * Equal: x << 3 and x * 8; a * b + c as multiply-add or as two; (x + 1) + 2 and x + 3; (x * 5) * 7 and x * 35; ((a + 5) + b) + 7 and (a + b) + 12; a + (b + 5) and
 * (a + b) + 5; x * 7 + x * 5 and x * 12; a * c + b * c (two products and a sum) and (a + b) * c; a - b and a + (-b); ~x and x ^ -1; a select of the lesser
 * and a minimum; what adds nothing (x + 0, x * 1, x & x, …).
 * Never, as measured: AND, OR, XOR and the high word of a product with two registers exchanged (with a parameter they are), sums of variables regrouped, one product
 * in a multiply-add, x + x and x << 1, two shifts, masks of masks, swapped or inverse compares of registers.
 */
export class NormalForms {
  private readonly numbers: Numbers;
  /** Numbers that the kernel's parameters have at the entry: words of a constant bank in the real machine, which come second. */
  private readonly parameters: ReadonlySet<number>;
  private readonly offsets = new Map<number, Offset>();
  private readonly products = new Map<number, readonly [string, string]>();
  /** Sums of two variables, in the order of the first instruction that made them. */
  private readonly sums = new Map<number, readonly [string, string]>();
  /** The terms of a + (b + 5). */
  private readonly inside = new Map<number, Offset & { readonly outer: string }>();
  private readonly negations = new Map<number, string>();
  private readonly compares = new Map<number, Compare>();

  constructor(numbers: Numbers, parameters: ReadonlySet<number>) {
    this.numbers = numbers;
    this.parameters = parameters;
  }

  /** The number of an unguarded 32-bit integer instruction by its normal form; null when it has none. */
  numberOf(inst: Inst, read: ReadNumber): number | null {
    if (inst.guard !== null || inst.mods.includes("64") || inst.mods.includes("WIDE")) return null;
    const [, a, b, c] = inst.ops;
    if (a === undefined) return null;
    const x = this.term(a, read);
    if (inst.op === "INEG") return this.negation(x);
    if (inst.op === "LOP" && inst.mods[0] === "NOT") return this.ordered("LOP.XOR", x, "i-1");
    if (b === undefined) return null;
    const y = this.term(b, read);
    switch (inst.op) {
      case "SHL":
        return b.kind === "imm" && b.value >= 0 && b.value < 32 ? this.product(x, `i${(1 << b.value) | 0}`) : null;
      case "SHR":
        return constant(y) === 0 ? numberIn(x) : null;
      case "IMUL":
        return inst.mods.includes("HI") ? this.ordered(`IMUL.${inst.mods.join(".")}`, x, y) : this.product(x, y);
      case "IMAD":
        // The high word of a product has no place in a sum of products.
        return c === undefined || inst.mods.includes("HI") ? null : this.sum(`#${this.product(x, y)}`, this.term(c, read), false);
      case "IADD":
        return this.sum(x, y, true);
      case "ISUB":
        return this.difference(x, y);
      case "LOP":
        return this.logic(inst, x, y);
      case "IMNMX":
        return x === y ? numberIn(x) : null;
      case "ISETP":
        return this.compare(inst, x, y);
      case "SEL":
        return c === undefined ? null : this.select(x, y, operandText(c, read));
      default:
        return null;
    }
  }

  private term(operand: Operand, read: ReadNumber): string {
    return operand.kind === "imm" ? `i${operand.value | 0}` : operandText(operand, read);
  }

  /** Whether a term is always second: a literal, a parameter, a word of a constant bank. */
  private second(term: string): boolean {
    const number = numberIn(term);
    return number === null ? !term.startsWith("-") && !term.startsWith("~") : this.parameters.has(number);
  }

  /** Two sources that are exchanged only to bring a literal or a parameter to the second place. */
  private ordered(name: string, x: string, y: string): number {
    const [first, then] = this.second(x) && !this.second(y) ? [y, x] : [x, y];
    return this.numbers.intern(`${name}!R(${first},${then})`);
  }

  private logic({ mods: [mode = ""] }: Inst, x: string, y: string): number | null {
    const [value, k] = constant(x) === null ? [x, constant(y)] : [y, constant(x)];
    const same = numberIn(value);
    const nothing = mode === "AND" ? k === -1 : (mode === "OR" || mode === "XOR") && k === 0;
    if (same !== null && (nothing || (x === y && (mode === "AND" || mode === "OR")))) return same;
    return mode === "AND" || mode === "OR" || mode === "XOR" ? this.ordered(`LOP.${mode}`, x, y) : null;
  }

  private negation(x: string): number {
    const known = numberIn(x);
    const inner = known === null ? undefined : this.negations.get(known);
    const back = inner === undefined ? null : numberIn(inner);
    if (back !== null) return back;
    const n = this.numbers.intern(`INEG!R(${x})`);
    this.negations.set(n, x);
    return n;
  }

  /** Constants are multiplied with one another unless one is a shift. */
  private product(a: string, b: string): number {
    const [x, y] = constant(a) === null ? [a, b] : [b, a];
    const k = constant(y);
    const base = numberIn(x);
    if (k === 1 && base !== null) return base;
    if (k === -1) return this.negation(x);
    const inner = base === null ? undefined : this.products.get(base);
    const by = inner === undefined ? null : constant(inner[1]);
    if (k !== null && by !== null && inner !== undefined && !isShift(k) && !isShift(by))
      return this.product(inner[0], `i${Math.imul(by, k)}`);
    const offset = base === null ? undefined : this.offsets.get(base);
    if (k !== null && offset !== undefined && !isShift(k)) {
      return this.sum(`#${this.product(offset.base, y)}`, `i${Math.imul(offset.offset, k)}`, false);
    }
    // A constant stays second; two variables are sorted.
    const [first, second] = k === null && x > y ? [y, x] : [x, y];
    const n = this.numbers.intern(`IMUL.:R(${first},${second})`);
    this.products.set(n, [first, second]);
    return n;
  }

  /** `factors`: by an addition of two products; a multiply-add is used unchanged. */
  private sum(a: string, b: string, factors: boolean): number {
    const [x, y] = constant(a) === null ? [a, b] : [b, a];
    const k = constant(y);
    if (k !== null && constant(x) === null) return this.offset(x, k);
    const factored = factors ? this.factor(x, y) : null;
    if (factored !== null) return factored;
    const [p, q] = [numberIn(x), numberIn(y)];
    if (p !== null && q !== null) {
      const grouped = this.offsetInside(x, q) ?? this.offsetInside(y, p);
      if (grouped !== null) return grouped;
    }
    const n = this.plainSum(x, y);
    if (!this.sums.has(n)) this.sums.set(n, [x, y]);
    const [of, outer] = p !== null && this.offsets.has(p) ? [p, y] : [q ?? -1, x];
    const known = this.offsets.get(of);
    if (known !== undefined) this.inside.set(n, { outer, ...known });
    return n;
  }

  private plainSum(x: string, y: string): number {
    const [first, second] = x <= y ? [x, y] : [y, x];
    return this.numbers.intern(`IADD.:R(${first},${second})`);
  }

  /** a + (b + 5): one addition of three, as (a + b) + 5 is. In that order only, of registers, and where the sum came first. */
  private offsetInside(outer: string, inner: number): number | null {
    const known = this.offsets.get(inner);
    if (known === undefined || this.second(outer) || this.second(known.base)) return null;
    const n = this.numbers.intern(`IADD3!R(${outer},${known.base},i${known.offset})`);
    if (!this.inside.has(n)) this.inside.set(n, { outer, ...known });
    return n;
  }

  private offset(term: string, k: number): number {
    const number = numberIn(term);
    const inside = number === null ? undefined : this.inside.get(number);
    if (inside !== undefined) return this.offset(`#${this.plainSum(inside.outer, inside.base)}`, (inside.offset + k) | 0);
    const known = number === null ? undefined : this.offsets.get(number);
    const base = known?.base ?? term;
    const total = ((known?.offset ?? 0) + k) | 0;
    const ofBase = numberIn(base);
    if (total === 0 && ofBase !== null) return ofBase;
    const sum = ofBase === null ? undefined : this.sums.get(ofBase);
    const three = sum === undefined || sum.some((t) => this.second(t)) ? null : `IADD3!R(${sum[0]},${sum[1]},i${total})`;
    const plain = `IADD.:R(${base},i${total})`;
    const n = this.numbers.intern(plain);
    if (three !== null) this.numbers.alias(three, n);
    this.offsets.set(n, { base, offset: total });
    return n;
  }

  private difference(x: string, y: string): number | null {
    const k = constant(y);
    if (k !== null) return this.sum(x, `i${-k | 0}`, true);
    if (constant(x) === 0) return this.negation(y);
    return constant(x) === null && numberIn(y) !== null && x !== y ? this.plainSum(x, `#${this.negation(y)}`) : null;
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
      const [k, l] = [constant(p[1 - i] ?? ""), constant(q[1 - j] ?? "")];
      const both = k !== null && l !== null ? `i${(k + l) | 0}` : `#${this.sum(p[1 - i] ?? "", q[1 - j] ?? "", true)}`;
      return this.product(both, p[i]);
    }
    return null;
  }

  /** A parameter or a literal comes second; two registers keep their order. */
  private compare(inst: Inst, x: string, y: string): number | null {
    if (inst.ops.length !== 3) return null;
    const at = inst.mods.findIndex((mod) => Object.hasOwn(FLIPPED, mod));
    const sense = inst.mods[at];
    if (sense === undefined) return null;
    const flip = this.second(x) && !this.second(y);
    const [a, b] = flip ? [y, x] : [x, y];
    const shown = flip ? FLIPPED[sense as keyof typeof FLIPPED] : sense;
    const type = inst.mods.toSpliced(at, 1).join(".");
    const n = this.numbers.intern(`ISETP.${shown}.${type}!P(${a},${b})`);
    this.compares.set(n, { sense: shown, type, a, b });
    return n;
  }

  /** `x < y ? x : y` is a minimum. */
  private select(x: string, y: string, predicate: string): number | null {
    const number = numberIn(predicate);
    const compare = number === null ? undefined : this.compares.get(number);
    if (compare === undefined || (compare.type !== "" && compare.type !== "U32")) return null;
    const { sense, a, b } = compare;
    const straight = a === x && b === y;
    if ((!straight && !(a === y && b === x)) || numberIn(x) === null || numberIn(y) === null) return null;
    const less = sense === "LT" || sense === "LE";
    if (!less && sense !== "GT" && sense !== "GE") return null;
    // The text of a minimum, as its own instruction has it: PT for the lesser, its complement for the greater.
    const sources = [x, y].sort(compareSources);
    return this.numbers.intern(`IMNMX.${compare.type}:R(${sources.join(",")},${less === straight ? "P" : "-P"})`);
  }
}

const FLIPPED = { EQ: "EQ", NE: "NE", LT: "GT", LE: "GE", GT: "LT", GE: "LE" } as const;

/** Multiplication by it is a shift. */
const isShift = (k: number): boolean => k !== 0 && ((k >>> 0) & ((k >>> 0) - 1)) === 0;

function constant(term: string): number | null {
  return term.startsWith("i") ? Number(term.slice(1)) : null;
}

function numberIn(term: string): number | null {
  return term.startsWith("#") ? Number(term.slice(1)) : null;
}
