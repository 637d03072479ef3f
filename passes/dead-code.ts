/** Removes instructions that nothing depends on: backward liveness that counts a read only when the reader itself is needed. Our phases 16, 33, 61 and 84. */

import { type Block, definePass, type Inst, type Reg, test } from "oriscope/pass";

export default definePass({
  name: "dead code",
  summary: "Removes instructions without effect whose results nothing needs.",
  run(fn, ctx) {
    const order = fn.order("postorder");
    const liveIn = new Map<Block, Set<Reg>>(order.map((block) => [block, new Set()]));
    const neededPhis = new Set<Inst>();
    const shown = ctx.table("needed at the head of each block");

    /** What is needed after the last instruction. */
    function neededOut(block: Block): Set<Reg> {
      const live = new Set(block.succs.flatMap((succ) => [...(liveIn.get(succ) ?? [])]));
      for (const succ of block.succs) {
        for (const phi of succ.phis) {
          if (!neededPhis.has(phi)) continue;
          for (const source of phi.sources) {
            if (source.kind === "phi" && source.from === block && source.value.kind === "reg") live.add(source.value.reg);
          }
        }
      }
      return live;
    }

    /** Walks a block backwards; `judge` is called for each instruction with whether it is needed. */
    function walk(block: Block, judge: (inst: Inst, needed: boolean) => void): Set<Reg> {
      const live = neededOut(block);
      for (const inst of block.insts.toReversed()) {
        // your turn: is the instruction needed, and what does that change in `live`?
        const needed = !inst.removable || inst.defs.some((reg) => live.has(reg));
        judge(inst, needed);
        if (!needed) continue;
        if (inst.alwaysWrites) for (const reg of inst.defs) live.delete(reg);
        if (inst.isPhi) neededPhis.add(inst);
        else for (const reg of inst.uses) live.add(reg);
        if (inst.op === "RET") for (const reg of fn.returns) live.add(reg);
        // end
      }
      return live;
    }

    for (let changed = true; changed; ) {
      changed = false;
      for (const block of order) {
        const phis = neededPhis.size;
        const live = walk(block, () => undefined);
        if (live.size === liveIn.get(block)?.size && phis === neededPhis.size) continue;
        liveIn.set(block, live);
        shown.set(block, [...live]);
        ctx.step(`needed at the head of ${block.label}: ${[...live].join(", ") || "nothing"}`, { block });
        changed = true;
      }
    }

    const dead: Inst[] = [];
    for (const block of order) walk(block, (inst, needed) => needed || dead.push(inst));
    // A dead instruction may read what another one defines; what is kept keeps its sources.
    for (const inst of dead) ctx.rewrite(`nothing needs '${inst.text}'`, { inst }, () => fn.remove(inst));
  },
});

test("a chain", "MOV R0, 1\nIADD R1, R0, 2\nEXIT", { after: "EXIT" });
test("a store stays", "MOV R0, 1\nSTG [RD0], R0\nEXIT", { unchanged: true });
test("a guarded definition does not end a live range", ".func f(n: R0, p: P0) -> R1\nMOV R1, 1\n@P0 MOV R1, 2\nRET", { unchanged: true });
