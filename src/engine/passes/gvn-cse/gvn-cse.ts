/** Phase 49, GvnCse: global value numbering, and common subexpressions replaced by MOV. */

import { reversePostOrder } from "../../analysis/order.ts";
import { SORTING_BOUNDARY } from "../../config/targets.ts";
import type { BlockId } from "../../ir/ids.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { ScopeTree } from "../../structures/scope-tree.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { CONDITIONS } from "./conditions.ts";
import { Cse, WALK } from "./cse.ts";
import { DominatorRecords } from "./dominator-records.ts";
import { EBB, ebbPrePass, runsEbb } from "./ebb.ts";
import { join } from "./measured.ts";
import { decideMode, MODES, scopeOf } from "./modes.ts";
import { NUMBERING, numberFunction } from "./numbering.ts";
import { DEFERRED, t6 } from "./replace.ts";
import { RPO, RpoWalk } from "./rpo-walk.ts";

export const RULES = rules({
  records: line("AnalyzeControlFlow, incremental // sub_781F80, force = 0", BRIEF),
  ...MODES,
  ...NUMBERING,
  ...EBB,
  blocks: line("modes 1 and 2, for each block in dominator order:", {
    kind: "span",
    step: { own: "mode 1: each block by itself", chain: "mode 2: along the dominator chain" },
  }),
  ...WALK,
  ...CONDITIONS,
  deferred: DEFERRED.deferred,
  t6,
  ...RPO,
  drain: line("drain the scope tree, lowest set bit first: for each block, commutative operands sorted, CSE as above", {
    step: {
      begin: { kind: "span", say: "drain the scope tree" },
      out: { kind: "tree", say: "index {index} comes out of the tree: {block}" },
    },
  }),
  pop: line("pop the scope tree node by node, onto the free list"),
  flush: DEFERRED.flush,
  join,
});

export const gvnCse: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs, target, policy } = ctx;
  const measured = policy === "measured";
  callControlFlow(ctx, RULES.records, false);
  const { mode, rules } = decideMode(ctx);
  if (mode === 0) return remark.outcome({ none: rules.join("; ") });
  const enhanced = target.backend.capabilities.enhancedCse || measured;
  const scope = scopeOf(ctx, mode);
  const numbering = numberFunction(edit.func, { enhanced, measured }, remark);
  const marks = mode === 2 && runsEbb(ctx) ? ebbPrePass(numbering, ctx) : null;
  const rpo = mode <= 2 ? null : new RpoWalk(ctx, numbering);
  const budget = rpo === null ? knobs.budget("gvn-per-instruction", RULES.instruction) : rpo.budget;
  const cse = new Cse({
    edit,
    remark,
    numbering,
    enhanced,
    mode,
    scope,
    barriersAreSafe: mode <= 2 && knobs.flag("gvn-barriers-safe", RULES.barrier),
    rpo,
    records: mode === 2 ? new DominatorRecords(numbering, remark, marks) : null,
    sortsOperands: target.packedVersion <= SORTING_BOUNDARY,
    budget,
    measured,
  });
  if (rpo === null) inDominatorOrder(ctx, cse, mode);
  else full(ctx, cse, rpo);
  cse.finish();
  return outcome(ctx, cse, mode);
}

/** Modes 1 and 2. */
function inDominatorOrder({ remark }: PassContext, cse: Cse, mode: number): void {
  remark.span(RULES.blocks, mode === 1 ? "own" : "chain", { also: { mode } }, () => {
    for (const place of cse.numbering.walk.order.keys()) cse.block(place);
  });
}

/** Modes 3 to 6: RPO walk with visited bits, scope push, drain in tzcnt order, pop. */
function full({ remark }: PassContext, cse: Cse, rpo: RpoWalk): void {
  const { walk, fn } = cse.numbering;
  const scope = new ScopeTree(remark.observe("scope-tree", "Scope tree", RULES.push));
  remark.span(RULES.walk, "begin", { blocks: walk.order.length }, () => {
    for (const block of reversePostOrder(fn).order) {
      if (rpo.index(block) < 0) continue;
      const pushes = rpo.look(block);
      rpo.barriers(block);
      rpo.passOn(block);
      if (!pushes) continue;
      scope.obs.at(RULES.push, { block });
      scope.push(rpo.index(block));
    }
  });
  remark.span(RULES.drain, "begin", {}, () => {
    scope.obs.at(RULES.drain);
    scope.drain((index) => {
      remark.step(RULES.drain, "out", { index, block: walk.order[index] as BlockId, also: { op: "drain" } });
      cse.block(index);
    });
  });
  scope.obs.at(RULES.pop);
  scope.popAll();
  scope.release();
}

function outcome({ remark }: PassContext, { numbering, cache, table }: Cse, mode: number): PassOutcome {
  // In modes 3 to 6, those of a block that is not pushed are only leaders.
  const eligible = remark.candidates(WALK.eligible) + remark.times(WALK.leader, "leads-unpushed");
  const stats = table.stats();
  return remark.outcome({
    matches: eligible,
    none: eligible === 0 ? "no instruction is eligible" : "no value is computed twice",
    each: "every repeated value",
    counts: "always",
    figures: {
      mode,
      movs: remark.rewritesAs(t6, "copied") + remark.amountBy(join),
      removed: remark.rewritesAs(t6, "removed"),
      joins: remark.rewritesBy(join),
      eligible,
      numbers: numbering.numbers.count,
      cacheHits: cache.hits,
      cacheMisses: cache.misses,
      coarseMerges: Number(numbering.merges.coarse),
      tableEntries: stats.entries,
      longestChain: stats.longestChain,
    },
  });
}
