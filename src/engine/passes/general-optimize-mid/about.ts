/** What this pass says about itself. */

import { type About, address, enable } from "../about.ts";

export const ABOUT = {
  family: "general-optimize-mid",
  summary: "Promotes local memory to registers, then propagates, folds and removes in rounds with a cost threshold.",
  phases: [
    {
      id: "general-optimize-mid",
      number: 37,
      name: "GeneralOptimizeMid",
      plain: "Local memory to registers",
      also: [
        "mem2reg",
        "scalar replacement",
        "SROA",
        "register promotion",
        "copy propagation",
        "constant propagation",
        "constant folding",
        "peephole",
        "clean-up",
      ],
      level: { notes: 2, measured: 1 },
      gates: [enable("general-opt-enable")],
      binary: {
        functions: [
          address("0xC5FD70", "execute"),
          address("sub_910840", "body"),
          address("sub_8F3EA0", "check before it"),
          address("sub_905B50", "sets the context up"),
          address("sub_90FBA0", "the main loop"),
        ],
        section: "general-optimize: Instance Map, Function Map",
      },
    },
  ],
  parts: [{ id: "convert-memory-to-register-or-uniform", name: "ConvertMemoryToRegisterOrUniform" }],
} as const satisfies About;
