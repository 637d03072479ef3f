/** The result beside a SASS listing of the real compiler. */

import { late } from "../inspectors/late.tsx";
import type { Feature } from "../session/feature.ts";

export const ALIGN: Feature = {
  id: "align",
  slices: { align: { listing: null, listings: 0 } },
  experiments: [
    {
      name: "align",
      group: "Check",
      title: "Real SASS",
      about: "compare with a listing of the real compiler",
      found: "compare with a listing of ptxas",
      whole: true,
    },
  ],
  experimentPanes: async () => ({ align: late(async () => (await import("./align.tsx")).Align) }),
};
