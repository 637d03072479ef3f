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

/** Observed as the matrix `rounds`. */
export class Tally {
  private readonly view: ShownTable<RoundRow>;
  private readonly inRound = new Map<SubPass, number>();
  private readonly totals = new Map<SubPass, number>();
  private round = 0;

  constructor(remark: Remarks) {
    this.view = remark.shown.matrix("rounds", "What each sub-pass did in each round");
  }

  start(round: number): void {
    this.round = round;
    this.inRound.clear();
  }

  add(pass: SubPass, n = 1): void {
    if (n === 0) return;
    const count = (this.inRound.get(pass) ?? 0) + n;
    this.inRound.set(pass, count);
    this.totals.set(pass, this.of(pass) + n);
    this.view.set(`${pass}/${this.round}`, count);
  }

  /** In all rounds. */
  of(pass: SubPass): number {
    return this.totals.get(pass) ?? 0;
  }
}
