/** The rows of the structures that the phase shows. */

/** Structure `flattened-tree`: row `t<place>` is a node, row `l<k>` a leaf. */
export type TreeRow =
  | { readonly op: string; readonly inst: string; readonly below: readonly string[] }
  | { readonly text: string; readonly rule: string; readonly number: number | null };

/** Structure `rebuilt-chain`: row `c<k>` is an instruction of the chain. */
export type ChainRow = { readonly result: string; readonly left: string; readonly right: string; readonly op: string };

/** Structure `cse-window`, a ring: row `s<slot>` is a leader. */
export type WindowRow = { readonly at: number; readonly key: number; readonly reg: string; readonly inst: string };

/** Structure `value-numbers`: by instruction id, the number of its result, the number of its expression (-1: none), its register and block, the expression. */
export type ValueNumberRow = {
  readonly number: number;
  readonly key: number;
  readonly reg: string;
  readonly block: string;
  readonly expression?: string;
};
