/** Removes blocks that control never reaches, with the jump tables that only they use. The first half of our phase 15, OriBranchOpt. */

import { type Block, definePass, test } from "oriscope/pass";

export default definePass({
  name: "unreachable code",
  summary: "Removes blocks that control never reaches, and jump tables that nothing uses.",
  run(fn, ctx) {
    const reached = new Set<Block>();
    const shown = ctx.set("reached");
    const work = [fn.entry];
    for (let block = work.pop(); block !== undefined; block = work.pop()) {
      if (reached.has(block)) continue;
      reached.add(block);
      shown.add(block);
      ctx.step(`${block.label} is reached`, { block });
      // your turn: which blocks must stay because this one does?
      work.push(...block.succs);
      // A BSSY names the block where its lanes reconverge, even if all of them exit before.
      for (const inst of block.insts) {
        for (const operand of inst.operands) if (operand.kind === "label") work.push(operand.block);
      }
      // end
    }

    const dead = fn.blocks.filter((block) => !reached.has(block));
    const unused = fn.tables.filter((table) => table.users.every((inst) => inst.block !== null && !reached.has(inst.block)));
    if (dead.length === 0 && unused.length === 0) {
      ctx.why("every block is reached, and every table is used");
      return;
    }
    // They may refer to one another, so all are removed at once.
    const names = [...dead, ...unused].map(String).join(", ");
    ctx.rewrite(`nothing reaches ${names}`, { blocks: dead }, () => {
      for (const block of dead) {
        fn.setTerminators(block, [fn.kind === "kernel" ? "EXIT" : "RET"]);
        for (const inst of block.insts) if (!inst.isTerminator) fn.remove(inst);
      }
      for (const table of unused) fn.removeTable(table);
      for (const block of dead) fn.removeBlock(block);
    });
  },
});

test("a block after an exit", "A:\n  EXIT\nB:\n  MOV R1, 1\n  BRA C\nC:\n  EXIT", { after: "A:\n  EXIT" });
test("a loop that nothing enters", "A:\n  BRA D\nB:\n  BRA C\nC:\n  BRA B\nD:\n  EXIT", { after: "A:\n  BRA D\nD:\n  EXIT" });
test("all is reached", "A:\n@P0 BRA C\nB:\n  EXIT\nC:\n  EXIT", { unchanged: true });
test("a table of a block that is not reached", ".kernel k()\n.table T default=C { B, C }\nA:\n  EXIT\nB:\n  JMX R0, T\nC:\n  EXIT", {
  after: "A:\n  EXIT",
});
test("lanes that never reconverge", "A:\n  BSSY B0, C\n  EXIT\nC:\n  BSYNC B0\n  EXIT", { unchanged: true });
