/** cicc's BranchFolding: tail merging, branch optimization and hoisting of common code to a fixed point. */

import { loopInfo } from "../../analysis/loops.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock, phisOf } from "../../ir/visit.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { hoistCommonCode } from "./hoist.ts";
import { LoopEntries } from "./loop-entries.ts";
import { Observed } from "./observed.ts";
import { optimizeBranches } from "./optimize-branches.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import type { State } from "./state.ts";
import { removeDyingTables, removeUnusedTables, tableNamers } from "./tables.ts";
import { savedBytes, tailMergeBlocks } from "./tail-merge.ts";

export const branchFolding: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  run,
  neverLonger: true,
};

// Each round that is followed by another took away an instruction or a block, or moved one to the end; far more rounds than that never happen.
const ROUND_LIMIT = 10_000;

function run(ctx: PassContext): PassOutcome {
  const { edit, remark } = ctx;
  const phis = countPhis(edit.func);
  if (phis > 0) {
    remark.gate(RULES.noPhis, "NoPHIs", false, { phis });
    const none = `declined: the NoPHIs property is required, and the function has ${phis} PHI${phis === 1 ? "" : "s"}`;
    return remark.outcome({ none, figures: { phis } });
  }
  remark.gate(RULES.round, "branch-fold-placement", ctx.knobs.flag("branch-fold-placement", RULES.round));
  removeUnusedTables(ctx);
  const state = makeState(ctx);
  const reducibleBefore = loopInfo(edit.func).irreducible.length === 0;
  let rounds = 0;
  for (let changed = true; changed && rounds < ROUND_LIMIT; ) {
    rounds++;
    remark.open(RULES.round, "round", { round: rounds });
    changed = mergeTails(ctx, state);
    changed = remark.span(RULES.optimize, {}, () => optimizeBranches(state)) || changed;
    if (state.hoist) changed = remark.span(RULES.hoist, {}, () => hoistCommonCode(state)) || changed;
    remark.close();
  }
  removeDyingTables(state);
  const reducible = loopInfo(edit.func).irreducible.length === 0;
  const word = (is: boolean): string => (is ? "reducible" : "irreducible");
  remark.step(RULES.round, "graph", { before: word(reducibleBefore), after: word(reducible) });
  return remark.outcome({
    matches: state.matches,
    none: "no two blocks end or begin alike, and no branch can be simplified",
    figures: {
      rounds,
      merges: state.merges,
      hoisted: state.hoisted,
      sharedInstructions: state.shared,
      savedBytesLeast: savedBytes(state.shared)[0],
      savedBytesMost: savedBytes(state.shared)[1],
      reducibleBefore: Number(reducibleBefore),
      reducible: Number(reducible),
    },
  });
}

function countPhis(fn: Func): number {
  return fn.layout.reduce((n, id) => n + phisOf(getBlock(fn, id)).length, 0);
}

function makeState({ edit, remark, knobs }: PassContext): State {
  const upstream = knobs.flag("upstream-llvm20");
  const wish = knobs.int("enable-tail-merge");
  const structured = upstream && !knobs.flag("disable-nvptx-require-structured-cfg");
  return {
    edit,
    remark,
    minTail: knobs.int("tail-merge-size"),
    threshold: knobs.int("tail-merge-threshold"),
    nvidia: !upstream,
    tailMergeOff:
      structured && wish !== 1 ? "LLVM 20 does not merge tails for a target that requires a structured control-flow graph" : null,
    hoist: knobs.flag("enable-hoist-common-code"),
    rejoin: new RejoinGuard(edit),
    entries: new LoopEntries(edit),
    namers: tableNamers(edit),
    observed: new Observed(remark.shown),
    matches: 0,
    merges: 0,
    hoisted: 0,
    shared: 0,
  };
}

function mergeTails({ knobs, remark }: PassContext, state: State): boolean {
  const off = knobs.int("enable-tail-merge") === 0 ? "off" : state.threshold <= 0 ? "no-candidates" : null;
  if (off === null) return remark.span(RULES.tailMerge, {}, () => tailMergeBlocks(state));
  return remark.missed(RULES.tailMerge, off, { also: { gate: "tail-merge", ok: false } }) !== null;
}
