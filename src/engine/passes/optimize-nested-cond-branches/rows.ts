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

/** Structure `tombstones`: by block and instruction, the tombstone. */
export type TombstoneRow = number;

/** Structure `kill-sets`: by block, the registers that die there. */
export type KillSetRow = readonly string[];
