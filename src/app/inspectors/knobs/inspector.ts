/** The tab of the inspector; what it draws comes when it is opened. */

import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

export const KNOBS: Inspector = {
  id: "knobs",
  title: "Knobs",
  about: "thresholds and switches, options, settings",
  dock: "top",
  relevant: (s) => s.engine.knobs.length > 0,
  component: late(async () => (await import("./knobs.tsx")).Knobs),
};
