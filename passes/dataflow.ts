/**
 * A data-flow solver for any problem, forwards or backwards, by a worklist; and one problem for it: which blocks dominate which. Compared with ours, block by
 * block.
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
    const before = forwards ? block.preds : block.succs;
    let fact = block === fn.entry && forwards ? problem.boundary : problem.unknown;
    if (!forwards && before.length === 0) fact = problem.boundary;
    for (const other of before) fact = problem.meet(fact, facts.get(other) ?? problem.unknown);
    const found = problem.transfer(block, fact);
    const known = facts.get(block);
    if (known !== undefined && problem.same(known, found)) continue;
    facts.set(block, found);
    ctx.step(`after ${block.label} something else holds now`, { block });
    for (const other of forwards ? block.succs : block.preds) {
      if (waiting.has(other)) continue;
      waiting.add(other);
      work.push(other);
    }
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
