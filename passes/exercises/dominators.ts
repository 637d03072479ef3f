/**
 * Dominators, by the scheme of Cooper, Harvey and Kennedy. Blocks are visited
 * in reverse post-order until no immediate dominator changes. Compute the new
 * one of `block` from its predecessors that already have one; `intersect` finds
 * where two paths up the tree meet. In the template, the entry is every block's
 * immediate dominator.
 */

import { type Block, defineAnalysis, test } from "oriscope/pass";

export default defineAnalysis({
  name: "dominators",
  summary: "The last block that every path from the entry to a block goes through.",
  of: "idom",
  run(fn, ctx) {
    const order = fn.order("reverse-postorder");
    const place = new Map(order.map((block, i) => [block, i]));
    const idom = new Map<Block, Block>([[fn.entry, fn.entry]]);
    const shown = ctx.tree("dominator tree");
    shown.set(fn.entry, null);
    for (let changed = true; changed; ) {
      changed = false;
      for (const block of order.slice(1)) {
        // your turn: the new immediate dominator of the block, from those of its predecessors
        const found = fn.entry;
        // end
        if (idom.get(block) === found) continue;
        idom.set(block, found);
        shown.set(block, found);
        ctx.step(`${found.label} dominates ${block.label} immediately, as far as is known`, { blocks: [block, found] });
        changed = true;
      }
    }
    return new Map(order.map((block) => [block, block === fn.entry ? null : (idom.get(block) ?? null)]));

    function intersect(first: Block, second: Block): Block {
      let [a, b] = [first, second];
      while (a !== b) {
        while (at(a) > at(b)) a = idom.get(a) ?? fn.entry;
        while (at(b) > at(a)) b = idom.get(b) ?? fn.entry;
      }
      return a;
    }

    function at(block: Block): number {
      return place.get(block) ?? 0;
    }
  },
});

test("a diamond", ".kernel f(p: P0)\nA:\n@P0 BRA C\nB:\n  BRA D\nC:\n  MOV R1, 1\nD:\n  EXIT");
test("a chain after a loop", ".kernel f(p: P0)\nA:\n  MOV R1, 1\nB:\n@P0 BRA B\nC:\n  MOV R2, 1\nD:\n  EXIT");
test("a loop with two entries", ".kernel f(p: P0, q: P1)\nA:\n@P1 BRA C\nB:\n  MOV R1, 1\nC:\n@P0 BRA B\nD:\n  EXIT");
