/** What this pass says about itself. */

import type { About, PhaseAbout } from "../about.ts";

const DEAD = {
  plain: "Dead code elimination",
  also: ["dead code elimination", "DCE", "dead store", "liveness", "unused results"],
  level: { notes: 1, measured: 1, chosen: true },
} as const satisfies Partial<PhaseAbout>;

const UNNAMED = "the reference lists the four runs and names the first and the last";

export const ABOUT = {
  family: "live-dead",
  summary: "Removes instructions without effect whose results nothing needs.",
  phases: [
    {
      id: "ori-perform-live-dead-first",
      number: 16,
      name: "OriPerformLiveDeadFirst",
      ...DEAD,
    },
    {
      id: "ori-perform-live-dead-second",
      number: 33,
      name: "OriPerformLiveDeadSecond",
      remark: UNNAMED,
      ...DEAD,
    },
    {
      id: "ori-perform-live-dead-third",
      number: 61,
      name: "OriPerformLiveDeadThird",
      remark: UNNAMED,
      ...DEAD,
    },
    {
      id: "ori-perform-live-dead-fourth",
      number: 84,
      name: "OriPerformLiveDeadFourth",
      ...DEAD,
    },
  ],
} as const satisfies About;
