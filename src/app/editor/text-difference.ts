/** The way to the next difference of the two texts that are shown beside each other; null: none are. */

import { createStore } from "zustand/vanilla";

export const textDifference = createStore<{ readonly go: ((direction: 1 | -1) => void) | null }>(() => ({ go: null }));
