/** Removes jumps to the next block: control falls through to it. The simplest rewrite there is, and a rule of phase 15, OriBranchOpt. */

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
      if (jump.target !== block.next) {
        ctx.refuse("not the next block", `'${jump.text}' jumps farther than to the next block`, { inst: jump });
        continue;
      }
      ctx.rewrite(`${block.label} falls through into ${jump.target.label}`, { inst: jump, block }, () => fn.remove(jump));
      // end
    }
  },
});

test("falls through", "A:\n  BRA B\nB:\n  EXIT", { after: "A:\nB:\n  EXIT" });
test("jumps farther", "A:\n  BRA C\nB:\n  EXIT\nC:\n  BRA B", { unchanged: true });
