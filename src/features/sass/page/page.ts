/** What SASS adds to the page: the result next to a listing of the real compiler. */

import { late } from "../../../app/inspectors/late.tsx";
import type { Feature } from "../../../app/session/feature.ts";
import { SASS } from "./feature.ts";

export const SASS_PAGE: Feature = {
  ...SASS,
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
