/** What an exported file contains for its player: tables that steps point into, so that the file stays small. Types only. */

export interface PlayerData {
  readonly title: string;
  readonly function: string;
  readonly target?: string | undefined;
  readonly level?: number | undefined;
  /** Function, target and level, in words. */
  readonly about: string;
  readonly generator: string;
  /** What the file leaves out, in sentences. */
  readonly notes: readonly string[];
  /** Instructions by number: id and text. */
  readonly insts: readonly (readonly [id: number, text: string])[];
  readonly phases: readonly PlayerPhase[];
}

export interface PlayerPhase {
  readonly id: string;
  readonly name: string;
  readonly number: number | null;
  readonly summary: string;
  readonly pseudocode: readonly string[];
  /** Every block that exists at some step. `box` null: the graph is too large to draw. */
  readonly cards: readonly PlayerCard[];
  readonly lines: readonly PlayerLine[];
  readonly bounds: readonly [x: number, y: number, width: number, height: number];
  /** Texts of the blocks, each once. */
  readonly versions: readonly PlayerVersion[];
  /** Version of each card before the first step; -1: not there. */
  readonly start: readonly number[];
  /** Card of the entry block. */
  readonly entry: number;
  /** Order of the blocks before the first step, where it is not that of the cards. */
  readonly layout?: readonly number[] | undefined;
  readonly steps: readonly PlayerStep[];
}

export interface PlayerCard {
  /** Id of the block. */
  readonly id: number;
  readonly label: string;
  readonly box: readonly [x: number, y: number, width: number, height: number] | null;
}

export interface PlayerLine {
  readonly from: number;
  readonly to: number;
  readonly path: string;
  readonly label: readonly [x: number, y: number, anchor: "start" | "end"];
  readonly back: boolean;
}

export interface PlayerVersion {
  readonly insts: readonly number[];
  readonly succs: readonly (readonly [card: number, kind: string])[];
}

export interface PlayerStep {
  /** Number of the step in the whole trace, from 1: steps between may have been left out. */
  readonly step: number;
  readonly kind: string;
  readonly sentence: string;
  readonly line: number;
  readonly depth: number;
  /** Cards and instructions it is about. */
  readonly cards: readonly number[];
  readonly insts: readonly number[];
  /** Cards whose version it sets; -1: removed. */
  readonly sets: readonly (readonly [card: number, version: number])[];
  /** Order of the blocks after it, where that is not the one before without those removed and with the new ones at its end. */
  readonly layout?: readonly number[] | undefined;
}
