/** What a triangle or diamond of copies chooses: for each register the value on either edge. */

import { type Arms, joinPhis } from "../../analysis/arms.ts";
import type { Liveness } from "../../analysis/liveness.ts";
import { withNeg } from "../../ir/copies.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { isTerminator, sameOperand } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";

/** The frame of what keeps a branch. */
export const STAYS = "{block} stays a branch: {why}";

export const CHOICES = {
  arm: line("  for each arm:", { step: "{arm:block} contains copies only" }),
  onlyCopies: line("    it contains unguarded MOV and PMOV only, so it only chooses between values that are ready", {
    stays: STAYS,
    missed: {
      guarded: {
        say: "'{copy:inst}' in {arm:block} is guarded already",
        droppable: "lanes whose guard is false take the copied value, too",
      },
      "not-a-copy": { say: "'{copy:inst}' in {arm:block} does more than choose a ready value" },
    },
  }),
  values: line("    value(edge, r) = the value of r at its end, followed backwards through the arm's copies", {
    kind: "note",
    step: "copies followed backwards, {count} {count:value differs|values differ}",
  }),
  registers: line("  for each register r that an arm writes and that is live in J:", {
    step: "{count} {count:register is|registers are} written by an arm and live in the join",
  }),
  choose: line("    choose value(taken, r) or value(else, r)", { kind: "note", step: "{reg} is chosen from {taken} and {otherwise}" }),
  phis: line("  for each PHI of J with two different values:", {
    step: "{count} PHIs of the join take two values",
    stays: STAYS,
    missed: { phi: { say: "a PHI of the join has no input for one of the edges" } },
  }),
  choosePhi: line("    choose between them, into a fresh register", {
    kind: "note",
    step: "a PHI of the join chooses {reg} from {taken} and {otherwise}",
  }),
  fit: line(
    "  both values of a choice must fit one SEL or MOV: same width, no uniform result under a condition that may differ within a warp",
    {
      stays: STAYS,
      missed: {
        uniform: {
          code: "operands",
          say: "{dest:reg} is uniform, but the condition may differ within a warp",
          fixed: "There is no such instruction: one that writes a uniform register cannot have a condition that differs between lanes.",
        },
        number: { code: "operands", say: "{dest:reg} would take a number" },
        "no-register": {
          code: "operands",
          say: "a value of {dest:reg} has no place in a SEL, and a uniform register takes no guarded MOV",
        },
        kinds: { code: "operands", say: "{value:reg} and {dest:reg} are of different kinds" },
        widths: { code: "operands", say: "{value:reg} and {dest:reg} are not equally wide" },
      },
    },
  ),
  order: line("  order the choices so that none reads a register that an earlier one has written, P included; a cycle refuses", {
    stays: STAYS,
    missed: { cycle: { say: "{waiting} are chosen from one another's old values" } },
  }),
};

export interface Choice {
  readonly dest: Reg;
  readonly taken: Operand;
  readonly otherwise: Operand;
  /** The PHI of the join that the choice feeds; null for a register that the arms write. */
  readonly phi: InstId | null;
}

/** SEL cannot encode one of the values, or both together: a guarded MOV writes what the condition chooses. */
export function needsMov({ taken, otherwise }: Choice): boolean {
  const values = [taken, otherwise];
  return values.some(isMovOnly) || values.every((value) => value.kind === "reg" && isUniformReg(value.reg));
}

/** Literals of floats and words of constant banks: MOV takes them, SEL does not. */
function isMovOnly({ kind }: Operand): boolean {
  return kind === "f32" || kind === "f64" || kind === "cbank";
}

type Ctx = Pick<PassContext, "edit" | "remark">;

export interface Choices {
  /** In an order in which they can be written one after the other. */
  readonly each: readonly Choice[];
  /** By PHI of the join: the value that it takes on both paths, as the head has it; what its text names may be written in an arm. */
  readonly common: ReadonlyMap<InstId, Operand>;
}

/** Null when there is no such order, or an arm does more than choose. */
export function choicesOf(ctx: Ctx, live: Liveness, arms: Arms, divergent: boolean): Choices | null {
  const { edit, remark } = ctx;
  const { head } = arms;
  const taken = armValues(ctx, head, arms.taken);
  const otherwise = taken === null ? null : armValues(ctx, head, arms.otherwise);
  if (taken === null || otherwise === null) return null;
  const choices: Choice[] = [];
  const common = new Map<InstId, Operand>();
  const phis = joinPhis(edit, arms);
  if (phis === null) return remark.missed(CHOICES.phis, "phi", { block: head });
  // What is dead in the join needs no choice, and its value on the other edge may not even exist.
  const written = [...new Set([...taken.keys(), ...otherwise.keys()])].filter((r) => live.isLiveIn(arms.join, r));
  for (const { phi, taken: a, otherwise: b } of phis) {
    const dest = phi.ops[0];
    const [x, y] = [atEnd(taken, a), atEnd(otherwise, b)];
    if (dest?.kind !== "reg") continue;
    // A register that a choice writes is read first, into a new register.
    if (sameOperand(x, y) && !(x.kind === "reg" && written.includes(x.reg))) common.set(phi.id, x);
    else choices.push({ dest: dest.reg, taken: x, otherwise: y, phi: phi.id });
  }
  for (const r of written) {
    const own: Operand = { kind: "reg", reg: r, neg: false, abs: false, not: false };
    choices.push({ dest: r, taken: taken.get(r) ?? own, otherwise: otherwise.get(r) ?? own, phi: null });
  }
  for (const choice of choices) if (!fits(ctx, head, choice, divergent)) return null;
  const each = ordered(ctx, arms, choices);
  return each === null ? null : { each, common };
}

/** The value of each register that the arm writes at its end, in terms of the values before it. */
function armValues({ edit, remark }: Ctx, head: BlockId, arm: BlockId | null): Map<Reg, Operand> | null {
  const values = new Map<Reg, Operand>();
  if (arm === null) return values;
  for (const inst of edit.block(arm).insts) {
    if (isTerminator(inst) || inst.op === "NOP") continue;
    const about = { copy: inst, arm, block: head };
    if (!remark.holds(CHOICES.onlyCopies, "guarded", inst.guard === null, about)) return null;
    const copy = copyOf(inst);
    if (copy === null) return remark.missed(CHOICES.onlyCopies, "not-a-copy", about);
    values.set(copy.dest, atEnd(values, copy.value));
  }
  return values;
}

/** Destination and value of a copy that a SEL or a guarded MOV can replace, whatever its guard. */
function copyOf(inst: Inst): { readonly dest: Reg; readonly value: Operand } | null {
  if (inst.op !== "MOV" && inst.op !== "PMOV") return null;
  const [dest, value] = inst.ops;
  if (dest?.kind !== "reg" || value === undefined) return null;
  switch (value.kind) {
    case "reg":
      return value.neg && inst.op === "MOV" ? null : value.abs || value.not ? null : { dest: dest.reg, value };
    case "imm":
    case "imm64":
    case "f32":
    case "f64":
      return { dest: dest.reg, value };
    case "cbank":
      return value.base === null && !value.neg && !value.abs ? { dest: dest.reg, value } : null;
    // The address of a symbol is not a ready value.
    default:
      return null;
  }
}

/** Follows a register operand through the copies; `!p` of a copied predicate keeps its sign. */
function atEnd(values: ReadonlyMap<Reg, Operand>, value: Operand): Operand {
  if (value.kind !== "reg") return value;
  const found = values.get(value.reg);
  if (found === undefined) return value;
  return value.neg && found.kind === "reg" ? withNeg(found, !found.neg) : found;
}

function fits({ remark }: Ctx, block: BlockId, { dest, taken, otherwise }: Choice, divergent: boolean): boolean {
  if (isUniformReg(dest) && divergent) return remark.fails(CHOICES.fit, "uniform", { block, dest });
  return [taken, otherwise].every((value) => {
    const obstacle = misfit(dest, value);
    if (obstacle !== null) remark.missed(CHOICES.fit, obstacle, { block, dest, value: value.kind === "reg" ? value.reg : null });
    return obstacle === null;
  });
}

/** Why a value has no place in the instruction that writes `dest`. */
function misfit(dest: Reg, value: Operand): "number" | "no-register" | "kinds" | "widths" | null {
  if (value.kind === "imm" || value.kind === "imm64") return isPredicateReg(dest) ? "number" : null;
  // What a guard leaves unwritten in a uniform register is not described.
  if (isMovOnly(value)) return isPredicateReg(dest) || isUniformReg(dest) ? "no-register" : null;
  if (value.kind !== "reg") return "no-register";
  if (isPredicateReg(value.reg) !== isPredicateReg(dest)) return "kinds";
  return !isPredicateReg(dest) && is64(value.reg) !== is64(dest) ? "widths" : null;
}

/** Repeatedly takes a choice whose destination no other waiting choice reads; every choice reads the condition. */
function ordered({ remark }: Ctx, { head, guard }: Arms, choices: readonly Choice[]): Choice[] | null {
  const result: Choice[] = choices.filter((c) => c.phi !== null);
  const waiting = new Map(choices.filter((c) => c.phi === null).map((c) => [c.dest, c]));
  const readers = new Map<Reg, number>();
  const sources = (c: Choice): Reg[] => [c.taken, c.otherwise].flatMap((v) => (v.kind === "reg" && v.reg !== c.dest ? [v.reg] : []));
  for (const c of waiting.values()) for (const r of sources(c)) readers.set(r, (readers.get(r) ?? 0) + 1);
  const last = waiting.get(guard.reg);
  waiting.delete(guard.reg);
  const ready = [...waiting.values()].filter((c) => (readers.get(c.dest) ?? 0) === 0);
  for (let c = ready.pop(); c !== undefined; c = ready.pop()) {
    result.push(c);
    waiting.delete(c.dest);
    for (const r of sources(c)) {
      const left = (readers.get(r) ?? 1) - 1;
      readers.set(r, left);
      const freed = waiting.get(r);
      if (left === 0 && freed !== undefined) ready.push(freed);
    }
  }
  if (waiting.size > 0)
    return remark.missed(CHOICES.order, "cycle", { block: head, waiting: () => [...waiting.keys()].map(regName).join(" and ") });
  if (last !== undefined) result.push(last);
  return result;
}
