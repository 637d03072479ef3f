/** AnalyzeControlFlow as a table: its pseudocode, and what is told and decided at each line. */

import { type LineSpec, line, rules } from "../../../remark/rules.ts";

const KEPT = "{kept} {kept:record is right and keeps its tag|records are right and keep their tags}";

export const CONTROL_FLOW = rules({
  guard: line("a nested call finds the guard +1370 bit 0x10 set and returns; else set it", {
    missed: {
      "re-entry": {
        code: "re-entry guard",
        say: "the analysis is running already: this nested call writes nothing",
        counts: false,
      },
    },
  }),
  fresh: line("incremental: blocks whose record is still right are left alone in what follows", {
    kind: "cache",
    step: {
      all: `incremental: nothing is stale, ${KEPT}`,
      some: `incremental: ${KEPT}, {stale} {stale:is|are} stale: {blocks}`,
      none: "incremental: no block's record is still right, {stale} {stale:is|are} done again",
    },
  }),
  reset: line("part 1, for each stale block: +280 &= 0xFF78F98F; +120, +128, +144, +152, +232 = 0", {
    step: {
      part: { kind: "round", say: "part 1: what an earlier analysis left in {count} {count:block|blocks} is cleared" },
      block: "{block}: its number and its loop flags are cleared",
    },
  }),
  worklist: line("  worklist count +520: below 0, the list is empty and gets one entry (sub_7598E0); else = 0", {
    kind: "note",
    step: {
      kept: "the worklist's count goes from {before} to 0",
      fresh: "the worklist's count is {before}, as no analysis has filled it: it gets one entry, number 0, which no block uses",
      grows: "the worklist is full: it grows from {before} to {after} entries",
    },
  }),
  function: line("  clear the function's bits: running, RPO violation, early exit, forced rebuild", {
    step: "the function's flags of an earlier analysis are cleared",
  }),
  sweep: line("part 2, for each instruction in layout order, by its masked opcode:", {
    kind: "round",
    step: "part 2: sweep over the instructions of {func} in layout order",
  }),
  marker: line("  block marker: worklist[rpo] = block; +144 = rpo; full rebuild: assume header and predecessors (0x30)", {
    step: "{block} gets number {rpo}; the worklist holds {count} of {capacity}",
    missed: { unreachable: { say: "{block} cannot be reached: it keeps number 0 and is not put in the worklist", counts: false } },
  }),
  small: line("    full rebuild: a block without successors and HAS_PRED, level > 1 and +1552 <= 12 make a small kernel (+1376 bit 1)", {
    missed: {
      "has-predecessors": {
        say: "no block makes a small kernel: the rebuild sets HAS_PRED on each one right before it asks for a block without it",
        counts: false,
      },
    },
  }),
  branch: line("  BRA: register the edge to its target; EXIT and KILL: no edge", {
    step: {
      jump: "{kind} BRA in {block} goes to {target:block}",
      exit: "{op} in {block}: the thread ends, no edge",
    },
  }),
  table: line("  JMX, BRX: register one edge for each different target of the jump table", {
    step: "{op} in {block} walks {table}: {entries} {entries:entry|entries}, {targets} different {targets:target|targets}",
  }),
  natural: line("    the natural-loop check: does a target of the table dominate the block?", {
    missed: {
      "no-natural-loop": { say: "no target of {table} dominates {block}: the jump table closes no natural loop", counts: false },
    },
    found: "{header:block} dominates {block}: the jump table closes a natural loop",
  }),
  return: line("  RET: clear +280 bit 0x08 and +292 bits 0x0C; in a function, set the callee bit", {
    step: "RET in {block}: the thread returns, no edge",
  }),
  straight: line("  MOV, PHI, guarded and other instructions: nothing to register", {
    step: "{total} straight-line {total:instruction|instructions} in {block}{among}: no edge",
  }),
  fall: line("  end of a block that falls through: register the edge to the next block", {
    kind: "edge-add",
    step: "{block} falls through into {target:block}",
  }),
  edge: line("  register(b, t): add t to the successor map +648; if rpo(t) > rpo(b), t gets HAS_PRED"),
  back: line("    else add t to the back-edge map +680; +152 of b = the smallest such rpo(t)", {
    kind: "edge-add",
    step: "the edge {from:block} to {to:block} goes back: number {toRpo} is not above {fromRpo}; a back-edge candidate",
  }),
  candidate: line("  end of a block with a back edge: ANALYSIS_OK and +292 bit 0x08", {
    found: "{block} may be a latch: it has an edge back",
    missed: { "no-back-edge": { say: "{block} is no latch: all its edges go forward", counts: false } },
  }),
  header: line("part 3: LOOP_HEADER exactly on targets of back edges, whose +152 becomes the rpo of the furthest latch", {
    step: { kind: "round", say: "part 3: loop headers are the targets of the back edges found" },
    found: "{block} is a loop header: an edge from {latch:block} (number {latchRpo}) comes back to it",
    missed: {
      "no-retreating-edge": { say: "{block} was assumed to be a loop header, but no edge comes back to it", counts: false },
    },
  }),
  body: line("  IN_LOOP on every block with rpo from the header's to the furthest latch's", {
    step: "in loop: the numbers {from} to {to}: the interval of {header:block}",
  }),
  check: line("part 4: a back edge whose target does not dominate its source sets the RPO violation +1377 bit 5", {
    step: { kind: "round", say: "part 4: consistency of the numbers of {func}" },
    found: "every retreating edge's target dominates its source, and every edge leads to a numbered block",
    missed: {
      irreducible: {
        say: "the edge {from:block} to {to:block} goes back, but {to:block} does not dominate {from:block}: the graph is irreducible, the RPO-violation latch is set",
        counts: false,
      },
      unnumbered: {
        say: "the edge {from:block} to {to:block} leads to a block without number: the RPO-violation latch is set",
        counts: false,
      },
    },
  }),
  release: line("clear the guard"),
  dominate: line("dominators, which part 4 has asked for (sub_BDFB10): blocks in reverse post-order, until a round changes nothing", {
    step: {
      tree: { kind: "span", say: "immediate {kind} of {func}, by the two fingers of Cooper, Harvey and Kennedy" },
      round: { kind: "round", say: "round {round}: all {count} {count:block|blocks} again, in reverse post-order" },
      end: { kind: "note", say: "round {rounds} changed nothing: the {kind} are known, after {steps} {steps:step|steps} of fingers" },
      cut: { kind: "budget", say: "more than {steps} steps of fingers: the tree comes from semidominators instead, and is the same" },
    },
  }),
  fingers: line("  the finger with the larger number goes up to its dominator, until both meet: idom(b) = where", {
    step: {
      walk: "{block}: the fingers stand at {x} and {y}",
      set: { kind: "rpo-assign", say: "idom({block}) = {idom}" },
    },
  }),
  postDominate: line("post-dominators: the same on the reverse graph, from a virtual exit", {
    step: { kind: "note", say: "the reverse graph of {func}: every block that may end the thread has an edge to a virtual exit" },
  }),
});

/** What a brief run says, at a line of its caller. */
export const BRIEF = {
  step: {
    analyze: { kind: "span", say: "AnalyzeControlFlow, {mode}" },
    numbered: {
      kind: "note",
      say: "{count} {count:block|blocks} numbered, {edges} {edges:edge|edges}, {backEdges} back {backEdges:edge|edges}; RPO violation: {violation}",
    },
  },
  missed: CONTROL_FLOW.guard.spec.missed,
} as const satisfies LineSpec;
