/** What two runs of one program have in common: the phases before their plans differ. */

import type { PlannedRun } from "./plan.ts";
import type { Finding, PositionRun } from "./run.ts";

/**
 * The first runs of `done` that a plan would do again in the same way. Both are for the same program, target, level, policy, settings and hooks, and
 * no fuel is shared by all phases. A text that was put in ends what is shared: a later caller may have a different one.
 */
export function sharedStart<F extends Finding>(done: readonly PositionRun<F>[], runs: readonly PlannedRun[]): readonly PositionRun<F>[] {
  let shared = 0;
  for (const [i, run] of done.entries()) {
    const planned = runs[i];
    if (planned === undefined || run.error !== null || run.fuel !== (run.planned.told?.limit ?? null)) break;
    if (planned.told?.edit != null || wordOf(planned) !== wordOf(run.planned)) break;
    shared = i + 1;
  }
  return done.slice(0, shared);
}

/** All that decides what a planned run does. */
function wordOf({ id, beyond, told }: PlannedRun): string {
  if (told === undefined) return JSON.stringify([id, beyond]);
  const { skips, limit, drops, knobs, edit } = told;
  if (skips.size === 0 && limit === null && drops.size === 0 && knobs === null && edit === null) return JSON.stringify([id, beyond]);
  return JSON.stringify([id, beyond, [...skips].sort((a, b) => a - b), limit, [...drops].sort(), knobs, edit]);
}
