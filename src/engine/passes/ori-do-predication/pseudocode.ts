/** The phase's algorithm as numbered lines; `LINE` names the ones that events refer to. */

export const PSEUDOCODE = [
  "which branches may differ within a warp: uniformity analysis",
  "for each block A in post-order that ends with a condition P:",
  "  a way of A leads to a block that only ends the thread: A ends it itself, guarded by P",
  "  A must head a triangle or a diamond: the ways meet again in J after at most one block each",
  "  for each instruction of the arms: it must be one that a guard can carry",
  "    never: atomics, fences, shuffles, barriers, calls, division, guarded or convergence instructions",
  "    only under a uniform condition: votes, matches, warp barriers, uniform results",
  "  no arm writes P",
  "  length of an arm = its instructions, its jump included",
  "  limit = predication-arm-load with a global or local load, else -divergent or -uniform by the condition",
  "  a load in one arm only: the other arm may have predication-coupled-free; up to -coupled-max both together -coupled-total",
  "  both arms fit, or a triangle's only one:",
  "    move the else arm's instructions into A under !P, the taken arm's under P",
  "    a PHI of J with two values: a copy of each into a fresh register, the second under P",
  "    A goes to J; the arms go",
  "  only the taken arm is too long: move the else arm up under !P; the branch to the taken arm stays",
] as const;

export const LINE = {
  uniformity: 1,
  block: 2,
  exit: 3,
  shape: 4,
  instruction: 5,
  never: 6,
  onlyUniform: 7,
  writesCondition: 8,
  length: 9,
  limit: 10,
  coupled: 11,
  fits: 12,
  guard: 13,
  phi: 14,
  close: 15,
  partial: 16,
} as const;
