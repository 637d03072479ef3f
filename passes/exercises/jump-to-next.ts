/**
 * Jump to next. Control falls through to the next block, so a jump to it can be
 * removed. The loop below visits the last branch of each block. Decide when the
 * jump may be removed. The template removes none.
 */

import { definePass, test } from "oriscope/pass";

export default definePass({
  name: "jump to next",
  summary: "Removes jumps to the next block of the layout.",
  run(fn, ctx) {
    for (const block of fn.blocks) {
      const jump = block.terminators.at(-1);
      if (jump === undefined || jump.target === null || !jump.isUnconditional) continue;
      ctx.step(`${block.label} ends with '${jump.text}', and ${block.next?.label ?? "nothing"} comes after it`, { inst: jump, block });
      // your turn: when may the jump be removed?
      const mayGo = false;
      if (!mayGo) {
        ctx.refuse("not the next block", `'${jump.text}' jumps farther than to the next block`, { inst: jump });
      }
      // end
    }
  },
});

test("falls through", "A:\n  BRA B\nB:\n  EXIT", { after: "A:\nB:\n  EXIT" });
test("jumps farther", "A:\n  BRA C\nB:\n  EXIT\nC:\n  BRA B", { unchanged: true });
