/** What this pass says about itself. */

import type { About } from "../about.ts";

export const ABOUT = {
  family: "expand-jmx",
  summary: "Expands JMX into LEA and BRX and lays out the jump tables in the text.",
  phases: [
    {
      id: "expand-jmx-computation",
      number: 80,
      name: "ExpandJmxComputation",
      plain: "Jump table expansion",
      also: ["indirect branch", "BRX", "jump table", "computed goto"],
    },
  ],
} as const satisfies About;
