/** ELIGIBLE(I): the table of the reference for its special opcodes, and the pure instructions that the commutativity rule needs. */

import { readsClock } from "../../analysis/commoning.ts";
import { isConstantReg, isUniformReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess } from "../../ir/visit.ts";

export interface Eligibility {
  readonly ok: boolean;
  /** The row that decided. */
  readonly row: string;
  readonly why: string;
  /** The value depends on which lanes are along: only inside one block, and not across a change of the active lanes. */
  readonly laneDependent: boolean;
  /** Refused for the subtype of a vote or a match alone, which the other policy does not test. */
  readonly subtype?: boolean;
}

const yes = (row: string, why: string, laneDependent = false): Eligibility => ({ ok: true, row, why, laneDependent });
const no = (row: string, why: string): Eligibility => ({ ok: false, row, why, laneDependent: false });
const notOfSubtype = (row: string, why: string): Eligibility => ({ ...no(row, why), subtype: true });

/** Opcodes that need the enhanced scope of the backend (sm_backend+1106 bit 6), with the number by which the reference knows them. */
const ENHANCED: ReadonlyMap<string, number> = new Map([
  ["MUFU", 119],
  ["SHFL", 186],
  ["REDUX", 283],
]);

/** What is looked up in the table. */
export interface EligibilityRules {
  /** Bit 6 of sm_backend+1106. */
  readonly enhanced: boolean;
  /** Policy 'measured' tests no subtype of votes and matches. */
  readonly measured: boolean;
}

export function eligibility(inst: Inst, { enhanced, measured }: EligibilityRules): Eligibility {
  const row = ENHANCED.get(inst.op);
  if (inst.op === "PHI") return no("16 (PHI)", "a PHI has no place for a MOV; it is numbered, not replaced");
  const effect = effectOf(inst);
  if (effect === "barrier") return no("145 (barrier)", "a barrier");
  if (defsOf(inst).length !== 1) return no("one result", "it does not define exactly one register");
  if (inst.ops[0]?.kind !== "reg") return no("one result", "its result is a vector");
  if (row !== undefined && !enhanced) return no(`${row} (${inst.op})`, "the backend lacks the enhanced scope (bit 6)");
  if (inst.op === "SHFL" || inst.op === "REDUX") return yes(`${row} (${inst.op})`, "enhanced scope, within one block", true);
  if (inst.op === "VOTE") return measured ? yes("122 (VOTE)", "a vote, within one block", true) : vote(inst);
  if (inst.op === "MATCH") return measured ? yes("310 (MATCH)", "a match, within one block", true) : match(inst);
  if (readsClock(inst)) return no("volatile", "it reads a clock");
  switch (effect) {
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

/** The subtypes of row 122, chosen: votes with one bit as their result, into a register, and into a uniform register. */
export function voteSubtype(inst: Inst): number {
  if (inst.mods.includes("ALL")) return 2;
  if (inst.mods.includes("ANY")) return 3;
  const dest = inst.ops[0];
  return dest?.kind === "reg" && isUniformReg(dest.reg) ? 8 : 7;
}

/** Subtypes 2 and 3 are eligible, 7 and 8 with bit 7: read as 'a predicate is voted on'. A ballot of a constant shows which lanes run. */
function vote(inst: Inst): Eligibility {
  const subtype = voteSubtype(inst);
  if (subtype <= 3) return yes("122 (VOTE)", `a vote of subtype ${subtype}, within one block`, true);
  const asked = inst.ops[1];
  const bit7 = asked?.kind === "reg" && !isConstantReg(asked.reg);
  return bit7
    ? yes("122 (VOTE)", `a vote of subtype ${subtype} with bit 7 set, within one block`, true)
    : notOfSubtype("122 (VOTE)", `a vote of subtype ${subtype} with bit 7 clear: it votes on no predicate`);
}

/** Low four bits 2, read as ANY; bits 4 and 5 not both set, read as a mask that is not the default one: a guard leaves lanes out. */
function match(inst: Inst): Eligibility {
  if (!inst.mods.includes("ANY")) return notOfSubtype("310 (MATCH)", "its low four bits are not 2: it is no match of any");
  if (inst.guard === null) return notOfSubtype("310 (MATCH)", "bits 4 and 5 are set: its mask is the default one, all lanes");
  return yes("310 (MATCH)", "a match of any with a mask of its own, within one block", true);
}
