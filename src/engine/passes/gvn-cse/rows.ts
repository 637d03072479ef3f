/** The rows of the structures that the phase shows. */

/** Structure `value-numbers`: by instruction id, the number of its result, the number of its expression (-1: none), its register and block. */
export type ValueNumberRow = { readonly number: number; readonly key: number; readonly reg: string; readonly block: string };

/** Structure `ebb-marks`: by label, the mark of a block as a dominator. */
export type EbbMarkRow = number;

/** Structure `deferred-moves`: by instruction id, what waits for the end of the drain. */
export type DeferredRow = { readonly inst: number; readonly block: string };
