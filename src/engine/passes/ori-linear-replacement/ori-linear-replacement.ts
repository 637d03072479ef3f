/** Phase 31, OriLinearReplacement: triangles and diamonds that only choose between ready values become SEL and guarded MOV. */

import { type Arms, armsOf, type NoArms } from "../../analysis/arms.ts";
import { liveness } from "../../analysis/liveness.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import { withForm } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, regClass, regName } from "../../ir/reg.ts";
import type { Guard, Inst, Operand } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { closeArms } from "../shared/close-arms.ts";
import { ABOUT } from "./about.ts";
import { type Choice, type Choices, choicesOf, needsMov } from "./choices.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const oriLinearReplacement: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  run,
};

/** Truth table of `a ? b : c`. */
const SELECT_TABLE = 0xca;

function run(ctx: PassContext): PassOutcome {
  const { edit, remark } = ctx;
  const uniform = uniformity(edit.func);
  // Both describe the function as it came in; replacing a branch by SEL changes neither what is live in a join nor how other branches diverge.
  const live = liveness(edit.func);
  remark.step(RULES.prepare, { blocks: edit.func.layout.length });
  const named = new NamedBlocks(edit);
  const rejoin = new RejoinGuard(edit);
  for (const head of reversePostOrder(edit.func).order.toReversed()) {
    if (edit.func.blocks[head] === undefined) continue;
    const arms = armsOf(edit, head, named);
    if (arms === null) continue;
    remark.step(RULES.block, { block: head });
    if ("reason" in arms) {
      refuse(ctx, head, arms);
      continue;
    }
    const choices = choicesOf(ctx, live, arms, uniform.isDivergent(head));
    if (choices === null) continue;
    const obstacle = rejoin.dropArms(arms);
    if (!remark.holds(RULES.close, "convergence", obstacle === null, { block: head, obstacle: obstacle?.reason ?? "" })) continue;
    replace(ctx, arms, choices);
  }
  return remark.outcome({ none: "no block ends with a condition", each: "every condition" });
}

function refuse({ remark }: PassContext, block: BlockId, no: NoArms): void {
  if (no.arm === null) remark.missed(RULES.shape, no.reason, { block });
  else remark.missed(RULES.armShape, no.reason, { block, arm: no.arm });
}

function replace({ edit, remark }: PassContext, arms: Arms, { each: choices, common }: Choices): void {
  const { head, join, taken, otherwise } = arms;
  const about = { shape: arms.shape, block: head, count: choices.length, blocks: [join, taken, otherwise], inst: arms.branch };
  remark.found(RULES.choice, about, () => {
    say(remark, arms, choices);
    const values = new Map<number, Operand>(common);
    for (const choice of choices) {
      const dest = choice.phi === null ? choice.dest : edit.freshReg(regClass(choice.dest));
      if (needsMov(choice)) {
        remark.at(RULES.move);
        for (const inst of moves(edit, dest, choice, arms)) edit.insert(head, terminatorsOf(edit.block(head)).at, inst);
      } else {
        remark.at(isPredicateReg(dest) ? RULES.plop3 : RULES.select);
        edit.insert(head, terminatorsOf(edit.block(head)).at, select(edit.make("NOP", []), dest, choice, arms));
      }
      if (choice.phi !== null) values.set(choice.phi, plain(dest));
    }
    remark.at(RULES.close);
    closeArms(edit, arms, values);
  });
}

/** What is chosen, and from what. */
function say(remark: Remarks, { join, taken, otherwise }: Arms, choices: readonly Choice[]): void {
  if (!remark.listening) return;
  for (const arm of [taken, otherwise]) if (arm !== null) remark.step(RULES.arm, { arm, block: arm });
  const written = choices.filter((c) => c.phi === null);
  const phis = choices.filter((c) => c.phi !== null);
  remark.step(RULES.values, { count: choices.length, regs: choices.map((c) => c.dest) });
  remark.step(RULES.registers, { count: written.length, regs: written.map((c) => c.dest) });
  for (const choice of written) remark.step(RULES.choose, chosen(choice));
  remark.step(RULES.phis, { count: phis.length, block: join });
  for (const choice of phis) remark.step(RULES.choosePhi, chosen(choice));
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

/** The value of the way that is not taken, then under the condition the other; what `dest` holds already is not written. */
function moves(edit: Editor, dest: Reg, { taken, otherwise }: Choice, { guard }: Arms): Inst[] {
  const copy = (value: Operand, under: Guard | null): Inst => edit.make("MOV", [plain(dest), value], { guard: under });
  const holds = (value: Operand): boolean => value.kind === "reg" && value.reg === dest;
  if (holds(taken)) return [copy(otherwise, { reg: guard.reg, neg: !guard.neg })];
  return holds(otherwise) ? [copy(taken, guard)] : [copy(otherwise, null), copy(taken, guard)];
}
