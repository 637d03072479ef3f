/** The cost model of phase 37: three doubles, cost-exempt opcodes, and when the loop stops (general-optimize, Phase 37 Fold Cost Model). */

import type { CopyBundle } from "../../analysis/copy-bundle.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Opcode } from "../../ir/opcodes.ts";
import type { Inst } from "../../ir/types.ts";
import { plural } from "../../text/plural.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE, type Recorder, type StructureId } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

/** More uses than this pay in full, whatever the opcode. */
export const USE_GATE = 4;

/**
 * Opcodes whose folds pay only knob 474. The notes give numbers: 98 local load, 130 (MOV or packed compare), 133, 134 and 137 (an ALU), 272 and 273
 * (extended loads). Which opcodes the last five are was chosen.
 */
export const COST_EXEMPT: ReadonlySet<Opcode> = new Set<Opcode>(["LDL", "MOV", "PMOV", "HSETP2", "IADD3", "LOP3", "SHF", "LDC"]);

export class CostModel {
  /** Sum of folds at full price. */
  total = 0;
  /** Sum of folds at their price. */
  weighted = 0;
  /** Folds looked at. */
  count = 0;
  private atRoundStart = 0;
  private readonly edit: Editor;
  private readonly rec: Recorder;
  private readonly weight: number;
  readonly threshold: number;
  private readonly table: StructureId;

  /** `weight`: knob 474; `override`: knob 135, null when unset. */
  constructor(edit: Editor, rec: Recorder, weight: number, override: number | null) {
    this.edit = edit;
    this.rec = rec;
    this.weight = weight;
    this.threshold = override ?? weight;
    this.table = rec.on ? rec.structure("table", "convergence", "Cost of the folds, by round") : NO_STRUCTURE;
    if (rec.on) {
      rec.cell(this.table, "threshold", this.threshold);
      const from = override === null ? "knob 474" : "knob 135";
      rec.event("cost", LINE.threshold, "the loop stops when a round costs less than {threshold} ({from})", {
        threshold: this.threshold,
        from,
      });
    }
  }

  startRound(): void {
    this.atRoundStart = this.weighted;
  }

  /** One fold of an instruction whose result has that many uses. */
  add(block: BlockId, inst: Inst, uses: number): void {
    const exempt = COST_EXEMPT.has(inst.op);
    const alive = uses > 0 ? 1 : 0;
    const cost = alive * (exempt && uses <= USE_GATE ? this.weight : 1);
    this.total += alive;
    this.weighted += cost;
    this.count++;
    if (!this.rec.on) return;
    const why =
      alive === 0
        ? "its result is dead"
        : !exempt
          ? "its opcode pays in full"
          : uses > USE_GATE
            ? plural(uses, "use pays in full", "uses pay in full")
            : "its opcode is exempt";
    const facts = { inst: printInst(this.edit.func, inst), cost, uses, exempt, why };
    this.rec.event("cost", LINE.cost, "'{inst}' costs {cost}: {why}", facts, { blocks: [block], insts: [inst.id] });
  }

  /** True when the round was worth another one. */
  endRound(round: number, bundle: CopyBundle): boolean {
    const delta = this.weighted - this.atRoundStart;
    const again = delta >= this.threshold;
    if (this.rec.on) {
      this.rec.cell(this.table, `round ${round}`, { total: this.total, weighted: this.weighted, count: this.count, delta });
      const facts = {
        round,
        delta,
        weighted: this.weighted,
        total: this.total,
        count: this.count,
        threshold: this.threshold,
        verdict: again ? "go on" : bundle.hasMore ? "stop with work left" : "stop",
      };
      this.rec.event("cost", LINE.converge, "round {round} cost {delta} (threshold {threshold}), {weighted} in all: {verdict}", facts, {
        nodes: [`convergence/round ${round}`],
      });
    }
    return again;
  }
}
