/** The rows of the structures that the phase shows. */

/** A 4-bit map over the outer and the inner condition, from 11 to 00, of one input or of the result. */
type MapRow =
  | { readonly literal: string; readonly map: number; readonly type: string | null; readonly index: number | null }
  | { readonly literal: string; readonly map: number; readonly form: string; readonly negated: boolean };

/**
 * Structure `truth-table`: rows `111` to `000` are the results for a, b and c, row `table` the number that they are together, rows `outer`, `inner` and
 * `combined` the maps.
 */
export type TruthTableRow = number | MapRow;

/**
 * Structure `eligibility`: by instruction of the last examined inner block, the verdict of each rule of sub_A07940. `not described`: the rule's bits are
 * not known.
 */
export type EligibilityRow = {
  readonly instruction: string;
  /** Lanes diverge or reconverge at it, or it reads other lanes: bit 3 of sub_7DF3A0. */
  readonly convergence: string;
  /** It stores, loads, may trap or leaves the block: our own condition 1. */
  readonly effects: string;
  readonly lock: string;
  readonly negated: string;
  readonly excluded: string;
  readonly combined: string;
  readonly fields: string;
};

/** Structure `tombstones`: by block and instruction, the tombstone. */
export type TombstoneRow = number;

/** Structure `kill-sets`: by block, the registers that die there. */
export type KillSetRow = readonly string[];
