/** What this pass says about itself. */

import { type About, address } from "../about.ts";

export const ABOUT = {
  family: "optimize-nested-cond-branches",
  summary: "Combines nested conditions that leave to a common block into one, with a truth table or a chained compare.",
  phases: [
    {
      id: "optimize-nested-cond-branches",
      number: 38,
      name: "OptimizeNestedCondBranches",
      plain: "Combining nested conditions",
      also: ["short-circuit", "and-or folding", "nested ifs", "truth table", "branch merging"],
      level: { notes: 2, measured: 1 },
      binary: {
        isNoOp: false,
        functions: [
          address("sub_C5FA70", "execute", 34),
          address("sub_C5F1A0", "getPhaseNumber", 6),
          address("sub_C5F1B0", "isNoOp", 3),
          address("sub_A0F020", "body: 563 instructions", 2375),
        ],
        section: "branch-and-switch: Phase Objects, Function Map",
      },
    },
  ],
} as const satisfies About;
