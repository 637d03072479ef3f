/** cicc's BranchFolding: tail merging, branch optimization and hoisting of common code to a fixed point. */

import { loopInfo } from "../../analysis/loops.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock, phisOf } from "../../ir/visit.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { CANDIDATES } from "./candidates.ts";
import { hoist, hoistCommonCode, hoistOne } from "./hoist.ts";
import { LoopEntries } from "./loop-entries.ts";
import { GATES, tailMerge } from "./merge-gates.ts";
import { Observed } from "./observed.ts";
import { empty, optimizeBranches, redundant, relocate, reverse, sameTargets, splice, unreachable } from "./optimize-branches.ts";
import type { State } from "./state.ts";
import { removeDyingTables, removeUnusedTables, tableNamers, tables } from "./tables.ts";
import { merge, savedBytes, TAILS, tailMergeBlocks } from "./tail-merge.ts";

const { phaseA, phaseB, pair, walk, saved, liveIns } = TAILS;

const RULES = rules({
  noPhis: line("if the function has a PHI: decline (the NoPHIs property is required)", {
    gates: {
      NoPHIs: {
        open: "the function has no PHI",
        shut: "declined: the NoPHIs property is required, and the function has {phis} {phis:PHI|PHIs}",
      },
    },
  }),
  round: line("repeat, until a round changes nothing:", {
    step: {
      round: { kind: "round", say: "round {round}" },
      graph: { kind: "note", say: "the graph was {before} before and is {after} now" },
    },
    gates: {
      // The option belongs to block placement, which comes first and is not modelled: it is shown with its effect, and changes nothing here.
      "branch-fold-placement": {
        open: "branch-fold-placement is on: block placement folds branches in a run of its own before this one; placement is not modelled, so the blocks are taken as they are",
        shut: "branch-fold-placement is off: block placement, which comes before, folds nothing; this run is the same",
      },
    },
  }),
  tailMerge,
  phaseA,
  phaseB,
  ...CANDIDATES,
  pair,
  walk,
  ...GATES,
  merge,
  saved,
  liveIns,
  optimize: line("  OptimizeBranches: for each block B in layout order, again after each change:", {
    kind: "span",
    step: "OptimizeBranches: fold and retarget branches",
  }),
  unreachable,
  empty,
  sameTargets,
  splice,
  redundant,
  reverse,
  relocate,
  hoist,
  hoistOne,
  tables,
});

export const branchFolding: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  run,
  neverLonger: true,
};

// Each round that is followed by another removed an instruction or a block, or moved one to the end, which bounds the number of rounds.
const ROUND_LIMIT = 10_000;

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs } = ctx;
  const phis = countPhis(edit.func);
  if (phis > 0) {
    remark.gate(RULES.noPhis, "NoPHIs", false, { phis });
    const none = `declined: the NoPHIs property is required, and the function has ${phis} PHI${phis === 1 ? "" : "s"}`;
    return remark.outcome({ none, figures: { phis } });
  }
  remark.gate(RULES.round, "branch-fold-placement", knobs.flag("branch-fold-placement", RULES.round));
  removeUnusedTables(ctx);
  const state = makeState(ctx);
  const hoists = knobs.flag("enable-hoist-common-code");
  const reducibleBefore = isReducible(edit.func);
  let rounds = 0;
  for (let changed = true; changed && rounds < ROUND_LIMIT; ) {
    rounds++;
    remark.open(RULES.round, "round", { round: rounds });
    changed = mergeTails(ctx, state);
    changed = remark.span(RULES.optimize, {}, () => optimizeBranches(state)) || changed;
    if (hoists) changed = remark.span(RULES.hoist, {}, () => hoistCommonCode(state)) || changed;
    remark.close();
  }
  removeDyingTables(state);
  const reducible = isReducible(edit.func);
  const word = (is: boolean): string => (is ? "reducible" : "irreducible");
  remark.step(RULES.round, "graph", { before: word(reducibleBefore), after: word(reducible) });
  // Instructions that exist once instead of twice.
  const sharedInstructions = remark.amountBy(merge);
  const [savedBytesLeast, savedBytesMost] = savedBytes(sharedInstructions);
  return remark.outcome({
    none: "no two blocks end or begin alike, and no branch can be simplified",
    figures: {
      rounds,
      merges: remark.rewritesBy(merge),
      hoisted: remark.amountBy(hoistOne),
      sharedInstructions,
      savedBytesLeast,
      savedBytesMost,
      reducibleBefore: Number(reducibleBefore),
      reducible: Number(reducible),
    },
  });
}

const countPhis = (fn: Func): number => fn.layout.reduce((n, id) => n + phisOf(getBlock(fn, id)).length, 0);

const isReducible = (fn: Func): boolean => loopInfo(fn).irreducible.length === 0;

function makeState({ edit, remark, knobs }: PassContext): State {
  const upstream = knobs.flag("upstream-llvm20");
  const wanted = knobs.int("enable-tail-merge");
  const structured = upstream && !knobs.flag("disable-nvptx-require-structured-cfg");
  return {
    edit,
    remark,
    minTail: knobs.int("tail-merge-size"),
    threshold: knobs.int("tail-merge-threshold"),
    nvidia: !upstream,
    tailMergeOff:
      structured && wanted !== 1 ? "LLVM 20 does not merge tails for a target that requires a structured control-flow graph" : null,
    rejoin: new RejoinGuard(edit),
    entries: new LoopEntries(edit),
    namers: tableNamers(edit),
    observed: new Observed(remark.shown),
  };
}

function mergeTails({ knobs, remark }: PassContext, state: State): boolean {
  const off = knobs.int("enable-tail-merge") === 0 ? "off" : state.threshold <= 0 ? "no-candidates" : null;
  if (off === null) return remark.span(RULES.tailMerge, {}, () => tailMergeBlocks(state));
  remark.missed(RULES.tailMerge, off, { also: { gate: "tail-merge", ok: false } });
  return false;
}
