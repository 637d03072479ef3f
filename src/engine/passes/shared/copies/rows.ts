/** The rows of the structures that the GeneralOptimize phases show. */

/** Structure `rounds`, a matrix: row `<sub-pass>/<round>` is how much the sub-pass did in the round. */
export type RoundRow = number;

/** Structure `operand-marks`: row `i<id>` is an instruction whose result is marked, until the mark is applied. */
export type OperandMarkRow = { readonly inst: string; readonly word: string; readonly marks: string };

/** Structure `copy-state`: row `copy_seen` is a flag, row `def_ctx` a definition or the label of a block. */
export type CopyStateRow = boolean | string;

/**
 * Structure `reaching-definitions`: by register, where it was last read, and which definitions reach that place; where the one is a copy, those of its
 * source as well.
 */
export type ReachingRow = { readonly read: string; readonly definitions: readonly string[]; readonly source: readonly string[] };

/** Structure `register-constraints`: by register, its word in the array at +440. */
export type ConstraintRow = { readonly word: number; readonly means: string };

/** Structure `tracking-record`: by offset, the content of a word of the simplifier's record. */
export type TrackingRow = { readonly field: string; readonly value: string };

/** Structure `visited-instructions`: row `i<id>` is an instruction that the simplifier has examined, and the result. */
export type VisitedRow = { readonly inst: string; readonly verdict: string };
