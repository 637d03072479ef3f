/** Terminators with a known guard or predicate operand. */

import type { BlockId } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { terminatorsOf, usesOf } from "../ir/visit.ts";
import type { BlockScan } from "./copy-scan.ts";
import { printInst } from "./copy-text.ts";
import { propagateInto } from "./copy-uses.ts";

/** Branches and exits whose guard or predicate operand is known: taken for certain, or gone. */
export function decideTerminators(scan: BlockScan, id: BlockId): void {
  const { bundle } = scan;
  const { edit, rec } = bundle.ctx;
  const { config } = bundle;
  const { insts } = terminatorsOf(edit.block(id));
  const kept: Inst[] = [];
  let decided: Inst | null = null;
  for (const old of insts) {
    let inst = scan.virtual.get(old.id) ?? old;
    if (inst === old && config.copyProp && old !== insts[0]) inst = propagateInto(scan, id, old);
    const verdict = takes(inst);
    if (verdict === null) {
      kept.push(inst);
      continue;
    }
    decided ??= inst;
    if (verdict) {
      kept.push(unconditional(inst));
      break;
    }
    for (const r of usesOf(old)) bundle.lost.add(r);
  }
  if (decided === null) {
    if (kept.some((inst, i) => inst !== insts[i])) edit.setTerminators(id, kept);
    return;
  }
  const obstacle = bundle.rejoin.dropEdges(id, kept);
  if (obstacle !== null) {
    refuse(scan, id, decided, obstacle.reason);
    return;
  }
  if (config.budget !== null && !config.budget.take(config.lines.guard)) {
    bundle.refuse("budget");
    return;
  }
  bundle.totals.simplified++;
  bundle.totals.matches++;
  bundle.count("predicate simplification");
  if (rec.on) {
    const facts = {
      verdict: "yes",
      rule: "known-branch",
      inst: printInst(edit.func, decided),
      block: edit.block(id).label,
      taken: takes(decided),
    };
    const template = takes(decided) === true ? "'{inst}' in {block} is always taken" : "'{inst}' in {block} is never taken";
    rec.begin("rewrite", config.lines.guard, template, facts, { blocks: [id], insts: [decided.id] });
  }
  for (const old of insts) for (const r of usesOf(old)) bundle.lost.add(r);
  const before = edit.block(id).succs;
  edit.setTerminators(id, kept);
  for (const s of before) bundle.again(s);
  if (rec.on) rec.end();
}

function refuse(scan: BlockScan, id: BlockId, inst: Inst, reason: string): void {
  const { bundle } = scan;
  bundle.refuse("convergence");
  const { edit, rec } = bundle.ctx;
  if (!rec.on) return;
  const facts = { verdict: "no", condition: "convergence", inst: printInst(edit.func, inst), reason };
  rec.event("match", bundle.config.lines.guard, "'{inst}' is known, but stays (not stated in the notes): {reason}", facts, {
    blocks: [id],
    insts: [inst.id],
  });
}

/** Whether a terminator is certainly taken (true), certainly not (false), or conditional (null). Unconditional ones count as conditional: nothing is to do. */
function takes(inst: Inst): boolean | null {
  if (inst.guard !== null && isConstantReg(inst.guard.reg) && inst.guard.neg) return false;
  const operand = inst.op === "BRA" && inst.ops.length === 2 ? inst.ops[0] : undefined;
  const known = operand?.kind === "reg" && isConstantReg(operand.reg) ? !operand.neg : null;
  if (known === false) return false;
  const guardFree = inst.guard === null || isConstantReg(inst.guard.reg);
  if (guardFree && known === true) return true;
  if (guardFree && inst.guard !== null && operand === undefined) return true;
  return null;
}

function unconditional(inst: Inst): Inst {
  return { ...inst, guard: null, ops: inst.op === "BRA" ? inst.ops.slice(-1) : inst.ops };
}

/** The condition in guard or predicate operand is a constant now and was none before. */
export function conditionBecameKnown(old: Inst, inst: Inst): boolean {
  return takes(inst) !== null && takes(old) === null;
}
