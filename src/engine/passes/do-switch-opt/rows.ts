/** The rows of the structures that the phase shows. */

/** Structure `switch-cases`, a table: row `c<number>` is a case; `counts` false: its value was met before. */
export type CaseRow = {
  readonly value: number;
  readonly index: number;
  readonly block: string;
  readonly predicate: string;
  readonly target: string;
  readonly rpo: number;
  readonly counts: boolean;
};

/** Structure `switch-context`, a table: rows `+0` to `+112` are the context's fields, rows `record <RPO number>` the case records in it. */
export type SwitchContextRow = { readonly field: string; readonly holds: string };

/** Structure `switch-strategy`, a table. Row `facts`: what is decided about. */
export type SwitchFactsRow = {
  readonly head: string;
  readonly selector: string;
  readonly fallback: string;
  readonly cases: number;
  readonly distinct: number;
  readonly min: number;
  readonly max: number;
  readonly range: number;
  /** Bits in the tree of values. */
  readonly population: number;
  readonly density: number;
};

export type SyncStackFit = "fits" | "overflows 16 entries" | "overflows 32 entries";

/** Rows `cascade`, `table` and `tree`: what each strategy costs at worst. */
export type StrategyRow = {
  readonly instructions: number;
  readonly divergencePoints: number;
  readonly syncEntries: number;
  /** Bytes of the table in data memory: by its range, whatever number of cases it has. */
  readonly dataBytes: number;
  /** Whether the nesting fits the sync stack. */
  readonly syncStack: SyncStackFit;
  readonly chosen: boolean;
};

/** Row `chosen`: what the policy decides. */
export type ChosenRow = { readonly policy: string; readonly strategy: string; readonly from: number; readonly reason: string };

/** Row `other`: what the other policy would do. */
export type OtherRow = { readonly policy: string; readonly answer: string };

export type SwitchStrategyRow = SwitchFactsRow | StrategyRow | ChosenRow | OtherRow;
