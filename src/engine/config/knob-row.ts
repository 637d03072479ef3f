/** One row of the knob table. */

interface RowBase {
  /** Stable id: links, trace events and settings use it. */
  readonly key: string;
  /** Number in the OCG knob table. */
  readonly index?: number;
  /** The name in the reference. */
  readonly name?: string;
  /** The name in the binary, if the reference gives it. */
  readonly rot13?: string;
  /** Other names that the reference gives the same number. */
  readonly alsoNamed?: readonly string[];
  /** Ids of phases and of their named parts, or `pipeline`; empty for a knob whose phase is not modelled. */
  readonly readBy: readonly string[];
  /** One sentence. */
  readonly doc: string;
  /** Reference page and section; `measured` for numbers taken from the behaviour of ptxas 13.0.88. */
  readonly source: string;
  /** True when the reference gives no default and this one was chosen. */
  readonly chosen?: true;
}

export interface FlagRow extends RowBase {
  readonly type: "flag";
  readonly default: boolean;
}

export interface IntRow extends RowBase {
  readonly type: "int";
  /** null: unset. */
  readonly default: number | null;
  readonly min?: number;
  readonly max?: number;
  /** Words accepted instead of numbers. */
  readonly words?: Readonly<Record<string, number>>;
}

/** A budget's number is how often the phase may act before it stops; null is unbounded. */
export interface BudgetRow extends RowBase {
  readonly type: "budget";
  readonly default: number | null;
}

export interface DoubleRow extends RowBase {
  readonly type: "double";
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

export type KnobRow = FlagRow | IntRow | BudgetRow | DoubleRow;
export type KnobType = KnobRow["type"];
export type KnobValue = boolean | number | null;
