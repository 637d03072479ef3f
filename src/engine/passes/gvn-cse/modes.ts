/** The mode dispatcher: knob 402 with the remapping rules of the reference, and what a mode's number implies for the scope of leaders. */

import type { KnobReader } from "../../config/knob-store.ts";
import type { Target } from "../../config/targets.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";

/** The line of the dispatcher. */
export const MODES = {
  mode: line(
    "mode = knob 402: 0 and above 6 do nothing; without the enhanced scope (bit 6) 3 to 6 become 2; a bit of the function picks 3 for 5 and 6 // bit 0 of +1416",
    {
      kind: "gate",
      step: {
        rule: "{rule}",
        unchanged: "the default rules apply: mode {mode}",
        seen: "ptxas 13.0.88 does the same: mode {mode}",
        low: "below level 2, ptxas 13.0.88 commons inside blocks only: mode 1",
        full: {
          kind: "note",
          say: "mode {mode}: without bit 1 and less 5 it is {extended} as an unsigned word, which is {than} 1, so {reach}",
        },
        everywhere: "ptxas 13.0.88 commons across blocks on every architecture: mode {ruled} becomes {mode}",
      },
    },
  ),
};

interface ModeChoice {
  /** 0: nothing to do. */
  readonly mode: number;
  /** Each rule that applied, in words. */
  readonly rules: readonly string[];
}

/** The mode that runs, reported with the rules that lead to it. */
export function decideMode({ remark, knobs, target, policy, level }: PassContext): ModeChoice {
  const { mode: ruled, rules } = chooseMode(knobs, target);
  for (const rule of rules) remark.step(MODES.mode, "rule", { rule, also: { gate: "mode", ok: ruled > 0, mode: ruled } });
  // The real compiler commons across blocks on every architecture, regardless of the backend's bits in the reference.
  const mode = policy !== "measured" || ruled === 0 ? ruled : level < 2 ? 1 : ruled === 2 ? 4 : ruled;
  const also = { gate: "mode-policy", ok: mode > 0, mode, ruled, level, form: `mode ${mode}` };
  if (policy === "notes") remark.step(MODES.mode, "unchanged", { mode, also });
  else if (mode === ruled) remark.step(MODES.mode, "seen", { mode, also });
  else if (mode === 1) remark.step(MODES.mode, "low", { also });
  else remark.step(MODES.mode, "everywhere", { ruled, mode, also });
  return { mode, rules };
}

function chooseMode(knobs: KnobReader, target: Target): ModeChoice {
  const asked = knobs.int("gvn-mode", MODES.mode);
  const { enhancedCse } = target.backend.capabilities;
  const rules: string[] = [`knob 402 asks for mode ${asked}`];
  if (asked <= 0 || asked > 6) return { mode: 0, rules: [...rules, "which is not a mode: nothing happens"] };
  let mode = asked;
  if (mode >= 3 && !enhancedCse) {
    const to = mode <= 4 ? 2 : 4;
    rules.push(`${target.backend.id} lacks the enhanced scope (bit 6): mode ${mode} becomes ${to}`);
    mode = to;
    if (mode === 4) {
      rules.push("and mode 4 without that bit becomes 2");
      mode = 2;
    }
  } else if (mode >= 5 && knobs.flag("gvn-prefer-mode-3", MODES.mode)) {
    rules.push(`gvn-prefer-mode-3 is set: mode ${mode} becomes 3`);
    mode = 3;
  }
  return { mode, rules };
}

/** Where a leader may be: in the block itself, in its extended basic block, or in any block that dominates it. */
export type LeaderScope = "block" | "extended" | "dominator";

/** Where the mode allows leaders. */
export function scopeOf({ remark }: PassContext, mode: number): LeaderScope {
  if (mode <= 2) return mode === 1 ? "block" : "dominator";
  // The arithmetic of the full body, as an unsigned word: 3, 4 and 6 come out above 1, and only 5 does not.
  const flags = mode & ~2;
  const extended = (flags - 5) >>> 0;
  const scope = extended > 1 ? "dominator" : "extended";
  const reach = scope === "dominator" ? "leaders may be in any dominator" : "leaders stay in their extended basic block";
  remark.step(MODES.mode, "full", { mode, extended, than: extended > 1 ? "above" : "not above", reach, also: { flags, scope } });
  return scope;
}

/** By block id, the root of its extended basic block, a tree of blocks that is entered at its root only; -1 where `order` does not come. `order`: dominators before what they dominate. */
export function extendedRoots(fn: Func, order: readonly BlockId[]): Int32Array {
  const root = new Int32Array(fn.blocks.length).fill(-1);
  for (const [at, id] of order.entries()) {
    const preds = fn.blocks[id]?.preds ?? [];
    const [only] = preds;
    root[id] = at > 0 && preds.length === 1 && only !== undefined ? (root[only] ?? id) : id;
  }
  return root;
}
