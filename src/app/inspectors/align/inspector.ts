/** The tab of the inspector; what it draws comes when it is opened. */

import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

export const ALIGN: Inspector = {
  id: "align",
  title: "Real SASS",
  about: "compare with real SASS from ptxas, listing",
  dock: "bottom",
  relevant: (s) => s.run.result !== null,
  component: late(async () => (await import("./align.tsx")).Align),
};
