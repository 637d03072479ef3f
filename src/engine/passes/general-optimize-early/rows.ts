/** The rows of the structures that the phase shows beside those of `shared/copies/rows.ts`. */

/** Structure `chain-state`: row `state[<n>]` is the function, an instruction or a block of the chain that was matched. */
export type ChainStateRow = string;
