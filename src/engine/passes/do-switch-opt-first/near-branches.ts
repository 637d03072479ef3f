/** Handler B: classifies control instructions and tags the branches whose target is near, which have a short form. No meaning changes. */

import { plural } from "../../../base/plural.ts";
import { INST_BYTES, layoutText, type TextLayout } from "../../analysis/text-layout.ts";
import { withMods } from "../../ir/copies.ts";
import type { BlockId } from "../../ir/ids.ts";
import { orderMods } from "../../ir/mods.ts";
import type { Inst } from "../../ir/types.ts";
import { branchTarget, effectOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext, PassOutcome } from "../pass.ts";

/** A category of the handler's table; `code` is the value that the handler returns for it, where the reference gives one. */
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

interface State extends Pick<PassContext, "edit" | "remark"> {
  readonly forward: number;
  readonly backward: number;
  text: TextLayout;
}

interface Branch {
  readonly block: BlockId;
  readonly at: number;
  readonly inst: Inst;
  readonly target: BlockId;
}

export const NEAR = {
  near: line("  handler B:", { kind: "span", step: "classify the control instructions of {bytes} {bytes:byte|bytes}" }),
  category: line("    for each control instruction in layout order: its category", {
    step: { named: "{op} in {block}: {category}", coded: "{op} in {block}: {category} ({code})" },
    source: "branch-and-switch: Handler B",
  }),
  distance: line("      a branch: distance := address of the target - end of the branch, 16 bytes an instruction", {
    kind: "cost",
    step: "from the end of the branch of {block} to {target:block}: {distance} {distance:byte|bytes}",
  }),
};

export const threshold = rule<State, Branch>()({
  line: "        forward: near if distance <= knob 615; backward: near if -distance <= knob 614",
  found: "{distance} {distance:byte|bytes} {direction} is within {limit}: the branch of {block} is near",
  missed: {
    "too-far": { say: "{distance} {distance:byte|bytes} {direction} is more than {limit}: the branch of {block} is not near" },
    tagged: { say: "the branch of {block} is tagged already" },
  },
  match({ remark, text, forward, backward }, { block, at, inst, target }, miss) {
    const distance = (text.blockAddress[target] ?? 0) - (text.address.get(inst.id) ?? 0) - INST_BYTES;
    const ahead = distance >= 0;
    const limit = ahead ? forward : backward;
    remark.candidate(NEAR.distance, { block, target, distance, blocks: [target], inst });
    const said = { block, inst, blocks: [target], distance, direction: ahead ? "forward" : "backward", limit };
    if (Math.abs(distance) > limit) return miss("too-far", said);
    return inst.mods.includes("NEAR") ? miss("tagged", said) : { ...said, at };
  },
  apply(state, { block, at, inst }) {
    state.remark.at(TAG.tag);
    state.edit.replace(block, at, withMods(inst, orderMods(inst.op, [...inst.mods, "NEAR"]).mods));
  },
});

export const TAG = {
  tag: line("        tag a near branch with .NEAR: it takes 8 bytes"),
  shorter: line("    lay the text out again; ask the other branches again while any was tagged", {
    kind: "cost",
    step: "{near} near {near:branch takes|branches take} 8 bytes: the text had {before} bytes and has {bytes}",
  }),
};

export function tagNearBranches({ edit, remark, knobs }: PassContext): PassOutcome {
  const forward = knobs.int("near-branch-forward-bytes", threshold);
  const backward = knobs.int("near-branch-backward-bytes", threshold);
  const state: State = { edit, remark, forward, backward, text: layoutText(edit.func) };
  const branches = remark.span(NEAR.near, { bytes: state.text.size }, () => {
    for (const block of [...edit.func.layout]) {
      for (const [at, inst] of edit.block(block).insts.entries()) {
        const effect = effectOf(inst);
        if (effect !== "control" && effect !== "sync" && inst.op !== "CALL") continue;
        if (remark.listening) {
          const { name: category, code } = categoryOf(inst);
          remark.step(NEAR.category, code === null ? "named" : "coded", { op: inst.op, block, category, code, inst });
        }
        const target = branchTarget(inst);
        if (target !== null) threshold.look(state, { block, at, inst, target })?.request()?.commit();
      }
    }
    // Each branch was examined once so far.
    const examined = remark.candidates(NEAR.distance);
    shrink(state);
    return examined;
  });
  const why = branches === 0 ? "no branch" : `none of ${plural(branches, "branch", "branches")} is near and untagged`;
  return remark.outcome({ matches: branches, why, figures: { near: remark.rewrites } });
}

/** Short branches bring others nearer: they are examined again until no more of them is near. */
function shrink(state: State): void {
  const { edit, remark } = state;
  // Rewrites before the text was laid out last.
  let before = 0;
  while (remark.rewrites > before && !remark.over) {
    const near = remark.rewrites - before;
    before = remark.rewrites;
    const { size } = state.text;
    state.text = layoutText(edit.func);
    remark.step(TAG.shorter, { near, before: size, bytes: state.text.size });
    for (const block of [...edit.func.layout]) {
      for (const [at, inst] of edit.block(block).insts.entries()) {
        const target = branchTarget(inst);
        if (target !== null && !inst.mods.includes("NEAR")) threshold.look(state, { block, at, inst, target })?.request()?.commit();
      }
    }
  }
}
