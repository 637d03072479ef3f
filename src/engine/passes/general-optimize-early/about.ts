/** What this pass says about itself. */

import { type About, address, enable, veto } from "../about.ts";

export const ABOUT = {
  family: "general-optimize-early",
  summary: "Decides a second test of a condition by the edge it was reached on, and folds predicates of known value.",
  phases: [
    {
      id: "general-optimize-early",
      number: 13,
      name: "GeneralOptimizeEarly",
      plain: "Correlated branch elimination",
      also: ["jump threading", "redundant conditions", "implied conditions", "correlated value propagation"],
      level: { notes: 2, measured: 1 },
      gates: [veto("disable-early-and-branch-opt"), enable("general-opt-enable")],
      binary: {
        functions: [
          address("0xC5F940", "execute"),
          address("sub_7917F0", "body for several functions"),
          address("0x1C64BF0", "body for one function"),
        ],
        section: "general-optimize: Instance Map, Function Map",
      },
    },
  ],
} as const satisfies About;
