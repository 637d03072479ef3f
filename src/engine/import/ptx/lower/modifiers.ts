/** What an opcode's spelling means for a row: types, flags, and the modifiers they become. */

import type { OpSpelling } from "../spelling.ts";
import { B32, type PtxType } from "../types.ts";
import type { Lowering, ResultState } from "./context.ts";

const NO_MODS: readonly string[] = [];

/** A type that a row was promised; what is missing fails the row. */
export function typeAt(c: Lowering, op: OpSpelling, index: number): PtxType {
  const type = op.types[index];
  // Formats without their own width (tf32, e4m3) cannot be computed by a row.
  if (type !== undefined && type.bits > 0) return type;
  c.fail();
  return B32;
}

export function has(op: OpSpelling, mod: string): boolean {
  return op.mods.includes(mod);
}

/** Rounding modifier as Ori writes it; nearest even is not written. */
export function rounding(op: OpSpelling): readonly string[] {
  if (has(op, "rz")) return ["RZ"];
  if (has(op, "rm")) return ["RM"];
  return has(op, "rp") ? ["RP"] : NO_MODS;
}

/** `.ftz` and `.sat`, in Ori's order. */
export function floatMods(op: OpSpelling): string[] {
  const mods = [...rounding(op)];
  if (has(op, "ftz")) mods.push("FTZ");
  if (has(op, "sat")) mods.push("SAT");
  return mods;
}

/** State of a result whose sources were extended by their type: what 32-bit arithmetic that can't leave the type's range gives. */
export function extendedState(type: PtxType): ResultState {
  return type.kind === "s" ? "extended" : "clean";
}

/** `U32` for unsigned, nothing for signed (Ori's default), `64` for wide. */
export function intMods(type: PtxType): string[] {
  const mods = type.kind === "s" ? [] : ["U32"];
  if (type.bits === 64) mods.push("64");
  return mods;
}

export function wideMods(type: PtxType): readonly string[] {
  return type.bits === 64 ? WIDE : NO_MODS;
}

const WIDE: readonly string[] = ["64"];
