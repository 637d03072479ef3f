/** The rows of the structures that the phases show. */

/** Structure `live-in`, a matrix: row `b<id>` is a block's head, row `meta` the round. */
export type LiveInRow =
  | { readonly block: string; readonly round: number; readonly regs: readonly string[] }
  | { readonly round: number; readonly blocks: number };
