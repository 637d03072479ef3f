/** The rows of the structures that the phase shows in addition to those of `shared/copies/rows.ts`. */

/** Structure `convergence`: row `threshold` is a number, row `round <n>` the sums after a round. */
export type ConvergenceRow = number | { readonly total: number; readonly weighted: number; readonly count: number; readonly delta: number };

/** Structure `local-slots`: by offset; `verdict` is `register` or why it stays in memory. */
export type LocalSlotRow = { readonly size: number; readonly accesses: number; readonly share: number; readonly verdict: string };

/** Structure `mid-context`: by offset, a field of the context. */
export type MidContextRow = { readonly field: string; readonly value: string };

/** Structures `definition-reach`, `live-registers` and `fold-eligible`: by block, the words of its bit vector and the meaning of their bits. */
export type VectorRow = { readonly bits: string; readonly members: readonly string[] };
