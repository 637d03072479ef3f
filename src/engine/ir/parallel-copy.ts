/** A parallel copy as a sequence of copies: all values are read as they were before any destination is written. */

import { bankWithBase, withReg } from "./copies.ts";
import type { Reg } from "./ids.ts";
import { isConstantReg } from "./reg.ts";
import type { Operand } from "./types.ts";

export interface Copy {
  readonly dest: Reg;
  /** A register, a literal, a symbol, or a constant-bank operand, whose base is a register too: at most one register is read. */
  readonly value: Operand;
}

/**
 * The copies in an order in which no value is overwritten before its last reader, in linear time. A cycle (two registers that swap, three that rotate) is
 * opened through `fresh(r)`, a register of the class of `r` that nothing else uses; one at a time, so that one register of each class is enough.
 * Of two copies to one destination the last one counts; a copy of a register to itself is removed.
 */
export function sequentialCopies(copies: readonly Copy[], fresh: (like: Reg) => Reg): Copy[] {
  const pending = new Map<Reg, Operand>();
  for (const { dest, value } of copies) {
    if (isConstantReg(dest)) continue;
    pending.delete(dest);
    if (!isSelfCopy(dest, value)) pending.set(dest, value);
  }
  /** For each register that is written: the destinations whose values still read it. */
  const readers = new Map<Reg, Set<Reg>>();
  for (const [dest, value] of pending) {
    const read = registerIn(value);
    // `PMOV P1, !P1` reads before it writes.
    if (read === null || read === dest || !pending.has(read)) continue;
    const known = readers.get(read);
    if (known === undefined) readers.set(read, new Set([dest]));
    else known.add(dest);
  }
  const sequence: Copy[] = [];
  const ready = [...pending.keys()].filter((dest) => !readers.has(dest));
  const settle = (from: number): void => {
    for (let i = from; i < ready.length; i++) {
      const dest = ready[i] as Reg;
      const value = pending.get(dest);
      if (value === undefined) continue;
      sequence.push({ dest, value });
      pending.delete(dest);
      const read = registerIn(value);
      const left = read === null ? undefined : readers.get(read);
      if (read === null || left === undefined) continue;
      left.delete(dest);
      if (left.size > 0) continue;
      readers.delete(read);
      ready.push(read);
    }
  };
  settle(0);
  // What is left are cycles, in each of which every register is read once.
  for (const dest of [...pending.keys()]) {
    const reader = [...(readers.get(dest) ?? [])][0];
    const value = reader === undefined ? undefined : pending.get(reader);
    if (!pending.has(dest) || reader === undefined || value === undefined) continue;
    const kept = fresh(dest);
    sequence.push({ dest: kept, value: { kind: "reg", reg: dest, neg: false, abs: false, not: false } });
    pending.set(reader, withRegister(value, kept));
    readers.delete(dest);
    settle(ready.push(dest) - 1);
  }
  return sequence;
}

/** The register that a value reads; null: none that can change. */
function registerIn(value: Operand): Reg | null {
  if (value.kind === "reg") return isConstantReg(value.reg) ? null : value.reg;
  return value.kind === "cbank" && value.base !== null && !isConstantReg(value.base) ? value.base : null;
}

function withRegister(value: Operand, reg: Reg): Operand {
  if (value.kind === "reg") return withReg(value, reg);
  return value.kind === "cbank" ? bankWithBase(value, reg, value.offset) : value;
}

function isSelfCopy(dest: Reg, value: Operand): boolean {
  return value.kind === "reg" && value.reg === dest && !value.neg && !value.abs && !value.not;
}
