/** The rows of the structures that the phase shows. */

/** Structure `modified-blocks`, a worklist: a block that lost sync instructions, and how many. */
export type ModifiedBlockRow = { readonly block: number; readonly label: string; readonly removed: number };
