/** Textbook names of the phases: what courses and other compilers call them, beside the name that the reference gives. */

export interface PhaseName {
  /** In plain words; what one reads first. */
  readonly plain: string;
  /** Other names for it or for a part of it: what one may search for. */
  readonly also: readonly string[];
}

const COPIES = ["copy propagation", "constant propagation", "constant folding", "peephole", "clean-up"] as const;
const DEAD = ["dead code elimination", "DCE", "dead store", "liveness", "unused results"] as const;

/** By the id of the phase. */
const NAMES: Readonly<Record<string, PhaseName>> = {
  "branch-folding": {
    plain: "Branch folding",
    also: ["tail merging", "cross jumping", "common tails", "code hoisting", "branch simplification", "LLVM BranchFolder"],
  },
  "analyze-control-flow": {
    plain: "Control-flow analysis",
    also: ["reverse post-order", "RPO", "depth-first search", "back edges", "loop detection", "dominators", "reducibility"],
  },
  "set-control-flow-op-last-in-bb": { plain: "Block splitting", also: ["basic blocks", "branches end blocks", "normalisation"] },
  "general-optimize-early": {
    plain: "Correlated branch elimination",
    also: ["jump threading", "redundant conditions", "implied conditions", "correlated value propagation"],
  },
  "do-switch-opt-first": {
    plain: "Reconvergence clean-up",
    also: ["BSSY", "BSYNC", "sync pairs", "convergence barriers", "near branches"],
  },
  "ori-branch-opt": {
    plain: "Branch simplification",
    also: ["jump threading", "unreachable code elimination", "branch folding", "empty blocks", "constant conditions", "SimplifyCFG"],
  },
  "general-optimize": { plain: "Copy and constant propagation", also: COPIES },
  "general-optimize-mid": {
    plain: "Local memory to registers",
    also: ["mem2reg", "scalar replacement", "SROA", "register promotion", ...COPIES],
  },
  "general-optimize-late": { plain: "Repeated copies", also: ["copy propagation", "redundant moves", "local copies"] },
  "do-switch-opt-second": {
    plain: "Switch lowering",
    also: ["jump table", "binary search tree", "compare chain", "case clustering", "switch strategy"],
  },
  "ori-linear-replacement": {
    plain: "If-conversion to selects",
    also: ["select", "conditional move", "phi to select", "SEL", "if-conversion"],
  },
  "optimize-nested-cond-branches": {
    plain: "Combining nested conditions",
    also: ["short-circuit", "and-or folding", "nested ifs", "truth table", "branch merging"],
  },
  "gvn-cse": {
    plain: "Value numbering",
    also: [
      "global value numbering",
      "GVN",
      "common subexpression elimination",
      "CSE",
      "redundancy elimination",
      "hash table",
      "scope tree",
    ],
  },
  "ori-reassociate-and-common": {
    plain: "Reassociation",
    also: ["expression trees", "canonical form", "commutativity", "associativity", "common subexpression elimination"],
  },
  "ori-perform-live-dead": { plain: "Dead code elimination", also: DEAD },
  "ori-do-predication": {
    plain: "If-conversion",
    also: ["predication", "guarded instructions", "triangle", "diamond", "branch to predicate"],
  },
  "late-ori-commoning": {
    plain: "Late common subexpressions",
    also: ["common subexpression elimination", "CSE", "commoning", "equivalence classes", "dominators"],
  },
  "expand-jmx-computation": { plain: "Jump table expansion", also: ["indirect branch", "BRX", "jump table", "computed goto"] },
  "advanced-phase-back-prop-vreg": { plain: "Backward copy propagation", also: ["copy coalescing", "move elimination"] },
  "ori-back-copy-propagate": { plain: "Backward copy propagation", also: ["copy coalescing", "move elimination"] },
  "merge-equivalent-conditional-flow": {
    plain: "Merging equal blocks",
    also: ["identical code folding", "block deduplication", "tail merging", "cross jumping"],
  },
};

/** Later runs of a phase have ids of their own. */
const ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^general-optimize-mid\d$/, "general-optimize-mid"],
  [/^general-optimize-late\d$/, "general-optimize-late"],
  [/^ori-perform-live-dead-\w+$/, "ori-perform-live-dead"],
  [/^late-merge-equivalent-conditional-flow$/, "merge-equivalent-conditional-flow"],
];

/** What a phase is called in plain words; null: only the reference has a name for it. */
export function phaseName(id: string): PhaseName | null {
  return NAMES[id] ?? NAMES[ALIASES.find(([pattern]) => pattern.test(id))?.[1] ?? ""] ?? null;
}

/** The name that is shown: the plain one, else the reference's. */
export function plainName(phase: { readonly id: string; readonly name: string }): string {
  return phaseName(phase.id)?.plain ?? phase.name;
}

/** A sentence about phases with their plain names. */
export function inPlainNames(sentence: string, phases: readonly { readonly id: string; readonly name: string }[]): string {
  const named = (word: string): string => plainName(phases.find(({ name }) => name === word) ?? { id: "", name: word });
  return sentence.replace(/\b[A-Z]\w+/g, named);
}

/** Everything that a search should find a phase by. */
export function searchNames(phase: { readonly id: string; readonly name: string }): string {
  const known = phaseName(phase.id);
  return [phase.name, phase.id, known?.plain ?? "", ...(known?.also ?? [])].join(" ").toLowerCase();
}
