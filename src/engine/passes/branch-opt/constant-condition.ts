/** Rewrite 1: branches whose guard, operand or index is known become unconditional or go. */

import type { Block, Inst, Operand } from "../../ir/types.ts";
import { isUnconditional, tableName, terminatorsOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { knownPredicate } from "./constant-value.ts";
import { LINE } from "./pseudocode.ts";
import type { Rewrite } from "./rewrite.ts";
import type { BranchOptState } from "./state.ts";

export function constantCondition(state: BranchOptState, block: Block): Rewrite | null {
  const { at, insts } = terminatorsOf(block);
  const kept: Inst[] = [];
  let changed = false;
  for (const inst of insts) {
    const simpler = simplify(state, block, at, inst);
    changed ||= simpler !== inst;
    if (simpler === null) continue;
    kept.push(simpler);
    if (isUnconditional(simpler)) break;
  }
  if (!changed) return null;
  const obstacle = state.rejoin.dropEdges(block.id, kept);
  if (obstacle !== null) {
    state.refuse(LINE.regroup, "lanes-regroup", block, insts[0] ?? null, () => ({
      template:
        "the branch of {block} is decided, but {reason}, and this function has instructions that would notice (condition not stated in the notes)",
      facts: { reason: obstacle.reason },
    }));
    return null;
  }
  return {
    name: "constant",
    line: LINE.constant,
    say: () => ({
      template: kept.length === 0 ? "the branches of {block} are never taken: it falls through" : "the end of {block} becomes {after}",
      facts: { before: insts.map((inst) => printInst(state.edit.func, inst)), after: kept.map((inst) => printInst(state.edit.func, inst)) },
    }),
    apply: () => state.edit.setTerminators(block.id, kept),
  };
}

/** The instruction with everything known taken out; null when it never does anything; itself when nothing is known. */
function simplify(state: BranchOptState, block: Block, at: number, inst: Inst): Inst | null {
  let result = inst;
  if (inst.guard !== null) {
    const value = test(state, block, at, inst, inst.guard.reg, inst.guard.neg, "guard");
    if (value === false) return null;
    if (value === true) result = { ...result, guard: null };
  }
  const operand = inst.op === "BRA" && inst.ops.length === 2 ? inst.ops[0] : undefined;
  if (operand?.kind === "reg") {
    const value = test(state, block, at, inst, operand.reg, operand.neg, "operand");
    if (value === false) return null;
    if (value === true) result = { ...result, ops: result.ops.slice(1) };
  }
  return tableName(result) === null ? result : constantIndex(state, block, at, result);
}

function test(
  state: BranchOptState,
  block: Block,
  at: number,
  inst: Inst,
  r: Parameters<typeof knownPredicate>[3],
  neg: boolean,
  what: "guard" | "operand",
): boolean | null {
  const known = knownPredicate(state.reaching, block.id, at, r);
  const text = (): string => printInst(state.edit.func, inst);
  if (known.value === null) {
    state.refuse(LINE.constant, "not-constant", block, inst, () => ({
      template: "the {what} of '{inst}' is not known: {why}",
      facts: { what, inst: text(), why: known.why },
    }));
    return null;
  }
  const value = known.value !== neg;
  state.accept(LINE.constant, block, inst, () => ({
    template: known.def === null ? "the {what} of '{inst}' is always {value}" : "the {what} of '{inst}' is always {value}: {why}, '{def}'",
    facts: { what, inst: text(), value, why: known.why, def: known.def === null ? null : printInst(state.edit.func, known.def) },
  }));
  return value;
}

/** JMX by an index that is a MOV of an immediate: a jump to that entry, or to the default beyond the table. A BRX may hold an address: left alone. */
function constantIndex(state: BranchOptState, block: Block, at: number, inst: Inst): Inst {
  const table = state.edit.func.tables.get(tableName(inst) ?? "");
  const index = inst.ops[0];
  if (table === undefined || index?.kind !== "reg") return inst;
  const refuse = (condition: string, template: string): Inst => {
    state.refuse(LINE.constant, condition, block, inst, () => ({
      template,
      facts: { inst: printInst(state.edit.func, inst), table: table.name },
    }));
    return inst;
  };
  if (inst.op === "BRX") return refuse("address", "'{inst}' may jump by address: its register is not looked at");
  const def = state.reaching.soleDefAt(block.id, at, index.reg)?.inst ?? null;
  const value = def?.op === "MOV" ? immediateOf(def.ops[1]) : null;
  if (value === null || index.neg || index.abs || index.not) return refuse("not-constant", "the index of '{inst}' is not known");
  const target = table.entries[value] ?? table.default;
  if (target === null || target === undefined) return refuse("no-default", "the index of '{inst}' is beyond {table}, which has no default");
  state.accept(LINE.constant, block, inst, () => ({
    template: "the index of '{inst}' is always {value}: it goes to {target}",
    facts: { inst: printInst(state.edit.func, inst), value, target: state.label(target) },
  }));
  return { ...inst, op: "BRA", mods: [], ops: [{ kind: "label", block: target }] };
}

const immediateOf = (operand: Operand | undefined): number | null => (operand?.kind === "imm" ? operand.value >>> 0 : null);
