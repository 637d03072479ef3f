/** Rewrite 4: a jump to the next block of the layout goes; under policy 'measured', a condition that jumps over a jump is inverted. */

import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, isUnconditional, terminatorsOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { LINE } from "./pseudocode.ts";
import type { Rewrite } from "./rewrite.ts";
import type { BranchOptState } from "./state.ts";

export function foldJump(state: BranchOptState, block: Block): Rewrite | null {
  const { insts } = terminatorsOf(block);
  const last = insts[insts.length - 1];
  const target = last === undefined ? null : branchTarget(last);
  if (last === undefined || target === null || !isUnconditional(last)) return null;
  const text = (): string => printInst(state.edit.func, last);
  const next = state.edit.next(block.id);
  if (target !== next) {
    state.refuse(LINE.fold, "not-next", block, last, () => ({
      template: next === null ? "'{inst}' stays: {block} is the last of the layout" : "'{inst}' stays: behind {block} comes {next}",
      facts: { inst: text(), next: next === null ? null : state.label(next) },
    }));
    return null;
  }
  const facts = { target: state.label(target), inst: "" };
  state.accept(LINE.fold, block, last, () => ({
    template: "'{inst}' goes to the block right behind {block}",
    facts: { ...facts, inst: text() },
  }));
  return {
    name: "fold",
    line: LINE.fold,
    say: () => ({ template: "{block} falls through into {target}", facts }),
    apply: () => state.edit.setTerminators(block.id, insts.slice(0, -1)),
  };
}

/** `@P BRA next; BRA far` becomes `@!P BRA far`. Not among the notes' four rewrites; the real compiler leaves no jump over a jump. */
export function invertJump(state: BranchOptState, block: Block): Rewrite | null {
  const { insts } = terminatorsOf(block);
  const [first, second] = insts;
  if (first === undefined || second === undefined || insts.length !== 2) return null;
  const target = branchTarget(first);
  const far = branchTarget(second);
  if (target === null || far === null || !isUnconditional(second)) return null;
  const facts = () => ({ inst: printInst(state.edit.func, first), jump: printInst(state.edit.func, second), far: state.label(far) });
  if (target !== state.edit.next(block.id)) {
    state.refuse(LINE.invert, "not-next", block, first, () => ({ template: "'{inst}' jumps farther than over '{jump}'", facts: facts() }));
    return null;
  }
  const inverted = invert(first);
  if (inverted === null) {
    state.refuse(LINE.invert, "two-conditions", block, first, () => ({
      template: "'{inst}' has a guard and an operand: no single condition to invert",
      facts: facts(),
    }));
    return null;
  }
  if (state.policy !== "measured") {
    state.refuse(LINE.invert, "policy", block, first, () => ({
      template: "'{inst}' only jumps over '{jump}': policy 'notes' has no rewrite for it",
      facts: facts(),
    }));
    return null;
  }
  state.accept(LINE.invert, block, first, () => ({ template: "'{inst}' only jumps over '{jump}'", facts: facts() }));
  const after: Inst = { ...inverted, ops: [...inverted.ops.slice(0, -1), { kind: "label", block: far }] };
  return {
    name: "invert",
    line: LINE.invert,
    say: () => ({ template: "the end of {block} becomes '{after}'", facts: { ...facts(), after: printInst(state.edit.func, after) } }),
    apply: () => state.edit.setTerminators(block.id, [after]),
  };
}

function invert(inst: Inst): Inst | null {
  const [operand] = inst.ops;
  if (inst.ops.length === 1) return inst.guard === null ? null : { ...inst, guard: { ...inst.guard, neg: !inst.guard.neg } };
  if (inst.guard !== null || operand?.kind !== "reg") return null;
  return { ...inst, ops: [{ ...operand, neg: !operand.neg }, ...inst.ops.slice(1)] };
}
