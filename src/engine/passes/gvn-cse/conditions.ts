/** Whether a repeated value can be taken from its leader: T4 and T5, and what the reference leaves to its callers. */

import type { BlockId, Reg } from "../../ir/ids.ts";
import { isUniformReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf } from "../../ir/visit.ts";
import type { About } from "../../remark/holes.ts";
import { line } from "../../remark/rules.ts";
import type { Cse, Leader } from "./cse.ts";
import { DOMINANCE, STAYS } from "./dominance-cache.ts";

/** The lines of the conditions on the instruction's own side. */
export const CONDITIONS = {
  scope: line("    mode 2: does the record at the sentinel reach the leader? Mode 5: is it in the same extended basic block?", {
    stays: STAYS,
    missed: {
      "out-of-reach": {
        code: "scope",
        say: "its leader is in {home:block}, and the record at the sentinel lets {block} use none of a different block",
      },
      "outside-extended-block": {
        code: "scope",
        say: "{home:block}, where the leader is, is in a different extended basic block, and this mode stays within one",
      },
    },
  }),
  ...DOMINANCE,
  t5: line("    mode 2 across blocks: no MOV of its result follows the leader already // T5", {
    stays: STAYS,
    missed: { "followed-by-a-move": { code: "T5", say: "a MOV of {leader:reg} follows its leader already, so no second one is made" } },
  }),
  holds: line("    does the leader's register still contain its value, may it be copied, and is I not a copy itself?", {
    stays: STAYS,
    missed: {
      "value-overwritten": {
        code: "overwritten",
        say: "{leader:reg} no longer contains the leader's value",
        droppable: "the MOV copies what was written since",
      },
      "register-class": {
        say: "{leader:reg} cannot be copied into the uniform {dest:reg}",
        fixed: "There is no such instruction: only uniform instructions write a uniform register.",
      },
      "already-a-move": { code: "copy", say: "it is a MOV already" },
    },
  }),
};

/** An instruction, the leader of its value, and what remarks of the two are about. */
interface Pair {
  readonly block: BlockId;
  readonly inst: Inst;
  readonly leader: Leader;
  readonly about: About & { readonly inst: Inst; readonly block: BlockId; readonly leader: Reg };
}

interface Condition {
  /** Only where the leader is in a different block. */
  readonly across: boolean;
  /** What a failure means for the instruction: it becomes the leader, because the old one can no longer be used, or it is unchanged. */
  readonly otherwise: "lead" | "stay";
  /** Reports it if it fails. */
  readonly holds: (cse: Cse, pair: Pair) => boolean;
}

/** In the order in which they are tested. */
const ORDER: readonly Condition[] = [
  {
    across: true,
    otherwise: "lead",
    holds: ({ remark, above }, { leader, about }) =>
      above || remark.fails(CONDITIONS.scope, "out-of-reach", { ...about, home: leader.block }),
  },
  {
    across: true,
    otherwise: "lead",
    holds({ remark, roots }, { block, leader, about }) {
      if (roots === null || leader.root === roots[block]) return true;
      return remark.fails(CONDITIONS.scope, "outside-extended-block", { ...about, home: leader.block });
    },
  },
  {
    across: true,
    otherwise: "lead",
    holds({ remark, cache }, { block, leader, about }) {
      // As in the reference, the answer is inverted: true means that the leader does not dominate, and the instruction becomes the leader.
      const denied = cache.denies(leader.block, block);
      return remark.holds(CONDITIONS.t4, "leader-dominates", !denied, { ...about, home: leader.block });
    },
  },
  {
    across: true,
    otherwise: "stay",
    holds({ remark, mode }, { leader, about }) {
      if (mode !== 2 || !leader.followed) return true;
      return remark.fails(CONDITIONS.t5, "followed-by-a-move", about);
    },
  },
  {
    across: false,
    otherwise: "lead",
    holds: ({ remark, env }, { leader, about }) =>
      remark.holds(CONDITIONS.holds, "value-overwritten", env.read(leader.reg) === leader.version, about),
  },
  {
    across: false,
    otherwise: "stay",
    holds({ remark }, { inst, leader, about }) {
      // A uniform register takes values from uniform ones only.
      const dest = defsOf(inst)[0];
      if (dest !== undefined && (!isUniformReg(dest) || isUniformReg(leader.reg))) return true;
      return remark.fails(CONDITIONS.holds, "register-class", { ...about, dest: dest ?? null });
    },
  },
  {
    across: false,
    otherwise: "stay",
    holds({ remark }, { inst, about }) {
      if (inst.op !== "MOV" && inst.op !== "PMOV") return true;
      return remark.fails(CONDITIONS.holds, "already-a-move", about);
    },
  },
];

export function usable(cse: Cse, block: BlockId, inst: Inst, leader: Leader): "replace" | "stay" | "lead" {
  const about = { inst, block, insts: [leader.inst], leader: leader.reg, node: cse.numbering.view.node(inst.id) };
  const pair = { block, inst, leader, about };
  for (const { across, otherwise, holds } of ORDER) {
    if (across && leader.block === block) continue;
    if (!holds(cse, pair)) return otherwise;
  }
  return "replace";
}
