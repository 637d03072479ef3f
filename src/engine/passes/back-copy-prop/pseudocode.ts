/** The algorithm of both phases as numbered lines; `LINE` names the ones that events refer to. */

export const PSEUDOCODE = [
  "phase 82, BackPropVReg (installed by a target option):",
  "  count the definitions and uses of every register",
  "  for each block in RPO, for each instruction, last to first:",
  "    I must be an unguarded copy MOV Rd, Rs of a whole register",
  "    D = the definition of Rs that reaches I: in the same block, unguarded",
  "    guard 1: this copy is the only use of Rs",
  "    guard 2: D can write Rd instead: same class, a result of its own, neither is a parameter or a result of the function",
  "    guard 3: nothing between D and I writes Rd",
  "      nor reads it (not stated in the notes)",
  "    the budget (knob 808) has one left, or stop",
  "    D writes Rd instead of Rs",
  "    delete I",
  "phase 83, OriBackCopyPropagate:",
  "  the pipeline counter (+1552) becomes 9",
  "  with bit 2 of +1398: operand encoding takes address registers and register 41 into patterns that exclude them before",
] as const;

export const LINE = {
  phase82: 1,
  count: 2,
  walk: 3,
  copy: 4,
  definition: 5,
  guard1: 6,
  guard2: 7,
  guard3: 8,
  reads: 9,
  budget: 10,
  rename: 11,
  remove: 12,
  phase83: 13,
  counter: 14,
  relax: 15,
} as const;
