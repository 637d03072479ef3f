/** Gate 3's question: which reserved special registers are live into a tail, and the tail's live-ins without them. */

import type { Reg } from "../../ir/ids.ts";
import { RESERVED_SPECIAL_REGISTERS } from "../../ir/special-registers.ts";
import type { Inst } from "../../ir/types.ts";
import { sureDefsOf, usesOf } from "../../ir/visit.ts";

const RESERVED: ReadonlySet<string> = new Set(RESERVED_SPECIAL_REGISTERS);

/** Property 0x200 of the reference: one of the 63 hardware-defined registers. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

export interface TailLiveIns {
  /** Special registers that the tail reads: no instruction defines them, so each is live into it. */
  readonly special: readonly string[];
  /** Registers read in the tail before it surely writes them. */
  readonly regs: readonly Reg[];
}

export function tailLiveIns(tail: readonly Inst[]): TailLiveIns {
  const special = new Set<string>();
  const live = new Set<Reg>();
  for (let i = tail.length - 1; i >= 0; i--) {
    const inst = tail[i] as Inst;
    // A guarded definition may leave the old value, which is then live through it.
    for (const r of sureDefsOf(inst)) live.delete(r);
    for (const r of usesOf(inst)) live.add(r);
    for (const operand of inst.ops) if (operand.kind === "sreg") special.add(operand.name);
  }
  return { special: [...special], regs: [...live].sort((a, b) => a - b) };
}
