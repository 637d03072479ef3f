/** Phase 31, OriLinearReplacement: triangles and diamonds that only choose between ready values become SEL. */

import { type Arms, armsOf, closeArms, regionEndsOf } from "../../analysis/arms.ts";
import { liveness } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, regClass, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import type { Recorder } from "../../trace/recorder.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { type Choice, choicesOf } from "./choices.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

export const oriLinearReplacement: Pass = {
  family: "ori-linear-replacement",
  ids: ["ori-linear-replacement"],
  summary: "Replaces triangles and diamonds that only choose between ready values by SEL.",
  pseudocode: PSEUDOCODE,
  run,
};

/** Truth table of `a ? b : c`. */
const SELECT_TABLE = 0xca;

function run(ctx: PassContext): PassOutcome {
  const { edit, rec } = ctx;
  const uniform = uniformity(edit.func);
  // Both describe the function as it came in; replacing a branch by SEL changes neither what is live in a join nor how other branches diverge.
  const live = liveness(edit.func);
  if (rec.on)
    rec.event("liveness", LINE.prepare, "liveness and uniformity of {blocks} {blocks:block|blocks}", { blocks: edit.func.layout.length });
  const regionEnds = regionEndsOf(edit);
  const rejoin = new RejoinGuard(edit.func, edit);
  const refusals = new Map<string, number>();
  let matches = 0;
  let rewrites = 0;
  const refuse = (head: BlockId, line: number, condition: string, why: string): void => {
    matches++;
    refusals.set(condition, (refusals.get(condition) ?? 0) + 1);
    if (!rec.on) return;
    const block = edit.block(head).label;
    rec.event("match", line, "{block} stays a branch: {why}", { block, why, verdict: "no", condition }, { blocks: [head] });
  };
  for (const head of reversePostOrder(edit.func).order.toReversed()) {
    if (edit.func.blocks[head] === undefined) continue;
    const arms = armsOf(edit, head, regionEnds);
    if (arms === null) continue;
    if (rec.on) rec.event("visit", LINE.block, "{block} ends with a condition", { block: edit.block(head).label }, { blocks: [head] });
    if ("condition" in arms) {
      refuse(head, arms.condition === "shape" || arms.condition === "condition" ? LINE.shape : LINE.armShape, arms.condition, arms.why);
      continue;
    }
    const choices = choicesOf(edit, live, arms, uniform.isDivergent(head));
    if (!Array.isArray(choices)) {
      refuse(head, choices.line, choices.condition, choices.why);
      continue;
    }
    const obstacle = rejoin.dropBranch(head);
    if (obstacle !== null) {
      refuse(head, LINE.close, "convergence", `lanes part here, and ${obstacle.reason}`);
      continue;
    }
    matches++;
    rewrites++;
    replace(ctx, arms, choices);
  }
  const reasons = [...refusals].map(([condition, times]) => (times > 1 ? `${condition} (${times} times)` : condition));
  const why =
    rewrites > 0 ? null : reasons.length === 0 ? "no block ends with a condition" : `every condition was refused: ${reasons.join(", ")}`;
  return { matches, rewrites, why };
}

function replace({ edit, rec }: PassContext, arms: Arms, choices: readonly Choice[]): void {
  const { head, join } = arms;
  if (rec.on) {
    rec.begin(
      "rewrite",
      LINE.choice,
      "the {shape} at {block} only chooses {count} {count:value|values}: SEL instead of a branch",
      {
        shape: arms.shape,
        block: edit.block(head).label,
        join: edit.block(join).label,
        count: choices.length,
        regs: choices.map((c) => regName(c.dest)),
        verdict: "yes",
      },
      { blocks: [head, join, ...[arms.taken, arms.otherwise].filter((b) => b !== null)], insts: [arms.branch.id] },
    );
    for (const arm of [arms.taken, arms.otherwise]) {
      if (arm !== null) rec.event("visit", LINE.arm, "{arm} holds copies only", { arm: edit.block(arm).label }, { blocks: [arm] });
    }
    const written = choices.filter((c) => c.phi === null);
    rec.event(
      "note",
      LINE.values,
      "copies followed backwards, {count} {count:value differs|values differ}",
      { count: choices.length },
      { regs: choices.map((c) => c.dest) },
    );
    rec.event(
      "visit",
      LINE.registers,
      "{count} {count:register is|registers are} written by an arm and live in the join",
      { count: written.length },
      { regs: written.map((c) => c.dest) },
    );
    for (const choice of written) sayChoice(rec, choice);
    rec.event(
      "visit",
      LINE.phis,
      "{count} PHIs of the join take two values",
      { count: choices.length - written.length },
      { blocks: [join] },
    );
    for (const choice of choices) if (choice.phi !== null) sayChoice(rec, choice);
  }
  const values = new Map<number, Operand>();
  for (const choice of choices) {
    const dest = choice.phi === null ? choice.dest : edit.freshReg(regClass(choice.dest));
    if (rec.on) rec.at(isPredicateReg(dest) ? LINE.plop3 : LINE.select);
    edit.insert(head, terminatorsOf(edit.block(head)).at, select(edit.make("NOP", []), dest, choice, arms));
    if (choice.phi !== null) values.set(choice.phi, plain(dest));
  }
  if (rec.on) rec.at(LINE.close);
  closeArms(edit, arms, values);
  if (rec.on) rec.end();
}

function sayChoice(rec: Recorder, choice: Choice): void {
  rec.event(
    "note",
    choice.phi === null ? LINE.choose : LINE.choosePhi,
    choice.phi === null ? "{reg} is chosen from {taken} and {otherwise}" : "a PHI of the join chooses {reg} from {taken} and {otherwise}",
    { reg: regName(choice.dest), taken: valueText(choice.taken), otherwise: valueText(choice.otherwise) },
    { regs: [choice.dest] },
  );
}

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
    return { ...blank, op: "PLOP3", ops: [plain(dest), condition, taken, otherwise, { kind: "imm", value: SELECT_TABLE }] };
  }
  return { ...blank, op: "SEL", mods: is64(dest) ? ["64"] : [], ops: [plain(dest), taken, otherwise, condition] };
}
