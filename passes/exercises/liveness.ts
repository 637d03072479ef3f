/**
 * Liveness. A register is live where a path reads it before writing it. The
 * worklist is given: a block is visited again when a successor changed. Write
 * the transfer function: what is live at the head of `block`, given what is
 * live at the heads of its successors (`liveIn`). Handle guards (a guarded
 * definition may keep the old value), PHIs (each reads at the end of the
 * predecessor that it names), and RET, which reads `fn.returns`. In the
 * template, nothing is live.
 */

import { type Block, defineAnalysis, type Reg, test } from "oriscope/pass";

export default defineAnalysis({
  name: "liveness",
  summary: "Registers that some path reads before writing them.",
  of: "live-in",
  run(fn, ctx) {
    const liveIn = new Map<Block, ReadonlySet<Reg>>();
    const shown = ctx.table("live at the head of each block");
    const work = [...fn.order("postorder")];
    const waiting = new Set(work);
    while (work.length > 0) {
      const block = work.shift();
      if (block === undefined) break;
      waiting.delete(block);
      const live = transfer(block);
      if (live.size === liveIn.get(block)?.size) continue;
      liveIn.set(block, live);
      shown.set(block, [...live]);
      ctx.step(`${live.size} registers are live at the head of ${block.label}`, { block });
      for (const pred of block.preds) {
        if (waiting.has(pred)) continue;
        waiting.add(pred);
        work.push(pred);
      }
    }
    return liveIn;

    function transfer(block: Block): Set<Reg> {
      // your turn: from what is live at the heads of the successors to what is live here
      const live = new Set<Reg>();
      // end
      return live;
    }
  },
});

test("read before it is written", ".func f(a: R0) -> R1\nA:\n  IADD R1, R0, R2\n  MOV R2, 1\n  RET");
test("around a loop", ".func f(n: R0) -> R2\nA:\n  MOV R2, 0\nB:\n  IADD R2, R2, R0\n  ISETP.LT P0, R2, R3\n@P0 BRA B\nC:\n  RET");
test("a guard may leave the old value", ".func f(p: P0) -> R1\nA:\n@P0 MOV R1, 2\n  RET");
test(
  "a PHI reads at the end of its predecessor",
  ".func f(p: P0, a: R1, b: R2) -> R3\nA:\n@P0 BRA C\nB:\n  BRA C\nC:\n  PHI R3, [A: R1], [B: R2]\n  RET",
);
