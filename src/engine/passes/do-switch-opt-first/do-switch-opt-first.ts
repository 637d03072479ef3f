/** Phase 14: what the backend has in slot 17: nothing, handler A (sync pairs, block operands) or handler B (near branches). */

import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { retargetOperands } from "./block-operands.ts";
import { tagNearBranches } from "./near-branches.ts";
import type { Part } from "./part.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { removeSyncPairs } from "./sync-pairs.ts";

export const doSwitchOptFirst: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { remark, target } = ctx;
  const { backend } = target;
  const { slot, symbol, does, handler } = backend.slots[14];
  const { family, vtable } = backend;
  remark.step(RULES.dispatch, { backend: backend.id, family, slot, does, also: { handler, symbol, vtable } });
  switch (handler) {
    case "A":
      return handlerA(ctx);
    case "B":
      return handlerB(ctx);
    case "no-op":
    case "body":
    case "hook":
      return remark.outcome({ matches: 0, why: `no-op on ${backend.id}: its slot 17 does nothing` });
  }
}

function handlerA(ctx: PassContext): PassOutcome {
  const { knobs, target, remark } = ctx;
  const skipped = knobs.flag("sync-restructure-disable", RULES.sync);
  const pairs: Part = skipped ? { matches: 0, rewrites: 0, why: "knob 232 keeps every sync pair" } : removeSyncPairs(ctx);
  const scans = target.backend.capabilities.branchTargetScan;
  const operands: Part = scans ? retargetOperands(ctx) : { matches: 0, rewrites: 0, why: "the backend scans no branch targets" };
  return remark.outcome({
    matches: pairs.matches + operands.matches,
    why: `${pairs.why}; ${operands.why}`,
    figures: { syncPairs: pairs.rewrites, retargeted: operands.rewrites },
  });
}

function handlerB(ctx: PassContext): PassOutcome {
  const { matches, rewrites, why } = tagNearBranches(ctx);
  return ctx.remark.outcome({ matches, why, figures: { near: rewrites } });
}
