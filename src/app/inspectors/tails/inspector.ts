/** The tab of the inspector; what it draws comes when it is opened. */

import { selectPhase } from "../../session/selectors.ts";
import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

/** The only phase that merges tails. */
const TAILS_PHASE = "branch-folding";

export const TAILS: Inspector = {
  id: "tails",
  title: "Tails",
  about: "common tails, merging, hash of a tail, candidates",
  dock: "bottom",
  relevant: (s) => selectPhase(s)?.id === TAILS_PHASE,
  component: late(async () => (await import("./tails.tsx")).Tails),
};
