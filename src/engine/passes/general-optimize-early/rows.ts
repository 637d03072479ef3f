/** The rows of the structures that the phase shows in addition to those of `shared/copies/rows.ts`. */

/** Structure `chain-state`: row `state[<n>]` is the function, an instruction or a block of the chain that was matched. */
export type ChainStateRow = string;

/** Structure `changed-blocks`: by label, how many of the block's instructions the phase has replaced since the last reset. */
export type ChangedRow = number;

/** Structure `new-instruction`: row `+232`, `+264` and `+280 bit 3`, as the last rewrite left them. */
export type SurgeryRow = string | number;
