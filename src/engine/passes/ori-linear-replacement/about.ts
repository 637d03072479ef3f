/** What this pass says about itself. */

import type { About } from "../about.ts";

export const ABOUT = {
  family: "ori-linear-replacement",
  summary: "Replaces triangles and diamonds that only choose between ready values by SEL and guarded MOV.",
  phases: [
    {
      id: "ori-linear-replacement",
      number: 31,
      name: "OriLinearReplacement",
      plain: "If-conversion to selects",
      also: ["select", "conditional move", "phi to select", "SEL", "if-conversion"],
      level: { notes: 2, measured: 1, chosen: true },
    },
  ],
} as const satisfies About;
