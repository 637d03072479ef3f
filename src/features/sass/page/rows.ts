/** An alignment as rows for people: matched blocks in our order, then what only one side has. */

import type { AlignedBlock, AlignReport } from "../engine/align/report.ts";

export interface PairRow {
  readonly ours: AlignedBlock;
  readonly real: AlignedBlock;
  readonly score: number;
  readonly reasons: string;
}

export interface AlignRows {
  readonly pairs: readonly PairRow[];
  readonly onlyOurs: readonly AlignedBlock[];
  readonly onlyReal: readonly AlignedBlock[];
  /** Kinds that occur on either side. */
  readonly decisions: AlignReport["decisions"];
  readonly agreeing: number;
}

export function alignRows(report: AlignReport): AlignRows {
  const ours = new Map(report.ours.blocks.map((b) => [b.id, b]));
  const real = new Map(report.real.blocks.map((b) => [b.id, b]));
  const decisions = report.decisions.filter((d) => d.ours !== 0 || d.real !== 0);
  return {
    pairs: report.pairs.flatMap((pair): PairRow[] => {
      const mine = ours.get(pair.ours);
      const theirs = real.get(pair.real);
      return mine === undefined || theirs === undefined
        ? []
        : [{ ours: mine, real: theirs, score: pair.score, reasons: pair.reasons.join(", ") }];
    }),
    onlyOurs: report.ours.blocks.filter((b) => b.match === null),
    onlyReal: report.real.blocks.filter((b) => b.match === null),
    decisions,
    agreeing: decisions.filter((d) => d.agree).length,
  };
}

/** The successors of a block of the listing, as `→ .L_x_1, .L_x_2`. */
export function edgesText(block: AlignedBlock, blocks: readonly AlignedBlock[]): string {
  const label = new Map(blocks.map((b) => [b.id, b.label]));
  return block.succs.length === 0 ? "ends the thread" : `→ ${block.succs.map((s) => label.get(s) ?? `#${s}`).join(", ")}`;
}
