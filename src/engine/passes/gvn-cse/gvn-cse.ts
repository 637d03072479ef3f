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
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

export const gvnCse: Pass = {
  family: "gvn-cse",
  ids: ["gvn-cse"],
  summary: "Numbers all values and replaces what is computed again by a MOV from its leader.",
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, rec, knobs, target, policy } = ctx;
  const choice = chooseMode(knobs.int("gvn-mode", LINE.mode), target);
  if (rec.on) for (const rule of choice.rules) rec.event("gate", LINE.mode, rule, { gate: "mode", ok: choice.mode > 0, mode: choice.mode });
  // The real compiler commons across blocks on every architecture, whatever the notes say of the backend's bits.
  const mode = policy !== "measured" || choice.mode === 0 ? choice.mode : ctx.level < 2 ? 1 : choice.mode === 2 ? 4 : choice.mode;
  if (rec.on) sayMode(ctx, choice.mode, mode);
  if (mode === 0) return { matches: 0, rewrites: 0, why: choice.rules.join("; ") };
  const { enhancedCse, cseAcrossBarriers } = target.backend.capabilities;
  const enhanced = enhancedCse || policy === "measured";
  const numbering = numberFunction(edit.func, enhanced, policy, rec);
  const ebb = mode === 2 && runsEbb(ctx);
  const cse = new Cse({
    edit,
    rec,
    numbering: { ...numbering, fn: snapshot(numbering) },
    enhanced,
    oneBlock: mode === 1,
    barriersEndScope: mode <= 2,
    barriersAreSafe: cseAcrossBarriers,
    ebbMarks: ebb ? ebbPrePass(numbering, rec) : null,
    budget: knobs.budget("gvn-per-instruction", LINE.instruction),
    measured: policy === "measured",
  });
  if (mode <= 2) {
    if (rec.on) rec.begin("span", LINE.blocks, mode === 1 ? "mode 1: each block by itself" : "mode 2: along the dominator chain", { mode });
    for (let place = 0; place < numbering.walk.order.length; place++) cse.block(place);
    if (rec.on) rec.end();
  } else {
    full(ctx, numbering, cse);
  }
  cse.finish();
  const { counts, refusals } = cse;
  const reasons = [...refusals].map(([condition, times]) => `${condition} (${times})`);
  const why =
    counts.hits > 0
      ? null
      : counts.eligible === 0
        ? "no instruction is eligible"
        : reasons.length === 0
          ? "no value is computed twice"
          : `every repeated value was refused: ${reasons.join(", ")}`;
  const stats = cse.table.stats();
  return {
    matches: counts.eligible,
    rewrites: counts.hits,
    why,
    figures: {
      mode,
      movs: counts.movs,
      removed: counts.removed,
      joins: counts.joins,
      eligible: counts.eligible,
      numbers: numbering.numbers.count,
      cacheHits: cse.cache.hits,
      cacheMisses: cse.cache.misses,
      coarseMerges: Number(numbering.merges.coarse),
      tableEntries: stats.entries,
      longestChain: stats.longestChain,
    },
  };
}

function sayMode({ rec, policy, level }: PassContext, ruled: number, mode: number): void {
  const facts = { gate: "mode-policy", ok: mode > 0, mode, ruled, level, form: `mode ${mode}` };
  const template =
    policy === "notes"
      ? "the rules stand: it is mode {mode}"
      : mode === ruled
        ? "ptxas 13.0.88 was seen to do the same: it is mode {mode}"
        : mode === 1
          ? "below level 2, ptxas 13.0.88 commons inside blocks only: it is mode 1"
          : "ptxas 13.0.88 commons across blocks on every architecture: mode {ruled} becomes {mode}";
  rec.event("gate", LINE.mode, template, facts);
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

function runsEbb({ knobs, target, rec }: PassContext): boolean {
  const old = target.packedVersion <= EBB_BOUNDARY;
  const runs = old || !knobs.flag("gvn-no-ebb-pre-pass", LINE.ebbClear);
  if (rec.on) {
    rec.event(
      "gate",
      LINE.ebbClear,
      runs
        ? "the EBB pre-pass runs: version {version}, boundary {boundary}"
        : "no EBB pre-pass: version {version} is above {boundary} and knob 210 is set",
      { version: target.packedVersion, boundary: EBB_BOUNDARY, gate: "ebb", ok: runs },
    );
  }
  return runs;
}

/** Modes 3 to 6: RPO walk with visited bytes, scope push, drain in tzcnt order, pop. A block's index is its place in dominator preorder. */
function full({ edit, rec }: PassContext, numbering: Numbering, cse: Cse): void {
  const { walk, key, fn } = numbering;
  const visited = new Uint8Array(walk.order.length);
  const scope = new ScopeTree(rec.on ? { rec, name: "scope-tree", title: "Scope tree", line: LINE.push } : undefined);
  if (rec.on) rec.begin("span", LINE.walk, "walk {blocks} {blocks:block|blocks} in RPO", { blocks: walk.order.length });
  for (const id of reversePostOrder(fn).order) {
    const index = walk.place[id] ?? -1;
    if (index < 0 || visited[index] === 1) continue;
    visited[index] = 1;
    const eligible = edit.block(id).insts.filter((inst) => (key[inst.id] ?? -1) >= 0).length;
    if (rec.on) {
      rec.event(
        "visit",
        LINE.walk,
        eligible > 0
          ? "{block} has {eligible} eligible {eligible:instruction|instructions}; its index is {index}"
          : "{block} has no eligible instruction",
        { block: edit.block(id).label, eligible, index },
        { blocks: [id] },
      );
    }
    if (eligible === 0) continue;
    scope.obs.at(LINE.push, { blocks: [id] });
    scope.push(index);
  }
  if (rec.on) {
    rec.end();
    rec.begin("span", LINE.drain, "drain the scope tree");
  }
  scope.obs.at(LINE.drain);
  scope.drain((index) => {
    if (rec.on) {
      const id = walk.order[index] as BlockId;
      rec.event(
        "tree",
        LINE.drain,
        "index {index} comes out of the tree: {block}",
        { index, block: edit.block(id).label, op: "drain" },
        { blocks: [id] },
      );
    }
    cse.block(index);
  });
  if (rec.on) rec.end();
  scope.obs.at(LINE.pop);
  scope.popAll();
  scope.release();
}
