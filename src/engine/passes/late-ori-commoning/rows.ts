/** The rows of the structures that the phase shows. */

/** Structure `ws`: by `WS[n]`, the content of the field. */
export type WorkingSetRow = string | number;

/** Structure `registers`: by name, the two reused fields of the register's descriptor; 0 without a representative. */
export type RegisterRow = { readonly representative: string | number; readonly chainSlot: number };

/** Structure `inst-slots`: by instruction id, its 64 bits at +88: the hash above, class bits below. `word` is all of them. */
export type InstSlotRow = { readonly word: string; readonly hash: string; readonly classes: string };

/** Structure `equivalence-table`: by hash, its candidates, the latest first; `slot` is +92 of the register, `number` its value number while the value is there. */
export type ChainRow = readonly {
  readonly inst: string;
  readonly id: number;
  readonly reg: string;
  readonly slot: number;
  readonly number: number;
}[];

/** Structure `hash-parts`: by place, the parts of the hash that was made last. */
export type HashPartRow = { readonly part: string; readonly word: string; readonly hash: string };

/** Structure `dom-set`: by word, the dominators of the current block; bit n of word w is the block with the number 32 w + n. */
export type DomSetRow = { readonly block: number; readonly bits: number };

/** Structure `equiv`: row `pair` is what was compared last, the others (`C1` to `C7d`) are the conditions. */
export type EquivPairRow = { readonly existing: string; readonly current: string };
export type EquivVerdictRow = {
  readonly verdict: "yes" | "no";
  readonly why: string;
  /** What was compared: the candidate's side and the instruction's. */
  readonly values: readonly [candidate: string, current: string];
};
export type EquivRow = EquivPairRow | EquivVerdictRow;

/** Structure `value-numbers`: by instruction id, the number of its result, the number of its expression (-1: none), its register and block, the expression. */
export type ValueNumberRow = {
  readonly number: number;
  readonly key: number;
  readonly reg: string;
  readonly block: string;
  readonly expression?: string;
};
