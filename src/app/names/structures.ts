/** Data structures of the phases in plain words, with what a course calls them; the engine's titles keep the reference's offsets. */

interface StructureName {
  readonly plain: string;
  /** What else one may search for. */
  readonly also: string;
}

/** By the name of the structure in a trace. */
const NAMES: Readonly<Record<string, readonly [plain: string, also: string]>> = {
  "back-edges": ["Back edges", "retreating edges, loops, latches, hash map, FNV-1a"],
  successors: ["Successors", "edges, adjacency, control-flow graph, hash map, FNV-1a"],
  "successor-lists": ["Successor lists so far", "edges, adjacency, record, +128"],
  worklist: ["Worklist", "blocks in reverse post-order, RPO, queue"],
  classes: ["Value classes", "equivalence classes, congruence, hash table, accumulator"],
  "cse-table": ["Expressions of this block", "hash table, available expressions, local CSE"],
  "cse-window": ["Leaders in the window", "available expressions, local CSE"],
  copies: ["Copies to remove", "worklist, bit set, coalescing"],
  "dying-blocks": ["Blocks to look at again", "worklist, liveness, bit set, dead code"],
  "round-blocks": ["Blocks to look at", "worklist, reachability, bit set"],
  "next-round-blocks": ["Blocks for the next round", "worklist, reachability, bit set"],
  "scope-tree": ["Scope tree", "red-black tree, bit set, dominator scopes"],
  "value-table": ["Value table", "hash table, expressions, leaders, FNV-1a"],
  leaders: ["Leaders", "value records, leaders, expressions"],
  "sorted-operands": ["Sorted operands", "commutative operands, canonical order, marks"],
  "ebb-insts": ["Marked instructions", "extended basic blocks, EBB, fixed point, +48"],
  visited: ["Visited blocks", "bit set, reverse post-order, walk"],
  "deferred-moves": ["Copies to write", "worklist, deferred list, MOV"],
  rounds: ["Rounds of the sub-passes", "fixed point, iteration"],
  "live-in": ["Live at block heads", "liveness, live-in sets, data flow"],
  "copy-ring": ["The last six copies", "ring buffer, copy pairs, cache"],
  "cfg-context": ["Predecessors and numbers", "RPO, reverse post-order, predecessor counts"],
  "erase-walk": ["Search for successors", "erase_block, hash map, bucket, chain, FNV-1a, sentinel"],
  "branch-patterns": ["How blocks end", "branch patterns, terminators, control-flow graph"],
  "changed-blocks": ["Changed blocks", "change tracking, dirty flags, worklist"],
  "new-instruction": ["The last rewrite's record", "instruction list surgery, +232, +264, +280"],
  "chain-state": ["Chain of compares", "pattern matcher, state machine, switch"],
  convergence: ["Cost by round", "convergence, fixed point, folds"],
  "mid-context": ["Context of the phase", "0x408 bytes, sub_905B50, containers, layout"],
  "definition-reach": ["Definitions that reach", "reaching definitions, bit vector, gen kill"],
  "reaching-definitions": ["Definitions of a read", "reaching definitions, def-use, use-def chain"],
  "live-registers": ["Live registers by block", "liveness, bit vector, live-in"],
  "fold-eligible": ["Operands with known sources", "constant propagation, fold eligibility, bit vector"],
  "register-constraints": ["Register constraints", "sub_91D150, +440, fixed registers, pre-allocated"],
  "tracking-record": ["Record of the predicate search", "sub_908A60, two-pass simplifier, 24 bytes"],
  "visited-instructions": ["Instructions searched", "visited set, two-pass simplifier, hash set"],
  "copy-state": ["Copies and definitions", "def-use, copy status"],
  "jump-table-bytes": ["Jump tables as bytes", "switch, text, encoding"],
  "late-counters": ["Counters", "statistics, flags"],
  "local-slots": ["Slots of local memory", "mem2reg, stack slots, promotion"],
  "operand-marks": ["Operands to replace", "marks, pending changes"],
  "truth-table": ["Truth table", "lookup table, LUT, PLOP3, boolean"],
  "rebuilt-chain": ["Rebuilt expression", "left-leaning chain, reassociation"],
  "ebb-marks": ["Marked dominators", "extended basic blocks, EBB, dominator tree"],
  "dominator-records": ["Leaders of dominators", "T1, T2, T3, immediate dominator, value record"],
  "dominance-cache": ["Dominance cache", "T4, dominators, one entry"],
  equiv: ["Conditions of this pair", "equivalence, EQUIV, verdicts"],
  "equivalence-table": ["Candidates by hash", "hash table, available expressions, equivalence table"],
  "hash-parts": ["Parts of the last hash", "hash function, mixing, opcode, operands"],
  "dom-set": ["Dominators as bits", "dominance, bit vector, dom_set"],
  "inst-slots": ["Hash and class of each instruction", "hash table, class mask, slots"],
  "kill-sets": ["Registers that die inside", "kill sets, liveness"],
  "pipeline-counter": ["Pipeline counter", "position, progress"],
  registers: ["Representative of each register", "register descriptors, copies, chain"],
  eligibility: ["Instructions of the inner block", "eligibility, speculation, sub_A07940"],
  "switch-context": ["Context of the switches", "SwitchOptContext, +1288, 152 bytes, layout"],
  tombstones: ["Removed results", "tombstones, deleted operands"],
  "flattened-tree": ["Flattened expression", "expression tree, leaves, reassociation"],
  "value-numbers": ["Value numbers", "value numbering, congruence"],
  ws: ["Working set", "state, cache"],
};

/** What a structure is called here; one that is new to the page has the engine's title. */
export function structureName(structure: { readonly name: string; readonly title: string }): StructureName {
  const known = NAMES[structure.name];
  return known === undefined ? { plain: structure.title, also: "" } : { plain: known[0], also: known[1] };
}

/** Everything that a search should find a structure by. */
export function searchStructure(structure: { readonly name: string; readonly title: string }): string {
  const { plain, also } = structureName(structure);
  return `${plain} ${also} ${structure.title} ${structure.name}`.toLowerCase();
}
