/** The two rewrites: reading a representative, and taking the value of an earlier computation. */

import { moveOf } from "../../analysis/commoning.ts";
import type { Reg } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { mapUses, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import { maskHex, mayContain } from "../../structures/class-mask.ts";
import type { Facts } from "../../trace/event.ts";
import { type Candidate, type Described, hash, hex, STAYS } from "./candidates.ts";
import { equivalent } from "./equiv.ts";
import type { State } from "./state.ts";
import { classOf } from "./working-set.ts";

export const remap = rule<State, Inst>()({
  line: "    replace each register that I reads by its representative, while both hold the same value // +88",
  done: "'{inst}' reads {to:regs} instead of {from:regs}, because both have the same value",
  because: "{from} {from:has|have} the value that {to} {to:has|have}, computed by an earlier instruction",
  match(state, inst) {
    // A PHI reads at the ends of its predecessors, whose state is not known here.
    const mapped = inst.op === "PHI" ? inst : mapUses(inst, state.instead);
    return mapped === inst ? null : remapped(state, inst, mapped);
  },
  apply: ({ edit, at }, { block, mapped }) => edit.replace(block, at, mapped),
});

/** Not in `match`, which is called for every instruction: its closures would cost each of them. */
function remapped({ instead, block }: State, inst: Inst, mapped: Inst) {
  const from = (): Reg[] => usesOf(inst).filter((r) => instead(r) !== r);
  return { inst, from, to: () => from().map(instead), block, regs: from, mapped };
}

export const classMask = line(
  "      class(I) is not in the mask of this block (same block) or in its slot (blocks above): no such candidate",
  { stays: STAYS, missed: { "class-mask": { say: "no instruction of its class is in {where}" } } },
);

/** The latest candidate whose value the instruction can take. */
export function candidateFor(state: State, mine: Described): Candidate | null {
  const { remark, ws, chains, hashView, order } = state;
  const { inst, block } = mine;
  const found = chains.find(mine.hash);
  const mask = classOf(inst);
  if (remark.listening) hashView.show(mine, mask, state.values.read);
  remark.candidate(hash, "found", () => {
    const nodes = [hashView.node(inst), chains.node(mine.hash)];
    return { inst, count: found.length, block, nodes, also: { hashHex: hex(mine.hash) } };
  });
  if (found.length === 0) return remark.missed(hash, "first-of-its-hash", { inst, block });
  for (const candidate of found) {
    const same = candidate.block === block;
    const seen = same ? ws.classes.accumulator : ws.classes.slot(order);
    if (mayContain(seen, mask)) {
      if (equivalent(candidate, mine, state.surroundings, remark, state.equivView)) return candidate;
    } else {
      const where = same ? "this block so far" : "the blocks above";
      const also = (): Facts => ({ maskHex: maskHex(mask), seenHex: maskHex(seen) });
      remark.missed(classMask, "class-mask", { inst, block, where, also, insts: [candidate.inst] });
    }
  }
  return null;
}

interface Pair {
  readonly mine: Described;
  readonly candidate: Candidate;
  /** The number that the result has otherwise. */
  readonly version: number;
}

export const common = rule<State, Pair>()({
  line: "      all hold: representative of I's result = the candidate's; I becomes a MOV, or is removed if it writes the same register",
  done: {
    removed: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and is removed",
    copied: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and becomes a MOV",
  },
  match(_, { mine, candidate, version }) {
    const { inst, block, dest } = mine;
    const { dest: leader, block: where } = candidate;
    const about = { inst, leader, where, blocks: [block, where], insts: [candidate.inst], regs: [dest, leader], mine, version };
    return dest === leader ? { done: "removed", ...about } : { done: "copied", ...about };
  },
  apply({ edit, ws, doomed, made }, { done, mine: { inst, block, at, dest }, leader, version }) {
    if (done === "removed") doomed.set(inst.id, leader);
    else {
      made.add(inst.id);
      // Under a guard the register may keep its old value.
      if (inst.guard === null) ws.link(dest, leader, version, false);
      edit.replace(block, at, moveOf(inst, dest, leader));
    }
  },
});
