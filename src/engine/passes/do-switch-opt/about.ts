/** What this pass says about itself. */

import { type About, address } from "../about.ts";

export const ABOUT = {
  family: "do-switch-opt",
  summary: "Lowers chains of equality compares to jump tables or binary search trees by their number and density.",
  phases: [
    {
      id: "do-switch-opt-second",
      number: 30,
      name: "DoSwitchOptSecond",
      plain: "Switch lowering",
      also: ["jump table", "binary search tree", "compare chain", "case clustering", "switch strategy"],
      level: { notes: 2, measured: 1 },
      binary: {
        isNoOp: false,
        functions: [
          address("sub_C5FC80", "execute", 34),
          address("sub_C5F2A0", "getPhaseNumber", 6),
          address("sub_C5F2B0", "isNoOp", 3),
          address("sub_791F00", "body, with 1 for the second pass", 587),
        ],
        section: "branch-and-switch: Phase Objects, Function Map",
      },
    },
  ],
} as const satisfies About;
