/** Phase 49, GvnCse: global value numbering, and common subexpressions replaced by MOV. */

import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId } from "../../ir/ids.ts";
import { EBB_BOUNDARY } from "../../pipeline/targets.ts";
import { ScopeTree } from "../../structures/scope-tree.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { Cse } from "./cse.ts";
import { ebbPrePass } from "./ebb.ts";
import { chooseMode } from "./modes.ts";
import { type Numbering, numberFunction } from "./numbering.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const gvnCse: Pass = {
  family: "gvn-cse",
  ids: ["gvn-cse"],
  summary: "Numbers all values and replaces what is computed again by a MOV from its leader.",
  rules: RULES,
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs, target, policy } = ctx;
  const choice = chooseMode(knobs.int("gvn-mode", RULES.mode), target);
  for (const rule of choice.rules)
    remark.step(RULES.mode, "rule", { rule, also: { gate: "mode", ok: choice.mode > 0, mode: choice.mode } });
  // The real compiler commons across blocks on every architecture, whatever the notes say of the backend's bits.
  const mode = policy !== "measured" || choice.mode === 0 ? choice.mode : ctx.level < 2 ? 1 : choice.mode === 2 ? 4 : choice.mode;
  sayMode(ctx, choice.mode, mode);
  if (mode === 0) return remark.outcome({ none: choice.rules.join("; ") });
  const { enhancedCse, cseAcrossBarriers } = target.backend.capabilities;
  const enhanced = enhancedCse || policy === "measured";
  const numbering = numberFunction(edit.func, enhanced, policy, remark);
  const ebb = mode === 2 && runsEbb(ctx);
  const cse = new Cse({
    edit,
    remark,
    numbering: { ...numbering, fn: snapshot(numbering) },
    enhanced,
    oneBlock: mode === 1,
    barriersEndScope: mode <= 2,
    barriersAreSafe: cseAcrossBarriers,
    ebbMarks: ebb ? ebbPrePass(numbering, remark) : null,
    budget: knobs.budget("gvn-per-instruction", RULES.instruction),
    measured: policy === "measured",
  });
  if (mode <= 2) {
    remark.span(RULES.blocks, mode === 1 ? "own" : "chain", { also: { mode } }, () => {
      for (let place = 0; place < numbering.walk.order.length; place++) cse.block(place);
    });
  } else full(ctx, numbering, cse);
  cse.finish();
  const { eligible, ...counts } = cse.counts;
  const stats = cse.table.stats();
  return remark.outcome({
    matches: eligible,
    none: eligible === 0 ? "no instruction is eligible" : "no value is computed twice",
    each: "every repeated value",
    counts: "always",
    figures: {
      mode,
      ...counts,
      eligible,
      numbers: numbering.numbers.count,
      cacheHits: cse.cache.hits,
      cacheMisses: cse.cache.misses,
      coarseMerges: Number(numbering.merges.coarse),
      tableEntries: stats.entries,
      longestChain: stats.longestChain,
    },
  });
}

function sayMode({ remark, policy, level }: PassContext, ruled: number, mode: number): void {
  const also = { gate: "mode-policy", ok: mode > 0, mode, ruled, level, form: `mode ${mode}` };
  if (policy === "notes") remark.step(RULES.mode, "stands", { mode, also });
  else if (mode === ruled) remark.step(RULES.mode, "seen", { mode, also });
  else if (mode === 1) remark.step(RULES.mode, "low", { also });
  else remark.step(RULES.mode, "everywhere", { ruled, mode, also });
}

/** The function as it was numbered: the editor changes its own blocks, the instruction lists of before are kept. */
function snapshot({ fn }: Numbering): Numbering["fn"] {
  return {
    ...fn,
    blocks: fn.blocks.map((block) =>
      block === undefined ? undefined : { ...block, insts: block.insts.slice(), preds: block.preds, succs: block.succs },
    ),
  };
}

function runsEbb({ knobs, target, remark }: PassContext): boolean {
  const version = target.packedVersion;
  const runs = version <= EBB_BOUNDARY || !knobs.flag("gvn-no-ebb-pre-pass", RULES.ebbClear);
  return remark.gate(RULES.ebbClear, "ebb", runs, { version, boundary: EBB_BOUNDARY });
}

/** Modes 3 to 6: RPO walk with visited bytes, scope push, drain in tzcnt order, pop. A block's index is its place in dominator preorder. */
function full({ edit, remark }: PassContext, numbering: Numbering, cse: Cse): void {
  const { walk, key, fn } = numbering;
  const visited = new Uint8Array(walk.order.length);
  const scope = new ScopeTree(remark.observe("scope-tree", "Scope tree", RULES.push));
  remark.span(RULES.walk, "begin", { blocks: walk.order.length }, () => {
    for (const block of reversePostOrder(fn).order) {
      const index = walk.place[block] ?? -1;
      if (index < 0 || visited[index] === 1) continue;
      visited[index] = 1;
      const eligible = edit.block(block).insts.filter((inst) => (key[inst.id] ?? -1) >= 0).length;
      if (eligible === 0) {
        remark.step(RULES.walk, "none", { block });
        continue;
      }
      remark.step(RULES.walk, "some", { block, eligible, index });
      scope.obs.at(RULES.push, { block });
      scope.push(index);
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
