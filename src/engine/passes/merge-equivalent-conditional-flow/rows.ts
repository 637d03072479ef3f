/** The rows of the structures that the phases show. */

/** Structure `seen-blocks`, a table: by block, its instructions. */
export type SeenBlockRow = string;
