/** A pass that looks at every instruction and changes nothing: begin here. */

import { definePass } from "oriscope/pass";

export default definePass({
  name: "my pass",
  run(fn, ctx) {
    for (const block of fn.blocks) {
      for (const inst of block.insts) ctx.step(`'${inst.text}' is looked at`, { inst });
    }
    ctx.why("the pass only looks");
  },
});
