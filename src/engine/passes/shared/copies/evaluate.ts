/**
 * Evaluation of one instruction whose inputs are all constants. It compiles the instruction by the interpreter's own tables and runs one lane, so
 * that folding and running cannot disagree.
 */

import { Builder, Unsupported } from "../../../interp/builder.ts";
import { LANES, Machine } from "../../../interp/machine.ts";
import { NO_MARKS } from "../../../interp/marks.ts";
import { GlobalMemory, region } from "../../../interp/memory.ts";
import { CONVERT_OPS } from "../../../interp/ops-convert.ts";
import { FLOAT_OPS } from "../../../interp/ops-float.ts";
import { INTEGER_OPS } from "../../../interp/ops-integer.ts";
import { PREDICATE_OPS } from "../../../interp/ops-predicate.ts";
import { type Opcode, opcodeInfo } from "../../../ir/opcodes.ts";
import { is64, isConstantReg, isPredicateReg } from "../../../ir/reg.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import type { Constant } from "./constant.ts";

const BUILDERS = { ...INTEGER_OPS, ...PREDICATE_OPS, ...FLOAT_OPS, ...CONVERT_OPS } as const;

type Foldable = keyof typeof BUILDERS;

/** Not evaluated: MUFU is an approximation whose bits differ between machines, R2P writes several registers. */
const LEFT_OUT: ReadonlySet<Opcode> = new Set<Opcode>(["MUFU", "R2P"]);

/** Opcodes that are evaluated when all their inputs are constants. */
export const FOLDABLE_OPCODES: readonly Opcode[] = (Object.keys(BUILDERS) as Foldable[]).filter((op) => isFoldable(op));

export function isFoldable(op: Opcode): op is Foldable {
  return Object.hasOwn(BUILDERS, op) && !LEFT_OUT.has(op);
}

/** True for the opcodes that `limit-fold-fp` keeps from being evaluated. */
export function isFloatOp(op: Opcode): boolean {
  return opcodeInfo(op).family === "float" || op === "FSETP" || op === "DSETP" || op === "HSETP2";
}

/** True when every source is a literal, RZ or PT. The guard does not count. */
export function hasConstantInputs(inst: Inst): boolean {
  for (let i = 1; i < inst.ops.length; i++) if (!isLiteral(inst.ops[i])) return false;
  return inst.ops.length > 1;
}

function isLiteral(operand: Operand | undefined): boolean {
  switch (operand?.kind) {
    case "imm":
    case "imm64":
    case "f32":
    case "f64":
      return true;
    case "reg":
      return isConstantReg(operand.reg);
    case "vec":
      return operand.regs.every(isConstantReg);
    default:
      return false;
  }
}

let machine: Machine | null = null;

function idleMachine(): Machine {
  machine ??= new Machine({
    threads: 1,
    global: new GlobalMemory([]),
    readsLaunched: false,
    readsStored: false,
    makeShared: () => region(0),
    localBytes: 0,
    constants: new Map(),
    specials: { blockDim: [1, 1, 1], gridDim: [1, 1, 1], blockIdx: [0, 0, 0], given: new Map() },
  });
  return machine;
}

/** The value that the instruction writes (assuming that its guard holds); null if it is not foldable or an input is not constant. */
export function evaluate(inst: Inst): Constant | null {
  const { op } = inst;
  const dest = inst.ops[0];
  if (!isFoldable(op) || dest?.kind !== "reg" || isConstantReg(dest.reg) || !hasConstantInputs(inst)) return null;
  const builder = new Builder(new Map(), () => null);
  try {
    const run = BUILDERS[op](builder, inst);
    const [row, pred] = isPredicateReg(dest.reg) ? [0, builder.predIndex(dest.reg)] : [builder.row(dest.reg), 0];
    const frame = { r: new Uint32Array(builder.rowWords), p: new Int32Array(builder.predCount), marks: NO_MARKS };
    frame.p[0] = -1;
    for (const { row: at, value } of builder.splats) frame.r[at] = value;
    const idle = idleMachine();
    run(frame, 1, idle);
    if (idle.fault !== null) {
      idle.fault = null;
      return null;
    }
    if (isPredicateReg(dest.reg)) return { kind: "pred", value: ((frame.p[pred] ?? 0) & 1) === 1 };
    const lo = frame.r[row] ?? 0;
    return is64(dest.reg) ? { kind: "w64", lo, hi: frame.r[row + LANES] ?? 0 } : { kind: "w32", lo };
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}
