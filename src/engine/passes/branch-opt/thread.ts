/** Rewrite 3: an edge to an empty block leads straight to the end of the chain of empty blocks. */

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
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import { withCounts } from "./erase.ts";
import { type BranchOptState, ELSEWHERE } from "./state.ts";

const NOT_EMPTY = "targets are not empty";

export interface Edge {
  readonly block: Block;
  readonly target: BlockId;
}

export const thread = rule<BranchOptState, Edge>()({
  line: "    thread: an edge of A leads to an empty block: follow empty blocks to the end of the chain",
  found: "the edge from {block} to {target:block} leads through empty blocks ({passed:blocks}) to {end:block}",
  done: "the edge from {block} to {target:block} now leads to {end:block}",
  match(state, { block, target }) {
    const { edit, remark } = state;
    const falls = onlyFallsInto(state, block, target);
    const last = block.insts[block.insts.length - 1];
    const fallsInto = falls || (fallsThrough(block) && edit.next(block.id) === target);
    if (fallsInto && last !== undefined && isTerminator(last) && last.op !== "BRA") {
      return remark.missed(threadNo, "no-else-jump", { block, target, inst: last });
    }
    const chain = follow(state, block, target, falls);
    if (chain === null || !phisAgree(state, block, chain) || !lanesStayApart(state, block, target, chain)) return null;
    return { block, target, ...chain, about: `edge ${block.id} ${target}` };
  },
  apply(state, { block, target, end, via }) {
    const { edit } = state;
    withCounts(state, block.id, () => edit.redirect(block.id, target, end, edit.phiFrom(via)));
  },
});

export const threadNo = line(
  "      refused for a cycle of empty blocks, a PHI that would need two values, the end of a BSSY region, lanes that diverge over the chain",
  {
    missed: {
      "no-else-jump": { say: "{block} falls through into {target:block} after '{inst}', so no jump can be inserted" },
      phi: { say: "the edge from {block} to {target:block} is kept: {target:block} is not empty, it contains '{body:inst}'" },
      "not-empty": {
        why: NOT_EMPTY,
        say: "the edge from {block} to {target:block} is kept: {target:block} is not empty, it contains '{body:inst}'",
      },
      last: {
        code: "not-empty",
        why: NOT_EMPTY,
        say: "the edge from {block} to {target:block} is kept: {target:block} is not empty, nothing comes after it",
      },
      conditional: { say: "the edge from {block} to {target:block} is kept: {target:block} is not empty, it ends in a condition" },
      named: {
        why: "an instruction refers to the block",
        say: "the edge from {block} to {target:block} is kept: {target:block} is not empty, a BSSY or LEA refers to it",
      },
      "fall-through": {
        say: "{block} falls through into the empty {target:block}, which has other predecessors: falling through costs nothing",
      },
      cycle: {
        why: "empty blocks form a cycle",
        say: "the empty blocks {passed:blocks} after {block} form a cycle: an endless loop is kept",
      },
      "phi-conflict": {
        why: "a PHI would need two values for one edge",
        say: "{from:block} reaches {end:block} directly and through {via:block} with different values for a PHI: the two edges cannot become one",
        droppable: "the PHI takes one of the two values for lanes of both edges",
      },
      "lanes-stay-together": {
        code: "lanes-regroup",
        why: ELSEWHERE,
        say: "lanes leave {block} for {end:block} directly and through {target:block}, and diverge there: on one path {reason} (condition not stated in the reference)",
        droppable: "lanes that reach the end in two groups would reconverge there, and a vote or a shuffle would see more of them",
      },
    },
  },
);

/** Where an empty block leads, or why it is not one. `body`: the instruction that it contains. */
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
      if ("reason" in empty) return remark.missed(threadNo, empty.reason, { block, target });
      return remark.missed(threadNo, empty.body.op === "PHI" ? "phi" : "not-empty", { block, target, body: empty.body });
    }
    // A jump would replace the fall-through: worth it only if the empty block is then removed.
    if (falls && state.tables.preds(at) > 1) {
      if (passed.length > 0) break;
      return remark.missed(threadNo, "fall-through", { block, target });
    }
    seen.add(at);
    passed.push(at);
    const known = falls ? null : knownEnd(state, at);
    via = known?.via ?? at;
    at = known?.end ?? empty.next;
    if (seen.has(at) || (at === block.id && "next" in emptyBlock(state, at))) {
      return remark.missed(threadNo, "cycle", { passed, block });
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

/** A PHI in the last block has one input a predecessor: two edges from here must agree on it. */
function phisAgree(state: BranchOptState, block: Block, { end, via, passed }: Chain): boolean {
  const last = state.block(end);
  const conflict = usersOf(state, block, passed).find((id) => {
    if (!last.preds.includes(id)) return false;
    return phisOf(last).some((phi) => {
      const [direct, through] = [phiInput(phi, id), phiInput(phi, via)];
      return direct === null || through === null || !sameOperand(direct, through);
    });
  });
  return conflict === undefined || state.remark.holds(threadNo, "phi-conflict", false, { from: conflict, end, via, block });
}

/** Lanes that leave a block for the chain and those that leave directly for its end stay diverged; with one edge for both they would stay together. */
function lanesStayApart(state: BranchOptState, block: Block, target: BlockId, { end, passed }: Chain): boolean {
  const obstacle = state.rejoin.joinWays(usersOf(state, block, passed), target, end);
  if (obstacle === null) return true;
  const { reason, inst } = obstacle;
  return state.remark.holds(threadNo, "lanes-stay-together", false, { block, end, target, reason, inst });
}

/** The blocks whose edges into the first empty block would move: the block, and all others that jump through its table. */
function usersOf(state: BranchOptState, block: Block, [first]: readonly BlockId[]): readonly BlockId[] {
  const names = terminatorsOf(block).insts.map(tableName);
  if (first === undefined || !names.some((name) => listed(state, name, first))) return [block.id];
  return state
    .block(first)
    .preds.filter((id) => id === block.id || terminatorsOf(state.block(id)).insts.some((inst) => names.includes(tableName(inst))));
}
