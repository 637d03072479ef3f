/** The rows of the structures that the phase shows. */

/** Structure `branch-patterns`: by label, how the block ends, and whether it opens a region. */
export type PatternRow = { readonly ends: string; readonly op: string; readonly targets: string; readonly opens: boolean };

/** Structure `modified-blocks`, a worklist: a block that lost sync instructions, and how many. */
export type ModifiedBlockRow = { readonly block: number; readonly label: string; readonly removed: number };
