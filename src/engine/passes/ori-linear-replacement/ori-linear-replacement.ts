/** Phase 31, OriLinearReplacement: triangles and diamonds that only choose between ready values become SEL and guarded MOV. */

import { type Arms, armsOf, NO_ARM, NO_SHAPE } from "../../analysis/arms.ts";
import { type Liveness, liveness } from "../../analysis/liveness.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import { withForm } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, regClass, regName } from "../../ir/reg.ts";
import type { Guard, Inst, Operand } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { rule } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { closeArms } from "../shared/close-arms.ts";
import { ABOUT } from "./about.ts";
import { CHOICES, type Choice, choicesOf, needsMov, STAYS } from "./choices.ts";

interface State extends Pick<PassContext, "edit" | "remark"> {
  /** Of the function as it came in: replacing a branch by SEL changes neither what is live in a join nor how other branches diverge. */
  readonly live: Liveness;
  readonly rejoin: RejoinGuard;
}

interface Candidate {
  readonly arms: Arms;
  /** Lanes may disagree about the condition. */
  readonly divergent: boolean;
}

const choice = rule<State, Candidate>()({
  line: "  for each choice in this order:",
  done: "the {shape} at {block} only chooses {count} {count:value|values}: straight-line code instead of a branch",
  because: "the arms of the {shape} at {block} only copy values that exist before the branch",
  match(state, { arms, divergent }) {
    const { head, join, taken, otherwise, shape, branch } = arms;
    const choices = choicesOf(state, state.live, arms, divergent);
    if (choices === null) return null;
    const obstacle = state.rejoin.dropArms(arms);
    if (!state.remark.holds(close, "convergence", obstacle === null, { block: head, obstacle: obstacle?.reason ?? "" })) return null;
    return { shape, block: head, count: choices.each.length, blocks: [join, taken, otherwise], inst: branch, arms, choices };
  },
  apply({ edit, remark }, { arms, choices: { each, common } }) {
    const { head } = arms;
    say(remark, arms, each);
    const values = new Map<number, Operand>(common);
    for (const one of each) {
      const dest = one.phi === null ? one.dest : edit.freshReg(regClass(one.dest));
      if (needsMov(one)) {
        remark.at(RULES.move);
        for (const inst of moves(edit, dest, one, arms)) edit.insert(head, terminatorsOf(edit.block(head)).at, inst);
      } else {
        remark.at(isPredicateReg(dest) ? RULES.plop3 : RULES.select);
        edit.insert(head, terminatorsOf(edit.block(head)).at, select(edit.make("NOP", []), dest, one, arms));
      }
      if (one.phi !== null) values.set(one.phi, plain(dest));
    }
    remark.at(close);
    closeArms(edit, arms, values);
  },
});

const close = line("  A branches to J; PHI inputs follow, those with one value on both edges take it; the arms are removed", {
  stays: STAYS,
  missed: {
    convergence: {
      say: "lanes diverge here, and {obstacle}",
      droppable: "lanes that ran an instruction after the condition in two groups would now run it together",
    },
  },
});

const RULES = rules({
  prepare: line("liveness, and which branches may differ within a warp", {
    kind: "liveness",
    step: "liveness and uniformity of {blocks} {blocks:block|blocks}",
  }),
  block: line("for each block A in post-order that ends with a condition P:", { step: "{block} ends with a condition" }),
  shape: line("  A must head a triangle or a diamond: both successors join in J after at most one block each", {
    stays: STAYS,
    missed: NO_SHAPE,
  }),
  armShape: line("  no other edge enters an arm; it has no PHI; no BSSY refers to it", { stays: STAYS, missed: NO_ARM }),
  ...CHOICES,
  choice,
  plop3: line("    a predicate: r = PLOP3(P, value(taken, r), value(else, r)) with table 0xCA"),
  move: line(
    "    a float or constant-bank value, or two uniform ones, which SEL does not take: r = MOV value(else, r); @P r = MOV value(taken, r)",
    {
      source: "branch-and-switch: Interaction with OriLinearReplacement",
    },
  ),
  select: line("    else: r = SEL value(taken, r), value(else, r), P"),
  close,
});

export const oriLinearReplacement: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  run,
};

function run({ edit, remark }: PassContext): PassOutcome {
  const uniform = uniformity(edit.func);
  const state: State = { edit, remark, live: liveness(edit.func), rejoin: new RejoinGuard(edit) };
  remark.step(RULES.prepare, { blocks: edit.func.layout.length });
  const named = new NamedBlocks(edit);
  for (const head of reversePostOrder(edit.func).order.toReversed()) {
    if (edit.func.blocks[head] === undefined) continue;
    const arms = armsOf(edit, head, named);
    if (arms === null) continue;
    remark.step(RULES.block, { block: head });
    if (!("reason" in arms))
      choice
        .look(state, { arms, divergent: uniform.isDivergent(head) })
        ?.request()
        ?.commit();
    else if (arms.arm === null) remark.missed(RULES.shape, arms.reason, { block: head });
    else remark.missed(RULES.armShape, arms.reason, { block: head, arm: arms.arm });
  }
  return remark.outcome({ none: "no block ends with a condition", each: "every conditional branch" });
}

/** Truth table of `a ? b : c`. */
const SELECT_TABLE = 0xca;

/** What is chosen, and from what. */
function say(remark: Remarks, { join, taken, otherwise }: Arms, choices: readonly Choice[]): void {
  if (!remark.listening) return;
  for (const arm of [taken, otherwise]) if (arm !== null) remark.step(CHOICES.arm, { arm, block: arm });
  const written = choices.filter((c) => c.phi === null);
  const phis = choices.filter((c) => c.phi !== null);
  remark.step(CHOICES.values, { count: choices.length, regs: choices.map((c) => c.dest) });
  remark.step(CHOICES.registers, { count: written.length, regs: written.map((c) => c.dest) });
  for (const choice of written) remark.step(CHOICES.choose, chosen(choice));
  remark.step(CHOICES.phis, { count: phis.length, block: join });
  for (const choice of phis) remark.step(CHOICES.choosePhi, chosen(choice));
}

const chosen = ({ dest, taken, otherwise }: Choice) => ({ reg: dest, taken: valueText(taken), otherwise: valueText(otherwise) });

function valueText(value: Operand): string {
  if (value.kind === "reg") return `${value.neg ? "!" : ""}${regName(value.reg)}`;
  return value.kind === "imm" || value.kind === "imm64" ? String(value.value) : value.kind;
}

function plain(reg: Reg, neg = false): Operand {
  return { kind: "reg", reg, neg, abs: false, not: false };
}

/** The instruction, under the id of `blank`. */
function select(blank: Inst, dest: Reg, { taken, otherwise }: Choice, { guard }: Arms): Inst {
  const condition = plain(guard.reg, guard.neg);
  if (isPredicateReg(dest)) {
    return withForm(blank, "PLOP3", blank.mods, [plain(dest), condition, taken, otherwise, { kind: "imm", value: SELECT_TABLE }]);
  }
  return withForm(blank, "SEL", is64(dest) ? ["64"] : [], [plain(dest), taken, otherwise, condition]);
}

/** The value of the edge that is not taken, then under the condition the other; what is in `dest` already is not written. */
function moves(edit: Editor, dest: Reg, { taken, otherwise }: Choice, { guard }: Arms): Inst[] {
  const copy = (value: Operand, under: Guard | null): Inst => edit.make("MOV", [plain(dest), value], { guard: under });
  const holds = (value: Operand): boolean => value.kind === "reg" && value.reg === dest;
  if (holds(taken)) return [copy(otherwise, { reg: guard.reg, neg: !guard.neg })];
  return holds(otherwise) ? [copy(taken, guard)] : [copy(otherwise, null), copy(taken, guard)];
}
