/** Values computed twice, copied or never read. */

import type { OriRow } from "../example.ts";

export const REDUNDANCY: readonly OriRow[] = [
  [
    "two-adds",
    "Two equal adds",
    "gvn-cse",
    "One sum, computed for a test and again for a store.",
    "The second add gets the first one's value number; the first one's block dominates it, so a move is enough.",
  ],
  [
    "redundant-addresses",
    "Redundant addresses",
    "gvn-cse",
    "One address computed five times.",
    "The value table finds the leader by FNV-1a; the scope tree says whose leaders are visible.",
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
    "Subtractions are turned, operands sorted and the tree rebuilt; then equal subtrees meet.",
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
    "The class masks say where to look, EQUIV judges by seven conditions, and the use reads the representative.",
  ],
  [
    "late-commoning-select",
    "A select in between",
    "late-ori-commoning",
    "The same with a SEL after the first product.",
    "SEL resets the accumulator, so the second product is refused by its class mask.",
  ],
  [
    "marked-operands",
    "Marked operands",
    "general-optimize",
    "A predicate that becomes known, with a select and guards that read it.",
    "Watch operand-marks: 0x100 on the select and the copies, 0x400 under a predicate. Take target sm_70: nothing is marked 0x400 there.",
  ],
  [
    "copies-that-stay",
    "Copies that stay",
    "general-optimize",
    "The twin of the chain of copies.",
    "Copy propagation never crosses a redefinition of source or destination: each refused use says which.",
  ],
  [
    "local-scalars",
    "Scalars in local memory",
    "general-optimize-mid",
    "A loop counter and a sum that live in local memory.",
    "Two slots become registers, then copies go round by round: see the cost of each fold and the convergence table.",
  ],
  [
    "local-array",
    "Array in local memory",
    "general-optimize-mid",
    "The twin: a computed address may reach every slot.",
    "Nothing is promoted. Set knob 135 to 12 and knob 136 to 0.5: the computed load is compared with each slot.",
  ],
  [
    "dead-counter",
    "Counter that nobody reads",
    "ori-perform-live-dead-second",
    "A loop variable that only feeds itself.",
    "Watch the liveness rounds: R2 never joins a set, so the counter goes although something reads it.",
  ],
  [
    "dead-results",
    "Dead results that stay",
    "ori-perform-live-dead-first",
    "The twin: an atomic, a volatile load, a clock.",
    "Their results are dead, their effects are not. Why says which effect keeps each.",
  ],
];
