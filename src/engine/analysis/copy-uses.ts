/** Uses of one instruction replaced by what they see, each with its verdict. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { isConstantReg, regName } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { GUARD_INDEX, isTerminator, visitRegs } from "../ir/visit.ts";
import { factFor } from "./copy-facts-state.ts";
import { MARK } from "./copy-marks.ts";
import { replaceUse } from "./copy-rewrite.ts";
import type { BlockScan } from "./copy-scan.ts";
import { printInst, printSource } from "./copy-text.ts";
import { copySource, type SeenCopy } from "./copy-values.ts";
import { MOST_REACHING } from "./reaching-merges.ts";

/** The instruction with its uses replaced; the same one when nothing was. Nothing is written yet. */
export function propagateInto(scan: BlockScan, id: BlockId, old: Inst): Inst {
  const { bundle, values } = scan;
  if (!bundle.config.copyProp && bundle.config.commit === "all") return old;
  let inst = old;
  visitRegs(old, (r, isDef, index) => {
    if (isDef || isBarrierReg(r) || (inst !== old && !stillReads(inst, index, r))) return;
    const fact = factFor(scan, id, r);
    if (fact !== null && !scan.measured) refuseSeen(scan, id, inst, r, "policy");
    const seen = (scan.measured ? fact : null) ?? values.see(r, inst.guard);
    if (typeof seen === "string") {
      if (seen !== "no-copy") refuseSeen(scan, id, inst, r, seen);
      return;
    }
    if (seen.guarded && bundle.marks.of(seen.copy) === 0 && bundle.config.commit === "all") {
      refuseSeen(scan, id, inst, r, "predicated");
      return;
    }
    inst = replaceOne(scan, id, inst, index, r, seen);
  });
  return inst;
}

/** The same for a PHI, whose inputs are read at the ends of their predecessors. */
export function propagateIntoPhi(scan: BlockScan, id: BlockId, old: Inst): Inst {
  const { bundle, values } = scan;
  if (!bundle.config.copyProp || bundle.config.commit !== "all") return old;
  let inst = old;
  for (const [index, operand] of old.ops.entries()) {
    if (operand.kind !== "phi" || operand.value.kind !== "reg" || isConstantReg(operand.value.reg)) continue;
    const r = operand.value.reg;
    const seen = values.seeAtEnd(operand.pred, r);
    if (typeof seen === "string") {
      if (seen !== "no-copy") refuseSeen(scan, id, inst, r, seen);
    } else inst = replaceOne(scan, id, inst, index, r, seen);
  }
  return inst;
}

/** A register that an operand names twice is replaced at once. */
function stillReads(inst: Inst, index: number, r: Reg): boolean {
  let found = false;
  visitRegs(inst, (each, isDef, at) => {
    if (!isDef && at === index && each === r) found = true;
  });
  return found;
}

const isBarrierReg = (r: Reg): boolean => (r & 7) === 5;

function replaceOne(scan: BlockScan, id: BlockId, inst: Inst, index: number, r: Reg, seen: SeenCopy): Inst {
  const { bundle } = scan;
  const { edit, rec } = bundle.ctx;
  const { source, copy } = seen;
  const dest = copy.ops[0];
  const fixed =
    (dest?.kind === "reg" && bundle.constraint(dest.reg) !== 0) || (source.kind === "reg" && bundle.constraint(source.reg) !== 0);
  if (fixed) {
    refuseUse(scan, id, inst, index, r, seen, "CopyPropPreAllocReg");
    return inst;
  }
  const replaced = replaceUse(inst, index, r, source, bundle.rewrite);
  if (typeof replaced === "string") {
    refuseUse(scan, id, inst, index, r, seen, replaced);
    return inst;
  }
  if (bundle.config.commit === "predicates") return replaced;
  if (!bundle.config.fold && index === GUARD_INDEX && isTerminator(inst) && source.kind === "reg" && isConstantReg(source.reg)) {
    refuseUse(scan, id, inst, index, r, seen, "decided-branch");
    return inst;
  }
  if (!bundle.counted.has(copy.id)) {
    if (!bundle.copyBudget.take(bundle.config.lines.use)) return refuseBudget(scan, inst, "CopyPropBudget");
    bundle.counted.add(copy.id);
    bundle.totals.copies++;
    if (dest?.kind === "reg") bundle.config.onFold?.(seen.block, copy, bundle.countUses(dest.reg));
  }
  if (seen.global && !bundle.globalBudget.take(bundle.config.lines.use)) return refuseBudget(scan, inst, "CopyPropGlobalBudget");
  // What a branch has told of the source is used the next time.
  if (scan.measured && source.kind === "reg" && factFor(scan, id, source.reg) !== null) bundle.again(id);
  bundle.totals.uses++;
  bundle.totals.matches++;
  bundle.count("copy propagation");
  bundle.lost.add(r);
  if (copySource(copy) !== null) {
    bundle.marks.set(
      seen.block,
      copy,
      seen.guarded ? MARK.UNDER_PREDICATE : MARK.PROPAGATED,
      bundle.config.lines.use,
      "a use takes its source",
    );
  }
  if (rec.on) {
    const facts = {
      verdict: "yes",
      reg: regName(r),
      source: printSource(edit.func, seen.at < 0 ? replaced : copy, seen.at < 0 ? index : 1),
      copy: printInst(edit.func, copy),
      inst: printInst(edit.func, inst),
      where: seen.global ? `in ${edit.block(seen.block).label}` : "in the same block",
      operand: index === GUARD_INDEX ? "guard" : index,
    };
    const template =
      seen.at < 0
        ? "'{inst}' reads {reg}, which is {source} here, since '{copy}' did not hold"
        : "'{inst}' reads {reg}, which '{copy}' {where} copied: it reads {source} instead";
    rec.event("match", bundle.config.lines.use, template, facts, {
      blocks: [id],
      insts: [inst.id, copy.id],
      operands: [[inst.id, index]],
      regs: [r],
    });
  }
  return replaced;
}

function refuseBudget(scan: BlockScan, inst: Inst, condition: string): Inst {
  scan.bundle.refuse(condition);
  return inst;
}

function refuseUse(scan: BlockScan, id: BlockId, inst: Inst, index: number, r: Reg, seen: SeenCopy, condition: string): void {
  const { bundle } = scan;
  if (bundle.config.commit === "predicates") return;
  bundle.refuse(condition);
  const { edit, rec } = bundle.ctx;
  if (!rec.on) return;
  const facts = {
    verdict: "no",
    condition,
    reg: regName(r),
    copy: printInst(edit.func, seen.copy),
    inst: printInst(edit.func, inst),
    why: USE_REASONS[condition] ?? condition,
  };
  rec.event("match", bundle.config.lines.refuse, "'{inst}' keeps reading {reg} of '{copy}': {why}", facts, {
    blocks: [id],
    insts: [inst.id, seen.copy.id],
    operands: [[inst.id, index]],
    regs: [r],
  });
}

function refuseSeen(scan: BlockScan, id: BlockId, inst: Inst, r: Reg, condition: string): void {
  const { bundle } = scan;
  if (bundle.config.commit === "predicates") return;
  bundle.refuse(condition);
  const { edit, rec } = bundle.ctx;
  if (!rec.on) return;
  const facts = { verdict: "no", condition, reg: regName(r), inst: printInst(edit.func, inst), why: SEEN_REASONS[condition] ?? condition };
  rec.event("match", bundle.config.lines.refuse, "'{inst}' keeps reading {reg}: {why}", facts, {
    blocks: [id],
    insts: [inst.id],
    regs: [r],
  });
}

const USE_REASONS: Readonly<Record<string, string>> = {
  CopyPropAddr: "CopyPropAddr is off, and it is an address",
  CopyPropConstantBank: "CopyPropConstantBank is off",
  CopyPropNoWriteNonRR: "CopyPropNoWriteNonRR is set, and another source is no register",
  CopyPropNoMmaCb: "CopyPropNoMmaCb is set, and this is a matrix instruction",
  CopyPropPreAllocReg: "a register of the function's interface is fixed, and CopyPropPreAllocReg is off",
  "operand-form": "this operand cannot take the copy's source",
  "register-group": "a register group takes registers of its own class only",
  uniform: "a uniform register may not stand here (not stated in the notes)",
  "one-constant-bank": "an instruction has room for one constant-bank or uniform operand (not stated in the notes)",
  "address-range": "the address would leave its range",
  "table-index": "a table's index stays a register",
  "decided-branch": "the branch would be decided, which this phase leaves to others",
};

const SEEN_REASONS: Readonly<Record<string, string>> = {
  "several-definitions": "several definitions reach this place, one of them a copy",
  "too-many-definitions": `more than ${MOST_REACHING} definitions reach this place: no more are looked at`,
  "source-redefined": "the source of its copy is, or may be, written again on the way",
  "different-guard": "its copy has a guard that this instruction does not have",
  "other-block": "its copy may stand in another block, and copies stay inside their blocks here",
  "not-dominating": "without reaching definitions only a sole definition that dominates the use counts",
  "too-far": "its copy is too many blocks away to be sure of the source",
  policy: "a branch has told its value, which only policy 'measured' uses",
  predicated: "the target cannot mark copies under a predicate",
};
