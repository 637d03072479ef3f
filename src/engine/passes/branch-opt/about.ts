/** What this pass says about itself. */

import { type About, address, enable, veto } from "../about.ts";

export const ABOUT = {
  family: "branch-opt",
  summary: "Folds jumps to the next block, deletes unreachable blocks, decides constant conditions and threads chains of empty blocks.",
  phases: [
    {
      id: "ori-branch-opt",
      number: 15,
      name: "OriBranchOpt",
      plain: "Branch simplification",
      also: ["jump threading", "unreachable code elimination", "branch folding", "empty blocks", "constant conditions", "SimplifyCFG"],
      level: { notes: 2, measured: 1 },
      gates: [veto("disable-early-and-branch-opt"), enable("general-opt-enable")],
      binary: {
        isNoOp: false,
        functions: [
          address("sub_C5F950", "execute", 34),
          address("sub_C5F480", "getPhaseNumber", 6),
          address("sub_C5F490", "isNoOp", 3),
          address("sub_7917F0", "body; another page assigns it to phase 13", 529),
        ],
        section: "branch-and-switch: Phase Objects, Function Map",
      },
    },
  ],
} as const satisfies About;
