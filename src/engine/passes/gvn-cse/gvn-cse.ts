/** Phase 49, GvnCse: global value numbering, and common subexpressions replaced by MOV. */

import { reversePostOrder } from "../../analysis/order.ts";
import type { Budget } from "../../config/knob-store.ts";
import { EBB_BOUNDARY, SORTING_BOUNDARY } from "../../config/targets.ts";
import { copyBlock, copyFunc } from "../../ir/copies.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf } from "../../ir/visit.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { ObservedBitSet } from "../../structures/bitset.ts";
import { ScopeTree } from "../../structures/scope-tree.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { CONDITIONS } from "./conditions.ts";
import { Cse, WALK } from "./cse.ts";
import { DominatorRecords } from "./dominator-records.ts";
import { EBB, ebbPrePass } from "./ebb.ts";
import { join } from "./measured.ts";
import { chooseMode, fullScope, type LeaderScope, MODES } from "./modes.ts";
import { NUMBERING, type Numbering, numberFunction } from "./numbering.ts";
import { DEFERRED, t6 } from "./replace.ts";

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
  walk: line("modes 3 to 6: for each block in RPO, once (visited byte), while knob 257 lets its instructions be examined:", {
    step: {
      begin: { kind: "span", say: "walk {blocks} {blocks:block|blocks} in RPO" },
      none: "{block} has no eligible instruction",
    },
  }),
  visited: line("  for each eligible instruction: visited[block] = 1", {
    kind: "flag-set",
    step: "{block} has {eligible} eligible {eligible:instruction|instructions}: visited[{index}] = 1",
  }),
  candidate: line("  a barrier that the backend calls safe: visited[block] = 1 // opcode 145; slot 371", {
    kind: "flag-set",
    step: {
      safe: "'{inst}' is safe to cross, so it is a candidate: visited[{index}] = 1",
      unsafe: { kind: "visit", say: "'{inst}' is not safe to cross, so it is no candidate; the block's scope goes on" },
    },
  }),
  passedOn: line("  a guarded branch or EXIT: visited[block] |= visited[where its predicate is computed] // opcodes 32 and 159", {
    kind: "flag-set",
    step: "'{inst}' reads {p:reg} of {from:block}, which is visited: visited[{index}] = 1",
  }),
  push: line(
    "  its value was computed in a block that the walk has processed, or before it in this one: push the block's index into the scope tree",
    {
      step: {
        seen: "{first:block} has computed the value number {key} of '{inst}', so {index} is pushed",
        any: "policy 'measured' examines each block with an eligible instruction, so {index} is pushed for {block}",
        fresh: "nothing in {block} repeats an earlier value, so no scope is opened",
      },
    },
  ),
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
  callControlFlow(ctx, RULES.records, false);
  const choice = chooseMode(knobs, target);
  for (const rule of choice.rules)
    remark.step(RULES.mode, "rule", { rule, also: { gate: "mode", ok: choice.mode > 0, mode: choice.mode } });
  // The real compiler commons across blocks on every architecture, regardless of the backend's bits in the reference.
  const mode = policy !== "measured" || choice.mode === 0 ? choice.mode : ctx.level < 2 ? 1 : choice.mode === 2 ? 4 : choice.mode;
  sayMode(ctx, choice.mode, mode);
  if (mode === 0) return remark.outcome({ none: choice.rules.join("; ") });
  const enhanced = target.backend.capabilities.enhancedCse || policy === "measured";
  const scope = scopeOf(ctx, mode);
  const numbering = numberFunction(edit.func, { enhanced, measured: policy === "measured" }, remark);
  const marks = mode === 2 && runsEbb(ctx) ? ebbPrePass(numbering, ctx) : null;
  const { walk } = numbering;
  const visited =
    mode <= 2 ? null : new ObservedBitSet(walk.order.length, remark.observe("visited", "Visited blocks, by index", RULES.visited));
  const examined = mode <= 2 ? null : new Int32Array(edit.func.blocks.length);
  const budget = knobs.budget("gvn-per-instruction", examined === null ? RULES.instruction : RULES.walk);
  const cse = new Cse({
    edit,
    remark,
    numbering: { ...numbering, fn: snapshot(numbering) },
    enhanced,
    mode,
    scope,
    barriersAreSafe: mode <= 2 && knobs.flag("gvn-barriers-safe", RULES.barrier),
    visited,
    examined,
    records: mode === 2 ? new DominatorRecords(numbering, remark, marks) : null,
    sortsOperands: target.packedVersion <= SORTING_BOUNDARY,
    budget,
    measured: policy === "measured",
  });
  if (visited === null || examined === null) {
    remark.span(RULES.blocks, mode === 1 ? "own" : "chain", { also: { mode } }, () => {
      for (let place = 0; place < numbering.walk.order.length; place++) cse.block(place);
    });
  } else full(ctx, cse, { numbering, visited, examined, budget });
  cse.finish();
  // In modes 3 to 6, those of a block that is not pushed are only leaders.
  const eligible = remark.candidates(WALK.eligible) + remark.times(WALK.leader, "leads-unpushed");
  const stats = cse.table.stats();
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
  const copy = copyFunc(fn);
  copy.blocks = fn.blocks.map((block) => (block === undefined ? undefined : copyBlock(block)));
  return copy;
}

function runsEbb({ knobs, target, remark }: PassContext): boolean {
  const version = target.packedVersion;
  const runs =
    version <= EBB_BOUNDARY || (!knobs.flag("gvn-no-ebb-pre-pass", RULES.ebbClear) && knobs.flag("gvn-ebb-ready", RULES.ebbClear));
  return remark.gate(RULES.ebbClear, "ebb", runs, { version, boundary: EBB_BOUNDARY });
}

/** Where the mode allows leaders. */
function scopeOf({ remark }: PassContext, mode: number): LeaderScope {
  if (mode <= 2) return mode === 1 ? "block" : "dominator";
  const { flags, extended, scope } = fullScope(mode);
  const reach = scope === "dominator" ? "leaders may be in any dominator" : "leaders stay in their extended basic block";
  remark.step(RULES.mode, "full", { mode, extended, than: extended > 1 ? "above" : "not above", reach, also: { flags, scope } });
  return scope;
}

/** What the RPO walk reads and leaves. */
interface Walk {
  readonly numbering: Numbering;
  readonly visited: ObservedBitSet;
  readonly examined: Int32Array;
  readonly budget: Budget;
}

/** Modes 3 to 6: RPO walk with visited bits, scope push, drain in tzcnt order, pop. A block's index is its place in dominator preorder. */
function full(ctx: PassContext, cse: Cse, rpo: Walk): void {
  const { remark } = ctx;
  const { walk, fn } = rpo.numbering;
  const scope = new ScopeTree(remark.observe("scope-tree", "Scope tree", RULES.push));
  remark.span(RULES.walk, "begin", { blocks: walk.order.length }, () => {
    // By value number, the first block of the walk that computes it.
    const computed = new Map<number, BlockId>();
    const predicates = new Map<Reg, BlockId>();
    for (const block of reversePostOrder(fn).order) {
      const index = walk.place[block] ?? -1;
      if (index < 0) continue;
      const pushes = look(ctx, rpo, computed, block);
      barriers(ctx, rpo, block);
      passOn(ctx, rpo, predicates, block);
      if (!pushes) continue;
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

/** The instructions of a block, on the walk: whether its index is pushed. */
function look(
  { edit, remark, policy }: PassContext,
  { numbering: { walk, key }, visited, examined, budget }: Walk,
  computed: Map<number, BlockId>,
  block: BlockId,
): boolean {
  const index = walk.place[block] ?? -1;
  const { insts } = edit.block(block);
  let eligible = 0;
  let again: Inst | null = null;
  let first: BlockId = block;
  let end = insts.length;
  for (const [place, inst] of insts.entries()) {
    const k = key[inst.id] ?? -1;
    if (k < 0) continue;
    if (!budget.take(RULES.walk)) {
      end = place;
      break;
    }
    eligible++;
    const earlier = computed.get(k);
    if (earlier === undefined) computed.set(k, block);
    else if (again === null) {
      again = inst;
      first = earlier;
    }
  }
  examined[block] = end;
  if (eligible === 0) {
    remark.step(RULES.walk, "none", { block });
    return false;
  }
  visited.add(index);
  remark.step(RULES.visited, { block, eligible, index });
  if (again !== null) remark.step(RULES.push, "seen", { inst: again, first, key: key[again.id] ?? -1, index, block });
  else if (policy === "measured") remark.step(RULES.push, "any", { block, index });
  else remark.step(RULES.push, "fresh", { block });
  return again !== null || policy === "measured";
}

/** Opcode 145: slot 371 decides whether a barrier is a candidate. It defines nothing that could be shared, but a store in its block leads a value. */
function barriers({ edit, remark, knobs }: PassContext, { numbering: { walk }, visited }: Walk, block: BlockId): void {
  const index = walk.place[block] ?? -1;
  for (const inst of edit.block(block).insts) {
    if (effectOf(inst) !== "barrier" || inst.op === "MEMBAR") continue;
    const safe = knobs.flag("gvn-barriers-safe", RULES.candidate);
    if (safe) visited.add(index);
    remark.step(RULES.candidate, safe ? "safe" : "unsafe", { inst, index, block });
  }
}

/** Opcodes 32 and 159: a guarded branch or EXIT takes over the byte of the block that computes its predicate, as far as the walk has come. */
function passOn({ edit, remark }: PassContext, { numbering: { walk }, visited }: Walk, from: Map<Reg, BlockId>, block: BlockId): void {
  const index = walk.place[block] ?? -1;
  for (const inst of edit.block(block).insts) {
    const p = inst.guard?.reg;
    if (p !== undefined && !isConstantReg(p) && (inst.op === "BRA" || inst.op === "EXIT" || inst.op === "RET")) {
      const source = from.get(p);
      if (source === undefined || source === block || visited.has(index) || !visited.has(walk.place[source] ?? -1)) continue;
      visited.add(index);
      remark.step(RULES.passedOn, { inst, p, from: source, index, block, blocks: [source] });
    }
    for (const r of defsOf(inst)) from.set(r, block);
  }
}
