/** The table of rounds and sub-passes: how much each of them did in each round. */

import { NO_STRUCTURE, type Recorder, type StructureId } from "../trace/recorder.ts";

export const SUB_PASSES = [
  "structural equivalence",
  "memory to register",
  "copy propagation",
  "constant folding",
  "predicate simplification",
  "dead code",
] as const;

export type SubPass = (typeof SUB_PASSES)[number];

/** Observed as the matrix `rounds`, with a cell `<sub-pass>/<round>` for each count. */
export class RoundTable {
  private readonly rec: Recorder;
  private readonly structure: StructureId;
  private readonly counts = new Map<SubPass, number>();
  private round = 0;

  constructor(rec: Recorder) {
    this.rec = rec;
    this.structure = rec.on ? rec.structure("matrix", "rounds", "What each sub-pass did in each round") : NO_STRUCTURE;
  }

  start(round: number): void {
    this.round = round;
    this.counts.clear();
  }

  add(pass: SubPass, n: number): void {
    if (n === 0) return;
    const count = (this.counts.get(pass) ?? 0) + n;
    this.counts.set(pass, count);
    if (this.rec.on) this.rec.cell(this.structure, `${pass}/${this.round}`, count);
  }

  /** This round's count. */
  of(pass: SubPass): number {
    return this.counts.get(pass) ?? 0;
  }
}
