/** Phases 133 and 136, MergeEquivalentConditionalFlow: blocks with the same instructions and targets become one. */

import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { notShareable } from "../../analysis/shareable.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { fallsThrough, isTerminator, phiInput, phisOf, sameOperand } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { ABOUT } from "./about.ts";
import { BlockKey, ByKey } from "./block-key.ts";
import type { SeenBlockRow } from "./rows.ts";

interface State extends Pick<PassContext, "edit" | "remark"> {
  /** A block by what it does. */
  readonly seen: ByKey<BlockId>;
  readonly named: NamedBlocks;
  readonly rejoin: RejoinGuard;
  readonly table: ShownTable<SeenBlockRow>;
  /** Blocks to examine, and which of them were not taken yet. */
  readonly work: BlockId[];
  readonly waiting: Set<BlockId>;
}

/** Two blocks with one key. */
interface Pair {
  readonly keep: BlockId;
  readonly block: Block;
}

const STAYS = "{block} and {other:block} stay two blocks: {why}";

const found = rule<State, Pair>()({
  line: "  A is there, with the same instructions and the same targets:",
  done: "{drop:block} does what {keep:block} does: its predecessors go to {keep:block}",
  because: "{drop} and {keep} contain the same instructions and have the same successors",
  match(state, { keep, block }) {
    const { edit, remark } = state;
    const pair = { block, other: keep, blocks: [keep] };
    if (block.insts[0]?.op === "PHI") return remark.missed(noPhi, "phi", pair);
    if (!lanesAgree(state, keep, block, pair)) return null;
    const phi = block.succs.flatMap((succ) => phisOf(edit.block(succ))).find((phi) => !sameInputs(phi, keep, block.id)) ?? null;
    if (!remark.holds(phiValues, "phi-values", phi === null, { ...pair, phi })) return null;
    const stuck = block.preds.find((pred) => fallsBehindOther(edit, pred, block.id));
    if (stuck !== undefined) return remark.missed(redirect, "fall-through", { ...pair, stuck });
    const named = state.named.reason(block.id);
    if (named !== null) return remark.missed(regionEnd, named, pair);
    return { keep, drop: block.id, blocks: [block.id, keep], preds: block.preds.slice() };
  },
  apply(state, { keep, drop, preds }) {
    const { edit, remark } = state;
    remark.at(redirect);
    for (const pred of preds) edit.redirect(pred, drop, keep);
    remark.at(RULES.remove);
    edit.removeBlock(drop);
    state.named.moved(drop, keep);
    remark.step(RULES.again, { blocks: preds });
    for (const pred of preds) enqueue(state, pred);
  },
});

const noPhi = line("    neither begins with a PHI", { stays: STAYS, missed: { phi: { say: "they begin with a PHI" } } });

const convergence = line("    no instruction may see which lanes are active", {
  stays: STAYS,
  missed: {
    "sees-lanes": {
      code: "convergence",
      say: "with '{shared:inst}', {effect}",
      droppable: "lanes of both blocks would now execute it together",
    },
    "ends-apart": {
      code: "convergence",
      say: "they end with a {end}, and {obstacle}",
      droppable: "lanes of both blocks diverge or reconverge there together",
    },
    "parts-in-one-block": {
      code: "convergence",
      say: "lanes diverge to the two from one block, and {obstacle}",
      droppable: "lanes that diverge in that block run everything up to where they reconverge together",
    },
  },
});

const phiValues = line("    each PHI of a target takes the same value from A and from B", {
  stays: STAYS,
  missed: {
    "phi-values": { say: "'{phi:inst}' takes different values from them", droppable: "the PHI takes the value of A on both edges" },
  },
});

const regionEnd = line("    no BSSY names B as its region's end", {
  stays: STAYS,
  missed: {
    "region-end": { say: "a BSSY names {block} as its region's end" },
    "table-entry": { say: "a table names {block} that no predecessor of it jumps through" },
  },
});

const redirect = line("    send every predecessor of B to A", {
  stays: STAYS,
  missed: {
    "fall-through": { say: "{stuck:block} falls into {block} after a guarded end, where a jump would need a block of its own" },
  },
});

const RULES = rules({
  order: line("work list := reachable blocks in post-order, so that targets come before the blocks that lead to them", {
    kind: "note",
    step: "{count} {count:block|blocks} in post-order",
  }),
  table: line("table of seen blocks := empty", { kind: "note", step: "the table is empty" }),
  take: line("while the work list is not empty: take its first block B", { step: "next block of the work list: {block}" }),
  skip: line("  skip B when it is the entry, was removed, or cannot be reached", { step: "{block} is the entry" }),
  key: line("  key(B) = its instructions, their targets included, and the block it falls into", {
    kind: "hash",
    step: "the key of {block} has {length} {length:character|characters}",
  }),
  lookup: line("  look key(B) up in the table", { kind: "hash", step: "{other:block} has the same key as {block}" }),
  enter: line("  nothing there, or a block that changed since: enter B", {
    kind: "hash",
    step: "nothing like {block} was seen before: entered",
  }),
  found,
  noPhi,
  convergence,
  phiValues,
  regionEnd,
  redirect,
  remove: line("    remove B"),
  again: line("    the predecessors have a new target: put them on the work list again", {
    kind: "note",
    step: "{blocks} {blocks:is|are} examined again",
  }),
  records: line("AnalyzeControlFlow, incremental, when the graph changed // sub_781F80, force = 0", BRIEF),
});

export const mergeEquivalentConditionalFlow: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  records: RULES.records,
  run,
};

/** The observed table. */
const SEEN = "seen-blocks";

function run({ edit, remark }: PassContext): PassOutcome {
  const work = reversePostOrder(edit.func).order.toReversed();
  const state: State = {
    edit,
    remark,
    seen: new ByKey(),
    named: new NamedBlocks(edit),
    rejoin: new RejoinGuard(edit),
    table: remark.shown.table(SEEN, "Blocks by what they do"),
    work,
    waiting: new Set(work),
  };
  remark.step(RULES.order, { count: work.length });
  remark.step(RULES.table, { node: SEEN });
  // Each merge removes a block and adds its predecessors, so the list is at most blocks + edges long.
  for (let i = 0; i < work.length; i++) {
    const id = work[i] as BlockId;
    state.waiting.delete(id);
    const block = edit.func.blocks[id];
    if (block === undefined) continue;
    if (edit.func.layout[0] === id) remark.step(RULES.skip, { block });
    else visit(state, block);
  }
  return remark.outcome({ none: "no two blocks do the same", each: "every pair" });
}

function visit(state: State, block: Block): void {
  const { edit, remark, seen } = state;
  const key = new BlockKey(edit, block.id);
  const other = seen.get(key);
  remark.step(RULES.take, { block });
  remark.step(RULES.key, () => ({ block, length: key.whole.length }));
  // A block that changed since it was entered has a different key now.
  if (other === undefined || other === block.id || edit.func.blocks[other] === undefined || new BlockKey(edit, other).whole !== key.whole) {
    seen.set(key, block.id);
    state.table.set(block.label, () => block.insts.map((inst) => printInst(edit.func, inst)).join("; "));
    remark.step(RULES.enter, { block });
    return;
  }
  remark.step(RULES.lookup, { block, other, blocks: [other] });
  found.look(state, { keep: other, block })?.request()?.commit();
}

function enqueue({ work, waiting }: State, block: BlockId): void {
  if (waiting.has(block)) return;
  waiting.add(block);
  work.push(block);
}

/** No instruction of the block sees which lanes are active, and diverged lanes stay diverged where an instruction notices. */
function lanesAgree(
  { remark, rejoin }: State,
  keep: BlockId,
  block: Block,
  pair: { readonly block: Block; readonly other: BlockId; readonly blocks: readonly BlockId[] },
): boolean {
  const shared = block.insts.find((inst) => !isTerminator(inst) && notShareable(inst) !== null) ?? null;
  const effect = () => (shared === null ? null : notShareable(shared));
  if (!remark.holds(convergence, "sees-lanes", shared === null, { ...pair, shared, effect })) return false;
  const condition = block.succs.length > 1;
  const together = condition || block.insts.some((inst) => inst.op === "BSYNC") ? rejoin.joinBranches() : null;
  const end = { ...pair, end: condition ? "condition" : "region", obstacle: together?.reason ?? "" };
  if (!remark.holds(convergence, "ends-apart", together === null, end)) return false;
  const apart = rejoin.joinWays(block.preds, block.id, keep);
  return remark.holds(convergence, "parts-in-one-block", apart === null, { ...pair, obstacle: apart?.reason ?? "" });
}

function sameInputs(phi: Inst, one: BlockId, other: BlockId): boolean {
  const [a, b] = [phiInput(phi, one), phiInput(phi, other)];
  return a !== null && b !== null && sameOperand(a, b);
}

/** The block falls into `next` after a terminator that is not a BRA: a jump to a different block would need a block that replaces the removed one. */
function fallsBehindOther(edit: PassContext["edit"], id: BlockId, next: BlockId): boolean {
  const last = edit.block(id).insts.at(-1);
  return last !== undefined && isTerminator(last) && last.op !== "BRA" && fallsThrough(edit.block(id)) && edit.next(id) === next;
}
