/** The dominators and post-dominators of a recorded run, step by step: the array of immediate dominators, the two fingers, the rounds. */

import { computeDominators, computePostDominators, type IdomObserver } from "../../analysis/dominators.ts";
import { blockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { CONTROL_FLOW } from "../shared/control-flow/control-flow-rules.ts";

/** Structures `idom` and `post-idom`, tables: row of a block is its immediate dominator so far, rows `finger x` and `finger y` are the two fingers. */
export type IdomRow = string;

/** Finger steps that are reported one by one; those of a larger graph are counted. */
const MOST_TOLD = 5000;

/** Computed again for a listener: every other caller uses the stored result. */
export function stepDominators(fn: Func, remark: Remarks): void {
  if (!remark.listening) return;
  tell(fn, remark, "dominators");
  remark.step(CONTROL_FLOW.postDominate, { func: fn.name });
  tell(fn, remark, "post-dominators");
}

function tell(fn: Func, remark: Remarks, kind: "dominators" | "post-dominators"): void {
  const [name, title] = kind === "dominators" ? ["idom", "Immediate dominators"] : ["post-idom", "Immediate post-dominators"];
  const table = remark.shown.table<IdomRow>(name, `${title}, as they are found`);
  const label = (id: number): string => (id < 0 ? "the exit" : getBlock(fn, blockId(id)).label);
  let told = 0;
  let open = false;
  const count = fn.layout.length;
  const observe: IdomObserver = {
    capped: true,
    round: (round) => {
      if (open) remark.close();
      remark.open(CONTROL_FLOW.dominate, "round", { round, count });
      open = true;
    },
    fingers: (block, x, y) => {
      if (++told > MOST_TOLD) return;
      table.set("finger x", label(x));
      table.set("finger y", label(y));
      remark.step(CONTROL_FLOW.fingers, "walk", { block, x: label(x), y: label(y), node: table.node("finger x") });
    },
    set: (block, idom) => {
      table.set(label(block), label(idom));
      remark.step(CONTROL_FLOW.fingers, "set", { block, idom: label(idom), node: table.node(label(block)) });
    },
  };
  remark.open(CONTROL_FLOW.dominate, "tree", { kind, func: fn.name });
  const { rounds, steps, semi } = kind === "dominators" ? computeDominators(fn, observe) : computePostDominators(fn, observe);
  if (open) remark.close();
  table.remove("finger x");
  table.remove("finger y");
  if (semi) remark.step(CONTROL_FLOW.dominate, "cut", { steps });
  else remark.step(CONTROL_FLOW.dominate, "end", { kind, rounds, steps });
  remark.close();
}
