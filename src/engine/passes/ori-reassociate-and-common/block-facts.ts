/** Def-use facts of one block, in one pass forwards and one backwards: what the leaf rules ask. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Block, Func, Inst } from "../../ir/types.ts";
import { defsOf, usesOf } from "../../ir/visit.ts";
import { type Operator, operatorOf } from "./operators.ts";

/** Everything is indexed by the instruction's place in the block. */
export interface BlockFacts {
  readonly insts: readonly Inst[];
  readonly operators: readonly (Operator | null)[];
  /** Reads that may see the instruction's (first) result; a value that lives beyond the block has more than one. */
  readonly uses: Int32Array;
  /** The last of them in the block, -1 for none. */
  readonly user: Int32Array;
  /** By source of the operator: where its register's last definition before stands; -1 outside the block. */
  readonly definedAt: readonly (readonly number[])[];
  /** By source of the operator: where its register is written next, the instruction itself included; Infinity for never. */
  readonly writtenAt: readonly (readonly number[])[];
}

const NONE: readonly number[] = [];

/** Null where no instruction is a node of a tree. */
export function blockFacts(fn: Func, live: Liveness, block: Block): BlockFacts | null {
  const { insts } = block;
  const operators = insts.map(operatorOf);
  if (operators.every((o) => o === null)) return null;
  const definedAt = definitions(insts, operators);
  const uses = new Int32Array(insts.length);
  const user = new Int32Array(insts.length).fill(-1);
  const writtenAt: (readonly number[])[] = new Array(insts.length).fill(NONE);
  const nextWrite = new Map<Reg, number>();
  const reads = new Map<Reg, { count: number; user: number }>();
  const readsOf = (r: Reg): { count: number; user: number } => {
    let found = reads.get(r);
    if (found === undefined) {
      // Live beyond the block counts as two: its uses there are not known.
      found = { count: live.isLiveOut(block.id, r) ? 2 : 0, user: -1 };
      reads.set(r, found);
    }
    return found;
  };
  for (let i = insts.length - 1; i >= 0; i--) {
    const inst = insts[i] as Inst;
    const defs = defsOf(inst);
    for (let k = 0; k < defs.length; k++) {
      const r = defs[k] as Reg;
      const seen = readsOf(r);
      if (k === 0) {
        uses[i] = seen.count;
        user[i] = seen.user;
      }
      // Under a guard the old value shows through to whoever reads it.
      if (inst.guard !== null) seen.count++;
      else {
        seen.count = 0;
        seen.user = -1;
      }
      nextWrite.set(r, i);
    }
    const operator = operators[i] ?? null;
    if (operator !== null) {
      writtenAt[i] = operator.sources.map((k) => {
        const source = inst.ops[k];
        return source?.kind === "reg" ? (nextWrite.get(source.reg) ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
      });
    }
    if (inst.op !== "PHI") {
      const regs = usesOf(inst);
      for (let k = 0; k < regs.length; k++) {
        const seen = readsOf(regs[k] as Reg);
        seen.count++;
        if (seen.user < 0) seen.user = i;
      }
    }
    if (inst.op === "RET") for (const r of fn.returns) readsOf(r).count += 2;
  }
  return { insts, operators, uses, user, definedAt, writtenAt };
}

function definitions(insts: readonly Inst[], operators: readonly (Operator | null)[]): (readonly number[])[] {
  const last = new Map<Reg, number>();
  return insts.map((inst, i) => {
    const found = operators[i]?.sources.map((k) => {
      const source = inst.ops[k];
      return source?.kind === "reg" && !isConstantReg(source.reg) ? (last.get(source.reg) ?? -1) : -1;
    });
    for (const r of defsOf(inst)) last.set(r, i);
    return found ?? NONE;
  });
}
