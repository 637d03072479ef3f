/** How much each sub-pass did, by rounds and in all. */

import type { Remarks } from "../../../remark/remarks.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import type { RoundRow } from "./rows.ts";

export type SubPass =
  | "structural equivalence"
  | "memory to register"
  | "copy propagation"
  | "constant folding"
  | "predicate simplification"
  | "dead code";

interface Count {
  inRound: number;
  total: number;
}

/** Observed as the matrix `rounds`. */
export class Tally {
  private readonly remark: Remarks;
  private readonly view: ShownTable<RoundRow>;
  private readonly counts = new Map<SubPass, Count>();
  private round = 0;

  constructor(remark: Remarks) {
    this.remark = remark;
    this.view = remark.shown.matrix("rounds", "What each sub-pass did in each round");
  }

  start(round: number): void {
    this.round = round;
    for (const count of this.counts.values()) count.inRound = 0;
  }

  add(pass: SubPass, n = 1): void {
    if (n === 0) return;
    let count = this.counts.get(pass);
    if (count === undefined) {
      count = { inRound: 0, total: 0 };
      this.counts.set(pass, count);
    }
    count.inRound += n;
    count.total += n;
    if (this.remark.listening) this.view.set(`${pass}/${this.round}`, count.inRound);
  }

  /** In all rounds. */
  of(pass: SubPass): number {
    return this.counts.get(pass)?.total ?? 0;
  }
}
