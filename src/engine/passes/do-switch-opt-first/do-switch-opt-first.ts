/** Phase 14: what the backend has in slot 17: nothing, handler A (sync pairs, block operands) or handler B (near branches). */

import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { retargetOperands } from "./block-operands.ts";
import { tagNearBranches } from "./near-branches.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { removeSyncPairs } from "./sync-pairs.ts";

export const doSwitchOptFirst: Pass = {
  family: "do-switch-opt-first",
  ids: ["do-switch-opt-first"],
  summary: "Runs the backend's own handler: removes needless sync pairs and retargets block operands, or tags near branches.",
  pseudocode: PSEUDOCODE,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { rec, target } = ctx;
  const { backend } = target;
  const slot = backend.slots[14];
  if (rec.on) {
    const facts = {
      backend: backend.id,
      family: backend.family,
      vtable: backend.vtable,
      slot: slot.slot,
      symbol: slot.symbol,
      does: slot.does,
      handler: slot.handler,
    };
    rec.event("note", LINE.dispatch, "{backend} ({family}) has {symbol} in slot {slot} of {vtable}: it {does}", facts);
  }
  switch (slot.handler) {
    case "A":
      return handlerA(ctx);
    case "B":
      return handlerB(ctx);
    case "no-op":
    case "body":
    case "hook":
      return { matches: 0, rewrites: 0, why: `no-op on ${backend.id}: slot 17 holds ${slot.symbol ?? "nothing"}` };
  }
}

/** What one half of a handler did. */
export interface Part {
  readonly matches: number;
  readonly rewrites: number;
  /** Why it changed nothing. */
  readonly why: string;
}

function handlerA(ctx: PassContext): PassOutcome {
  const { knobs, target } = ctx;
  const skipped = knobs.flag("sync-restructure-disable", LINE.sync);
  const pairs: Part = skipped ? { matches: 0, rewrites: 0, why: "knob 232 keeps every sync pair" } : removeSyncPairs(ctx);
  const scans = target.backend.capabilities.branchTargetScan;
  const operands: Part = scans ? retargetOperands(ctx) : { matches: 0, rewrites: 0, why: "the backend scans no branch targets" };
  const rewrites = pairs.rewrites + operands.rewrites;
  return {
    matches: pairs.matches + operands.matches,
    rewrites,
    why: rewrites > 0 ? null : `${pairs.why}; ${operands.why}`,
    figures: { syncPairs: pairs.rewrites, retargeted: operands.rewrites },
  };
}

function handlerB(ctx: PassContext): PassOutcome {
  const { matches, rewrites, why } = tagNearBranches(ctx);
  return { matches, rewrites, why: rewrites > 0 ? null : why, figures: { near: rewrites } };
}
