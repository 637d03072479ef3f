/** At which difference the comparison is, and the way to the next: in the picture a block, in the texts what the editor finds. */

import { createStore } from "zustand/vanilla";
import { textDifference } from "../editor/text-difference.ts";
import { graphView } from "../graph/graph-view.ts";
import type { BlockDifference } from "../graph/model/states.ts";
import { compareView } from "./compare-view.ts";

interface DifferenceStep {
  readonly of: readonly BlockDifference[];
  readonly at: number;
  go(direction: 1 | -1): void;
}

export const differenceStep = createStore<DifferenceStep>((set, get) => ({
  of: [],
  at: 0,
  go(direction) {
    if (compareView.getState().shows === "text") {
      textDifference.getState().go?.(direction);
      return;
    }
    const { of, at } = get();
    if (of.length === 0) return;
    const next = (at + direction + of.length) % of.length;
    set({ at: next });
    graphView.getState().controller?.revealBoth(of[next]?.id ?? 0);
  },
}));
