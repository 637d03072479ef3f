/** Handler A, first half: removes BSSY and BSYNC where the lanes in between cannot diverge. */

import { laneMeets } from "../../analysis/lane-meets.ts";
import { type Uniformity, uniformity } from "../../analysis/uniformity.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { alwaysRuns, barrierOf, effectOf, getBlock, isTerminator, isUnconditional } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";
import { BarrierPlaces, type Place } from "./barrier-places.ts";
import type { ModifiedBlockRow } from "./rows.ts";

interface Pair {
  readonly opens: Inst;
  readonly open: BlockId;
  /** BSYNCs of the region: block and instruction. */
  readonly syncs: readonly { readonly block: BlockId; readonly inst: InstId }[];
  /** Branches inside. */
  readonly branches: number;
}

interface State extends Pick<PassContext, "edit" | "remark"> {
  readonly fn: Func;
  readonly places: BarrierPlaces;
  readonly uniform: () => Uniformity;
  /** What is removed after all were decided. */
  readonly pairs: Pair[];
}

/** A BSSY. */
interface Opening {
  readonly open: Place;
  readonly opens: Inst;
}

/** A BSSY and its barrier, in remarks. */
interface Said {
  readonly block: BlockId;
  readonly barrier: Reg;
  readonly inst: Inst;
}

export const SYNC = {
  sync: line("  handler A, first half, unless knob 232 is set:", {
    kind: "span",
    step: "look for sync pairs whose region cannot diverge",
  }),
  bssy: line("    for each BSSY of a barrier, in layout order:", { step: "{block} opens the region of {barrier:reg}" }),
  walk: line("      walk from it to the BSYNCs of that barrier", {
    missed: {
      "too-large": { say: "the regions of the function are too large to walk" },
      "no-bsync": { say: "no BSYNC of {barrier:reg} is reached from {block}" },
    },
  }),
  barrier: line("        no second BSSY, no BREAK or other use of the barrier before them", {
    missed: {
      "barrier-open": {
        say: "another region of {barrier:reg} may be open already at the BSSY of {block}, which takes its lanes out of it",
        droppable: "lanes stay in the region that was open and wait at its BSYNC for lanes that never come, or run without them",
      },
      "barrier-used": {
        say: "{op} in {inside:block} uses {barrier:reg} inside its region",
        droppable: "what uses the barrier finds no region of it",
      },
    },
  }),
  guards: line("        no guard on the pair, nor one that lanes may disagree about on another barrier or region", {
    missed: {
      "no-barrier": { say: "the BSSY of {block} names no barrier register" },
      "guarded-bssy": {
        code: "guarded-pair",
        say: "the BSSY of {block} is guarded",
        droppable: "lanes that did not enter the region are counted together with those that did",
      },
      "guarded-bsync": {
        code: "guarded-pair",
        say: "the BSYNC in {inside:block} is guarded",
        droppable: "lanes that pass the guarded BSYNC no longer overtake those that wait at it",
      },
      "divergent-guard": {
        say: "lanes may disagree about the guard of {op} in {inside:block}",
        droppable: "lanes that diverge at the guard do not reconverge at the BSYNC",
      },
    },
  }),
};

export const divergent = rule<State, Opening>()({
  line: "        no branch in between that lanes may leave on different edges",
  found:
    "no lane can leave the others between {block} and the {syncs} BSYNC of {barrier:reg}: {branches} {branches:branch|branches}, all uniform",
  missed: {
    "divergent-branch": {
      say: "lanes may diverge at the end of {inside:block}, inside the region of {barrier:reg}",
      droppable: "lanes that diverged are not together after the region, which a vote there sees",
    },
  },
  match(state, { open, opens }) {
    const { remark, places } = state;
    const { block } = open;
    const barrier = barrierOf(opens);
    if (barrier === null) return remark.missed(SYNC.guards, "no-barrier", { block, inst: opens });
    const said = { block, barrier, inst: opens };
    if (!remark.holds(SYNC.guards, "guarded-bssy", alwaysRuns(opens), said)) return null;
    if (!remark.holds(SYNC.barrier, "barrier-open", !places.mayBeOpen(open, barrier), said)) return null;
    const region = regionOf(state, open, said);
    if (region === null) return null;
    const { syncs, branches } = region;
    if (syncs.size === 0) return remark.missed(SYNC.walk, "no-bsync", said);
    if (!isAlone(state, [...syncs.values()], open, said)) return null;
    const found = [...syncs].map(([inst, sync]) => ({ block: sync.block, inst }));
    const pair = { opens, open: block, syncs: found, branches };
    return { ...said, syncs: found.length, branches, blocks: () => found.map((s) => s.block), pair };
  },
  apply: ({ pairs }, { pair }) => pairs.push(pair),
});

export const alone = line(
  "      each of these BSYNCs is reached from this BSSY alone, closes no other region, and is the last to name the barrier",
  {
    missed: {
      "shared-bsync": {
        say: "the BSYNC in {inside:block} is reached without the BSSY of {block}",
        droppable: "the lanes of the other region have no BSYNC left at which to wait for each other",
      },
      "closes-others": {
        say: "the BSYNC in {inside:block} may close regions that were opened inside of the one of {barrier:reg}",
        droppable: "lanes that wait in the inner region are no longer waited for",
      },
      "later-use": {
        say: "after the BSYNC in {inside:block}, {later:block} names {barrier:reg} again without another BSSY",
        droppable: "the later instruction finds no region of the barrier",
      },
    },
  },
);

export const remove = line("      delete BSSY and BSYNCs, and note their blocks as modified", {
  kind: "rewrite",
  step: "{pairs} sync {pairs:pair is|pairs are} removed; {modified} {modified:block was|blocks were} modified",
});

/** Decides for all BSSYs on the unchanged function, then deletes the pairs. Returns why nothing changed, if nothing did. */
export function removeSyncPairs({ edit, remark }: PassContext): string {
  const fn = edit.func;
  let uniform: Uniformity | null = null;
  const state: State = {
    edit,
    remark,
    fn,
    places: new BarrierPlaces(fn),
    uniform: () => {
      uniform ??= uniformity(fn);
      return uniform;
    },
    pairs: [],
  };
  remark.open(SYNC.sync);
  for (const block of fn.layout) {
    for (const [at, inst] of getBlock(fn, block).insts.entries()) {
      if (inst.op !== "BSSY") continue;
      remark.open(SYNC.bssy, { block, barrier: barrierOf(inst) ?? "no barrier", inst });
      divergent.look(state, { open: { block, at }, opens: inst })?.request()?.commit();
      remark.close();
    }
  }
  deletePairs(state);
  remark.close();
  const reasons = remark.reasons("number", [SYNC.walk, SYNC.barrier, SYNC.guards, divergent, alone]);
  return reasons === "" ? "no BSSY" : `every sync pair stays: ${reasons}`;
}

function deletePairs({ edit, remark, pairs }: State): void {
  if (pairs.length === 0) return;
  const worklist = remark.shown.worklist<ModifiedBlockRow>("modified-blocks", "Blocks that lost a sync instruction");
  const dead = new Map<BlockId, Set<InstId>>();
  const kill = (block: BlockId, inst: InstId): void => {
    const set = dead.get(block);
    if (set === undefined) dead.set(block, new Set([inst]));
    else set.add(inst);
  };
  for (const { open, opens, syncs } of pairs) {
    kill(open, opens.id);
    for (const { block, inst } of syncs) kill(block, inst);
  }
  let n = 0;
  for (const [block, insts] of dead) {
    remark.at(remove);
    edit.sweep(block, (inst) => insts.has(inst.id));
    worklist.set(n++, { block, label: edit.block(block).label, removed: insts.size });
  }
  remark.step(remove, { pairs: pairs.length, modified: dead.size, blocks: () => [...dead.keys()] });
}

/** Where a walk through a region stops: at a BSYNC of its barrier, or it leaves the block for others. */
interface Stop {
  readonly sync: { readonly inst: Inst; readonly at: number } | null;
  readonly leaves: readonly BlockId[];
}

/** The BSYNCs that end the region, by instruction; null when lanes may diverge in it, or something else forbids the removal. */
function regionOf(state: State, open: Place, said: Said): { readonly syncs: ReadonlyMap<InstId, Place>; readonly branches: number } | null {
  const { remark, places } = state;
  const syncs = new Map<InstId, Place>();
  let branches = 0;
  const seen = new Set<BlockId>();
  const stack: Place[] = [{ block: open.block, at: open.at + 1 }];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { block, at } = place;
    if (at === 0) {
      if (seen.has(block)) continue;
      seen.add(block);
    }
    if (!places.visit()) return remark.missed(SYNC.walk, "too-large", said);
    const stop = walk(state, block, at, said);
    if (stop === null) return null;
    if (stop.sync !== null) syncs.set(stop.sync.inst.id, { block, at: stop.sync.at });
    if (stop.leaves.length > 1) {
      branches++;
      const diverges = state.uniform().isDivergent(block);
      if (diverges && !remark.holds(divergent, "divergent-branch", false, { ...said, inside: block, blocks: [block] })) return null;
    }
    for (const s of stop.leaves) stack.push({ block: s, at: 0 });
  }
  return { syncs, branches };
}

/** Goes through a block from `at` on, up to the barrier's BSYNC. Null when the pair must stay. */
function walk(state: State, block: BlockId, at: number, said: Said): Stop | null {
  const { remark, fn } = state;
  const { barrier } = said;
  const { insts, succs } = getBlock(fn, block);
  for (let i = at; i < insts.length; i++) {
    const inst = insts[i] as Inst;
    const names = barrierOf(inst) === barrier;
    if (names && inst.op === "BSYNC") {
      if (!alwaysRuns(inst) && !remark.holds(SYNC.guards, "guarded-bsync", false, { ...said, inside: block, blocks: [block] })) return null;
      return { sync: { inst, at: i }, leaves: [] };
    }
    if (names && !remark.holds(SYNC.barrier, "barrier-used", false, { ...said, op: inst.op, inside: block, blocks: [block] })) return null;
    const diverges = !alwaysRuns(inst) && waits(inst) && state.uniform().guardVaries(inst);
    if (diverges && !remark.holds(SYNC.guards, "divergent-guard", false, { ...said, op: inst.op, inside: block, blocks: [block] }))
      return null;
    // An unguarded EXIT, RET or KILL: nothing continues after it.
    if (isTerminator(inst) && isUnconditional(inst) && inst.op !== "BRA" && inst.op !== "JMX" && inst.op !== "BRX") break;
  }
  return { sync: null, leaves: succs };
}

/** Each BSYNC belongs only to this BSSY and closes no other region, and nothing names its barrier again. */
function isAlone(state: State, syncs: readonly Place[], open: Place, said: Said): boolean {
  const { remark, fn, places } = state;
  const { barrier } = said;
  for (const sync of syncs) {
    const inside = sync.block;
    const own = places.reachedOnlyFrom(sync, open, barrier);
    if (!remark.holds(alone, "shared-bsync", own, { ...said, inside, blocks: [inside] })) return false;
  }
  for (const sync of syncs) {
    const inside = sync.block;
    const closesAlone = laneMeets(fn).closesAlone(inside, sync.at);
    if (!remark.holds(alone, "closes-others", closesAlone, { ...said, inside, blocks: [inside] })) return false;
    const later = places.usedAfter(sync, barrier);
    if (later !== null && !remark.holds(alone, "later-use", false, { ...said, inside, later, blocks: [inside, later] })) return false;
  }
  return true;
}

/** If guarded, lanes diverge at it as at a branch. */
function waits(inst: Inst): boolean {
  const effect = effectOf(inst);
  return effect === "sync" || effect === "barrier" || effect === "call";
}
