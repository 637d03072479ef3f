/** Registers as packed integers: class in the low three bits, index above; RZ, URZ, PT and UPT are constants. */

import type { Reg } from "./ids.ts";

export const REG_CLASSES = ["R", "RD", "P", "UR", "UP", "B"] as const;
/** R 32 bit, RD 64 bit, P predicate, UR uniform 32 bit, UP uniform predicate, B convergence barrier. */
export type RegClass = (typeof REG_CLASSES)[number];

const CLASS_CODE: Readonly<Record<RegClass, number>> = { R: 0, RD: 1, P: 2, UR: 3, UP: 4, B: 5 };

/** The largest index a register may have in text; the index above it marks the constant registers. */
export const MAX_REG_INDEX = 0xffffff;
const CONSTANT_INDEX = MAX_REG_INDEX + 1;

export function reg(cls: RegClass, index: number): Reg {
  return (index * 8 + CLASS_CODE[cls]) as Reg;
}

/** Reads as 0, writes are dropped. */
export const RZ: Reg = reg("R", CONSTANT_INDEX);
/** The 64-bit view of RZ, printed `RZ` as well: only legal where a 64-bit register is. */
export const RDZ: Reg = reg("RD", CONSTANT_INDEX);
export const URZ: Reg = reg("UR", CONSTANT_INDEX);
/** Reads as true, writes are dropped. */
export const PT: Reg = reg("P", CONSTANT_INDEX);
export const UPT: Reg = reg("UP", CONSTANT_INDEX);

export function regClass(r: Reg): RegClass {
  return REG_CLASSES[r & 7] ?? "R";
}

export function regIndex(r: Reg): number {
  return r >> 3;
}

/** True for RZ, URZ, PT, UPT: never defined, never live. */
export function isConstantReg(r: Reg): boolean {
  return r >> 3 === CONSTANT_INDEX;
}

export function isPredicateReg(r: Reg): boolean {
  const code = r & 7;
  return code === 2 || code === 4;
}

export function is64(r: Reg): boolean {
  return (r & 7) === 1;
}

export function isUniformReg(r: Reg): boolean {
  const code = r & 7;
  return code === 3 || code === 4;
}

/** The register's name as in text: `R4`, `RD2`, `P0`, `UR3`, `UP1`, `B0`, `RZ`, `URZ`, `PT`, `UPT`. */
export function regName(r: Reg): string {
  if (!isConstantReg(r)) return `${regClass(r)}${regIndex(r)}`;
  switch (regClass(r)) {
    case "P":
      return "PT";
    case "UP":
      return "UPT";
    case "UR":
      return "URZ";
    default:
      return "RZ";
  }
}

/** Parses a register's name; null when the text is not one (or its index is over the limit). */
export function parseReg(name: string): Reg | null {
  switch (name) {
    case "RZ":
      return RZ;
    case "URZ":
      return URZ;
    case "PT":
      return PT;
    case "UPT":
      return UPT;
  }
  const m = /^(RD|UR|UP|R|P|B)(0|[1-9][0-9]{0,7})$/.exec(name);
  if (!m) return null;
  const index = Number(m[2]);
  return index > MAX_REG_INDEX ? null : reg(m[1] as RegClass, index);
}
