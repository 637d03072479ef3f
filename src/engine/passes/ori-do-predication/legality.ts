/** Which instructions a guard can carry, and how long an arm may be. */

import type { Arms } from "../../analysis/arms.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator } from "../../ir/visit.ts";
import type { KnobReader } from "../../pipeline/knob-store.ts";
import { printInst } from "../../text/printer.ts";
import { LINE } from "./pseudocode.ts";

export interface Refusal {
  readonly condition: string;
  readonly line: number;
  readonly why: string;
  readonly inst: Inst | null;
}

/** Opcodes that the real compiler expands to a call or a loop. */
const DIVISIONS: ReadonlySet<string> = new Set(["IDIV", "IREM", "FDIV", "FSQRT", "FRCP", "DDIV", "DSQRT", "DRCP"]);

/** The first instruction of an arm that a guard cannot carry. */
export function illegal(edit: Editor, arm: BlockId | null, condition: Reg, divergent: boolean): Refusal | null {
  if (arm === null) return null;
  for (const inst of edit.block(arm).insts) {
    if (isTerminator(inst)) continue;
    const found = instRefusal(inst, condition, divergent);
    if (found !== null) return { ...found, why: `'${printInst(edit.func, inst)}' in ${edit.block(arm).label} ${found.why}`, inst };
  }
  return null;
}

function instRefusal(
  inst: Inst,
  condition: Reg,
  divergent: boolean,
): { readonly condition: string; readonly line: number; readonly why: string } | null {
  const never = (name: string, why: string) => ({ condition: name, line: LINE.never, why });
  if (inst.guard !== null) return never("guarded", "is guarded already");
  if (defsOf(inst).includes(condition)) return { condition: "writes-condition", line: LINE.writesCondition, why: "writes the condition" };
  if (DIVISIONS.has(inst.op)) return never("division", "is a division");
  switch (effectOf(inst)) {
    case "atomic":
      return never("atomic", "is an atomic");
    case "barrier":
      return never("barrier", "is a barrier or a fence");
    case "call":
      return never("call", "calls");
    case "volatile":
      return never("volatile", "reads state that changes by itself");
    case "sync":
      if (inst.op !== "WARPSYNC") return never("convergence", "opens or closes a convergence region");
      break;
    case "warp":
      if (inst.op === "SHFL" || inst.op === "REDUX") return never("shuffle", "exchanges values between lanes");
      break;
    case "pure":
    case "load":
    case "store":
    case "control":
      break;
  }
  const effect = effectOf(inst);
  if (divergent && (effect === "warp" || effect === "sync")) {
    return {
      condition: "uniform-only",
      line: LINE.onlyUniform,
      why: "depends on the lanes that are along, and the condition may differ within a warp",
    };
  }
  const uniform = divergent ? defsOf(inst).find(isUniformReg) : undefined;
  if (uniform !== undefined) {
    return {
      condition: "uniform-only",
      line: LINE.onlyUniform,
      why: `writes the uniform ${regName(uniform)}, and the condition may differ within a warp`,
    };
  }
  return null;
}

/** An arm's length and whether it holds a load that lifts its limit. */
export interface ArmSize {
  readonly length: number;
  readonly load: boolean;
}

export function armSize(edit: Editor, arm: BlockId | null): ArmSize {
  const insts = arm === null ? [] : edit.block(arm).insts;
  return { length: insts.length, load: insts.some((inst) => inst.op === "LDG" || inst.op === "LDL" || inst.op === "LD") };
}

export interface Verdict {
  readonly taken: boolean;
  readonly otherwise: boolean;
  readonly limits: readonly [taken: number, otherwise: number];
  readonly rule: "plain" | "loads" | "coupled";
}

/** The length rules of the measured compiler; `Arms` with a missing arm are judged by the other one alone. */
export function fits(knobs: KnobReader, arms: Arms, taken: ArmSize, otherwise: ArmSize, divergent: boolean): Verdict {
  const plain = knobs.int(divergent ? "predication-arm-divergent" : "predication-arm-uniform", LINE.limit);
  const withLoad = knobs.int("predication-arm-load", LINE.limit);
  const limitOf = (size: ArmSize): number => (size.load ? withLoad : plain);
  if (arms.shape === "diamond" && taken.load !== otherwise.load) {
    const free = knobs.int("predication-coupled-free", LINE.coupled);
    const most = knobs.int("predication-coupled-max", LINE.coupled);
    const total = knobs.int("predication-coupled-total", LINE.coupled);
    const [loads, other] = taken.load ? [taken, otherwise] : [otherwise, taken];
    const ok = loads.length <= withLoad && (other.length <= free || (other.length <= most && loads.length + other.length <= total));
    return { taken: ok, otherwise: ok, limits: taken.load ? [withLoad, free] : [free, withLoad], rule: "coupled" };
  }
  const limits = [limitOf(taken), limitOf(otherwise)] as const;
  return {
    taken: taken.length <= limits[0],
    otherwise: otherwise.length <= limits[1],
    limits,
    rule: taken.load || otherwise.load ? "loads" : "plain",
  };
}
