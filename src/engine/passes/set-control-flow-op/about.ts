/** What this pass says about itself. */

import type { About } from "../about.ts";

export const ABOUT = {
  family: "set-control-flow-op",
  summary: "Checks that every branch ends its block and reports which blocks were split for it.",
  phases: [
    {
      id: "set-control-flow-op-last-in-bb",
      number: 6,
      name: "SetControlFlowOpLastInBB",
      plain: "Block splitting",
      also: ["basic blocks", "branches end blocks", "normalisation"],
    },
  ],
} as const satisfies About;
