/** Phase 63, OriDoPredication: short triangles and diamonds become guarded instructions. */

import { type Arms, armsOf, joinPhis, NO_ARM, NO_SHAPE } from "../../analysis/arms.ts";
import { analyzeEnding, reversedBranch } from "../../analysis/block-ending.ts";
import { loopInfo } from "../../analysis/loops.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import { withGuard } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isPredicateReg, regClass } from "../../ir/reg.ts";
import type { Guard, Inst, Operand } from "../../ir/types.ts";
import { sameOperand, terminatorsOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { closeArms } from "../shared/close-arms.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { armLimit, armSize, canBeGuarded, fits, GUARDS, LENGTHS, measuredSize, STAYS } from "./legality.ts";
import { overlaps } from "./overlap.ts";

interface State extends Pick<PassContext, "edit" | "remark" | "knobs" | "policy"> {
  readonly rejoin: RejoinGuard;
  readonly named: NamedBlocks;
  /** Blocks in a loop, of an irreducible one too: this phase closes no loop. */
  readonly inLoop: (block: BlockId) => boolean;
}

/** A block that ends with a condition. */
interface Head {
  readonly head: BlockId;
  /** Lanes may disagree about its condition. */
  readonly divergent: boolean;
}

const exit = rule<State, Head>()({
  line: "  if a successor of A only exits, A exits itself, guarded by P",
  done: "{block} exits itself: a guarded {op} replaces the branch to {target:block}",
  because: "{target} only ends the thread, which a guarded {op} in {block} does without a branch",
  stays: STAYS,
  missed: { "fall-through": { say: "its other successor is not the fall-through, so the {op} of {target:block} stays a branch target" } },
  match({ edit }, { head }, miss) {
    const ending = analyzeEnding(edit.block(head), edit.next(head));
    if (ending.kind !== "cond" || !ending.reversible || ending.branch.guard === null) return null;
    const { branch, taken: target } = ending;
    const [end, ...more] = edit.block(target).insts;
    if (end === undefined || more.length > 0 || end.guard !== null || (end.op !== "EXIT" && end.op !== "RET")) return null;
    if (ending.explicit) return miss("fall-through", { block: head, op: end.op, target });
    return { block: head, op: end.op, target, blocks: [target], inst: branch };
  },
  apply({ edit }, { block, op, inst }) {
    edit.setTerminators(block, [edit.make(op, [], { guard: inst.guard, line: inst.line })]);
  },
});

/** Where the fall-through block is not before the branch's target in the layout, it stays as the jump there. The length of the other side does not matter. */
const exitArm = rule<State, Head>()({
  line: "  policy 'measured': the fall-through block exits and is short enough: merge it, with its EXIT, into A under !P",
  policy: "measured",
  done: "{arm:block} is merged into {block} with a guarded {op}; {block} continues at {target:block}",
  because: "{arm} ends the thread and is short enough to run under the condition of {block}",
  stays: STAYS,
  missed: {
    policy: { counts: false, say: "{arm:block} ends the thread, and only policy 'measured' takes such a block in" },
    "exit-length": { say: "{arm:block}, which ends the thread, has {length} {length:instruction|instructions}, the limit is {limit}" },
    "exit-loop": { say: "{arm:block} leaves a loop, which keeps its branch" },
  },
  match(state, { head, divergent }, miss) {
    const { edit, remark, knobs, policy } = state;
    const ending = analyzeEnding(edit.block(head), edit.next(head));
    if (ending.kind !== "cond" || !ending.reversible || ending.explicit) return null;
    const { branch, taken: target, otherwise: arm } = ending;
    const { guard } = branch;
    if (arm === null || arm === target || guard === null || edit.block(arm).preds.length !== 1) return null;
    const { insts } = edit.block(arm);
    const end = insts.at(-1);
    if (end === undefined || analyzeEnding(edit.block(arm), null).kind !== "end" || end.op === "KILL") return null;
    if (insts[0]?.op === "PHI" || state.named.reason(arm) !== null) return null;
    const about = { block: head, arm, about: () => edit.block(head).label };
    if (policy !== "measured") return miss("policy", about);
    const limit = armLimit(knobs, armSize(edit, arm), divergent);
    if (insts.length > limit) return miss("exit-length", { ...about, length: insts.length, limit });
    if (insts.length > 1 && state.inLoop(head)) return miss("exit-loop", about);
    if (!canBeGuarded(state, { head, guard }, arm, divergent)) return null;
    // The branch's target serves as the join.
    const shape = { shape: "triangle", head, join: target, branch, guard, taken: null, otherwise: arm } as const;
    if (!overlaps(edit, shape)) return remark.missed(overlap, "nothing-overlaps", { block: head, join: target });
    return { ...about, op: end.op, target, blocks: [arm, target], inst: branch, end, not: negated(guard) };
  },
  apply(state, { block, arm, target, end, not }) {
    const { edit } = state;
    moveGuarded(state, block, arm, not);
    state.remark.at(exitArm);
    const guarded = edit.make(end.op, [], { guard: not, line: end.line });
    const jump = edit.make("BRA", [{ kind: "label", block: target }]);
    const values = edit.phiFrom(block);
    edit.setTerminators(arm, [jump], values);
    edit.setTerminators(block, [guarded], values);
    if (edit.next(arm) !== target) return;
    edit.setTerminators(block, [jump], values);
    edit.removeBlock(arm);
    edit.setTerminators(block, [guarded]);
  },
});

const overlap = line("  policy 'measured': the load of a triangle's arm overlaps with a load in flight in A, or with computations of J", {
  policy: "measured",
  stays: STAYS,
  missed: { "nothing-overlaps": { say: "neither {block} nor {join:block} has anything to do while the arm's load is under way" } },
});

const guard = rule<State, Arms>()({
  line: "    move the else arm's instructions into A under !P, the taken arm's under P",
  done: "the {shape} at {block} becomes guarded instructions",
  because: "the {shape} at {block} is within the limit of length, and each of its instructions can run under a guard",
  match: (_, arms) => ({ ...aboutOf(arms), arms }),
  apply(state, { arms }) {
    const { edit, remark } = state;
    moveGuarded(state, arms.head, arms.otherwise, negated(arms.guard));
    moveGuarded(state, arms.head, arms.taken, arms.guard);
    const values = new Map<number, Operand>();
    for (const { phi, taken, otherwise } of joinPhis(edit, arms) ?? []) {
      const dest = phi.ops[0];
      if (dest?.kind !== "reg" || sameOperand(taken, otherwise)) continue;
      remark.at(RULES.phi);
      values.set(phi.id, chooseGuarded(edit, arms, dest.reg, taken, otherwise));
    }
    remark.at(RULES.close);
    closeArms(edit, arms, values);
  },
});

const partial = rule<State, Arms>()({
  line: "  only the taken arm is too long: move the else arm up under !P; the branch to the taken arm stays",
  done: "the else arm of {block} is guarded; the taken arm is too long and keeps its branch",
  because: "the else arm of {block} is within the limit of length and the taken arm is not",
  match: (_, arms) => (arms.otherwise === null ? null : { ...aboutOf(arms), arms, moved: arms.otherwise }),
  apply(state, { arms, moved }) {
    const { edit } = state;
    const { head, join, branch, taken } = arms;
    moveGuarded(state, head, moved, negated(arms.guard));
    state.remark.at(partial);
    edit.setTerminators(head, [branch, edit.make("BRA", [{ kind: "label", block: join }])], edit.phiFrom(moved));
    edit.removeBlock(moved);
    if (edit.next(head) === join) edit.setTerminators(head, [branch]);
    else if (edit.next(head) === taken) edit.setTerminators(head, [reversedBranch(branch, join)]);
  },
});

const RULES = rules({
  records: line("AnalyzeControlFlow, incremental; again after the walk, when the graph changed // sub_781F80, force = 0", BRIEF),
  uniformity: line("which branches may differ within a warp: uniformity analysis", {
    kind: "note",
    step: "{count} {count:branch|branches} may differ within a warp",
  }),
  block: line("for each block A in post-order that ends with a condition P:", { step: "{block} ends with a condition that {how}" }),
  exit,
  exitArm,
  shape: line("  A must head a triangle or a diamond: both successors join in J after at most one block each", {
    stays: STAYS,
    missed: { ...NO_SHAPE, ...NO_ARM },
  }),
  instruction: line("  for each instruction of the arms: it must be one that a guard can carry", {
    step: "{block}: check the instructions of both arms",
  }),
  ...GUARDS,
  ...LENGTHS,
  overlap,
  fits: line("  both arms, or the only arm of a triangle, are within the limit:", { found: "{block}: both arms fit" }),
  guard,
  phi: line("    a PHI of J with two values: a copy of each into a fresh register, the second under P"),
  close: line("    A branches to J; the arms are removed"),
  partial,
});

export const oriDoPredication: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  records: RULES.records,
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs, policy } = ctx;
  callControlFlow(ctx, RULES.records, false);
  const named = new NamedBlocks(edit);
  let loops: ReadonlySet<BlockId> | null = null;
  const inLoop = (block: BlockId): boolean => {
    loops ??= new Set(loopInfo(edit.func).loops.flatMap((loop) => [...loop.blocks]));
    return loops.has(block);
  };
  const state: State = { edit, remark, knobs, policy, named, rejoin: new RejoinGuard(edit), inLoop };
  // Computed once: predicating one branch does not change whether another one diverges.
  const uniform = uniformity(edit.func);
  remark.step(RULES.uniformity, () => {
    const divergent = edit.func.layout.filter((id) => uniform.isDivergent(id));
    return { count: divergent.length, blocks: divergent };
  });
  for (const head of reversePostOrder(edit.func).order.toReversed()) {
    if (edit.func.blocks[head] === undefined) continue;
    const arms = armsOf(edit, head, named);
    if (arms === null) continue;
    const divergent = uniform.isDivergent(head);
    remark.step(RULES.block, { block: head, how: divergent ? "may differ within a warp" : "is uniform" });
    if (exits(state, { head, divergent })) continue;
    if ("reason" in arms) remark.missed(RULES.shape, arms.reason, { block: head, arm: arms.arm });
    else predicate(state, arms, divergent);
  }
  return remark.outcome({ none: "no block ends with a condition", each: "every conditional branch" });
}

/** The head now ends the thread itself, under its condition. */
function exits(state: State, head: Head): boolean {
  for (const each of [exit, exitArm]) {
    const rewrite = each.look(state, head)?.request() ?? null;
    rewrite?.commit();
    if (rewrite !== null) return true;
  }
  return false;
}

function predicate(state: State, arms: Arms, divergent: boolean): void {
  const { edit, remark, knobs, policy } = state;
  const { head } = arms;
  remark.step(RULES.instruction, { block: head });
  if (![arms.taken, arms.otherwise].every((arm) => canBeGuarded(state, arms, arm, divergent))) return;
  const obstacle = state.rejoin.dropArms(arms);
  const about = { block: head, obstacle: obstacle?.reason ?? "", inst: obstacle?.inst ?? null };
  if (!remark.holds(RULES.onlyUniform, "convergence", obstacle === null, about)) return;
  const sizeOf = policy === "measured" ? measuredSize : armSize;
  const [taken, otherwise] = [sizeOf(edit, arms.taken), sizeOf(edit, arms.otherwise)];
  const verdict = fits(knobs, arms, taken, otherwise, divergent);
  const { limits } = verdict;
  const lengths = { block: head, taken: taken.length, otherwise: otherwise.length };
  remark.step(RULES.length, {
    ...lengths,
    takenLimit: limits[0],
    otherLimit: limits[1],
    also: { rule: verdict.rule, divergent, takenLoads: taken.load, otherLoads: otherwise.load },
  });
  if (verdict.taken && verdict.otherwise) {
    if (policy === "measured" && !overlaps(edit, arms)) {
      remark.missed(overlap, "nothing-overlaps", { block: head, join: arms.join });
      return;
    }
    remark.matched(RULES.fits, { block: head, also: { condition: "length" } });
    guard.look(state, arms)?.request()?.commit();
  } else if (verdict.rule === "coupled") remark.missed(RULES.coupled, "coupled-length", lengths);
  else if (arms.shape === "diamond" && verdict.otherwise) partial.look(state, arms)?.request()?.commit();
  else {
    const [length, limit] = verdict.otherwise ? [taken.length, limits[0]] : [otherwise.length, limits[1]];
    remark.missed(RULES.limit, "length", { block: head, length, limit });
  }
}

const aboutOf = ({ head, join, taken, otherwise, shape, branch }: Arms) => ({
  shape,
  block: head,
  blocks: [join, taken, otherwise],
  inst: branch,
});

const negated = ({ reg, neg }: Guard): Guard => ({ reg, neg: !neg });

function moveGuarded({ edit, remark }: State, head: BlockId, arm: BlockId | null, condition: Guard): void {
  if (arm === null) return;
  remark.at(guard);
  for (let left = terminatorsOf(edit.block(arm)).at; left > 0; left--) {
    const { at } = terminatorsOf(edit.block(head));
    edit.move(arm, 0, head, at);
    edit.replace(head, at, withGuard(edit.block(head).insts[at] as Inst, condition));
  }
}

/** Copies both values into a fresh register, the taken one under the condition. */
function chooseGuarded(edit: Editor, arms: Arms, like: Reg, taken: Operand, otherwise: Operand): Operand {
  const fresh: Operand = { kind: "reg", reg: edit.freshReg(regClass(like)), neg: false, abs: false, not: false };
  const op = isPredicateReg(like) ? "PMOV" : "MOV";
  const insert = (value: Operand, condition: Guard | null): void => {
    edit.insert(arms.head, terminatorsOf(edit.block(arms.head)).at, edit.make(op, [fresh, value], { guard: condition }));
  };
  insert(otherwise, null);
  insert(taken, arms.guard);
  return fresh;
}
