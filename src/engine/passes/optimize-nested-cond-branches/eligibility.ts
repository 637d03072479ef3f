/** The rules of sub_A07940 on one instruction, side by side: what is shown; `safety.ts` decides. */

import type { Effect } from "../../ir/opcodes.ts";
import type { Inst } from "../../ir/types.ts";
import { effectOf, isSpeculatable } from "../../ir/visit.ts";
import type { EligibilityRow } from "./rows.ts";

/** Opcodes that the reference excludes by name and that would otherwise pass (VOTE is no pure instruction, BMOV is not modelled). */
export const EXCLUDED: ReadonlySet<string> = new Set(["LEA"]);

/** Rules by opcode whose operand fields no page gives: 226 FSETP, 9 BRX, 315 DSETP. */
const BY_FIELDS: ReadonlySet<string> = new Set(["FSETP", "BRX", "DSETP"]);

/** An ISETP that takes a predicate in besides its two values. */
export const isCombinedCompare = (inst: Inst): boolean => inst.op === "ISETP" && inst.ops.length > 3;

const CONVERGENT: ReadonlySet<Effect> = new Set(["sync", "barrier", "warp"]);

export function eligibilityOf(inst: Inst, instruction: string): EligibilityRow {
  const rule = (refuses: boolean): string => (refuses ? "refuses" : "passes");
  return {
    instruction,
    convergence: rule(CONVERGENT.has(effectOf(inst))),
    effects: rule(!isSpeculatable(inst)),
    lock: rule(inst.guard !== null),
    // No result of an Ori instruction carries a negation.
    negated: rule(false),
    excluded: rule(EXCLUDED.has(inst.op)),
    combined: rule(isCombinedCompare(inst)),
    fields: BY_FIELDS.has(inst.op) ? "not described" : "passes",
  };
}
