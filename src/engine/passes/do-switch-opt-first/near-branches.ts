/** Handler B: classifies control instructions and tags the branches whose target is near. No meaning changes. */

import { INST_BYTES, layoutText } from "../../analysis/text-layout.ts";
import { orderMods } from "../../ir/mods.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { branchTarget, effectOf, usesOf } from "../../ir/visit.ts";
import { plural } from "../../text/plural.ts";
import type { PassContext } from "../pass.ts";
import type { Part } from "./do-switch-opt-first.ts";
import { LINE } from "./pseudocode.ts";

/** A category of the handler's table; `code` is what the handler returns for it where the notes give a number. */
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

export function tagNearBranches({ edit, rec, knobs }: PassContext): Part {
  const forward = knobs.int("near-branch-forward-bytes", LINE.threshold);
  const backward = knobs.int("near-branch-backward-bytes", LINE.threshold);
  const text = layoutText(edit.func);
  let matches = 0;
  let rewrites = 0;
  if (rec.on) rec.begin("span", LINE.near, "classify the control instructions of {bytes} {bytes:byte|bytes}", { bytes: text.size });
  for (const id of [...edit.func.layout]) {
    for (const [at, inst] of edit.block(id).insts.entries()) {
      const effect = effectOf(inst);
      if (effect !== "control" && effect !== "sync" && inst.op !== "CALL") continue;
      const { label } = edit.block(id);
      if (rec.on) {
        const { name, code } = categoryOf(inst);
        const template = code === null ? "{op} in {block}: {category}" : "{op} in {block}: {category} ({code})";
        rec.event(
          "visit",
          LINE.category,
          template,
          { op: inst.op, block: label, category: name, code },
          { blocks: [id], insts: [inst.id] },
        );
      }
      const target = branchTarget(inst);
      if (target === null) continue;
      matches++;
      const distance = (text.blockAddress[target] ?? 0) - (text.address.get(inst.id) ?? 0) - INST_BYTES;
      const ahead = distance >= 0;
      const limit = ahead ? forward : backward;
      const near = Math.abs(distance) <= limit;
      const facts = {
        block: label,
        target: edit.block(target).label,
        distance,
        direction: ahead ? "forward" : "backward",
        limit,
        predicates: usesOf(inst).map(regName).join(", "),
      };
      const focus = { blocks: [id, target], insts: [inst.id] };
      if (rec.on)
        rec.event(
          "cost",
          LINE.distance,
          "from the end of the branch of {block} to {target}: {distance} {distance:byte|bytes}",
          facts,
          focus,
        );
      if (!near) {
        if (rec.on) {
          const said = { ...facts, verdict: "no", condition: "too-far" };
          rec.event(
            "match",
            LINE.threshold,
            "{distance} {distance:byte|bytes} {direction} is more than {limit}: the branch of {block} is not near",
            said,
            focus,
          );
        }
        continue;
      }
      if (inst.mods.includes("NEAR")) {
        if (rec.on)
          rec.event(
            "match",
            LINE.threshold,
            "the branch of {block} is tagged already",
            { ...facts, verdict: "no", condition: "tagged" },
            focus,
          );
        continue;
      }
      if (rec.on) {
        rec.event(
          "match",
          LINE.threshold,
          "{distance} {distance:byte|bytes} {direction} is within {limit}: the branch of {block} is near",
          { ...facts, verdict: "yes" },
          focus,
        );
        rec.at(LINE.tag);
      }
      edit.replace(id, at, { ...inst, mods: orderMods(inst.op, [...inst.mods, "NEAR"]).mods });
      rewrites++;
    }
  }
  if (rec.on) rec.end();
  const why = matches === 0 ? "no branch" : `none of ${plural(matches, "branch", "branches")} is near and untagged`;
  return { matches, rewrites, why };
}
