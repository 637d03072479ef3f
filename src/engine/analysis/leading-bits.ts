/**
 * What is known of a value's upper bits: where it comes from bounds it, `SR_LANEID` to five bits, a byte in memory to eight. Measured on ptxas 13.0.88: arithmetic and
 * masks pass the knowledge on, PHIs, minima and what a branch has tested do not. A run of bits from the top is known, and how many of the lowest are 0, which only sums
 * make use of: `(x & 0xf0) + 15` has eight bits, and `(x & 0xf0) == 1` is not decided.
 */

import type { BlockId, Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import type { ReachingDefs } from "./reaching-defs.ts";

/** The lowest `free` bits (0 to 31) may be anything, the others are those of `low`. */
export interface LeadingBits {
  readonly free: number;
  /** The smallest such value, unsigned; its free bits are 0. */
  readonly low: number;
  /** So many of the lowest bits are 0; 32 of the value 0. */
  readonly zeros: number;
}

/** Definitions that are followed up from one value: what is longer is not known. */
const MOST_STEPS = 24;

const ALL = 0xffff_ffff;
const WORD = 0x1_0000_0000;
const WIDE: ReadonlySet<string> = new Set(["64", "HI", "WIDE"]);
const SIZES: Readonly<Record<string, number>> = { U8: 8, U16: 16 };

/** The largest value with these upper bits. */
export const lastOf = ({ free, low }: LeadingBits): number => low + 2 ** free - 1;

const highest = ({ free, low, zeros }: LeadingBits): number => low + 2 ** free - 2 ** Math.min(free, zeros);

/** Bits of a register as the instruction at a place reads it. `reach` describes `fn`. */
export function leadingBits(fn: Func, reach: ReachingDefs, block: BlockId, at: number, reg: Reg): LeadingBits | null {
  return new Reader(fn, reach).register(block, at, reg);
}

class Reader {
  private readonly fn: Func;
  private readonly reach: ReachingDefs;
  private steps = 0;

  constructor(fn: Func, reach: ReachingDefs) {
    this.fn = fn;
    this.reach = reach;
  }

  register(block: BlockId, at: number, reg: Reg): LeadingBits | null {
    if (this.steps++ >= MOST_STEPS) return null;
    const site = this.reach.soleDefAt(block, at, reg);
    return site?.inst == null ? null : this.result(site.inst, site.block, site.at);
  }

  private result(inst: Inst, block: BlockId, at: number): LeadingBits | null {
    const [, a, b, c] = inst.ops;
    const of = (operand: Operand | undefined): LeadingBits | null => this.operand(block, at, operand);
    if (inst.mods.some((mod) => WIDE.has(mod))) return null;
    switch (inst.op) {
      case "S2R":
        return a?.kind === "sreg" ? specialBits(a.name, this.fn) : null;
      case "MOV":
        return of(a);
      case "LDG":
      case "LDS":
      case "LDL":
      case "LDC":
      case "LD":
        return narrow(inst.mods.find((mod) => Object.hasOwn(SIZES, mod)));
      case "I2I":
        return narrow(inst.mods[0]) ?? (inst.mods[0]?.endsWith("32") === true ? narrow(inst.mods[1]) : null);
      case "LOP":
        return logic(inst.mods, of(a), b === undefined ? null : of(b));
      case "SEL":
        return either(of(a), of(b));
      case "IADD":
        return sum(of(a), of(b));
      case "ISUB":
        return b?.kind === "imm" ? sum(of(a), constant(-b.value)) : null;
      case "IMUL":
        return product(of(a), of(b));
      case "IMAD":
        return sum(product(of(a), of(b)), of(c));
      case "SHL":
        return b?.kind === "imm" && b.value >= 0 && b.value < 32 ? shifted(of(a), b.value) : null;
      case "SHR":
        return b?.kind === "imm" && b.value >= 0 && b.value < 32 ? shiftedDown(of(a), b.value, inst.mods.includes("U32")) : null;
      default:
        return null;
    }
  }

  private operand(block: BlockId, at: number, operand: Operand | undefined): LeadingBits | null {
    if (operand?.kind === "imm") return constant(operand.value);
    if (operand?.kind !== "reg" || operand.neg || operand.abs || operand.not) return null;
    return isConstantReg(operand.reg) ? constant(0) : this.register(block, at, operand.reg);
  }
}

/** A thread's place in a block of a required size, and the lane. */
function specialBits(name: string, { blockSize }: Func): LeadingBits | null {
  if (name === "SR_LANEID") return between(0, 31, 0);
  const axis = ["SR_TID.X", "SR_TID.Y", "SR_TID.Z"].indexOf(name);
  const size = axis < 0 ? undefined : blockSize?.[axis];
  return size === undefined ? null : between(0, size - 1, 0);
}

const constant = (value: number): LeadingBits => ({ free: 0, low: value >>> 0, zeros: trailingZeros(value) });

const trailingZeros = (value: number): number => (value | 0 ? 31 - Math.clz32(value & -value) : 32);

function narrow(size = ""): LeadingBits | null {
  const free = SIZES[size];
  return free === undefined ? null : { free, low: 0, zeros: 0 };
}

/** The upper bits that the ends of a range have in common; null when not even the first is one of them. */
function between(low: number, high: number, zeros: number): LeadingBits | null {
  return above(32 - Math.clz32(low ^ high), low, zeros);
}

function above(free: number, value: number, zeros: number): LeadingBits | null {
  return free >= 32 ? null : { free, low: ((value >>> free) << free) >>> 0, zeros };
}

function logic(mods: readonly string[], a: LeadingBits | null, b: LeadingBits | null): LeadingBits | null {
  if (mods.includes("NOT")) return a && above(a.free, ~a.low, 0);
  const [x, y] = [a?.zeros ?? 0, b?.zeros ?? 0];
  if (mods.includes("XOR")) return a && b && above(Math.max(a.free, b.free), a.low ^ b.low, Math.min(x, y));
  // A bit that one source decides alone is known, whatever the other one is.
  const and = mods.includes("AND");
  const decided = (bits: LeadingBits | null): number => (bits === null ? 0 : (and ? ~bits.low : bits.low) & ~freeMask(bits));
  const known = decided(a) | decided(b) | (a === null || b === null ? 0 : ~freeMask(a) & ~freeMask(b));
  const low = and ? (a?.low ?? ALL) & (b?.low ?? ALL) : (a?.low ?? 0) | (b?.low ?? 0);
  return above(32 - Math.clz32(~known), low, and ? Math.max(x, y) : Math.min(x, y));
}

const freeMask = ({ free }: LeadingBits): number => 2 ** free - 1;

function either(a: LeadingBits | null, b: LeadingBits | null): LeadingBits | null {
  return a && b && between(Math.min(a.low, b.low), Math.max(highest(a), highest(b)), Math.min(a.zeros, b.zeros));
}

/** Null when the sum may wrap around and may not. */
function sum(a: LeadingBits | null, b: LeadingBits | null): LeadingBits | null {
  if (a === null || b === null) return null;
  const [low, high] = [a.low + b.low, highest(a) + highest(b)];
  return Math.floor(low / WORD) === Math.floor(high / WORD) ? between(low >>> 0, high >>> 0, Math.min(a.zeros, b.zeros)) : null;
}

function product(a: LeadingBits | null, b: LeadingBits | null): LeadingBits | null {
  if (a === null || b === null || highest(a) * highest(b) >= WORD) return null;
  return between(a.low * b.low, highest(a) * highest(b), Math.min(32, a.zeros + b.zeros));
}

function shifted(a: LeadingBits | null, by: number): LeadingBits | null {
  return a && above(a.free + by, a.low << by, Math.min(32, a.zeros + by));
}

function shiftedDown(a: LeadingBits | null, by: number, unsigned: boolean): LeadingBits | null {
  if (a === null) return unsigned && by > 0 ? above(32 - by, 0, 0) : null;
  return above(Math.max(0, a.free - by), unsigned ? a.low >>> by : a.low >> by, Math.max(0, a.zeros - by));
}
