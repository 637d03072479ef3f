/** Loop-invariant code motion: what a loop recomputes in each iteration with the same result is computed before it. */

import { type Block, definePass, type Inst, type Loop, test } from "oriscope/pass";

export default definePass({
  name: "loop-invariant code motion",
  summary: "Moves what a loop recomputes in each iteration before it.",
  run(fn, ctx) {
    for (const loop of fn.loops().toReversed()) {
      if (!loop.natural) continue;
      ctx.step(`${loop.header.label} heads a loop: ${loop.blocks.map((block) => block.label).join(", ")}`, { blocks: loop.blocks });
      const stays = new Set<number>();
      const before = preheader(loop);
      if (before === null) {
        ctx.refuse("no block before the loop", `nothing leads to ${loop.header.label} alone`, { block: loop.header });
        continue;
      }
      for (let again = true; again; ) {
        again = false;
        for (const inst of loop.blocks.flatMap((block) => block.insts)) {
          const why = reasonAgainst(inst, loop);
          if (why !== null) {
            // Moving a source may change the answer, so it is reported once.
            if (why !== "no candidate" && !stays.has(inst.id)) ctx.refuse(why, `'${inst.text}' stays in the loop`, { inst });
            stays.add(inst.id);
            continue;
          }
          const done = ctx.rewrite(`'${inst.text}' is the same in every iteration`, { inst, blocks: [before] }, () =>
            fn.move(inst, { endOf: before }),
          );
          again ||= done;
        }
      }
    }

    /** The one block that leads into the loop from outside, and nowhere else. */
    function preheader(loop: Loop): Block | null {
      const outside = loop.header.preds.filter((pred) => !loop.blocks.includes(pred));
      const [only] = outside;
      return only !== undefined && outside.length === 1 && only.succs.length === 1 ? only : null;
    }

    function reasonAgainst(inst: Inst, loop: Loop): string | null {
      const [dest] = inst.defs;
      if (dest === undefined || inst.defs.length > 1 || inst.guard !== null || !inst.speculatable || inst.isPhi) return "no candidate";
      const insts = loop.blocks.flatMap((block) => block.insts);
      // your turn: when is it wrong to compute it once, before the loop?
      if (insts.some((other) => other !== inst && other.defs.includes(dest))) return "written again";
      if (inst.uses.some((reg) => insts.some((other) => other.defs.includes(reg)))) return "a source changes";
      if (fn.liveness().liveIn(loop.header).has(dest)) return "the old value is read";
      // end
      return null;
    }
  },
});

const LOOP = (inside: string, before = ""): string => `.func f(n: R0, a: R1) -> R2
A:
  MOV R3, 0
  ${before}
B:
  ${inside}
  IADD R3, R3, R2
  ISETP.LT P0, R3, R0
@P0 BRA B
C:
  RET`;

test("the same each time", LOOP("IADD R2, R1, 5"), { after: LOOP("", "IADD R2, R1, 5") });
test("a source changes", LOOP("IADD R2, R3, 5"), { unchanged: true });
