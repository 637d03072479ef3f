/** Rewrite 3: an edge to an empty block goes straight to where the chain of empty blocks ends. */

import type { BlockId } from "../../ir/ids.ts";
import type { Block } from "../../ir/types.ts";
import {
  branchTarget,
  fallsThrough,
  isTerminator,
  isUnconditional,
  phiInput,
  phisOf,
  sameOperand,
  tableName,
  terminatorsOf,
} from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { LINE } from "./pseudocode.ts";
import type { Rewrite } from "./rewrite.ts";
import type { BranchOptState } from "./state.ts";

export function threadChain(state: BranchOptState, block: Block): Rewrite | null {
  for (const target of block.succs) {
    const found = threadEdge(state, block, target);
    if (found !== null) return found;
  }
  return null;
}

/** Where an empty block leads; or why it is not one. */
type Empty = { readonly next: BlockId } | { readonly condition: string; readonly why: string };

function emptyBlock(state: BranchOptState, id: BlockId): Empty {
  const block = state.block(id);
  const last = block.insts[block.insts.length - 1];
  const body = block.insts.find((inst) => inst.op !== "NOP" && !(inst === last && inst.op === "BRA"));
  if (body !== undefined) {
    const condition = body.op === "PHI" ? "phi" : "not-empty";
    return { condition, why: `it holds '${printInst(state.edit.func, body)}'` };
  }
  if (last !== undefined && last.op === "BRA" && !isUnconditional(last)) return { condition: "conditional", why: "it ends in a condition" };
  const by = state.namers.get(id);
  if (by !== undefined) return { condition: "named", why: "a BSSY or LEA names it" };
  const next = (last === undefined ? null : branchTarget(last)) ?? state.edit.next(id);
  return next === null ? { condition: "not-empty", why: "nothing stands behind it" } : { next };
}

interface Chain {
  readonly end: BlockId;
  /** Last empty block before the end. */
  readonly via: BlockId;
  readonly passed: readonly BlockId[];
}

function threadEdge(state: BranchOptState, block: Block, target: BlockId): Rewrite | null {
  const falls = onlyFallsInto(state, block, target);
  const last = block.insts[block.insts.length - 1];
  const behind = falls || (fallsThrough(block) && state.edit.next(block.id) === target);
  if (behind && last !== undefined && isTerminator(last) && last.op !== "BRA") {
    state.refuse(LINE.threadNo, "no-else-jump", block, last, () => ({
      template: "{block} falls into {target} behind '{inst}': no jump can stand there",
      facts: { target: state.label(target), inst: printInst(state.edit.func, last) },
    }));
    return null;
  }
  const chain = follow(state, block, target, falls);
  if (chain === null || phiConflict(state, block, chain) || lanesRegroup(state, block, target, chain)) return null;
  const facts = { target: state.label(target), end: state.label(chain.end), passed: chain.passed.map((id) => state.label(id)) };
  state.accept(LINE.thread, block, null, () => ({
    template: "the edge {block} to {target} leads through empty blocks ({passed}) to {end}",
    facts,
  }));
  return {
    name: "thread",
    line: LINE.thread,
    say: () => ({ template: "the edge of {block} to {target} now goes to {end}", facts }),
    apply: () => state.edit.redirect(block.id, target, chain.end, state.edit.phiFrom(chain.via)),
  };
}

/** The edge is the fall-through alone: no branch or table of the block names the target. */
function onlyFallsInto(state: BranchOptState, block: Block, target: BlockId): boolean {
  if (!fallsThrough(block) || state.edit.next(block.id) !== target) return false;
  return terminatorsOf(block).insts.every((inst) => branchTarget(inst) !== target && !listed(state, tableName(inst), target));
}

function listed(state: BranchOptState, name: string | null, target: BlockId): boolean {
  const table = name === null ? undefined : state.edit.func.tables.get(name);
  return table !== undefined && (table.default === target || table.entries.includes(target));
}

function follow(state: BranchOptState, block: Block, target: BlockId, falls: boolean): Chain | null {
  const refuse = (condition: string, template: string, facts: Readonly<Record<string, string | readonly string[]>>): null => {
    state.refuse(LINE.threadNo, condition, block, null, () => ({ template, facts: { target: state.label(target), ...facts } }));
    return null;
  };
  const seen = new Set<BlockId>();
  const passed: BlockId[] = [];
  let at = target;
  let via = target;
  for (;;) {
    const empty = emptyBlock(state, at);
    if (!("next" in empty)) {
      if (passed.length > 0) break;
      return refuse(empty.condition, "the edge {block} to {target} stays: {target} is not empty, {why}", { why: empty.why });
    }
    // A jump would take the place of the fall-through: worth it only where the empty block goes away.
    if (falls && state.tables.preds(at) > 1) {
      if (passed.length > 0) break;
      return refuse("fall-through", "{block} falls into the empty {target}, which others go to as well: falling through costs nothing", {});
    }
    seen.add(at);
    passed.push(at);
    const known = falls ? null : knownEnd(state, at);
    via = known?.via ?? at;
    at = known?.end ?? empty.next;
    if (seen.has(at) || (at === block.id && "next" in emptyBlock(state, at))) {
      return refuse("cycle", "the empty blocks {passed} behind {block} form a cycle: an endless loop stays", {
        passed: passed.map((id) => state.label(id)),
      });
    }
  }
  if (!falls) for (const id of passed) state.chains.set(id, { end: at, via });
  return { end: at, via, passed };
}

/** Where an earlier walk through the block ended, if the last step of that walk is still there: keeps long chains with many entries linear. */
function knownEnd(state: BranchOptState, id: BlockId): { readonly end: BlockId; readonly via: BlockId } | null {
  const known = state.chains.get(id);
  if (known === undefined || known.via === id || state.edit.func.blocks[known.via] === undefined) return null;
  const last = emptyBlock(state, known.via);
  return "next" in last && last.next === known.end ? known : null;
}

/** A PHI in the last block has one input a predecessor: two ways from here must agree on it. */
function phiConflict(state: BranchOptState, block: Block, chain: Chain): boolean {
  const end = state.block(chain.end);
  const conflict = usersOf(state, block, chain).find((id) => {
    if (!end.preds.includes(id)) return false;
    return phisOf(end).some((phi) => {
      const [direct, through] = [phiInput(phi, id), phiInput(phi, chain.via)];
      return direct === null || through === null || !sameOperand(direct, through);
    });
  });
  if (conflict === undefined) return false;
  state.refuse(LINE.threadNo, "phi-conflict", block, null, () => ({
    template: "{from} reaches {end} directly and through {via} with different values for a PHI: the two edges can't become one",
    facts: { from: state.label(conflict), end: end.label, via: state.label(chain.via) },
  }));
  return true;
}

/** Lanes that leave a block for the chain and for its end directly go on apart; with one edge for both they would stay together. */
function lanesRegroup(state: BranchOptState, block: Block, target: BlockId, chain: Chain): boolean {
  const obstacle = state.rejoin.joinWays(usersOf(state, block, chain), target, chain.end);
  if (obstacle === null) return false;
  state.refuse(LINE.threadNo, "lanes-regroup", block, obstacle.inst, () => ({
    template:
      "lanes leave {block} for {end} directly and through {target}, and part there: on one way {reason} (condition not stated in the notes)",
    facts: { target: state.label(target), end: state.label(chain.end), reason: obstacle.reason },
  }));
  return true;
}

/** The blocks whose edges would move: the block, and all others that jump through its table. */
function usersOf(state: BranchOptState, block: Block, chain: Chain): readonly BlockId[] {
  const names = terminatorsOf(block).insts.map(tableName);
  const [first] = chain.passed;
  if (first === undefined || !names.some((name) => listed(state, name, first))) return [block.id];
  return state
    .block(first)
    .preds.filter((id) => id === block.id || terminatorsOf(state.block(id)).insts.some((inst) => names.includes(tableName(inst))));
}
