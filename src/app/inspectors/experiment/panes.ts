/** The panes of the page's own experiments, by the names of the experiments. */

import type { Shown } from "../../session/feature.ts";
import { late } from "../late.tsx";

export const PANES: Shown = {
  knobs: late(async () => (await import("../knobs/knobs.tsx")).Knobs),
  run: late(async () => (await import("../run/run.tsx")).Run),
};
