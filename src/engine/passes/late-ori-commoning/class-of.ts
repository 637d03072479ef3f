/** `sub_74ED70`: the class mask of an instruction of the model. */

import { isConstantReg, isUniformReg } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess, spaceOf } from "../../ir/visit.ts";
import { type ClassMask, classMask } from "../../structures/class-mask.ts";

/** Two-bit class of the address space; generic accesses share 3 with local ones. */
function spaceClass(inst: Inst): number {
  switch (spaceOf(inst)) {
    case "global":
      return 1;
    case "shared":
      return 2;
    case "local":
    case "generic":
      return 3;
    case "const":
    case null:
      return 0;
  }
}

export function classOf(inst: Inst): ClassMask {
  const effect = effectOf(inst);
  const accesses = effect === "load" || effect === "store" || effect === "atomic";
  const isVolatile = isVolatileAccess(inst);
  const dest = defsOf(inst)[0];
  const address = inst.ops.find((o) => o.kind === "mem" || o.kind === "cbank");
  return classMask({
    eligible: effect === "pure",
    spaceClass: accesses ? spaceClass(inst) : 0,
    memoryAccess: accesses,
    uniformDest: dest !== undefined && isUniformReg(dest),
    nonVolatile: accesses && !isVolatile,
    varyingAddress: accesses && address !== undefined && baseOf(address),
    specificAddressing: address?.kind === "mem" && address.index !== null,
    predicated: inst.guard !== null && !isConstantReg(inst.guard.reg),
    volatileAccess: isVolatile,
  });
}

const baseOf = (operand: Operand): boolean => (operand.kind === "mem" || operand.kind === "cbank") && operand.base !== null;
