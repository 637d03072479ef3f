/** The rows of the structures that the phase shows. */

/** One factor of a hash: what it is, its value, and the hash after it. */
export type HashFactor = readonly [what: string, value: number, hash: number];

/** Structure `merge-candidates`: by block. */
export type CandidateRow = {
  readonly hash: number;
  /** Null while its hash is made. */
  readonly priority: number | null;
  readonly length: number;
  /** Place in the layout: the last key of the order. */
  readonly place: number;
  /** The instruction that is hashed; null: terminators only. */
  readonly last: string | null;
  readonly factors: readonly HashFactor[];
};

/** Structure `tail-walk`: by place from the end, and as `meta` the pair with the length so far. */
export type WalkRow =
  | {
      readonly a: string;
      readonly b: string;
      readonly same: boolean;
      /** Why the walk ends here; null: it continues. */
      readonly why: string | null;
      readonly insts: readonly [number, number];
    }
  | { readonly a: string; readonly b: string; readonly length: number };

/** Structure `merge-gates`: by pair, its gates up to the first that refuses. */
export type GateRow = { readonly gate: string; readonly ok: boolean; readonly sentence: string };

/** Structure `reserved-registers`: by name; `live`: the pair whose tail reads it. */
export type ReservedRow = { readonly title: string; readonly ptx: string; readonly live: string | null };

/** Structure `tail-live-ins`: the registers that are live into the tail, and as `meta` their number. */
export type LiveInRow = { readonly kept: true } | { readonly tail: string; readonly kept: number };
