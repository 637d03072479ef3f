/** Branded identifiers of IR objects: stable for the lifetime of a function, across all phases. */

/** A basic block's identity. It never changes and is never reused; it is neither its layout position nor its RPO number. */
export type BlockId = number & { readonly __brand: "BlockId" };

/** An instruction's identity, unique within its function. A replacement may keep it (same instruction, changed) or take a fresh one. */
export type InstId = number & { readonly __brand: "InstId" };

/**
 * A virtual register packed into one integer: `index * 8 + class code`.
 * Two registers are the same exactly when the integers are equal. See `reg.ts`.
 */
export type Reg = number & { readonly __brand: "Reg" };

export const blockId = (n: number): BlockId => n as BlockId;
export const instId = (n: number): InstId => n as InstId;
