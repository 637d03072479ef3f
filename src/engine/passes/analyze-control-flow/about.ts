/** What this pass says about itself. */

import { type About, address, veto } from "../about.ts";

export const ABOUT = {
  family: "analyze-control-flow",
  summary: "Numbers blocks in reverse post-order, registers their edges, and tags loop headers and loop bodies.",
  phases: [
    {
      id: "analyze-control-flow",
      number: 3,
      name: "AnalyzeControlFlow",
      plain: "Control-flow analysis",
      also: ["reverse post-order", "RPO", "depth-first search", "back edges", "loop detection", "dominators", "reducibility"],
      level: { notes: 1, measured: 1 },
      gates: [veto("analyze-control-flow-veto")],
      binary: {
        functions: [
          address("sub_C60870", "execute: the gates, then the body", 89),
          address("sub_781F80", "body: 454 blocks, 51 callees, 131 callers", 8335),
          address("sub_780D80", "classifies terminators", 4007),
          address("sub_749140", "registers an edge"),
          address("sub_749090", "records a loop's exit"),
          address("sub_7486F0", "tests for a back edge"),
          address("sub_747EE0", "tests a terminator"),
          address("sub_8E3A20", "resets a block's flags"),
          address("sub_7598E0", "resizes the worklist"),
        ],
        section: "analyze-control-flow: identity table",
      },
    },
  ],
} as const satisfies About;
