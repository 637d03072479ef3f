/** The end of a round: instructions that go, and PHIs with one value that become copies. */

import type { BlockId } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf } from "../ir/visit.ts";
import { equalPhi } from "./const-fold.ts";
import type { BlockScan } from "./copy-scan.ts";
import { printInst } from "./copy-text.ts";

/** A PHI with one value that is not made by another PHI of its block. */
export function usable(scan: BlockScan, id: BlockId, phi: Inst): boolean {
  const copy = copyOf(scan, phi);
  const value = copy?.ops[1];
  if (copy === null || value === undefined) return false;
  if (value.kind !== "reg" || isConstantReg(value.reg)) return true;
  return !scan.bundle.ctx.edit.block(id).insts.some((inst) => inst.op === "PHI" && defsOf(inst).includes(value.reg));
}

/** The copy that an equal PHI becomes. What reaches is known as of the round's start, where more may have reached than does now. */
function copyOf({ values }: BlockScan, phi: Inst): Inst | null {
  const dest = phi.ops[0];
  return dest?.kind === "reg" ? equalPhi(phi, (pred) => values.isSoleAtEnd(pred, dest.reg, phi)) : null;
}

/** What waits for the end of the round: instructions that go, and PHIs that become copies (mark 0x200, deferred cleanup). */
export function settleRound(scan: BlockScan): void {
  const { bundle } = scan;
  const { edit, rec } = bundle.ctx;
  const { lines, budget } = bundle.config;
  for (const [id, doomed] of scan.doomed) {
    if (rec.on) rec.at(lines.guard);
    edit.sweep(id, (inst) => doomed.has(inst.id));
  }
  for (const { block, phi: wanted } of scan.phis) {
    const { insts } = edit.block(block);
    const at = insts.findIndex((inst) => inst.id === wanted);
    const phi = insts[at];
    const copy = phi?.op === "PHI" ? copyOf(scan, phi) : null;
    if (phi === undefined || copy === null) continue;
    if (budget !== null && !budget.take(lines.phi)) {
      bundle.refuse("budget");
      return;
    }
    bundle.marks.clear(phi);
    bundle.totals.folded++;
    bundle.totals.matches++;
    bundle.count("constant folding");
    if (rec.on) {
      const facts = { verdict: "yes", rule: "equal-phi", inst: printInst(edit.func, phi), made: printInst(edit.func, copy) };
      rec.begin("rewrite", lines.phi, "'{inst}' has one value on every way: it becomes '{made}'", facts, {
        blocks: [block],
        insts: [phi.id],
      });
    }
    const last = insts.findLastIndex((inst) => inst.op === "PHI");
    if (last === at) edit.replace(block, at, copy);
    else {
      edit.remove(block, at);
      edit.insert(block, last, copy);
    }
    bundle.note(copy);
    for (const r of defsOf(copy)) bundle.touch(r);
    if (rec.on) rec.end();
  }
}
