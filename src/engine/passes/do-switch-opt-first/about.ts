/** What this pass says about itself. */

import { type About, address, slot } from "../about.ts";

export const ABOUT = {
  family: "do-switch-opt-first",
  summary: "Runs the backend's own handler: removes needless sync pairs and retargets block operands, or tags near branches.",
  phases: [
    {
      id: "do-switch-opt-first",
      number: 14,
      name: "DoSwitchOptFirst",
      plain: "Reconvergence clean-up",
      also: ["BSSY", "BSYNC", "sync pairs", "convergence barriers", "near branches"],
      level: { notes: 2, measured: 1 },
      gates: [slot(14)],
      binary: {
        isNoOp: false,
        functions: [
          address("sub_C5F720", "execute: calls slot 17 of the backend", 42),
          address("sub_C5F4A0", "getPhaseNumber", 6),
          address("sub_C5F4B0", "isNoOp", 3),
          address("sub_849110", "handler A of SM60", 613),
          address("sub_729160", "handler B of SM80", 546),
          address("sub_7E6090", "scanner of branch patterns", 2614),
          address("sub_A9D9B0", "walks operands backwards"),
        ],
        section: "branch-and-switch: Phase Objects, Function Map",
      },
    },
  ],
} as const satisfies About;
