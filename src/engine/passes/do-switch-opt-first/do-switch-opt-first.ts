/** Phase 14: what the backend has in slot 17: nothing, handler A (sync pairs, block operands) or handler B (near branches). */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { follow, operands, retargetOperands, SAFE, SCAN, SPEND } from "./block-operands.ts";
import { NEAR, TAG, tagNearBranches, threshold } from "./near-branches.ts";
import { alone, divergent, remove, removeSyncPairs, SYNC } from "./sync-pairs.ts";

const RULES = rules({
  dispatch: line("DoSwitchOptFirst(function): run what the backend has for it // slot 17", {
    kind: "note",
    step: "{backend} ({family}) fills slot {slot} of its table: it {does}",
    source: "branch-and-switch: Phase 14 Vtable Slot 17",
  }),
  ...SYNC,
  divergent,
  alone,
  remove,
  ...SCAN,
  operands,
  follow,
  ...SAFE,
  ...SPEND,
  ...NEAR,
  threshold,
  ...TAG,
});

export const doSwitchOptFirst: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
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
      return tagNearBranches(ctx);
    case "no-op":
    case "body":
    case "hook":
      return remark.outcome({ matches: 0, why: `no-op on ${backend.id}: its slot 17 does nothing` });
  }
}

function handlerA(ctx: PassContext): PassOutcome {
  const { knobs, target, remark } = ctx;
  const skipped = knobs.flag("sync-restructure-disable", SYNC.sync);
  const pairs = skipped ? "knob 232 keeps every sync pair" : removeSyncPairs(ctx);
  const scans = target.backend.capabilities.branchTargetScan;
  const retargets = scans ? retargetOperands(ctx) : "the backend scans no branch targets";
  return remark.outcome({
    why: `${pairs}; ${retargets}`,
    figures: { syncPairs: remark.rewritesBy(divergent), retargeted: remark.rewritesBy(follow, operands) },
  });
}
