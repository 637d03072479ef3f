/**
 * Data-flow solver. Most analyses follow one scheme: facts at blocks, a meet of
 * the neighbours' facts, and a transfer function; repeat until nothing changes.
 * The problem at the end of the file, dominators, is a forward problem; your
 * solver should also do backward problems. Write one step of the worklist: meet
 * the facts of the neighbours, apply the transfer function, and push the blocks
 * that depend on a changed one onto `work`. In the template, no block reads
 * another one's fact.
 */

import { type Block, type Ctx, defineAnalysis, type Fn, test } from "oriscope/pass";

/** A problem defines the initial facts, the meet of two paths, and what a block does. The solver does the rest. */
interface Problem<Fact> {
  readonly direction: "forwards" | "backwards";
  /** Before the entry when it goes forwards, after each exit when it goes backwards. */
  readonly boundary: Fact;
  /** After every block, as long as nothing else is known. */
  readonly unknown: Fact;
  meet(a: Fact, b: Fact): Fact;
  transfer(block: Block, fact: Fact): Fact;
  same(a: Fact, b: Fact): boolean;
}

/** What holds after each block that can be reached, in the problem's direction. */
function solve<Fact>(fn: Fn, ctx: Ctx, problem: Problem<Fact>): ReadonlyMap<Block, Fact> {
  const forwards = problem.direction === "forwards";
  const work = [...fn.order(forwards ? "reverse-postorder" : "postorder")];
  const waiting = new Set(work);
  const facts = new Map<Block, Fact>();
  for (let block = work.shift(); block !== undefined; block = work.shift()) {
    waiting.delete(block);
    // your turn: from the facts of the neighbours to the fact of this block; which blocks must be visited again when it changed?
    facts.set(block, problem.transfer(block, problem.boundary));
    ctx.step(`${block.label} is looked at alone`, { block });
    // end
  }
  return facts;
}

export default defineAnalysis({
  name: "dominators as sets",
  summary: "All blocks that every way from the entry to a block goes through.",
  of: "dominators",
  run(fn, ctx) {
    const all: ReadonlySet<Block> = new Set(fn.blocks);
    const shown = ctx.table("dominators of each block");
    return solve<ReadonlySet<Block>>(fn, ctx, {
      direction: "forwards",
      boundary: new Set(),
      unknown: all,
      meet: (a, b) => new Set([...a].filter((block) => b.has(block))),
      transfer(block, fact) {
        const found = new Set(fact).add(block);
        shown.set(block, [...found]);
        return found;
      },
      same: (a, b) => a.size === b.size && [...a].every((block) => b.has(block)),
    });
  },
});

test("a diamond", ".kernel f(p: P0)\nA:\n@P0 BRA C\nB:\n  BRA D\nC:\n  MOV R1, 1\nD:\n  EXIT");
test("a loop with a way around it", ".kernel f(p: P0, q: P1)\nA:\n@P1 BRA D\nB:\n@P0 BRA B\nC:\n  MOV R1, 1\nD:\n  EXIT");
test("a loop with two entries", ".kernel f(p: P0, q: P1)\nA:\n@P1 BRA C\nB:\n  MOV R1, 1\nC:\n@P0 BRA B\nD:\n  EXIT");
