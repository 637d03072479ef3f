/** Handler B: classifies control instructions and tags the branches whose target is near, which have a short form. No meaning changes. */

import { plural } from "../../../base/plural.ts";
import { INST_BYTES, layoutText } from "../../analysis/text-layout.ts";
import { withMods } from "../../ir/copies.ts";
import type { BlockId } from "../../ir/ids.ts";
import { orderMods } from "../../ir/mods.ts";
import type { Inst } from "../../ir/types.ts";
import { branchTarget, effectOf } from "../../ir/visit.ts";
import type { PassContext } from "../pass.ts";
import type { Part } from "./part.ts";
import { RULES } from "./rules.ts";

/** A category of the handler's table; `code` is what the handler returns for it where the reference gives a number. */
export interface Category {
  readonly name: string;
  readonly code: number | null;
}

const UNHANDLED: Category = { name: "unhandled", code: -1 };

/** Source: branch-and-switch, Handler B. The opcodes that Ori does not have (CAL, CONT, 279, 289) are left out. */
export function categoryOf(inst: Inst): Category {
  switch (inst.op) {
    case "CALL":
      return { name: "complex control flow", code: null };
    case "BSSY":
      return { name: "sync-stack push", code: null };
    case "BREAK":
      return { name: "simple control flow", code: 3 };
    case "BRA":
      return { name: "branch", code: null };
    case "RET":
      return { name: "return", code: null };
    case "BRX":
      return { name: "indexed branch", code: 4 };
    case "JMX":
    case "EXIT":
    case "KILL":
      return { name: "jump or exit", code: null };
    default:
      return UNHANDLED;
  }
}

export function tagNearBranches({ edit, remark, knobs }: PassContext): Part {
  const forward = knobs.int("near-branch-forward-bytes", RULES.threshold);
  const backward = knobs.int("near-branch-backward-bytes", RULES.threshold);
  let text = layoutText(edit.func);
  let matches = 0;
  let found = 0;
  const decide = (block: BlockId, at: number, inst: Inst, target: BlockId): void => {
    const distance = (text.blockAddress[target] ?? 0) - (text.address.get(inst.id) ?? 0) - INST_BYTES;
    const ahead = distance >= 0;
    const limit = ahead ? forward : backward;
    if (remark.listening) remark.step(RULES.distance, { block, target, distance, blocks: [target], inst });
    const said = () => ({ block, inst, blocks: [target], distance, direction: ahead ? "forward" : "backward", limit });
    if (Math.abs(distance) > limit) remark.missed(RULES.threshold, "too-far", said);
    else if (inst.mods.includes("NEAR")) remark.missed(RULES.threshold, "tagged", said);
    else {
      remark.found(RULES.threshold, said, () => {
        remark.at(RULES.tag);
        edit.replace(block, at, withMods(inst, orderMods(inst.op, [...inst.mods, "NEAR"]).mods));
        found++;
      });
    }
  };
  // Short branches bring others nearer: they are asked again until no more of them is near.
  const shrink = (): void => {
    while (found > 0 && !remark.over) {
      const before = text.size;
      text = layoutText(edit.func);
      remark.step(RULES.shorter, { near: found, before, bytes: text.size });
      found = 0;
      for (const block of [...edit.func.layout]) {
        for (const [at, inst] of edit.block(block).insts.entries()) {
          const target = branchTarget(inst);
          if (target !== null && !inst.mods.includes("NEAR")) decide(block, at, inst, target);
        }
      }
    }
  };
  remark.span(RULES.near, { bytes: text.size }, () => {
    for (const block of [...edit.func.layout]) {
      for (const [at, inst] of edit.block(block).insts.entries()) {
        const effect = effectOf(inst);
        if (effect !== "control" && effect !== "sync" && inst.op !== "CALL") continue;
        if (remark.listening) {
          const { name: category, code } = categoryOf(inst);
          remark.step(RULES.category, code === null ? "named" : "coded", { op: inst.op, block, category, code, inst });
        }
        const target = branchTarget(inst);
        if (target === null) continue;
        matches++;
        decide(block, at, inst, target);
      }
    }
    shrink();
  });
  const why = matches === 0 ? "no branch" : `none of ${plural(matches, "branch", "branches")} is near and untagged`;
  return { matches, rewrites: remark.rewrites, why };
}
