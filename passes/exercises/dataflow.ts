/**
 * Data-flow solver. Most analyses are one scheme: facts at blocks, a way to
 * combine those of the neighbours, and a function of the block; repeat until
 * nothing changes. The problem at the end of the file, dominators, goes
 * forwards; your solver should do backward problems as well. Write the step
 * of the worklist: combine the facts of the neighbours, run the transfer
 * function, and put whoever depends on a changed block back into `work`. As
 * it stands, no block looks at another one.
 */

import { type Block, type Ctx, defineAnalysis, type Fn, test } from "oriscope/pass";

/** A problem says what holds where nothing is known yet, how two ways meet, and what a block does. Everything else is the solver's. */
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
    // your turn: from the facts of the neighbours to the fact of this block; who has to be looked at again when it changed?
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
