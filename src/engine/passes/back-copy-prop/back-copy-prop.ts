/** Phases 82 and 83, backward copy propagation: a copy goes by letting the definition of its source write the copy's destination. */

import { reversePostOrder } from "../../analysis/order.ts";
import type { Budget } from "../../config/knob-store.ts";
import { withOps, withReg } from "../../ir/copies.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, usesOf } from "../../ir/visit.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { advancePipelineCounter } from "./pipeline-counter.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const backCopyPropagation: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  records: RULES.records,
  unmet: [{ ids: ["ori-back-copy-propagate"], conditions: null, why: "This phase only advances a counter: it examines no copy." }],
  run: (ctx) => (ctx.id === "ori-back-copy-propagate" ? advancePipelineCounter(ctx) : new BackwardCopies(ctx).run()),
};

interface Copy {
  readonly inst: Inst;
  readonly block: BlockId;
  readonly at: number;
  readonly dest: Reg;
  readonly source: Reg;
}

class BackwardCopies {
  private readonly ctx: PassContext;
  private readonly uses = new Map<Reg, number>();
  private readonly fixed: ReadonlySet<Reg>;
  private copies = 0;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    const { func } = ctx.edit;
    this.fixed = new Set([...func.params.map((p) => p.reg), ...func.returns]);
  }

  run(): PassOutcome {
    const { edit, remark, knobs } = this.ctx;
    const budget = knobs.budget("back-copy-prop-budget", RULES.budget);
    const { order } = reversePostOrder(edit.func);
    remark.step(RULES.phase82, { blocks: order.length });
    callControlFlow(this.ctx, RULES.records, false);
    for (const id of edit.func.layout) this.countUses(id);
    remark.step(RULES.count, { count: this.uses.size });
    for (const id of order) {
      remark.open(RULES.walk, { block: id });
      const more = this.block(id, budget);
      remark.close();
      if (!more) break;
    }
    return remark.outcome({ matches: this.copies, none: "the function has no copy", each: "every copy" });
  }

  private countUses(block: BlockId): void {
    for (const inst of this.ctx.edit.block(block).insts) for (const r of usesOf(inst)) this.uses.set(r, (this.uses.get(r) ?? 0) + 1);
  }

  /** False when the budget is spent. */
  private block(block: BlockId, budget: Budget): boolean {
    const { edit, remark } = this.ctx;
    // Removing an instruction only moves those after it, which were looked at already.
    for (let at = edit.block(block).insts.length - 1; at >= 0; at--) {
      const inst = edit.block(block).insts[at] as Inst;
      const registers = copyOf(inst);
      if (registers === null) continue;
      this.copies++;
      const copy = { inst, block, at, ...registers };
      remark.step(RULES.copy, { inst, source: copy.source, block });
      const def = this.definition(copy);
      if (def === null) continue;
      if (!budget.take(RULES.budget)) {
        remark.missed(RULES.budget, "budget", { inst, block });
        return false;
      }
      this.rewrite(copy, def);
    }
    return true;
  }

  /** The place of the definition that can write the copy's destination, by the three guards; null when one of them fails. */
  private definition({ inst, block, at, dest, source }: Copy): number | null {
    const { edit, remark } = this.ctx;
    const copy = { inst, block, dest, source };
    const { insts } = edit.block(block);
    const count = this.uses.get(source) ?? 0;
    if (!remark.holds(RULES.guard1, "other-uses", count === 1, { ...copy, count })) return null;
    if (!remark.holds(RULES.guard2, "fixed-register", !this.fixed.has(source), copy)) return null;
    let reader: Inst | null = null;
    for (let i = at - 1; i >= 0; i--) {
      const def = insts[i] as Inst;
      if (defsOf(def).includes(source)) {
        if (!remark.holds(RULES.reads, "read-between", reader === null, { ...copy, reader })) return null;
        return this.renamable(def, copy) ? i : null;
      }
      if (!remark.holds(RULES.guard3, "written-between", !defsOf(def).includes(dest), { ...copy, writer: def })) return null;
      if (usesOf(def).includes(dest)) reader = def;
    }
    return remark.missed(RULES.definition, "definition", copy);
  }

  /** Guard 2, for the definition itself: it can, or null. */
  private renamable(def: Inst, copy: Omit<Copy, "at">): true | null {
    const { remark } = this.ctx;
    const { dest, source } = copy;
    const no = { ...copy, def };
    if (!remark.holds(RULES.guard2, "guarded", def.guard === null, no)) return null;
    if (def.op === "PHI") return remark.missed(RULES.guard2, "phi", no);
    const effect = effectOf(def);
    if (effect === "sync" || effect === "call" || def.op === "OPAQUE") return remark.missed(RULES.guard2, "fixed-results", no);
    if (regClass(source) !== regClass(dest)) return remark.missed(RULES.guard2, "class", no);
    const [first, ...more] = def.ops.filter((operand) => operand.kind === "reg" && operand.reg === source);
    if (first === undefined) return remark.missed(RULES.guard2, "vector", no);
    const defs = defsOf(def);
    if (defs.filter((r) => r === source).length !== 1 || defs.includes(dest)) return remark.missed(RULES.guard2, "second-result", no);
    // `Rs = op(Rs)`: renaming the result must not rename what it reads; the only use of Rs is the copy, so there is none.
    return more.length > 0 ? remark.missed(RULES.guard2, "reads-itself", no) : true;
  }

  private rewrite({ inst, block, at, dest, source }: Copy, defAt: number): void {
    const { edit, remark } = this.ctx;
    const def = edit.block(block).insts[defAt] as Inst;
    remark.found(RULES.rename, { def, copy: inst, dest, source, block, insts: [inst, def], regs: [dest, source] }, () => {
      const ops = def.ops.map((operand) => (operand.kind === "reg" && operand.reg === source ? withReg(operand, dest) : operand));
      edit.replace(block, defAt, withOps(def, ops));
      remark.at(RULES.remove);
      edit.remove(block, at);
      this.uses.set(source, 0);
    });
  }
}

/** An unguarded copy of a whole register into another one. */
function copyOf(inst: Inst): Pick<Copy, "dest" | "source"> | null {
  if (inst.guard !== null || (inst.op !== "MOV" && inst.op !== "PMOV")) return null;
  const [dest, source] = inst.ops;
  if (dest?.kind !== "reg" || source?.kind !== "reg" || source.neg || source.abs || source.not) return null;
  if (isConstantReg(dest.reg) || isConstantReg(source.reg) || dest.reg === source.reg) return null;
  return { dest: dest.reg, source: source.reg };
}
