/** The one knob table: every knob and option that the reference names, and every limit of a phase. */

import type { KnobRow, KnobType, KnobValue } from "./knob-row.ts";
import { BRANCH_KNOBS, PIPELINE_KNOBS } from "./knobs-branch.ts";
import { CICC_KNOBS } from "./knobs-cicc.ts";
import { GENERAL_KNOBS } from "./knobs-general.ts";
import { REDUNDANCY_KNOBS } from "./knobs-redundancy.ts";

const ROWS = [
  ...PIPELINE_KNOBS,
  ...BRANCH_KNOBS,
  ...GENERAL_KNOBS,
  ...REDUNDANCY_KNOBS,
  ...CICC_KNOBS,
] as const satisfies readonly KnobRow[];

type Row = (typeof ROWS)[number];

export type KnobKey = Row["key"];
export type FlagKey = Extract<Row, { type: "flag" }>["key"];
/** Integers that may be unset. */
export type OptionalIntKey = Extract<Row, { type: "int"; default: null }>["key"];
export type IntKey = Exclude<Extract<Row, { type: "int" }>["key"], OptionalIntKey>;
export type BudgetKey = Extract<Row, { type: "budget" }>["key"];
export type DoubleKey = Extract<Row, { type: "double" }>["key"];

/** One knob, every field present. */
export interface Knob {
  readonly key: KnobKey;
  readonly index: number | null;
  /** The name in the reference; null when they give only a number, or nothing. */
  readonly name: string | null;
  readonly rot13: string | null;
  readonly alsoNamed: readonly string[];
  readonly type: KnobType;
  /** null: unset, for a budget unbounded. */
  readonly default: KnobValue;
  readonly min: number | null;
  readonly max: number | null;
  readonly words: Readonly<Record<string, number>>;
  readonly readBy: readonly string[];
  readonly doc: string;
  readonly source: string;
  /** True when the reference gives no default and this one was chosen. */
  readonly chosen: boolean;
}

function limits(row: KnobRow): readonly [min: number | null, max: number | null] {
  switch (row.type) {
    case "flag":
      return [null, null];
    case "int":
      return [row.min ?? 0, row.max ?? 2 ** 31 - 1];
    case "budget":
      return [0, 2 ** 31 - 1];
    case "double":
      return [row.min, row.max];
  }
}

function complete(row: KnobRow & { readonly key: KnobKey }): Knob {
  const [min, max] = limits(row);
  return {
    key: row.key,
    index: row.index ?? null,
    name: row.name ?? null,
    rot13: row.rot13 ?? null,
    alsoNamed: row.alsoNamed ?? [],
    type: row.type,
    default: row.default,
    min,
    max,
    words: row.type === "int" ? (row.words ?? {}) : {},
    readBy: row.readBy,
    doc: row.doc,
    source: row.source,
    chosen: row.chosen ?? false,
  };
}

/** The table, grouped by the phases that read the knobs. */
export const KNOBS: readonly Knob[] = ROWS.map(complete);

const BY_KEY = new Map<string, Knob>(KNOBS.map((knob) => [knob.key, knob]));

/** The row of a key. */
export function knobOf(key: KnobKey): Knob {
  const knob = BY_KEY.get(key);
  if (knob === undefined) throw new Error(`unknown knob ${key}`);
  return knob;
}

/** What people call a knob: its name, else `knob N`, else its key. */
export const knobLabel = (knob: Knob): string => knob.name ?? (knob.index === null ? knob.key : `knob ${knob.index}`);

/** The knobs that a pass reads, in table order. */
export const knobsReadBy = (user: string): readonly Knob[] => KNOBS.filter((knob) => knob.readBy.includes(user));

/** ROT13, the encoding that knob names have in the binary. */
export const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
