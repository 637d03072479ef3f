/** The rows of the structures that the phase shows. */

/**
 * Structure `cfg-context`, a table: row `b<id>` is a block's pred_count and rpo_number, row `rpo<n>` the label of rpo_to_bix[n], row `counter` the next slot
 * that an erased block takes.
 */
export type CfgContextRow = { readonly block: string; readonly pred_count: number; readonly rpo_number: number } | string | number;

/** Structure `erase-walk`: by the block erased, its bucket in the successor map, the chain up to its entry, and the slots of its set of edges. */
export type EraseWalkRow = { readonly bucket: string; readonly chain: readonly string[]; readonly slots: readonly string[] };
