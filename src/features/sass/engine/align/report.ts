/** The result of an alignment of two functions: plain data in the viewer's terms. */

import type { Diagnostic } from "../../../../engine/ir/diagnostic.ts";

/** One block of either side. */
export interface AlignedBlock {
  readonly id: number;
  readonly label: string;
  /** Line of its source text; 0 when a phase made it. */
  readonly line: number;
  /** Canonical text of its instructions. */
  readonly instructions: readonly string[];
  /** Ids on the same side, in edge order. */
  readonly succs: readonly number[];
  readonly loopDepth: number;
  readonly isLoopHeader: boolean;
  /** Id of the block on the other side; null: none is like it. */
  readonly match: number | null;
}

export interface AlignedPair {
  readonly ours: number;
  readonly real: number;
  /** 0 to 1: half content, a quarter shape, a quarter neighbours. */
  readonly score: number;
  /** What speaks for it: `stores to global memory`, `compares with 7`, `both loop headers`. */
  readonly reasons: readonly string[];
}

/** One kind of decision, counted on both sides. */
export interface Decision {
  readonly id: string;
  readonly title: string;
  readonly ours: number;
  readonly real: number;
  readonly agree: boolean;
}

export interface AlignSide {
  readonly name: string;
  readonly blocks: readonly AlignedBlock[];
}

export interface AlignReport {
  /** False: there was nothing to compare; the diagnostics say why. */
  readonly ok: boolean;
  readonly ours: AlignSide;
  readonly real: AlignSide;
  /** Functions of the listing that could be compared with. */
  readonly candidates: readonly string[];
  /** In the order of our layout. */
  readonly pairs: readonly AlignedPair[];
  readonly decisions: readonly Decision[];
  /** Mean score over all blocks of both sides; an unmatched block counts 0. */
  readonly score: number;
  /** Limits that were reached, in words. */
  readonly notes: readonly string[];
  /** Of the listing. */
  readonly diagnostics: readonly Diagnostic[];
}

export const NOTHING_ALIGNED: AlignReport = {
  ok: false,
  ours: { name: "", blocks: [] },
  real: { name: "", blocks: [] },
  candidates: [],
  pairs: [],
  decisions: [],
  score: 0,
  notes: [],
  diagnostics: [],
};
