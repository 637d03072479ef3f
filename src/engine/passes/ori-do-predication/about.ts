/** What this pass says about itself. */

import { type About, address } from "../about.ts";

export const ABOUT = {
  family: "ori-do-predication",
  summary: "Turns short triangles and diamonds into guarded instructions, and branches to the end of the thread into guarded exits.",
  phases: [
    {
      id: "ori-do-predication",
      number: 63,
      name: "OriDoPredication",
      plain: "If-conversion",
      also: ["predication", "guarded instructions", "triangle", "diamond", "branch to predicate"],
      level: { notes: 1, measured: 1, chosen: true },
      binary: {
        functions: [address("sub_1381010", "calls the control-flow analysis, at 22 places")],
        section: "analyze-control-flow: Consumer Catalog",
      },
    },
  ],
} as const satisfies About;
