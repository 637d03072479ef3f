/** Where values that differ between the lanes of a warp come from: instruction by instruction, given what varies among its inputs. */

import type { Func, Inst, Operand } from "../ir/types.ts";

/** Special registers with one value in a warp. All others are taken to differ: thread and lane index, lane masks, the warp's number (not promised to be stable). */
const SAME_IN_WARP = new RegExp(
  `^SR_(${[
    "(NTID|N?CTAID)(\\.[XYZ])?",
    "CLUSTER.*|NCLUSTERID\\.[XYZ]|IS_EXPLICIT_CLUSTER|Cga.*",
    "SPL?|ENVREG\\d+|NWARPID|N?SMID|VIRTUALSMID|GRIDID",
    "CLOCK(LO|HI)?|GLOBALTIMER(LO|HI)|PM\\d",
    "SWIN.*|SMEM.*|LWIN.*|LMEM.*|REGALLOC|CTXADDR|BARRIERALLOC|AFFINITY",
  ].join("|")})$`,
);

export function specialRegisterVaries(name: string): boolean {
  return !SAME_IN_WARP.test(name);
}

/**
 * Whether the values an instruction computes may differ between the lanes that execute it. `inputVaries`: some register it reads (guard left out) varies.
 * Source: measured: thread and lane index, loads at such addresses, shuffles and atomics differ; parameters, block and
 * size registers, clocks, loads at uniform addresses and votes do not. Where the facts are silent (calls, opaque instructions) the answer is yes.
 * `apart`: not all live lanes of the warp are sure to be together, so that each group gets its own answer to which lanes are there.
 */
export function computesVarying(inst: Inst, inputVaries: boolean, apart: boolean): boolean {
  if (asksWhoIsThere(inst)) return apart;
  switch (inst.op) {
    case "SHFL":
    case "MATCH":
    case "ATOM":
    case "ATOMS":
    case "CALL":
    case "OPAQUE":
    case "BARRED":
    case "SYNCS":
    case "PHASECHK":
    // Local memory belongs to each lane, and a generic address may lead there.
    case "LDL":
    case "LD":
      return true;
    default:
      return inputVaries || inst.ops.some((operand) => operand.kind === "sreg" && specialRegisterVaries(operand.name));
  }
}

/** The result is the same for all lanes that run the instruction together, and depends on which ones they are. */
export function asksWhoIsThere(inst: Inst): boolean {
  return inst.op === "VOTE" || inst.op === "REDUX" || inst.op === "ACTIVEMASK";
}

/** Parameters of a kernel are the same for all threads; those of a function are whatever its callers pass. */
export function paramsVary(fn: Func): boolean {
  return fn.kind === "func";
}

/** True when all inputs of a PHI are one and the same constant or register. */
export function sameInputs(phi: Inst): boolean {
  let first: Operand | null = null;
  for (const operand of phi.ops) {
    if (operand.kind !== "phi") continue;
    const value = operand.value;
    if (first === null) first = value;
    else if (!sameValue(first, value)) return false;
  }
  return true;
}

function sameValue(a: Operand, b: Operand): boolean {
  if (a.kind === "reg" && b.kind === "reg") return a.reg === b.reg && a.neg === b.neg && a.abs === b.abs && a.not === b.not;
  return a.kind === "imm" && b.kind === "imm" && a.value === b.value;
}
