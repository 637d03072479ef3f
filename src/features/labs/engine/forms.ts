/** The parts of an answer: enough to draw a form, without revealing the right one. Each kind of task makes its own. */

export interface Named {
  readonly value: string;
  readonly title: string;
}

/** One item of a prediction. `options` null: it is typed. */
export interface PredictPart {
  readonly key: string;
  readonly title: string;
  readonly options: readonly Named[] | null;
  /** It is a pair: from and to. */
  readonly pair: boolean;
  /** Asked only when the verdict is no. */
  readonly onlyIfNo: boolean;
}

export type Form =
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly many: boolean }
  | { readonly kind: "number" }
  | { readonly kind: "text"; readonly least: number }
  | { readonly kind: "blocks"; readonly labels: readonly string[] }
  /** `edges`: those to choose from; null: pairs of blocks are put together. */
  | { readonly kind: "edges"; readonly labels: readonly string[]; readonly edges: readonly (readonly [string, string])[] | null }
  | { readonly kind: "registers"; readonly names: readonly string[] }
  | { readonly kind: "numbers"; readonly labels: readonly string[] }
  | { readonly kind: "parents"; readonly labels: readonly string[] }
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "cells"; readonly structure: string; readonly cells: readonly string[] }
  | { readonly kind: "predict"; readonly parts: readonly PredictPart[] }
  | { readonly kind: "moves"; readonly moves: string; readonly mode: "undo" | "fix" | "at-end"; readonly labels: readonly string[] }
  | { readonly kind: "order"; readonly lines: readonly { readonly index: number; readonly text: string }[] }
  | { readonly kind: "ori"; readonly text: string }
  | {
      readonly kind: "plan";
      readonly allow: readonly string[];
      readonly knobs: readonly string[] | null;
      readonly measure: string;
      readonly full: number;
    }
  | { readonly kind: "wrong"; readonly find: "input" | "rewrite" | "condition"; readonly conditions: readonly Named[] }
  | { readonly kind: "tests"; readonly most: number; readonly against: number }
  | {
      readonly kind: "write";
      readonly what: "pass" | "analysis";
      readonly start: string;
      readonly forbid: readonly string[];
      /** The student's prediction before it runs; null: the task does not require one. */
      readonly guesses: readonly string[] | null;
      /** The number of random programs it is run on, in addition to the lab's own. */
      readonly count: number;
    };

/** Names in the order of the alphabet, which reveals nothing; R2 comes before R10. */
export const byName = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

export const named = (values: readonly string[]): readonly Named[] => values.map((value) => ({ value, title: value }));

/** A condition by its name, and what it says where it says something. */
export const titleOf = ({ name, why }: { readonly name: string; readonly why: string }): string => (why === "" ? name : `${name}: ${why}`);
