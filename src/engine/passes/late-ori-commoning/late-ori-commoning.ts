/** Phase 64, LateOriCommoning: common computations after predication, found by hash and class mask, proved by EQUIV. */

import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { PSEUDOCODE } from "./pseudocode.ts";
import { Walker } from "./walker.ts";

export const lateOriCommoning: Pass = {
  family: "late-ori-commoning",
  ids: ["late-ori-commoning"],
  summary: "Commons equal computations in the same or a dominating block, and reads representatives instead of copies.",
  pseudocode: PSEUDOCODE,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const walker = new Walker(ctx);
  walker.run();
  const { tried, commoned, movs, removed, remapped, cleaned } = walker.counts;
  const reasons = [...walker.refusals].map(([condition, times]) => `${condition} (${times})`);
  const why =
    commoned + remapped > 0
      ? null
      : tried === 0
        ? "no instruction could be tried"
        : reasons.length === 0
          ? "no value is computed twice"
          : `every candidate was refused: ${reasons.join(", ")}`;
  return {
    matches: tried,
    rewrites: commoned + remapped,
    why,
    figures: { commoned, movs, removed, remapped, cleaned, forgotten: walker.chains.forgotten },
  };
}
