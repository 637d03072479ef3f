/** The rows of the structures that the phase shows. */

/** Structure `copy-ring`, a ring: row `slot<k>` is a slot, rows `next` and `evictions` are numbers. */
export type CopyRingRow = CopySlotRow | number | null;

/** A pair of copies; `first` and `second` are ids of instructions. */
export type CopySlotRow = {
  readonly dest: string;
  readonly source: string;
  readonly first: number;
  readonly second: number | null;
  /** Pairs stored in the slot so far, and whether one of them fired. */
  readonly count: number;
  readonly changed: boolean;
};

/** Structure `late-counters`: by name, how often the rule fired. */
export type LateCounterRow = { readonly count: number; readonly changed: boolean };
