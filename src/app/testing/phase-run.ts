/** A run of a phase for tests, which name what they are about. */

import type { PhaseRun } from "../../engine/api/types.ts";

export const phaseRun = (part: Partial<PhaseRun>): PhaseRun => ({
  run: 0,
  address: "r0",
  phase: 1,
  group: "ptxas",
  id: "a",
  name: "a",
  modelled: true,
  ran: true,
  reason: null,
  gates: [],
  dispatch: [],
  changed: false,
  blocks: [1, 1],
  instructions: [1, 1],
  matches: 0,
  rewrites: 0,
  asked: 0,
  refused: 0,
  dropped: [],
  figures: {},
  ms: 0,
  verifyErrors: [],
  check: null,
  ...part,
});
