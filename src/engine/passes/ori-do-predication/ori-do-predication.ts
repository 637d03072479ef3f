/** Phase 63, OriDoPredication: short triangles and diamonds become guarded instructions. */

import { type Arms, armsOf, closeArms, joinPhis, regionEndsOf } from "../../analysis/arms.ts";
import { analyzeEnding, reversedBranch } from "../../analysis/block-ending.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isPredicateReg, regClass, regName } from "../../ir/reg.ts";
import type { Guard, Inst, Operand } from "../../ir/types.ts";
import { sameOperand, terminatorsOf } from "../../ir/visit.ts";
import { plural } from "../../text/plural.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { type ArmSize, armSize, fits, illegal, type Verdict } from "./legality.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

export const oriDoPredication: Pass = {
  family: "ori-do-predication",
  ids: ["ori-do-predication"],
  summary: "Turns short triangles and diamonds into guarded instructions, and branches to the end of the thread into guarded exits.",
  pseudocode: PSEUDOCODE,
  run: (ctx) => new Predication(ctx).run(),
};

class Predication {
  private readonly ctx: PassContext;
  private matches = 0;
  private rewrites = 0;
  private readonly refusals = new Map<string, number>();
  private readonly rejoin: RejoinGuard;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    this.rejoin = new RejoinGuard(ctx.edit.func, ctx.edit);
  }

  run(): PassOutcome {
    const { edit, rec } = this.ctx;
    // Asked once: predicating one branch does not change whether another one diverges.
    const uniform = uniformity(edit.func);
    if (rec.on) {
      const divergent = edit.func.layout.filter((id) => uniform.isDivergent(id));
      rec.event(
        "note",
        LINE.uniformity,
        "{count} {count:branch|branches} may differ within a warp",
        { count: divergent.length },
        { blocks: divergent },
      );
    }
    const regionEnds = regionEndsOf(edit);
    for (const head of reversePostOrder(edit.func).order.toReversed()) {
      if (edit.func.blocks[head] === undefined) continue;
      const arms = armsOf(edit, head, regionEnds);
      if (arms === null) continue;
      const divergent = uniform.isDivergent(head);
      if (rec.on) {
        rec.event(
          "visit",
          LINE.block,
          "{block} ends with a condition that {how}",
          { block: edit.block(head).label, how: divergent ? "may differ within a warp" : "is uniform" },
          { blocks: [head] },
        );
      }
      if (this.exitDirectly(head)) continue;
      if ("condition" in arms) this.refuse(head, LINE.shape, arms.condition, arms.why, null);
      else this.predicate(arms, divergent);
    }
    const reasons = [...this.refusals].map(([condition, times]) => (times > 1 ? `${condition} (${times} times)` : condition));
    const why =
      this.rewrites > 0
        ? null
        : reasons.length === 0
          ? "no block ends with a condition"
          : `every condition was refused: ${reasons.join(", ")}`;
    return { matches: this.matches, rewrites: this.rewrites, why };
  }

  private predicate(arms: Arms, divergent: boolean): void {
    const { edit, knobs, rec } = this.ctx;
    const takenIllegal = illegal(edit, arms.taken, arms.guard.reg, divergent);
    const otherIllegal = illegal(edit, arms.otherwise, arms.guard.reg, divergent);
    if (rec.on)
      rec.event(
        "visit",
        LINE.instruction,
        "{block}: look at the arms' instructions",
        { block: edit.block(arms.head).label },
        { blocks: [arms.head] },
      );
    const bad = takenIllegal ?? otherIllegal;
    const obstacle = bad === null ? this.rejoin.dropBranch(arms.head) : null;
    if (obstacle !== null) {
      this.refuse(arms.head, LINE.onlyUniform, "convergence", `lanes part here, and ${obstacle.reason}`, obstacle.inst);
      return;
    }
    if (bad !== null) {
      this.refuse(arms.head, bad.line, bad.condition, bad.why, bad.inst);
      return;
    }
    const taken = armSize(edit, arms.taken);
    const otherwise = armSize(edit, arms.otherwise);
    const verdict = fits(knobs, arms, taken, otherwise, divergent);
    this.sayLengths(arms, taken, otherwise, verdict, divergent);
    if (verdict.taken && verdict.otherwise) this.convert(arms);
    else if (!verdict.taken && verdict.otherwise && arms.shape === "diamond" && verdict.rule !== "coupled") this.convertElse(arms);
    else {
      const [length, limit] = verdict.otherwise ? [taken.length, verdict.limits[0]] : [otherwise.length, verdict.limits[1]];
      this.refuse(
        arms.head,
        verdict.rule === "coupled" ? LINE.coupled : LINE.limit,
        verdict.rule === "coupled" ? "coupled-length" : "length",
        verdict.rule === "coupled"
          ? `one arm loads, and arms of ${taken.length} and ${plural(otherwise.length, "instruction")} are too long together`
          : `an arm has ${plural(length, "instruction")}, the limit is ${limit}`,
        null,
      );
    }
  }

  /** Both arms go into the head. */
  private convert(arms: Arms): void {
    const { edit, rec } = this.ctx;
    this.begin(arms, LINE.guard, "the {shape} at {block} becomes guarded instructions");
    const not: Guard = { ...arms.guard, neg: !arms.guard.neg };
    this.moveGuarded(arms, arms.otherwise, not);
    this.moveGuarded(arms, arms.taken, arms.guard);
    const values = new Map<number, Operand>();
    for (const { phi, taken, otherwise } of joinPhis(edit, arms) ?? []) {
      const dest = phi.ops[0];
      if (dest?.kind !== "reg" || sameOperand(taken, otherwise)) continue;
      if (rec.on) rec.at(LINE.phi);
      values.set(phi.id, this.chooseGuarded(arms, dest.reg, taken, otherwise));
    }
    if (rec.on) rec.at(LINE.close);
    closeArms(edit, arms, values);
    if (rec.on) rec.end();
  }

  /** Only the else arm goes into the head: the branch to the taken arm stays. */
  private convertElse(arms: Arms): void {
    const { edit, rec } = this.ctx;
    const { head, join, otherwise } = arms;
    if (otherwise === null) return;
    this.begin(arms, LINE.partial, "the else arm of {block} is guarded; the taken arm is too long and keeps its branch");
    this.moveGuarded(arms, otherwise, { ...arms.guard, neg: !arms.guard.neg });
    if (rec.on) rec.at(LINE.partial);
    const { branch } = arms;
    edit.setTerminators(head, [branch, edit.make("BRA", [{ kind: "label", block: join }])], edit.phiFrom(otherwise));
    edit.removeBlock(otherwise);
    if (edit.next(head) === join) edit.setTerminators(head, [branch]);
    else if (edit.next(head) === arms.taken) edit.setTerminators(head, [reversedBranch(branch, join)]);
    if (rec.on) rec.end();
  }

  private begin(arms: Arms, line: number, template: string): void {
    const { edit, rec } = this.ctx;
    this.matches++;
    this.rewrites++;
    if (!rec.on) return;
    rec.begin(
      "rewrite",
      line,
      template,
      {
        block: edit.block(arms.head).label,
        join: edit.block(arms.join).label,
        shape: arms.shape,
        condition: regName(arms.guard.reg),
        verdict: "yes",
      },
      { blocks: [arms.head, arms.join, ...[arms.taken, arms.otherwise].filter((b) => b !== null)], insts: [arms.branch.id] },
    );
  }

  private moveGuarded({ head }: Arms, arm: BlockId | null, guard: Guard): void {
    const { edit, rec } = this.ctx;
    if (arm === null) return;
    if (rec.on) rec.at(LINE.guard);
    for (let left = terminatorsOf(edit.block(arm)).at; left > 0; left--) {
      const at = terminatorsOf(edit.block(head)).at;
      edit.move(arm, 0, head, at);
      edit.replace(head, at, { ...(edit.block(head).insts[at] as Inst), guard });
    }
  }

  /** Copies both values into a fresh register, the taken one under the condition. */
  private chooseGuarded(arms: Arms, like: Reg, taken: Operand, otherwise: Operand): Operand {
    const { edit } = this.ctx;
    const fresh: Operand = { kind: "reg", reg: edit.freshReg(regClass(like)), neg: false, abs: false, not: false };
    const op = isPredicateReg(like) ? "PMOV" : "MOV";
    const insert = (value: Operand, guard: Guard | null): void => {
      edit.insert(arms.head, terminatorsOf(edit.block(arms.head)).at, edit.make(op, [fresh, value], { guard }));
    };
    insert(otherwise, null);
    insert(taken, arms.guard);
    return fresh;
  }

  /** `@P BRA T` with T nothing but the end of the thread becomes a guarded EXIT or RET, when the other way is next. */
  private exitDirectly(head: BlockId): boolean {
    const { edit, rec } = this.ctx;
    const ending = analyzeEnding(edit.block(head), edit.next(head));
    if (ending.kind !== "cond" || !ending.reversible || ending.branch.guard === null) return false;
    const [end, ...more] = edit.block(ending.taken).insts;
    if (end === undefined || more.length > 0 || end.guard !== null || (end.op !== "EXIT" && end.op !== "RET")) return false;
    const block = edit.block(head).label;
    if (ending.explicit) {
      this.refuse(
        head,
        LINE.exit,
        "fall-through",
        `its other way is not next, so the ${end.op} of ${edit.block(ending.taken).label} stays behind a branch`,
        null,
      );
      return false;
    }
    this.matches++;
    this.rewrites++;
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.exit,
        "{block} ends the thread itself: a guarded {op} instead of the branch to {target}",
        { block, op: end.op, target: edit.block(ending.taken).label, verdict: "yes" },
        { blocks: [head, ending.taken], insts: [ending.branch.id] },
      );
    }
    edit.setTerminators(head, [edit.make(end.op, [], { guard: ending.branch.guard, line: ending.branch.line })]);
    if (rec.on) rec.end();
    return true;
  }

  private sayLengths(arms: Arms, taken: ArmSize, otherwise: ArmSize, verdict: Verdict, divergent: boolean): void {
    const { edit, rec } = this.ctx;
    if (!rec.on) return;
    rec.event(
      "cost",
      LINE.length,
      "{block}: the taken arm has {taken} of {takenLimit} {takenLimit:instruction|instructions}, the else arm {otherwise} of {otherLimit} ({rule} rule)",
      {
        block: edit.block(arms.head).label,
        taken: taken.length,
        takenLimit: verdict.limits[0],
        otherwise: otherwise.length,
        otherLimit: verdict.limits[1],
        rule: verdict.rule,
        divergent,
        takenLoads: taken.load,
        otherLoads: otherwise.load,
      },
      { blocks: [arms.head] },
    );
    if (verdict.taken && verdict.otherwise)
      rec.event(
        "match",
        LINE.fits,
        "{block}: both arms fit",
        { block: edit.block(arms.head).label, verdict: "yes", condition: "length" },
        { blocks: [arms.head] },
      );
  }

  private refuse(head: BlockId, line: number, condition: string, why: string, inst: Inst | null): void {
    const { edit, rec } = this.ctx;
    this.matches++;
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    if (!rec.on) return;
    rec.event(
      "match",
      line,
      "{block} stays a branch: {why}",
      { block: edit.block(head).label, why, verdict: "no", condition },
      { blocks: [head], insts: inst === null ? [] : [inst.id] },
    );
  }
}
