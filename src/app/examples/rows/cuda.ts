/** Kernels in CUDA: their PTX by two compilers, and what ptxas made of some. */

/** Kernels written for the project, as both compilers translate them. */
export const CUDA: readonly (readonly [file: string, title: string, phase: string | null])[] = [
  ["01_switch_dense", "Dense switch", "do-switch-opt-second"],
  ["02_switch_sparse", "Sparse switch", "do-switch-opt-second"],
  ["03_nested_and", "Short-circuit conditions", "optimize-nested-cond-branches"],
  ["04_diamond", "Diamond", "ori-do-predication"],
  ["05_loop_nest", "Loop nest", null],
  ["06_early_exit", "Early exits", "ori-branch-opt"],
  ["07_redundant_addr", "Redundant addresses", "gvn-cse"],
  ["08_common_tails", "Common tails", "branch-folding"],
  ["09_reduction", "Reduction", null],
  ["10_divergent_loop", "Divergent loop", null],
  ["11_binary_search", "Binary search", "general-optimize"],
  ["12_state_machine", "State machine", "do-switch-opt-second"],
];

export const COMPILERS: readonly (readonly [suffix: string, title: string])[] = [
  ["sm_90", "nvcc 13.0, sm_90"],
  ["llvm22.sm_80", "LLVM 22, sm_80"],
];

/** What ptxas made of some of them: open one to look at its graph, or align one's own result with it. */
export const SASS: readonly (readonly [name: string, title: string, tool: string, look: string])[] = [
  [
    "01_switch_dense.sm_90",
    "Dense switch",
    "nvdisasm, sm_90",
    "Seven small jump tables after a tree of compares: what ptxas makes of a switch with 16 cases.",
  ],
  [
    "03_nested_and.sm_90",
    "Short-circuit conditions",
    "nvdisasm, sm_90",
    "Two convergence regions; the last condition has become predicated stores and a guarded exit.",
  ],
  [
    "04_diamond.sm_90",
    "Diamond",
    "nvdisasm, sm_90",
    "A division calls a local function: the import splits it off, and the call names the registers it changes.",
  ],
  ["05_loop_nest.sm_90", "Loop nest", "nvdisasm, sm_90", "Two of the source's three loops remain; compare the nesting with the PTX."],
  [
    "10_divergent_loop.sm_75",
    "Divergent loop",
    "cuobjdump, sm_75",
    "BSSY and BSYNC around the loop; branch targets are addresses in this listing.",
  ],
  [
    "12_state_machine.sm_90",
    "State machine",
    "nvdisasm, sm_90",
    "Two tables, three regions, BREAK: where ptxas kept the switch and where it did not.",
  ],
];

/** Where to open a kernel as one compiler writes it: on sm_80 value numbering is a no-op, and late commoning is what looks for equal values. */
export function phaseOf(phase: string | null, suffix: string): string | null {
  return phase === "gvn-cse" && suffix.endsWith("sm_80") ? "late-ori-commoning" : phase;
}
