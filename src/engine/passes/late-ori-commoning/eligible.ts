/** Which instructions the commoning check is made for. */

import { readsClock } from "../../analysis/commoning.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { RULES } from "./rules.ts";

export function eligible(remark: Remarks, block: BlockId, inst: Inst): boolean {
  const about = { inst, block };
  if (defsOf(inst).length !== 1 || inst.ops[0]?.kind !== "reg") return remark.missed(RULES.hash, "results", about) !== null;
  if (!remark.holds(RULES.hash, "reads-clock", !readsClock(inst), about)) return false;
  switch (effectOf(inst)) {
    case "pure":
      return true;
    case "load":
      return remark.holds(RULES.hash, "volatile-access", !isVolatileAccess(inst), about);
    case "warp":
      return remark.holds(RULES.hash, "active-lanes", inst.op !== "ACTIVEMASK", about);
    default:
      return remark.missed(RULES.hash, "effect", about) !== null;
  }
}
