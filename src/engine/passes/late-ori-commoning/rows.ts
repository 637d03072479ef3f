/** The rows of the structures that the phase shows. */

/** Structure `ws`: by `WS[n]`, what the field holds. */
export type WorkingSetRow = string | number;

/** Structure `registers`: by name, the two reused fields of the register's descriptor; 0 without a representative. */
export type RegisterRow = { readonly representative: string | number; readonly chainSlot: number };

/** Structure `inst-slots`: by instruction id. */
export type InstSlotRow = { readonly hash: number; readonly mask: { readonly lo: number; readonly hi: number } };

/** Structure `equiv`: row `pair` is what was compared last, the others (`C1` to `C7d`) are the conditions. */
export type EquivPairRow = { readonly existing: string; readonly current: string };
export type EquivVerdictRow = {
  readonly verdict: "yes" | "no";
  readonly why: string;
  /** What was compared: the candidate's side and the instruction's. */
  readonly values: readonly [candidate: string, current: string];
};
export type EquivRow = EquivPairRow | EquivVerdictRow;
