/** What a pass may share between two paths: everything that means the same whichever other lanes run it. */

import type { Inst } from "../ir/types.ts";
import { effectOf } from "../ir/visit.ts";

/**
 * Why an instruction may not be executed by lanes of both paths together (a shared tail, a hoisted head); null when it may. The reference does not state it:
 * they argue that tail merging leaves divergence alone, but with a shared tail lanes reconverge earlier, and these instructions can see that.
 */
export function notShareable(inst: Inst): string | null {
  const effect = effectOf(inst);
  switch (effect) {
    case "warp":
      return "its result depends on the lanes that are along";
    case "atomic":
      return "the order of the lanes shows in its results";
    case "barrier":
      return "it waits for other threads";
    case "call":
      return "what it calls may depend on the lanes that are along";
    case "volatile":
      return "it reads state that changes by itself";
    case "sync":
      return inst.op === "BSYNC" ? null : "it changes which lanes are waited for";
    case "pure":
    case "load":
    case "store":
    case "control":
      return null;
  }
}
