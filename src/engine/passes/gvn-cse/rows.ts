/** The rows of the structures that the phase shows. */

/**
 * Structure `value-numbers`: by instruction id, the number of its result, the number of its expression (-1: none), its register and block, the interned expression,
 * and what made the versions of memory in it.
 */
export type ValueNumberRow = {
  readonly number: number;
  readonly key: number;
  readonly reg: string;
  readonly block: string;
  readonly expression?: string;
  readonly memory?: string;
};

/** Structure `leaders`: by index, which the value table's nodes contain. `before` is the previous leader of the same value, -1 for none. */
export type LeaderRow = {
  readonly inst: string;
  readonly block: string;
  readonly reg: string;
  readonly number: number;
  readonly before: number;
};

/** Structure `sorted-operands`: by instruction, its exchangeable operands in sorted order, the first two with their marks. */
export type SortedRow = {
  readonly first: string;
  readonly firstMark: string;
  readonly second: string;
  readonly secondMark: string;
  readonly third?: string;
};

/** Structure `ebb-insts`: by instruction id, the mark (+48) of the pre-pass. */
export type EbbInstRow = { readonly inst: string; readonly mark: 1; readonly round: number };

/** Structure `ebb-marks`: by label, the mark of a block as a dominator. */
export type EbbMarkRow = number;

/** Structure `dominator-records`: by label, whose record the block reads at its sentinel, and what those it dominates read: its leaders and its mark. */
export type DominatorRow = { readonly dominator: string; readonly leaders: "its own" | "above it" | "none"; readonly mark: number };

/** Structure `dominance-cache`: the one entry, the plain answer. */
export type CacheRow = { readonly leader: string; readonly block: string; readonly dominates: number };

/** Structure `deferred-moves`: by instruction id, what waits for the end of the drain. */
export type DeferredRow = { readonly inst: number; readonly block: string };
