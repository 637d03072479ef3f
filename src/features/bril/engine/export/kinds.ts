/** The Bril type of every register of a function: from the importer, and for registers created by phases from their definitions. */

import type { Reg } from "../../../../engine/ir/ids.ts";
import { is64, isConstantReg, isPredicateReg } from "../../../../engine/ir/reg.ts";
import type { Func, Inst, Operand } from "../../../../engine/ir/types.ts";
import { defsOf, getBlock } from "../../../../engine/ir/visit.ts";
import type { BrilType } from "../ast.ts";
import { isPointer } from "../ast.ts";
import type { BrilNames } from "../names.ts";
import { callShape } from "./calls.ts";

export type Kinds = (reg: Reg) => BrilType;

/** Longest chain of copies through made registers that is followed; a register beyond it is an integer. */
const ROUNDS = 20;

export function kindsOf(fn: Func, names: BrilNames): Kinds {
  const own = names.functions.get(fn.name);
  const known = new Map<Reg, BrilType>();
  for (const [reg, variable] of own?.variables ?? []) known.set(reg, variable.type);
  const open = new Map<Inst, Reg>();
  for (const id of fn.layout) {
    for (const inst of getBlock(fn, id).insts) {
      for (const reg of defsOf(inst)) if (!known.has(reg) && !isConstantReg(reg)) open.set(inst, reg);
    }
  }
  for (let round = 0; round < ROUNDS && open.size > 0; round++) {
    let changed = false;
    for (const [inst, reg] of open) {
      const type = definedType(inst, reg, known, names);
      if (type === null) continue;
      known.set(reg, type);
      open.delete(inst);
      changed = true;
    }
    if (!changed) break;
  }
  return (reg) => known.get(reg) ?? (isPredicateReg(reg) ? "bool" : is64(reg) ? "int" : "char");
}

/** Null while it is unknown. */
function definedType(inst: Inst, reg: Reg, known: ReadonlyMap<Reg, BrilType>, names: BrilNames): BrilType | null {
  if (isPredicateReg(reg)) return "bool";
  const ofOperand = (operand: Operand | undefined): BrilType | null => {
    if (operand?.kind === "phi") return ofOperand(operand.value);
    if (operand?.kind === "reg") return known.get(operand.reg) ?? null;
    return operand?.kind === "f64" ? "float" : null;
  };
  const pointer = (...operands: (Operand | undefined)[]): BrilType | null => {
    for (const operand of operands) {
      const type = ofOperand(operand);
      if (type !== null && isPointer(type)) return type;
    }
    return null;
  };
  switch (inst.op) {
    case "MOV":
      return ofOperand(inst.ops[1]);
    case "SEL":
      return ofOperand(inst.ops[1]) ?? ofOperand(inst.ops[2]);
    case "PHI":
      for (const operand of inst.ops.slice(1)) {
        const type = ofOperand(operand);
        if (type !== null) return type;
      }
      return null;
    case "IADD":
    case "IADD3":
    case "ISUB":
      return pointer(...inst.ops.slice(1)) ?? (inst.mods.includes("64") ? "int" : null);
    case "LEA":
      return pointer(inst.ops[2]) ?? "int";
    case "IMAD":
      return pointer(inst.ops[3]) ?? "int";
    case "LDG": {
      const [, memory] = inst.ops;
      const base = memory?.kind === "mem" && memory.base !== null ? (known.get(memory.base) ?? null) : null;
      return base !== null && isPointer(base) ? base.ptr : null;
    }
    case "DADD":
    case "DMUL":
    case "DDIV":
      return "float";
    case "CALL": {
      const shape = callShape(inst, names);
      const at = shape?.results.indexOf(reg) ?? -1;
      return at < 0 ? null : (shape?.type ?? null);
    }
    default:
      return null;
  }
}
