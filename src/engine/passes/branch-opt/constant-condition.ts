/** Rewrite 1: branches whose guard, operand or index is known become unconditional or go. */

import { withForm, withGuard, withOps } from "../../ir/copies.ts";
import type { Block, Inst, Operand } from "../../ir/types.ts";
import { isUnconditional, tableName, terminatorsOf } from "../../ir/visit.ts";
import { knownPredicate } from "./constant-value.ts";
import type { Rewrite } from "./rewrite.ts";
import { RULES } from "./rules.ts";
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
  const { edit, remark } = state;
  const obstacle = state.rejoin.dropEdges(block.id, kept);
  if (obstacle !== null) {
    const { reason } = obstacle;
    if (!remark.holds(RULES.regroup, "lanes-meet-elsewhere", false, { block, reason, inst: insts[0] ?? null })) return null;
  }
  return {
    name: "constant",
    ask: (apply) =>
      kept.length === 0
        ? remark.done(RULES.constant, "falls", { block }, apply)
        : remark.done(RULES.constant, "becomes", { block, after: kept }, apply),
    edit: () => edit.setTerminators(block.id, kept),
  };
}

/** The instruction with everything known taken out; null when it never does anything; itself when nothing is known. */
function simplify(state: BranchOptState, block: Block, at: number, inst: Inst): Inst | null {
  let result = inst;
  if (inst.guard !== null) {
    const value = test(state, block, at, inst, inst.guard.reg, inst.guard.neg, "guard");
    if (value === false) return null;
    if (value === true) result = withGuard(result, null);
  }
  const operand = inst.op === "BRA" && inst.ops.length === 2 ? inst.ops[0] : undefined;
  if (operand?.kind === "reg") {
    const value = test(state, block, at, inst, operand.reg, operand.neg, "operand");
    if (value === false) return null;
    if (value === true) result = withOps(result, result.ops.slice(1));
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
  const { remark } = state;
  const known = knownPredicate(state.reaching, block.id, at, r);
  if (known.value === null) return remark.missed(RULES.constant, "not-constant", { what, inst, why: known.why, block });
  const value = known.value !== neg;
  state.accepted++;
  const said = { what, inst, value, block };
  if (known.def === null) remark.matched(RULES.constant, "register", said);
  else remark.matched(RULES.constant, "known", { ...said, why: known.why, def: known.def });
  return value;
}

/**
 * JMX by an index that is a MOV of an immediate: a jump to that entry, or to the default beyond the table. A BRX may hold an address: left alone, but where policy
 * 'measured' finds a constant that is the number of an entry, which no address is.
 */
function constantIndex(state: BranchOptState, block: Block, at: number, inst: Inst): Inst {
  const { edit, remark } = state;
  const table = edit.func.tables.get(tableName(inst) ?? "");
  const index = inst.ops[0];
  if (table === undefined || index?.kind !== "reg") return inst;
  const said = { inst, block };
  const def = state.reaching.soleDefAt(block.id, at, index.reg)?.inst ?? null;
  const value = def?.op === "MOV" ? immediateOf(def.ops[1]) : null;
  if (inst.op === "BRX") {
    if (value === null || value >= table.entries.length) return remark.missed(RULES.constant, "address", said) ?? inst;
    if (state.policy !== "measured") return remark.missed(RULES.constant, "index-policy", said) ?? inst;
  }
  if (value === null || index.neg || index.abs || index.not) return remark.missed(RULES.constant, "index-not-constant", said) ?? inst;
  const target = table.entries[value] ?? table.default;
  if (target === null || target === undefined) return remark.missed(RULES.constant, "no-default", { ...said, table: table.name }) ?? inst;
  state.accepted++;
  remark.matched(RULES.constant, "index", { ...said, value, target });
  return withForm(inst, "BRA", [], [{ kind: "label", block: target }]);
}

const immediateOf = (operand: Operand | undefined): number | null => (operand?.kind === "imm" ? operand.value >>> 0 : null);
