/** Rewrite 1: branches whose guard, operand or index is known become unconditional or are removed, with the compare that decided them. */

import { withForm, withGuard, withOps } from "../../ir/copies.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import type { Block, Inst, Operand } from "../../ir/types.ts";
import { isUnconditional, tableName, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import { knownPredicate } from "./constant-value.ts";
import { replaceEnd } from "./erase.ts";
import { type BranchOptState, ELSEWHERE } from "./state.ts";

const NOT_KNOWN = "conditions are not known";

export const constant = rule<BranchOptState, Block>()({
  line: "    constant condition: a guard or operand of A's branches is always true or always false; delete its compare if nothing else reads it",
  found: {
    known: "the {what} of '{inst}' is always {value}: {why}, '{def:inst}'",
    register: "the {what} of '{inst}' is always {value}",
    index: "the index of '{inst}' is always {value}: it jumps to {target:block}",
  },
  done: {
    falls: "the branches of {block} are never taken: it falls through",
    becomes: "the end of {block} becomes {after:insts}",
  },
  missed: {
    "not-constant": { why: NOT_KNOWN, say: "the {what} of '{inst}' is not known: {why}" },
    "index-not-constant": { code: "not-constant", why: NOT_KNOWN, say: "the index of '{inst}' is not known" },
    address: { say: "'{inst}' may jump to an address: its register is not examined" },
    "index-policy": {
      code: "policy",
      why: "a constant BRX is left to policy 'measured'",
      say: "the register of '{inst}' is the number of an entry, which only policy 'measured' uses",
    },
    "no-default": { say: "the index of '{inst}' is beyond {table}, which has no default" },
  },
  match(state, block) {
    const { at, insts } = terminatorsOf(block);
    const after: Inst[] = [];
    const compares: Inst[] = [];
    let changed = false;
    for (const inst of insts) {
      const simpler = simplify(state, block, at, inst, compares);
      changed ||= simpler !== inst;
      if (simpler === null) continue;
      after.push(simpler);
      if (isUnconditional(simpler)) break;
    }
    if (!changed) return null;
    const { remark, rejoin } = state;
    const obstacle = rejoin.dropEdges(block.id, after);
    if (obstacle !== null) {
      const { reason } = obstacle;
      if (!remark.holds(regroup, "lanes-meet-elsewhere", false, { block, reason, inst: insts[0] ?? null })) return null;
    }
    const match = { block, after, compares };
    return after.length === 0 ? { done: "falls", ...match } : { done: "becomes", ...match };
  },
  apply(state, { block, after, compares }) {
    replaceEnd(state, block, after);
    for (const compare of compares) deleteCompare(state, block.id, compare);
  },
});

export const regroup = line("      refused when lanes of a divergent branch would reconverge elsewhere and some instruction would notice", {
  missed: {
    "lanes-meet-elsewhere": {
      code: "lanes-regroup",
      why: ELSEWHERE,
      say: "the branch of {block} is decided, but {reason}, and this function has instructions that would notice (condition not stated in the reference)",
      droppable: "diverged lanes would reconverge earlier, and a vote or a shuffle would see more of them",
    },
  },
});

/** The compare of a decided branch in its own block, if no other instruction can read its predicate. Source: branch-and-switch, 'Constant condition'. */
function deleteCompare({ edit, live }: BranchOptState, id: BlockId, compare: Inst): void {
  // The cascade may have erased the block itself, in a cycle that has become unreachable.
  const insts = edit.func.blocks[id]?.insts ?? [];
  const at = insts.findIndex((inst) => inst.id === compare.id);
  const [dest] = compare.ops;
  if (at === -1 || compare.op !== "ISETP" || dest?.kind !== "reg" || live.isLiveOut(id, dest.reg)) return;
  if (!insts.some((inst) => usesOf(inst).includes(dest.reg))) edit.remove(id, at);
}

/** The instruction with everything known removed; null if it never does anything; itself if nothing is known. `compares`: what decided it. */
function simplify(state: BranchOptState, block: Block, at: number, inst: Inst, compares: Inst[]): Inst | null {
  let result = inst;
  if (inst.guard !== null) {
    const value = test(state, block, at, inst, inst.guard.reg, inst.guard.neg, "guard", compares);
    if (value === false) return null;
    if (value === true) result = withGuard(result, null);
  }
  const operand = inst.op === "BRA" && inst.ops.length === 2 ? inst.ops[0] : undefined;
  if (operand?.kind === "reg") {
    const value = test(state, block, at, inst, operand.reg, operand.neg, "operand", compares);
    if (value === false) return null;
    if (value === true) result = withOps(result, result.ops.slice(1));
  }
  return tableName(result) === null ? result : constantIndex(state, block, at, result);
}

function test(
  { reaching, remark }: BranchOptState,
  block: Block,
  at: number,
  inst: Inst,
  reg: Reg,
  neg: boolean,
  what: "guard" | "operand",
  compares: Inst[],
): boolean | null {
  const known = knownPredicate(reaching, block.id, at, reg);
  if (known.value === null) return remark.missed(constant, "not-constant", { what, inst, why: known.why, block });
  const value = known.value !== neg;
  const said = { what, inst, value, block };
  if (known.def === null) remark.matched(constant, "register", said);
  else {
    remark.matched(constant, "known", { ...said, why: known.why, def: known.def });
    compares.push(known.def);
  }
  return value;
}

/**
 * JMX by an index that is a MOV of an immediate: a jump to that entry, or to the default beyond the table. A BRX may contain an address: unchanged, unless policy
 * 'measured' finds a constant that is the number of an entry, which no address is.
 */
function constantIndex({ edit, remark, reaching, policy }: BranchOptState, block: Block, at: number, inst: Inst): Inst {
  const table = edit.func.tables.get(tableName(inst) ?? "");
  const index = inst.ops[0];
  if (table === undefined || index?.kind !== "reg") return inst;
  const said = { inst, block };
  const def = reaching.soleDefAt(block.id, at, index.reg)?.inst ?? null;
  const value = def?.op === "MOV" ? immediateOf(def.ops[1]) : null;
  if (inst.op === "BRX") {
    if (value === null || value >= table.entries.length) return remark.missed(constant, "address", said) ?? inst;
    if (policy !== "measured") return remark.missed(constant, "index-policy", said) ?? inst;
  }
  if (value === null || index.neg || index.abs || index.not) return remark.missed(constant, "index-not-constant", said) ?? inst;
  const target = table.entries[value] ?? table.default;
  if (target === null || target === undefined) return remark.missed(constant, "no-default", { ...said, table: table.name }) ?? inst;
  remark.matched(constant, "index", { ...said, value, target });
  return withForm(inst, "BRA", [], [{ kind: "label", block: target }]);
}

const immediateOf = (operand: Operand | undefined): number | null => (operand?.kind === "imm" ? operand.value >>> 0 : null);
