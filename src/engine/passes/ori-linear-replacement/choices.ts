/** What a triangle or diamond of copies chooses: for each register the value on either way. */

import { type Arms, joinPhis } from "../../analysis/arms.ts";
import type { Liveness } from "../../analysis/liveness.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { isTerminator, sameOperand } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { LINE } from "./pseudocode.ts";

export interface Choice {
  readonly dest: Reg;
  readonly taken: Operand;
  readonly otherwise: Operand;
  /** The PHI of the join that the choice feeds; null for a register that the arms write. */
  readonly phi: InstId | null;
}

export interface Refusal {
  readonly condition: string;
  readonly line: number;
  readonly why: string;
}

/** The choices in an order in which they can be written one after the other; or why there is none. */
export function choicesOf(edit: Editor, live: Liveness, arms: Arms, divergent: boolean): Choice[] | Refusal {
  const taken = armValues(edit, arms.taken);
  if (!(taken instanceof Map)) return taken;
  const otherwise = armValues(edit, arms.otherwise);
  if (!(otherwise instanceof Map)) return otherwise;
  const choices: Choice[] = [];
  const phis = joinPhis(edit, arms);
  if (phis === null) return { condition: "phi", line: LINE.phis, why: "a PHI of the join has no input for one of the ways" };
  for (const { phi, taken: a, otherwise: b } of phis) {
    const dest = phi.ops[0];
    const [x, y] = [atEnd(taken, a), atEnd(otherwise, b)];
    if (dest?.kind !== "reg" || sameOperand(x, y)) continue;
    choices.push({ dest: dest.reg, taken: x, otherwise: y, phi: phi.id });
  }
  for (const r of new Set([...taken.keys(), ...otherwise.keys()])) {
    // What is dead in the join needs no choice, and its value on the other way may not even exist.
    if (!live.isLiveIn(arms.join, r)) continue;
    const own: Operand = { kind: "reg", reg: r, neg: false, abs: false, not: false };
    choices.push({ dest: r, taken: taken.get(r) ?? own, otherwise: otherwise.get(r) ?? own, phi: null });
  }
  for (const choice of choices) {
    const why = unfit(choice, divergent);
    if (why !== null) return { condition: "operands", line: LINE.fit, why };
  }
  return ordered(choices, arms.guard.reg);
}

/** What each register the arm writes holds at its end, in terms of the values before it. */
function armValues(edit: Editor, arm: BlockId | null): Map<Reg, Operand> | Refusal {
  const values = new Map<Reg, Operand>();
  if (arm === null) return values;
  for (const inst of edit.block(arm).insts) {
    if (isTerminator(inst) || inst.op === "NOP") continue;
    const copy = plainCopy(inst);
    if (copy === null) {
      return {
        condition: inst.guard !== null ? "guarded" : "not-a-copy",
        line: LINE.onlyCopies,
        why: `'${printInst(edit.func, inst)}' in ${edit.block(arm).label} ${inst.guard !== null ? "is guarded already" : "does more than choose a ready value"}`,
      };
    }
    values.set(copy.dest, atEnd(values, copy.value));
  }
  return values;
}

function plainCopy(inst: Inst): { readonly dest: Reg; readonly value: Operand } | null {
  if (inst.guard !== null || (inst.op !== "MOV" && inst.op !== "PMOV")) return null;
  const [dest, value] = inst.ops;
  if (dest?.kind !== "reg" || value === undefined) return null;
  switch (value.kind) {
    case "reg":
      return value.neg && inst.op === "MOV" ? null : value.abs || value.not ? null : { dest: dest.reg, value };
    case "imm":
    case "imm64":
      return { dest: dest.reg, value };
    // A float or symbol operand of MOV has no place in SEL.
    default:
      return null;
  }
}

/** Follows a register operand through the copies; `!p` of a copied predicate keeps its sign. */
function atEnd(values: ReadonlyMap<Reg, Operand>, value: Operand): Operand {
  if (value.kind !== "reg") return value;
  const found = values.get(value.reg);
  if (found === undefined) return value;
  return value.neg && found.kind === "reg" ? { ...found, neg: !found.neg } : found;
}

function unfit({ dest, taken, otherwise }: Choice, divergent: boolean): string | null {
  if (isUniformReg(dest) && divergent) return `${regName(dest)} is uniform, but the condition may differ within a warp`;
  for (const value of [taken, otherwise]) {
    if (value.kind === "imm" || value.kind === "imm64") {
      if (isPredicateReg(dest)) return `${regName(dest)} would take a number`;
      continue;
    }
    if (value.kind !== "reg") return `a value of ${regName(dest)} has no place in a SEL`;
    if (isPredicateReg(value.reg) !== isPredicateReg(dest)) return `${regName(value.reg)} and ${regName(dest)} are of different kinds`;
    if (!isPredicateReg(dest) && is64(value.reg) !== is64(dest)) return `${regName(value.reg)} and ${regName(dest)} are not equally wide`;
  }
  return null;
}

/** Repeatedly takes a choice whose destination no other waiting choice reads; every choice reads the condition. */
function ordered(choices: readonly Choice[], condition: Reg): Choice[] | Refusal {
  const result: Choice[] = choices.filter((c) => c.phi !== null);
  const waiting = new Map(choices.filter((c) => c.phi === null).map((c) => [c.dest, c]));
  const readers = new Map<Reg, number>();
  const sources = (c: Choice): Reg[] => [c.taken, c.otherwise].flatMap((v) => (v.kind === "reg" && v.reg !== c.dest ? [v.reg] : []));
  for (const c of waiting.values()) for (const r of sources(c)) readers.set(r, (readers.get(r) ?? 0) + 1);
  const last = waiting.get(condition);
  waiting.delete(condition);
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
  if (waiting.size > 0) {
    return {
      condition: "cycle",
      line: LINE.order,
      why: `${[...waiting.keys()].map(regName).join(" and ")} are chosen from one another's old values`,
    };
  }
  if (last !== undefined) result.push(last);
  return result;
}
