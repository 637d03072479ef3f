/** Level 2 of constant handling, written: folds, and guards that are known. */

import type { BlockId } from "../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf, isTerminator, usesOf } from "../ir/visit.ts";
import { type Folded, fold, keptByLimitFp } from "./const-fold.ts";
import { constantMove } from "./const-operand.ts";
import { laneCompare } from "./copy-facts.ts";
import { MARK } from "./copy-marks.ts";
import type { BlockScan } from "./copy-scan.ts";
import { usable } from "./copy-settle.ts";
import { printInst } from "./copy-text.ts";

/** Level 2: the instruction with its uses in place is simplified as far as it goes. */
export function applyLevel2(scan: BlockScan, id: BlockId, at: number, start: Inst): Inst {
  const { bundle } = scan;
  let inst = start;
  for (let i = 0; i < 4; i++) {
    const folded = foldOnce(scan, inst);
    if (folded === null) break;
    const next = writeFold(scan, id, at, inst, folded);
    if (next === null) return inst;
    inst = next;
  }
  if (inst.op === "PHI") {
    if (bundle.config.commit === "all" && usable(scan, id, inst)) {
      bundle.marks.set(id, inst, MARK.DEFERRED, bundle.config.lines.phi, "it has one value on every way");
      scan.phis.push({ block: id, phi: inst.id });
    }
    return inst;
  }
  return isTerminator(inst) ? inst : applyGuard(scan, id, at, inst);
}

function foldOnce(scan: BlockScan, inst: Inst): Folded | null {
  const { bundle, values } = scan;
  const selects = bundle.config.commit === "predicates" || (bundle.marks.of(inst) & MARK.PROPAGATED) !== 0;
  const options = { limitFp: bundle.limitFp, selects };
  const folded = fold(inst, options);
  if (folded !== null) return folded;
  if (keptByLimitFp(inst, options)) refuseFold(scan, inst, "limit-fold-fp", "limit-fold-fp keeps float instructions from being evaluated");
  if (inst.op !== "ISETP") return null;
  const dest = inst.ops[0];
  const lane = laneCompare(inst, (operand) => {
    if (operand?.kind !== "reg" || isConstantReg(operand.reg) || operand.neg || operand.not) return false;
    const def = values.definition(operand.reg);
    const special = def?.op === "S2R" && def.guard === null ? def.ops[1] : undefined;
    return special?.kind === "sreg" && special.name === "SR_LANEID";
  });
  if (lane === null || dest?.kind !== "reg") return null;
  if (!scan.measured) {
    refuseFold(scan, inst, "policy", "SR_LANEID is below 32, which only policy 'measured' uses");
    return null;
  }
  return {
    inst: constantMove(inst, dest, { kind: "pred", value: lane }, "bits"),
    rule: "known-compare",
    why: "SR_LANEID is below 32 (policy 'measured')",
  };
}

/** Writes a fold; null when a budget refuses it. */
function writeFold(scan: BlockScan, id: BlockId, at: number, old: Inst, folded: Folded): Inst | null {
  const { bundle } = scan;
  const { edit, rec } = bundle.ctx;
  const { config } = bundle;
  const dest = old.ops[0];
  const isPredicate = dest?.kind === "reg" && isPredicateReg(dest.reg);
  if (config.commit === "predicates" && !(isPredicate && folded.inst.op === "PMOV" && isKnown(folded.inst))) {
    scan.virtual.set(old.id, folded.inst);
    bundle.note(folded.inst);
    return folded.inst;
  }
  if (config.budget !== null && !config.budget.take(config.lines.fold)) {
    bundle.refuse("budget");
    return null;
  }
  const simplifies =
    folded.rule === "known-select" || folded.rule === "equal-select" || folded.rule === "known-predicate" || folded.rule === "truth-table";
  if (simplifies) bundle.totals.simplified++;
  else bundle.totals.folded++;
  bundle.totals.matches++;
  bundle.count(simplifies ? "predicate simplification" : "constant folding");
  const actual = edit.block(id).insts[at] ?? old;
  if (rec.on) {
    const facts = {
      verdict: "yes",
      rule: folded.rule,
      inst: printInst(edit.func, old),
      made: printInst(edit.func, folded.inst),
      why: folded.why,
    };
    const line = simplifies ? config.lines.simplify : config.lines.fold;
    rec.begin("rewrite", line, "'{inst}' becomes '{made}': {why}", facts, { blocks: [id], insts: [old.id] });
  }
  for (const r of usesOf(actual)) bundle.lost.add(r);
  const written = { ...folded.inst, guard: config.commit === "predicates" ? actual.guard : folded.inst.guard };
  edit.replace(id, at, written);
  scan.virtual.set(old.id, written);
  bundle.note(written);
  bundle.marks.clear(old);
  for (const r of defsOf(written)) {
    bundle.touch(r);
    bundle.config.onFold?.(id, old, bundle.countUses(r));
  }
  if (rec.on) rec.end();
  return written;
}

function isKnown(inst: Inst): boolean {
  const source = inst.ops[1];
  return source?.kind === "reg" && isConstantReg(source.reg);
}

function refuseFold(scan: BlockScan, inst: Inst, condition: string, why: string): void {
  const { bundle } = scan;
  bundle.refuse(condition);
  const { edit, rec } = bundle.ctx;
  if (!rec.on) return;
  const facts = { verdict: "no", condition, inst: printInst(edit.func, inst), why };
  rec.event("match", bundle.config.lines.fold, "'{inst}' stays: {why}", facts, { insts: [inst.id] });
}

/** A guard that is known: dropped, or its instruction goes. */
function applyGuard(scan: BlockScan, id: BlockId, at: number, inst: Inst): Inst {
  const { bundle } = scan;
  const { edit, rec } = bundle.ctx;
  const { config } = bundle;
  if (inst.guard === null || !isConstantReg(inst.guard.reg) || config.commit !== "all") return inst;
  if (config.budget !== null && !config.budget.take(config.lines.guard)) {
    bundle.refuse("budget");
    return inst;
  }
  const holds = !inst.guard.neg;
  bundle.totals.simplified++;
  bundle.totals.matches++;
  bundle.count("predicate simplification");
  if (rec.on) {
    const facts = { verdict: "yes", rule: "known-guard", inst: printInst(edit.func, inst), holds };
    const template = holds ? "the guard of '{inst}' always holds: it goes" : "the guard of '{inst}' never holds: the instruction goes";
    rec.event("match", config.lines.guard, template, facts, { blocks: [id], insts: [inst.id] });
    rec.at(config.lines.guard);
  }
  if (holds) {
    const free = { ...inst, guard: null };
    edit.replace(id, at, free);
    bundle.note(free);
    for (const r of defsOf(free)) bundle.touch(r);
    return free;
  }
  doom(scan, id, inst);
  return inst;
}

/** `MOV R1, R1`: left when a copy is propagated into the copy back. */
export function isSelfCopy(inst: Inst): boolean {
  const [dest, source] = inst.ops;
  if ((inst.op !== "MOV" && inst.op !== "PMOV") || dest?.kind !== "reg" || source?.kind !== "reg") return false;
  return dest.reg === source.reg && !isConstantReg(dest.reg) && !source.neg && !source.abs && !source.not;
}

/** Takes such a copy out at the end of the round, whatever its guard. */
export function dropSelfCopy(scan: BlockScan, id: BlockId, inst: Inst): void {
  const { bundle } = scan;
  const { edit, rec } = bundle.ctx;
  bundle.totals.removed++;
  bundle.totals.matches++;
  bundle.count("dead code");
  if (rec.on) {
    const facts = { verdict: "yes", rule: "self-copy", inst: printInst(edit.func, inst), block: edit.block(id).label };
    rec.event("match", bundle.config.lines.fold, "'{inst}' in {block} changes nothing: it goes", facts, { blocks: [id], insts: [inst.id] });
  }
  doom(scan, id, inst);
}

function doom(scan: BlockScan, id: BlockId, inst: Inst): void {
  let set = scan.doomed.get(id);
  if (set === undefined) {
    set = new Set();
    scan.doomed.set(id, set);
  }
  set.add(inst.id);
  scan.bundle.marks.clear(inst);
  for (const r of usesOf(inst)) scan.bundle.lost.add(r);
  for (const r of defsOf(inst)) scan.bundle.touch(r);
}
