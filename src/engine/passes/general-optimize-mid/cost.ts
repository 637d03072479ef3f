/** The cost model of phase 37: three doubles, cost-exempt opcodes, and when the loop stops (general-optimize, Phase 37 Fold Cost Model). */

import type { BlockId } from "../../ir/ids.ts";
import type { Opcode } from "../../ir/opcodes.ts";
import type { Inst } from "../../ir/types.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { ConvergenceRow } from "./rows.ts";

export const threshold = line("threshold = knob 474, or knob 135 where it is set; total, weighted, count = 0", {
  kind: "cost",
  step: "the loop stops when a round costs less than {threshold} ({from})",
});

export const cost = line("    cost of a fold: 0 for a dead result; knob 474 for a cost-exempt opcode with at most 4 uses; else 1", {
  kind: "cost",
  step: {
    dead: "'{inst}' costs {cost}: its result is dead",
    full: "'{inst}' costs {cost}: its opcode pays in full",
    uses: "'{inst}' costs {cost}: {uses} {uses:use pays|uses pay} in full",
    exempt: "'{inst}' costs {cost}: its opcode is exempt",
  },
});

export const converge = line("  weighted += cost; total += 1 each; count += folds", {
  kind: "cost",
  step: {
    on: "round {round} cost {delta} (threshold {threshold}), {weighted} in all: continue",
    left: "round {round} cost {delta} (threshold {threshold}), {weighted} in all: stop with work left",
    stop: "round {round} cost {delta} (threshold {threshold}), {weighted} in all: stop",
  },
});

/** More uses than this pay in full, whatever the opcode. */
export const USE_GATE = 4;

/**
 * Opcodes whose folds pay only knob 474. The reference gives numbers: 98 local load, 130 packed compare, 133, 134 and 137 an ALU, 272 and 273 extended loads.
 * Which opcodes the last five are was chosen.
 */
export const COST_EXEMPT: ReadonlySet<Opcode> = new Set<Opcode>(["LDL", "HSETP2", "IADD3", "LOP3", "SHF", "LDC"]);

export class CostModel {
  /** Sum of folds at full price. */
  total = 0;
  /** Sum of folds at their price. */
  weighted = 0;
  /** Number of folds examined. */
  count = 0;
  private atRoundStart = 0;
  private readonly remark: Remarks;
  private readonly weight: number;
  readonly threshold: number;
  private readonly table: ShownTable<ConvergenceRow>;

  /** `weight`: knob 474; `override`: knob 135, null when unset. */
  constructor(remark: Remarks, weight: number, override: number | null) {
    this.remark = remark;
    this.weight = weight;
    const limit = override ?? weight;
    this.threshold = limit;
    this.table = remark.shown.table("convergence", "Cost of the folds, by round");
    this.table.set("threshold", limit);
    remark.step(threshold, { threshold: limit, from: override === null ? "knob 474" : "knob 135" });
  }

  startRound(): void {
    this.atRoundStart = this.weighted;
  }

  /** One fold of an instruction whose result has that many uses. */
  add(block: BlockId, inst: Inst, uses: number): void {
    const alive = uses > 0 ? 1 : 0;
    const name = alive === 0 ? "dead" : !COST_EXEMPT.has(inst.op) ? "full" : uses > USE_GATE ? "uses" : "exempt";
    const paid = alive * (COST_EXEMPT.has(inst.op) && uses <= USE_GATE ? this.weight : 1);
    this.total += alive;
    this.weighted += paid;
    this.count++;
    this.remark.step(cost, name, { inst, cost: paid, uses, block });
  }

  /** True if the round was worth a further one. `left`: it leaves blocks to examine. */
  endRound(round: number, left: boolean): boolean {
    const { total, weighted, count, threshold } = this;
    const delta = weighted - this.atRoundStart;
    const again = delta >= threshold;
    const key = `round ${round}`;
    this.table.set(key, { total, weighted, count, delta });
    const said = { round, delta, threshold, weighted, also: { total, count }, node: this.table.node(key) };
    this.remark.step(converge, again ? "on" : left ? "left" : "stop", said);
    return again;
  }
}
