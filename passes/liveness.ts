/** Which registers are live at the head of each block, by a data-flow solver that serves any backward problem. Compared with ours, block by block. */

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
      const live = new Set(block.succs.flatMap((succ) => [...(liveIn.get(succ) ?? [])]));
      for (const succ of block.succs) {
        for (const phi of succ.phis) {
          for (const source of phi.sources) {
            if (source.kind === "phi" && source.from === block && source.value.kind === "reg") live.add(source.value.reg);
          }
        }
      }
      for (const inst of block.insts.toReversed()) {
        if (inst.alwaysWrites) for (const reg of inst.defs) live.delete(reg);
        if (!inst.isPhi) for (const reg of inst.uses) live.add(reg);
        if (inst.op === "RET") for (const reg of fn.returns) live.add(reg);
      }
      for (const constant of ["RZ", "URZ", "PT", "UPT"]) live.delete(constant);
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
