/** Values computed twice, copied or never read. */

import type { ExampleRow } from "../../../../app/session/example.ts";

export const REDUNDANCY: readonly ExampleRow[] = [
  [
    "two-adds",
    "Two equal adds",
    "gvn-cse",
    "One sum, computed for a test and again for a store.",
    "The second add gets the first one's value number. The first one's block dominates it, so a move can replace it.",
  ],
  [
    "redundant-addresses",
    "Redundant addresses",
    "gvn-cse",
    "One address computed five times.",
    "The value table finds the leader by its FNV-1a hash; the scope tree decides which leaders are visible.",
  ],
  [
    "copy-chain",
    "Chain of copies",
    "general-optimize",
    "Copies of copies, across a join.",
    "Forward copy propagation stops where a register has several definitions: see the refused matches.",
  ],
  [
    "reassociate",
    "Reassociation",
    "ori-reassociate-and-common",
    "Sums in different orders.",
    "Subtractions become additions, operands are sorted and the tree is rebuilt; then equal subtrees are found.",
  ],
  [
    "reassociate-floats",
    "Reassociation refused",
    "ori-reassociate-and-common",
    "The same sums of floats.",
    "No tree is flattened: the order of float additions is part of their result.",
  ],
  [
    "late-commoning",
    "Late commoning",
    "late-ori-commoning",
    "A product that a dominating block has computed, for sm_80.",
    "The class masks say where to look, EQUIV checks seven conditions, and the use reads the representative.",
  ],
  [
    "late-commoning-select",
    "A select in between",
    "late-ori-commoning",
    "The same with a SEL after the first product.",
    "SEL resets the accumulator, so the class mask refuses the second product.",
  ],
  [
    "marked-operands",
    "Marked operands",
    "general-optimize",
    "A predicate that becomes known, with a select and guards that read it.",
    "Watch operand-marks: 0x100 on the select and the copies, 0x400 under a predicate. On target sm_70 nothing is marked 0x400.",
  ],
  [
    "copies-that-stay",
    "Copies that stay",
    "general-optimize",
    "The counterpart of the chain of copies.",
    "Copy propagation never crosses a redefinition of the source or the destination; each refused use names it.",
  ],
  [
    "local-scalars",
    "Scalars in local memory",
    "general-optimize-mid",
    "A loop counter and a sum that live in local memory.",
    "Two slots become registers, then copies disappear round by round: see the cost of each fold and the convergence table.",
  ],
  [
    "local-array",
    "Array in local memory",
    "general-optimize-mid",
    "The counterpart: a computed address may reach every slot.",
    "Nothing is promoted. Set knob 135 to 12 and knob 136 to 0.5 to have the computed load compared with each slot.",
  ],
  [
    "dead-counter",
    "Counter that nobody reads",
    "ori-perform-live-dead-second",
    "A loop variable that only feeds itself.",
    "Watch the liveness rounds: R2 never enters a set, so the counter is removed although something reads it.",
  ],
  [
    "dead-results",
    "Dead results that stay",
    "ori-perform-live-dead-first",
    "The counterpart: an atomic, a volatile load, a clock read.",
    "Their results are dead, their effects are not. Why says which effect keeps each.",
  ],
];
