/** What every phase that commons computations requires of single instructions, and the copy that it leaves. */

import { withForm } from "../ir/copies.ts";
import type { Reg } from "../ir/ids.ts";
import { is64, isConstantReg, isPredicateReg } from "../ir/reg.ts";
import { isCounter } from "../ir/special-registers.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { effectOf } from "../ir/visit.ts";
import { readSpaces } from "./memory-states.ts";
import type { Variable } from "./merges.ts";

/** Reads a special register that changes by itself. */
export function readsClock(inst: Inst): boolean {
  return inst.op === "S2R" && inst.ops.some((o) => o.kind === "sreg" && isCounter(o.name));
}

/** Other lanes may be active after the instruction: what depends on the active lanes before and after it is not the same. */
export function endsLaneEpoch(inst: Inst): boolean {
  switch (effectOf(inst)) {
    case "sync":
    case "barrier":
    case "call":
    case "control":
      return true;
    default:
      return false;
  }
}

/**
 * The versions of the memory that a load reads, as a part of its expression; empty for other instructions. `measured`: a non-coherent load reads no version, as in the
 * real compiler, which commons it across stores, atomics and barriers.
 */
export function memoryState(inst: Inst, versions: { read(variable: Variable): number }, measured: boolean): string {
  const spaces = readSpaces(inst, measured);
  let text = "";
  for (let i = 0; i < spaces.length; i++) text += `~${versions.read(spaces[i] as Variable)}`;
  return text;
}

/** The register whose number an unguarded copy of a whole register has. */
export function copiedRegister(inst: Inst): Reg | null {
  if (inst.guard !== null || (inst.op !== "MOV" && inst.op !== "PMOV")) return null;
  const source = inst.ops[1];
  if (source?.kind !== "reg" || source.neg || source.abs || source.not || isConstantReg(source.reg)) return null;
  return source.reg;
}

/** `inst` as a copy into `dest`, under its own id and guard. */
export function moveOf(inst: Inst, dest: Reg, source: Reg): Inst {
  const operand = (reg: Reg): Operand => ({ kind: "reg", reg, neg: false, abs: false, not: false });
  return withForm(inst, isPredicateReg(dest) ? "PMOV" : "MOV", is64(dest) ? ["64"] : [], [operand(dest), operand(source)]);
}
