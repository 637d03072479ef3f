/** The rows of the structures that the phase shows. */

/**
 * Structure `cfg-context`, a table: row `b<id>` is a block's pred_count and rpo_number, row `rpo<n>` the label of rpo_to_bix[n], row `counter` the next slot
 * that an erased block takes.
 */
export type CfgContextRow = { readonly block: string; readonly pred_count: number; readonly rpo_number: number } | string | number;
