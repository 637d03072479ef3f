/** Whether the index of a jump is known to stay below a bound, from what the same block and the ones that lead into it did. */

import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Block, Func, Inst } from "../../ir/types.ts";
import { branchTarget, defsOf, getBlock, terminatorsOf } from "../../ir/visit.ts";

/** Blocks walked back along single predecessors. */
const MOST_BLOCKS = 8;

/**
 * An unsigned exclusive bound of a register's value before instruction `at` of a block, or null. Knows a minimum with a constant, a mask, a shift to the
 * right, and the failed side of `ISETP.GE.U32` (or `.GT`) on the edge into it.
 */
export function upperBound(fn: Func, start: BlockId, at: number, r: Reg): number | null {
  let id = start;
  let end = at;
  for (let n = 0; n < MOST_BLOCKS; n++) {
    const block = getBlock(fn, id);
    for (let i = end - 1; i >= 0; i--) {
      const inst = block.insts[i] as Inst;
      if (defsOf(inst).includes(r)) return boundOfDefinition(inst);
    }
    const [p, ...more] = block.preds;
    if (p === undefined || more.length > 0 || p === id || id === fn.layout[0]) return null;
    const bound = boundOfEdge(getBlock(fn, p), id, r);
    if (bound !== null) return bound;
    id = p;
    end = getBlock(fn, p).insts.length;
  }
  return null;
}

/** Constant of operand `i`, as unsigned. */
function constant(inst: Inst, i: number): number | null {
  const operand = inst.ops[i];
  return operand?.kind === "imm" ? operand.value >>> 0 : null;
}

function boundOfDefinition(inst: Inst): number | null {
  if (inst.guard !== null || inst.mods.includes("64")) return null;
  switch (inst.op) {
    case "MOV": {
      const value = constant(inst, 1);
      return value === null ? null : value + 1;
    }
    case "IMNMX": {
      const least = inst.ops[3];
      if (!inst.mods.includes("U32") || least?.kind !== "reg" || !isConstantReg(least.reg) || least.neg) return null;
      const value = constant(inst, 2) ?? constant(inst, 1);
      return value === null ? null : value + 1;
    }
    case "LOP": {
      const value = constant(inst, 2) ?? constant(inst, 1);
      return value === null || !inst.mods.includes("AND") ? null : value + 1;
    }
    case "SHR": {
      const by = constant(inst, 2);
      return by === null || !inst.mods.includes("U32") ? null : by >= 32 ? 1 : 2 ** (32 - by);
    }
    default:
      return null;
  }
}

/** The bound that the branch at the end of `from` gives on the edge to `to`. */
function boundOfEdge(from: Block, to: BlockId, r: Reg): number | null {
  const { at: end, insts } = terminatorsOf(from);
  const [branch] = insts;
  if (branch === undefined || branch.guard === null || branch.op !== "BRA" || branch.ops.length === 2) return null;
  const taken = branchTarget(branch);
  if (from.succs.length < 2) return null;
  // The predicate's value on this edge.
  const holds = (taken === to) !== branch.guard.neg;
  for (let i = end - 1; i >= 0; i--) {
    const inst = from.insts[i] as Inst;
    const defs = defsOf(inst);
    if (defs.includes(r)) return null;
    if (!defs.includes(branch.guard.reg)) continue;
    const first = inst.ops[1];
    const value = constant(inst, 2);
    if (inst.op !== "ISETP" || inst.guard !== null || !inst.mods.includes("U32") || inst.mods.includes("64") || inst.ops.length > 3)
      return null;
    if (first?.kind !== "reg" || first.reg !== r || first.neg || first.abs || first.not || value === null) return null;
    if (!holds && inst.mods.includes("GE")) return value;
    if (!holds && inst.mods.includes("GT")) return value + 1;
    if (holds && inst.mods.includes("LT")) return value;
    if (holds && inst.mods.includes("LE")) return value + 1;
    return null;
  }
  return null;
}
