/** Phase 63, OriDoPredication: short triangles and diamonds become guarded instructions. */

import { type Arms, armsOf, joinPhis } from "../../analysis/arms.ts";
import { analyzeEnding, reversedBranch } from "../../analysis/block-ending.ts";
import { loopInfo } from "../../analysis/loops.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import { withGuard } from "../../ir/copies.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isPredicateReg, regClass } from "../../ir/reg.ts";
import type { Guard, Inst, Operand } from "../../ir/types.ts";
import { sameOperand, terminatorsOf } from "../../ir/visit.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { closeArms } from "../shared/close-arms.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { type ArmSize, armLimit, armSize, canBeGuarded, fits, measuredSize, type Verdict } from "./legality.ts";
import { overlaps } from "./overlap.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const oriDoPredication: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  records: RULES.records,
  readsPolicy: true,
  run: (ctx) => new Predication(ctx).run(),
};

class Predication {
  private readonly ctx: PassContext;
  private readonly rejoin: RejoinGuard;
  private readonly named: NamedBlocks;
  /** Made when it is first asked: this phase closes no loop. */
  private inLoops: ReadonlySet<BlockId> | null = null;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    this.named = new NamedBlocks(ctx.edit);
    this.rejoin = new RejoinGuard(ctx.edit);
  }

  run(): PassOutcome {
    const { edit, remark } = this.ctx;
    callControlFlow(this.ctx, RULES.records, false);
    // Asked once: predicating one branch does not change whether another one diverges.
    const uniform = uniformity(edit.func);
    remark.step(RULES.uniformity, () => {
      const divergent = edit.func.layout.filter((id) => uniform.isDivergent(id));
      return { count: divergent.length, blocks: divergent };
    });
    for (const head of reversePostOrder(edit.func).order.toReversed()) {
      if (edit.func.blocks[head] === undefined) continue;
      const arms = armsOf(edit, head, this.named);
      if (arms === null) continue;
      const divergent = uniform.isDivergent(head);
      remark.step(RULES.block, { block: head, how: divergent ? "may differ within a warp" : "is uniform" });
      if (this.exitDirectly(head) || this.exitFromArm(head, divergent)) continue;
      if ("reason" in arms) remark.missed(RULES.shape, arms.reason, { block: head, arm: arms.arm });
      else this.predicate(arms, divergent);
    }
    return remark.outcome({ none: "no block ends with a condition", each: "every condition" });
  }

  private predicate(arms: Arms, divergent: boolean): void {
    const { edit, remark, knobs, policy } = this.ctx;
    const { head } = arms;
    remark.step(RULES.instruction, { block: head });
    if (![arms.taken, arms.otherwise].every((arm) => canBeGuarded(this.ctx, arms, arm, divergent))) return;
    const obstacle = this.rejoin.dropArms(arms);
    const about = { block: head, obstacle: obstacle?.reason ?? "", inst: obstacle?.inst ?? null };
    if (!remark.holds(RULES.onlyUniform, "convergence", obstacle === null, about)) return;
    const sizeOf = policy === "measured" ? measuredSize : armSize;
    const taken = sizeOf(edit, arms.taken);
    const otherwise = sizeOf(edit, arms.otherwise);
    const verdict = fits(knobs, arms, taken, otherwise, divergent);
    this.sayLengths(arms, taken, otherwise, verdict, divergent);
    const lengths = { block: head, taken: taken.length, otherwise: otherwise.length };
    if (verdict.taken && verdict.otherwise) {
      if (policy === "measured" && !overlaps(edit, arms))
        remark.missed(RULES.overlap, "nothing-overlaps", { block: head, join: arms.join });
      else this.convert(arms);
    } else if (verdict.rule === "coupled") remark.missed(RULES.coupled, "coupled-length", lengths);
    else if (arms.shape === "diamond" && verdict.otherwise) this.convertElse(arms);
    else {
      const [length, limit] = verdict.otherwise ? [taken.length, verdict.limits[0]] : [otherwise.length, verdict.limits[1]];
      remark.missed(RULES.limit, "length", { block: head, length, limit });
    }
  }

  /** Both arms go into the head. */
  private convert(arms: Arms): void {
    const { edit, remark } = this.ctx;
    remark.matched(RULES.fits, { block: arms.head, also: { condition: "length" } });
    remark.done(RULES.guard, this.aboutOf(arms), () => {
      const not: Guard = { reg: arms.guard.reg, neg: !arms.guard.neg };
      this.moveGuarded(arms.head, arms.otherwise, not);
      this.moveGuarded(arms.head, arms.taken, arms.guard);
      const values = new Map<number, Operand>();
      for (const { phi, taken, otherwise } of joinPhis(edit, arms) ?? []) {
        const dest = phi.ops[0];
        if (dest?.kind !== "reg" || sameOperand(taken, otherwise)) continue;
        remark.at(RULES.phi);
        values.set(phi.id, this.chooseGuarded(arms, dest.reg, taken, otherwise));
      }
      remark.at(RULES.close);
      closeArms(edit, arms, values);
    });
  }

  /** Only the else arm goes into the head: the branch to the taken arm stays. */
  private convertElse(arms: Arms): void {
    const { edit, remark } = this.ctx;
    const { head, join, branch, otherwise } = arms;
    if (otherwise === null) return;
    remark.found(RULES.partial, this.aboutOf(arms), () => {
      this.moveGuarded(head, otherwise, { reg: arms.guard.reg, neg: !arms.guard.neg });
      remark.at(RULES.partial);
      edit.setTerminators(head, [branch, edit.make("BRA", [{ kind: "label", block: join }])], edit.phiFrom(otherwise));
      edit.removeBlock(otherwise);
      if (edit.next(head) === join) edit.setTerminators(head, [branch]);
      else if (edit.next(head) === arms.taken) edit.setTerminators(head, [reversedBranch(branch, join)]);
    });
  }

  private aboutOf({ head, join, taken, otherwise, shape, branch }: Arms) {
    return { shape, block: head, blocks: [join, taken, otherwise], inst: branch };
  }

  private moveGuarded(head: BlockId, arm: BlockId | null, guard: Guard): void {
    const { edit, remark } = this.ctx;
    if (arm === null) return;
    remark.at(RULES.guard);
    for (let left = terminatorsOf(edit.block(arm)).at; left > 0; left--) {
      const at = terminatorsOf(edit.block(head)).at;
      edit.move(arm, 0, head, at);
      edit.replace(head, at, withGuard(edit.block(head).insts[at] as Inst, guard));
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
    const { edit, remark } = this.ctx;
    const ending = analyzeEnding(edit.block(head), edit.next(head));
    if (ending.kind !== "cond" || !ending.reversible || ending.branch.guard === null) return false;
    const { branch, taken: target } = ending;
    const [end, ...more] = edit.block(target).insts;
    if (end === undefined || more.length > 0 || end.guard !== null || (end.op !== "EXIT" && end.op !== "RET")) return false;
    if (ending.explicit) return remark.missed(RULES.exit, "fall-through", { block: head, op: end.op, target }) !== null;
    const about = { block: head, op: end.op, target, blocks: [target], inst: branch };
    const done = remark.found(RULES.exit, about, () => {
      edit.setTerminators(head, [edit.make(end.op, [], { guard: branch.guard, line: branch.line })]);
      return true;
    });
    return done !== null;
  }

  /**
   * Policy 'measured': the block after the head ends the thread, and is short: it runs in the head, guarded, its end included, and the head goes on where its branch
   * led. Where that is not next in the layout, the block stays as the jump there. How long the other way is does not matter.
   */
  private exitFromArm(head: BlockId, divergent: boolean): boolean {
    const { edit, remark, knobs, policy } = this.ctx;
    const ending = analyzeEnding(edit.block(head), edit.next(head));
    if (ending.kind !== "cond" || !ending.reversible || ending.explicit) return false;
    const { branch, taken: target, otherwise: arm } = ending;
    if (arm === null || arm === target || branch.guard === null || edit.block(arm).preds.length !== 1) return false;
    const { insts } = edit.block(arm);
    const end = insts.at(-1);
    if (end === undefined || analyzeEnding(edit.block(arm), null).kind !== "end" || end.op === "KILL") return false;
    if (insts[0]?.op === "PHI" || this.named.reason(arm) !== null) return false;
    const about = { block: head, arm, about: () => edit.block(head).label };
    if (policy !== "measured") return remark.missed(RULES.exitArm, "policy", about) !== null;
    const limit = armLimit(knobs, armSize(edit, arm), divergent);
    if (insts.length > limit) return remark.missed(RULES.exitArm, "exit-length", { ...about, length: insts.length, limit }) !== null;
    if (insts.length > 1 && this.isInLoop(head)) return remark.missed(RULES.exitArm, "exit-loop", about) !== null;
    if (!canBeGuarded(this.ctx, { head, guard: branch.guard }, arm, divergent)) return false;
    // The other way stands for the join.
    const shape = { shape: "triangle", head, join: target, branch, guard: branch.guard, taken: null, otherwise: arm } as const;
    if (!overlaps(edit, shape)) return remark.missed(RULES.overlap, "nothing-overlaps", { block: head, join: target }) !== null;
    const not: Guard = { reg: branch.guard.reg, neg: !branch.guard.neg };
    const said = { ...about, op: end.op, target, blocks: [arm, target], inst: branch };
    const done = remark.found(RULES.exitArm, said, () => {
      this.moveGuarded(head, arm, not);
      remark.at(RULES.exitArm);
      const exit = edit.make(end.op, [], { guard: not, line: end.line });
      const jump = edit.make("BRA", [{ kind: "label", block: target }]);
      const values = edit.phiFrom(head);
      edit.setTerminators(arm, [jump], values);
      edit.setTerminators(head, [exit], values);
      if (edit.next(arm) !== target) return true;
      edit.setTerminators(head, [jump], values);
      edit.removeBlock(arm);
      edit.setTerminators(head, [exit]);
      return true;
    });
    return done !== null;
  }

  /** Of an irreducible loop, too. */
  private isInLoop(block: BlockId): boolean {
    this.inLoops ??= new Set(loopInfo(this.ctx.edit.func).loops.flatMap((loop) => [...loop.blocks]));
    return this.inLoops.has(block);
  }

  private sayLengths({ head }: Arms, taken: ArmSize, otherwise: ArmSize, { limits, rule }: Verdict, divergent: boolean): void {
    this.ctx.remark.step(RULES.length, {
      block: head,
      taken: taken.length,
      takenLimit: limits[0],
      otherwise: otherwise.length,
      otherLimit: limits[1],
      rule,
      also: { divergent, takenLoads: taken.load, otherLoads: otherwise.load },
    });
  }
}
