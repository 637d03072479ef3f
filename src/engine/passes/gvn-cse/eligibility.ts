/** ELIGIBLE(I): the table of the notes for its special opcodes, and the pure instructions that the commutativity rule needs. */

import { readsClock } from "../../analysis/commoning.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess } from "../../ir/visit.ts";

export interface Eligibility {
  readonly ok: boolean;
  /** The row that decided. */
  readonly row: string;
  readonly why: string;
  /** The value depends on which lanes are along: only inside one block, and not across a change of the active lanes. */
  readonly laneDependent: boolean;
}

const yes = (row: string, why: string, laneDependent = false): Eligibility => ({ ok: true, row, why, laneDependent });
const no = (row: string, why: string): Eligibility => ({ ok: false, row, why, laneDependent: false });

/** Opcodes that need the enhanced scope of the backend (sm_backend+1106 bit 6), with the number by which the notes know them. */
const ENHANCED: ReadonlyMap<string, number> = new Map([
  ["MUFU", 119],
  ["SHFL", 186],
  ["REDUX", 283],
]);

export function eligibility(inst: Inst, enhanced: boolean): Eligibility {
  const row = ENHANCED.get(inst.op);
  if (inst.op === "PHI") return no("16 (PHI)", "a PHI has no place for a MOV; it is numbered, not replaced");
  if (defsOf(inst).length !== 1) return no("one result", "it does not define exactly one register");
  if (inst.ops[0]?.kind !== "reg") return no("one result", "its result is a vector");
  if (row !== undefined && !enhanced) return no(`${row} (${inst.op})`, "the backend lacks the enhanced scope (bit 6)");
  if (inst.op === "SHFL" || inst.op === "REDUX") return yes(`${row} (${inst.op})`, "enhanced scope, within one block", true);
  if (inst.op === "VOTE") return yes("122 (VOTE)", "a vote, within one block", true);
  if (inst.op === "MATCH") return yes("310 (MATCH)", "a match, within one block", true);
  if (readsClock(inst)) return no("volatile", "it reads a clock");
  switch (effectOf(inst)) {
    case "pure":
      if (inst.op === "MOV" || inst.op === "PMOV") return yes("16 (MOV)", "a copy");
      if (inst.op === "OPAQUE") return yes("pure", "opaque, but pure");
      return yes("pure", "a pure instruction");
    case "load":
      if (isVolatileAccess(inst)) return no("183 (load)", "a volatile access");
      return yes("183 (load)", "a load, within one state of its memory");
    case "atomic":
      return no("211 (ATOM)", "an atomic changes memory each time");
    case "warp":
      return no("others", "it depends on the active lanes");
    case "barrier":
      return no("145 (barrier)", "a barrier");
    case "store":
      return no("others", "a store");
    case "sync":
    case "control":
      return no("others", "it steers control flow");
    case "call":
      return no("others", "a call");
    case "volatile":
      return no("volatile", "it reads state that changes by itself");
  }
}
