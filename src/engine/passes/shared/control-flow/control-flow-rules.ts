/** AnalyzeControlFlow as a table: its pseudocode, and the events and decisions of each line. */

import { type LineSpec, line, rules } from "../../../remark/rules.ts";

const KEPT = "{kept} {kept:record is valid and keeps its tag|records are valid and keep their tags}";

export const CONTROL_FLOW = rules({
  guard: line("return if the guard is set: the analysis is running already; else set it // +1370 bit 0x10", {
    missed: {
      "re-entry": {
        code: "re-entry guard",
        say: "the analysis is running already, so this nested call writes nothing",
        counts: false,
      },
    },
  }),
  fresh: line("incremental: skip blocks whose record is still valid", {
    kind: "cache",
    step: {
      all: `incremental: no record is outdated, ${KEPT}`,
      some: `incremental: ${KEPT}; recomputed {stale:is|are} {blocks}`,
      none: "incremental: all {stale} block {stale:record|records} are outdated and recomputed",
    },
  }),
  reset: line("part 1, for each outdated block: clear its flags and its numbers // +280 &= 0xFF78F98F; +120, +128, +144, +152, +232 = 0", {
    step: {
      part: { kind: "round", say: "part 1: clear the results of an earlier analysis in {count} {count:block|blocks}" },
      block: "{block} loses its number and its loop flags",
    },
  }),
  worklist: line("  worklist count: below 0, the list is empty and gets one entry; else = 0 // +520; sub_7598E0", {
    kind: "note",
    step: {
      kept: "the worklist's count goes from {before} to 0",
      fresh: "the worklist's count is {before}, as no analysis has filled it, so it gets one entry, number 0, which no block uses",
      grows: "the full worklist grows from {before} to {after} entries",
    },
  }),
  function: line("  clear the function's bits: running, RPO violation, early exit, forced rebuild", {
    step: "clear the function's flags of an earlier analysis",
  }),
  sweep: line("part 2, for each instruction in layout order, by its masked opcode:", {
    kind: "round",
    step: "part 2: sweep over the instructions of {func} in layout order",
  }),
  marker: line("  block marker: worklist[rpo] = block; its RPO number = rpo; full rebuild: assume header and predecessors // +144; 0x30", {
    step: "{block} gets number {rpo}; the worklist contains {count} of {capacity}",
    missed: { unreachable: { say: "{block} is unreachable, so it keeps number 0 and is not put in the worklist", counts: false } },
  }),
  small: line(
    "    full rebuild: a block without successors and HAS_PRED, level > 1 and the pipeline counter <= 12 make a small kernel // +1552; +1376 bit 1",
    {
      missed: {
        "has-predecessors": {
          say: "no block makes a small kernel, since the rebuild sets HAS_PRED on each block right before this check",
          counts: false,
        },
      },
    },
  ),
  branch: line("  BRA: register the edge to its target; EXIT and KILL: no edge", {
    step: {
      jump: "{kind} BRA in {block} targets {target:block}",
      exit: "{op} in {block} ends the thread, so it has no edge",
    },
  }),
  table: line("  JMX, BRX: register one edge for each different target of the jump table", {
    step: "{op} in {block} jumps through {table} with {entries} {entries:entry|entries} and {targets} different {targets:target|targets}",
  }),
  natural: line("    the natural-loop check: does a target of the table dominate the block?", {
    missed: {
      "no-natural-loop": { say: "no target of {table} dominates {block}, so the jump table closes no natural loop", counts: false },
    },
    found: "{header:block} dominates {block}, so the jump table closes a natural loop",
  }),
  return: line("  RET: clear three of its flags; in a function, set the callee bit // +280 bit 0x08; +292 bits 0x0C", {
    step: "RET in {block} returns, so it has no edge",
  }),
  straight: line("  MOV, PHI, guarded and other instructions: nothing to register", {
    step: "no edge from {total} straight-line {total:instruction|instructions} in {block}{among}",
  }),
  fall: line("  end of a block that falls through: register the edge to the next block", {
    kind: "edge-add",
    step: "{block} falls through into {target:block}",
  }),
  edge: line("  register(b, t): add t to the successor map; if rpo(t) > rpo(b), t gets HAS_PRED // +648"),
  back: line("    else add t to the back-edge map; the back-edge number of b = the smallest such rpo(t) // +680; +152", {
    kind: "edge-add",
    step: "the edge from {from:block} to {to:block} is a back-edge candidate, as number {toRpo} is not above {fromRpo}",
  }),
  candidate: line("  end of a block with a back edge: ANALYSIS_OK and a second flag // +292 bit 0x08", {
    found: "{block} may be a latch, since it has a back edge",
    missed: { "no-back-edge": { say: "{block} is not a latch, since it has no back edge", counts: false } },
  }),
  header: line(
    "part 3: LOOP_HEADER exactly on targets of back edges, whose back-edge number becomes the rpo of the furthest latch // +152",
    {
      step: { kind: "round", say: "part 3: loop headers are the targets of the back edges found" },
      found: "{block} is a loop header, the target of a back edge from {latch:block} (number {latchRpo})",
      missed: {
        "no-retreating-edge": { say: "{block} was assumed to be a loop header, but no back edge targets it", counts: false },
      },
    },
  ),
  body: line("  IN_LOOP on every block numbered from the header to the furthest latch", {
    step: "the loop of {header:block} has the numbers {from} to {to}",
  }),
  check: line("part 4: a back edge whose target does not dominate its source sets the RPO violation // +1377 bit 5", {
    step: { kind: "round", say: "part 4: check the numbers of {func}" },
    found: "the target of every retreating edge dominates its source, and every edge leads to a numbered block",
    missed: {
      irreducible: {
        say: "the retreating edge from {from:block} to {to:block} has a target that does not dominate its source, so the graph is irreducible and the RPO violation is set",
        counts: false,
      },
      unnumbered: {
        say: "the edge from {from:block} to {to:block} leads to a block without a number, so the RPO violation is set",
        counts: false,
      },
    },
  }),
  release: line("clear the guard"),
  dominate: line("dominators, for part 4: visit the blocks in reverse post-order until a round changes nothing // sub_BDFB10", {
    step: {
      tree: { kind: "span", say: "immediate {kind} of {func}, by the two fingers of Cooper, Harvey and Kennedy" },
      round: { kind: "round", say: "round {round}: visit {count} {count:block|blocks} in reverse post-order" },
      end: { kind: "note", say: "round {rounds} changed nothing, so the {kind} are final, after {steps} finger {steps:step|steps}" },
      cut: { kind: "budget", say: "after more than {steps} finger steps the same tree is computed from semidominators" },
    },
  }),
  fingers: line("  move the finger with the larger number up to its dominator until both are equal; idom(b) = that block", {
    step: {
      walk: "for {block}, compare {x} and {y}",
      set: { kind: "rpo-assign", say: "idom({block}) = {idom}" },
    },
  }),
  postDominate: line("post-dominators: the same on the reverse graph, from a virtual exit", {
    step: { kind: "note", say: "in the reverse graph of {func}, every block that may end the thread has an edge to a virtual exit" },
  }),
});

/** The events of a brief run, at a line of its caller. */
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
