/** What bounds decide: compares of a value whose upper bits are known with a constant, and special registers that have one value. */

import { type LeadingBits, lastOf } from "../../../analysis/leading-bits.ts";
import type { Target, TargetId } from "../../../config/targets.ts";
import type { Reg } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import { WARP_SLOTS } from "../../../ir/special-registers.ts";
import type { Func, Inst } from "../../../ir/types.ts";

const FLIP = { EQ: "EQ", NE: "NE", LT: "GT", LE: "GE", GT: "LT", GE: "LE" } as const;
type Comparison = keyof typeof FLIP;

/**
 * Whether a compare with a constant is decided; null when it is not. The real compiler goes by the constant alone: it must be outside of what the known bits allow,
 * so that `laneid > 31` and `laneid >= 0` stay.
 */
export function boundedCompare(inst: Inst, bitsOf: (reg: Reg) => LeadingBits | null): boolean | null {
  if (inst.ops.length !== 3 || inst.mods.includes("64")) return null;
  const [, a, b] = inst.ops;
  const [value, literal] = a?.kind === "imm" ? [b, a] : [a, b];
  if (value?.kind !== "reg" || literal?.kind !== "imm" || isConstantReg(value.reg) || value.neg || value.abs || value.not) return null;
  const cmp = inst.mods.find((mod) => Object.hasOwn(FLIP, mod)) as Comparison | undefined;
  const bits = cmp === undefined ? null : bitsOf(value.reg);
  if (cmp === undefined || bits === null) return null;
  return decide(literal === a ? FLIP[cmp] : cmp, bits, literal.value, inst.mods.includes("U32"));
}

/** At least the top bit is known, so that what is between the ends is so with a sign, too. */
function decide(cmp: Comparison, bits: LeadingBits, literal: number, unsigned: boolean): boolean | null {
  const read = (word: number): number => (unsigned ? word >>> 0 : word | 0);
  const [low, high, c] = [read(bits.low), read(lastOf(bits)), read(literal)];
  if (c >= low && c <= high) return null;
  switch (cmp) {
    case "EQ":
      return false;
    case "NE":
      return true;
    case "LT":
    case "LE":
      return high < c;
    case "GT":
    case "GE":
      return low > c;
  }
}

/** The number of warps of a target's multiprocessor, where the assembler writes it: from sm_90 on the program reads a register. */
const SLOTS: Readonly<Partial<Record<TargetId, number>>> = { sm_75: 32, sm_80: 64, sm_89: 48 };

/** The value that a special register has in every run: for a target, or (`null`) for the interpreter, which knows none. */
export function soleValue(name: string, { blockSize }: Func, target: Target | null): number | null {
  if (name === "SR_NWARPID") return target === null ? WARP_SLOTS : (SLOTS[target.id] ?? null);
  const axis = ["SR_TID.X", "SR_TID.Y", "SR_TID.Z"].indexOf(name);
  return axis >= 0 && blockSize?.[axis] === 1 ? 0 : null;
}
