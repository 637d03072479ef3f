/** The tab of the inspector; what it draws comes when it is opened. */

import { selectPhase } from "../../session/selectors.ts";
import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

/** Phases that have to do with switches. */
const PHASES = ["do-switch-opt-first", "do-switch-opt-second", "expand-jmx-computation"];

export const SWITCHES: Inspector = {
  id: "switches",
  title: "Switches",
  about: "jump table, binary tree, compare chain, strategy, cases",
  dock: "bottom",
  relevant: (s) => PHASES.includes(selectPhase(s)?.id ?? ""),
  component: late(async () => (await import("./switches.tsx")).Switches),
};
