/** Rewrite 3: an edge to an empty block goes straight to where the chain of empty blocks ends. */

import type { BlockId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
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
import type { Rewrite } from "./rewrite.ts";
import { RULES } from "./rules.ts";
import type { BranchOptState } from "./state.ts";

/** The edges that can go farther, one after the other. */
export function* threadChains(state: BranchOptState, block: Block): Generator<Rewrite> {
  for (const target of block.succs) {
    const found = threadEdge(state, block, target);
    if (found !== null) yield found;
  }
}

/** Where an empty block leads; or why it is not one. `body`: the instruction that it holds. */
type Empty = { readonly next: BlockId } | { readonly body: Inst } | { readonly reason: "conditional" | "named" | "last" };

function emptyBlock(state: BranchOptState, id: BlockId): Empty {
  const { insts } = state.block(id);
  const last = insts[insts.length - 1];
  const body = insts.find((inst) => inst.op !== "NOP" && !(inst === last && inst.op === "BRA"));
  if (body !== undefined) return { body };
  if (last !== undefined && last.op === "BRA" && !isUnconditional(last)) return { reason: "conditional" };
  if (state.namers.has(id)) return { reason: "named" };
  const next = (last === undefined ? null : branchTarget(last)) ?? state.edit.next(id);
  return next === null ? { reason: "last" } : { next };
}

interface Chain {
  readonly end: BlockId;
  /** Last empty block before the end. */
  readonly via: BlockId;
  readonly passed: readonly BlockId[];
}

function threadEdge(state: BranchOptState, block: Block, target: BlockId): Rewrite | null {
  const { edit, remark } = state;
  const falls = onlyFallsInto(state, block, target);
  const last = block.insts[block.insts.length - 1];
  const behind = falls || (fallsThrough(block) && edit.next(block.id) === target);
  if (behind && last !== undefined && isTerminator(last) && last.op !== "BRA") {
    return remark.missed(RULES.threadNo, "no-else-jump", { block, target, inst: last });
  }
  const chain = follow(state, block, target, falls);
  if (chain === null || !phisAgree(state, block, chain) || !lanesStayApart(state, block, target, chain)) return null;
  const { end, via, passed } = chain;
  state.accepted++;
  remark.matched(RULES.thread, { block, target, passed, end });
  const about = (): string => `edge ${block.id} ${target}`;
  return {
    name: "thread",
    ask: (apply) => remark.done(RULES.thread, { block, target, end, about }, apply),
    edit: () => edit.redirect(block.id, target, end, edit.phiFrom(via)),
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
  const { remark } = state;
  const seen = new Set<BlockId>();
  const passed: BlockId[] = [];
  let at = target;
  let via = target;
  for (;;) {
    const empty = emptyBlock(state, at);
    if (!("next" in empty)) {
      if (passed.length > 0) break;
      if ("reason" in empty) return remark.missed(RULES.threadNo, empty.reason, { block, target });
      return remark.missed(RULES.threadNo, empty.body.op === "PHI" ? "phi" : "not-empty", { block, target, body: empty.body });
    }
    // A jump would take the place of the fall-through: worth it only where the empty block goes away.
    if (falls && state.tables.preds(at) > 1) {
      if (passed.length > 0) break;
      return remark.missed(RULES.threadNo, "fall-through", { block, target });
    }
    seen.add(at);
    passed.push(at);
    const known = falls ? null : knownEnd(state, at);
    via = known?.via ?? at;
    at = known?.end ?? empty.next;
    if (seen.has(at) || (at === block.id && "next" in emptyBlock(state, at))) {
      return remark.missed(RULES.threadNo, "cycle", { passed, block });
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
function phisAgree(state: BranchOptState, block: Block, { end, via, passed }: Chain): boolean {
  const last = state.block(end);
  const conflict = usersOf(state, block, passed).find((id) => {
    if (!last.preds.includes(id)) return false;
    return phisOf(last).some((phi) => {
      const [direct, through] = [phiInput(phi, id), phiInput(phi, via)];
      return direct === null || through === null || !sameOperand(direct, through);
    });
  });
  return conflict === undefined || state.remark.holds(RULES.threadNo, "phi-conflict", false, { from: conflict, end, via, block });
}

/** Lanes that leave a block for the chain and for its end directly go on apart; with one edge for both they would stay together. */
function lanesStayApart(state: BranchOptState, block: Block, target: BlockId, { end, passed }: Chain): boolean {
  const obstacle = state.rejoin.joinWays(usersOf(state, block, passed), target, end);
  if (obstacle === null) return true;
  const { reason, inst } = obstacle;
  return state.remark.holds(RULES.threadNo, "lanes-stay-together", false, { block, end, target, reason, inst });
}

/** The blocks whose edges into the first empty block would move: the block, and all others that jump through its table. */
function usersOf(state: BranchOptState, block: Block, [first]: readonly BlockId[]): readonly BlockId[] {
  const names = terminatorsOf(block).insts.map(tableName);
  if (first === undefined || !names.some((name) => listed(state, name, first))) return [block.id];
  return state
    .block(first)
    .preds.filter((id) => id === block.id || terminatorsOf(state.block(id)).insts.some((inst) => names.includes(tableName(inst))));
}
