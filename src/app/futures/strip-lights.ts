/** What the lights of all rewrites say of each phase of the strip. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { LightReport, PhaseRun } from "../../engine/api/types.ts";
import { useSession } from "../session/hooks.ts";
import { rewritesBefore } from "./rewrites.ts";

export type StripLight = LightReport["colour"];

interface Shown {
  /** The run that they are of. */
  readonly epoch: number;
  readonly colours: readonly (StripLight | null)[];
}

const store = createStore<{ readonly shown: Shown | null }>(() => ({ shown: null }));

/**
 * A colour for each run: red where a program after one of its rewrites means something else than the one as written; null where
 * nothing is rewritten, or not all is known.
 */
export function coloursOf(phases: readonly PhaseRun[], known: ReadonlyMap<number, LightReport>): readonly (StripLight | null)[] {
  const before = rewritesBefore(phases);
  return phases.map(({ rewrites }, run) => {
    const start = before[run] ?? 0;
    const own = Array.from({ length: rewrites }, (_, i) => known.get(start + i + 1)?.colour);
    if (own.length === 0) return null;
    if (own.includes("red")) return "red";
    if (own.includes(undefined)) return null;
    return own.includes("green") ? "green" : "grey";
  });
}

export function showStripLights(epoch: number, colours: readonly (StripLight | null)[]): void {
  store.setState({ shown: { epoch, colours } });
}

/** Null while no lights of the open run are known. */
export function useStripLights(): readonly (StripLight | null)[] | null {
  const epoch = useSession((s) => s.run.epoch);
  return useStore(store, ({ shown }) => (shown?.epoch === epoch ? shown.colours : null));
}
