/** Kernels in CUDA: their PTX by two compilers. */

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

/** Where to open a kernel as one compiler writes it: on sm_80 value numbering is a no-op, and late commoning is what looks for equal values. */
export function phaseOf(phase: string | null, suffix: string): string | null {
  return phase === "gvn-cse" && suffix.endsWith("sm_80") ? "late-ori-commoning" : phase;
}
