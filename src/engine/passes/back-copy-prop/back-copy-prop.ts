/** Phases 82 and 83, backward copy propagation: a copy goes by letting the definition of its source write the copy's destination. */

import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, usesOf } from "../../ir/visit.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import { plural } from "../../text/plural.ts";
import { printInst } from "../../text/printer.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { advancePipelineCounter } from "./pipeline-counter.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

export const backCopyPropagation: Pass = {
  family: "back-copy-prop",
  ids: ["advanced-phase-back-prop-vreg", "ori-back-copy-propagate"],
  summary: "Backward copy propagation: the definition of a copy's source writes the copy's destination, and the copy goes.",
  pseudocode: PSEUDOCODE,
  run: (ctx) => (ctx.id === "ori-back-copy-propagate" ? advancePipelineCounter(ctx) : new BackwardCopies(ctx).run()),
};

interface Copy {
  readonly dest: Reg;
  readonly source: Reg;
}

interface Refusal {
  readonly condition: string;
  readonly line: number;
  readonly why: string;
}

class BackwardCopies {
  private readonly ctx: PassContext;
  private readonly uses = new Map<Reg, number>();
  private readonly fixed: ReadonlySet<Reg>;
  private matches = 0;
  private rewrites = 0;
  private readonly refusals = new Map<string, number>();

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    const { func } = ctx.edit;
    this.fixed = new Set([...func.params.map((p) => p.reg), ...func.returns]);
  }

  run(): PassOutcome {
    const { edit, rec, knobs } = this.ctx;
    const budget = knobs.budget("back-copy-prop-budget", LINE.budget);
    const { order } = reversePostOrder(edit.func);
    if (rec.on) rec.event("note", LINE.phase82, "{blocks} {blocks:block|blocks} in RPO", { blocks: order.length });
    for (const id of edit.func.layout) {
      for (const inst of edit.block(id).insts) for (const r of usesOf(inst)) this.uses.set(r, (this.uses.get(r) ?? 0) + 1);
    }
    if (rec.on) rec.event("note", LINE.count, "{count} {count:register is|registers are} read", { count: this.uses.size });
    for (const id of order) if (!this.block(id, budget)) break;
    const reasons = [...this.refusals].map(([condition, times]) => (times > 1 ? `${condition} (${times} times)` : condition));
    const why =
      this.rewrites > 0 ? null : reasons.length === 0 ? "the function has no copy" : `every copy was refused: ${reasons.join(", ")}`;
    return { matches: this.matches, rewrites: this.rewrites, why };
  }

  /** False when the budget is spent. */
  private block(id: BlockId, budget: Budget): boolean {
    const { edit, rec } = this.ctx;
    if (rec.on) rec.begin("visit", LINE.walk, "{block}, from its last instruction", { block: edit.block(id).label }, { blocks: [id] });
    let open = true;
    // Removing an instruction only moves those behind it, which were looked at already.
    for (let at = edit.block(id).insts.length - 1; at >= 0 && open; at--) {
      const inst = edit.block(id).insts[at] as Inst;
      const copy = copyOf(inst);
      if (copy === null) continue;
      this.matches++;
      if (rec.on) {
        rec.event(
          "visit",
          LINE.copy,
          "'{inst}' is a copy of {source}",
          { inst: printInst(edit.func, inst), source: regName(copy.source) },
          { blocks: [id], insts: [inst.id] },
        );
      }
      const found = this.definition(id, at, copy);
      if ("condition" in found) {
        this.refuse(id, inst, found);
      } else if (budget.take(LINE.budget)) {
        this.rewrite(id, at, inst, found.at, copy);
      } else {
        this.refuse(id, inst, { condition: "budget", line: LINE.budget, why: "the budget is spent" });
        open = false;
      }
    }
    if (rec.on) rec.end();
    return open;
  }

  /** The place of the definition that can write the copy's destination, by the three guards; or the one that fails. */
  private definition(id: BlockId, at: number, { dest, source }: Copy): { readonly at: number } | Refusal {
    const { edit } = this.ctx;
    const { insts } = edit.block(id);
    const uses = this.uses.get(source) ?? 0;
    if (uses !== 1) return { condition: "guard 1", line: LINE.guard1, why: `${regName(source)} is read in ${plural(uses, "place")}` };
    if (this.fixed.has(source))
      return { condition: "guard 2", line: LINE.guard2, why: `${regName(source)} is a parameter or a result of the function` };
    let reader: Inst | null = null;
    for (let i = at - 1; i >= 0; i--) {
      const inst = insts[i] as Inst;
      if (defsOf(inst).includes(source)) {
        if (reader !== null)
          return {
            condition: "guard 3 (read)",
            line: LINE.reads,
            why: `'${printInst(edit.func, reader)}' in between reads ${regName(dest)}`,
          };
        return this.renamable(inst, source, dest) ?? { at: i };
      }
      if (defsOf(inst).includes(dest))
        return { condition: "guard 3", line: LINE.guard3, why: `'${printInst(edit.func, inst)}' in between writes ${regName(dest)}` };
      if (usesOf(inst).includes(dest)) reader = inst;
    }
    return { condition: "definition", line: LINE.definition, why: `${regName(source)} is not defined in the same block before it` };
  }

  /** Guard 2, for the definition itself. */
  private renamable(def: Inst, source: Reg, dest: Reg): Refusal | null {
    const text = `'${printInst(this.ctx.edit.func, def)}'`;
    const no = (why: string): Refusal => ({ condition: "guard 2", line: LINE.guard2, why: `${text} ${why}` });
    if (def.guard !== null) return no("has a guard and may leave the old value");
    if (def.op === "PHI") return no("is a PHI");
    if (effectOf(def) === "sync" || effectOf(def) === "call" || def.op === "OPAQUE") return no("has results that stand where they are");
    if (regClass(source) !== regClass(dest)) return no(`writes another kind of register than ${regName(dest)}`);
    const [first, ...more] = def.ops.filter((operand) => operand.kind === "reg" && operand.reg === source);
    if (first === undefined) return no(`writes ${regName(source)} as part of a vector`);
    if (defsOf(def).filter((r) => r === source).length !== 1 || defsOf(def).includes(dest))
      return no(`has ${regName(dest)} as another result`);
    // `Rs = op(Rs)`: renaming the result must not rename what it reads; the only use of Rs is the copy, so there is none.
    return more.length > 0 ? no(`reads ${regName(source)} itself`) : null;
  }

  private rewrite(id: BlockId, at: number, copy: Inst, defAt: number, { dest, source }: Copy): void {
    const { edit, rec } = this.ctx;
    const def = edit.block(id).insts[defAt] as Inst;
    this.rewrites++;
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.rename,
        "'{def}' writes {dest} instead of {source}, and '{copy}' goes",
        { def: printInst(edit.func, def), copy: printInst(edit.func, copy), dest: regName(dest), source: regName(source), verdict: "yes" },
        { blocks: [id], insts: [def.id, copy.id], regs: [dest, source] },
      );
    }
    const renamed: Inst = {
      ...def,
      ops: def.ops.map((operand) => (operand.kind === "reg" && operand.reg === source ? { ...operand, reg: dest } : operand)),
    };
    edit.replace(id, defAt, renamed);
    if (rec.on) rec.at(LINE.remove);
    edit.remove(id, at);
    this.uses.set(source, 0);
    if (rec.on) rec.end();
  }

  private refuse(id: BlockId, inst: Inst, { condition, line, why }: Refusal): void {
    const { edit, rec } = this.ctx;
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    if (!rec.on) return;
    rec.event(
      "match",
      line,
      "'{inst}' in {block} stays: {why}",
      { inst: printInst(edit.func, inst), block: edit.block(id).label, why, verdict: "no", condition },
      { blocks: [id], insts: [inst.id] },
    );
  }
}

/** An unguarded copy of a whole register into another one. */
function copyOf(inst: Inst): Copy | null {
  if (inst.guard !== null || (inst.op !== "MOV" && inst.op !== "PMOV")) return null;
  const [dest, source] = inst.ops;
  if (dest?.kind !== "reg" || source?.kind !== "reg" || source.neg || source.abs || source.not) return null;
  if (isConstantReg(dest.reg) || isConstantReg(source.reg) || dest.reg === source.reg) return null;
  return { dest: dest.reg, source: source.reg };
}
