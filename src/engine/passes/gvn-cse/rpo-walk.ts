/** Modes 3 to 6: the walk in RPO that decides which blocks are examined once more. */

import type { Budget } from "../../config/knob-store.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import { ObservedBitSet } from "../../structures/bitset.ts";
import type { PassContext } from "../pass.ts";
import type { Numbering } from "./numbering.ts";

/** The lines of the walk. */
export const RPO = {
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
};

/** A block's index is its place in dominator preorder. */
export class RpoWalk {
  /** Blocks with an eligible instruction, by index. */
  readonly visited: ObservedBitSet;
  /** By block, how many of its instructions knob 257 let the walk examine. */
  readonly examined: Int32Array;
  readonly budget: Budget;
  private readonly ctx: PassContext;
  private readonly numbering: Numbering;
  /** By value number, the first block of the walk that computes it. */
  private readonly computed = new Map<number, BlockId>();
  /** The block that computed a register last. */
  private readonly from = new Map<Reg, BlockId>();

  constructor(ctx: PassContext, numbering: Numbering) {
    const { edit, remark, knobs } = ctx;
    this.ctx = ctx;
    this.numbering = numbering;
    this.visited = new ObservedBitSet(numbering.walk.order.length, remark.observe("visited", "Visited blocks, by index", RPO.visited));
    this.examined = new Int32Array(edit.func.blocks.length);
    this.budget = knobs.budget("gvn-per-instruction", RPO.walk);
  }

  index(block: BlockId): number {
    return this.numbering.walk.place[block] ?? -1;
  }

  /** The eligible instructions of the next block: whether its index is pushed. */
  look(block: BlockId): boolean {
    const { edit, remark, policy } = this.ctx;
    const { key } = this.numbering;
    const index = this.index(block);
    const { insts } = edit.block(block);
    let eligible = 0;
    let again: Inst | null = null;
    let first: BlockId = block;
    let end = insts.length;
    for (const [place, inst] of insts.entries()) {
      const k = key[inst.id] ?? -1;
      if (k < 0) continue;
      if (!this.budget.take(RPO.walk)) {
        end = place;
        break;
      }
      eligible++;
      const earlier = this.computed.get(k);
      if (earlier === undefined) this.computed.set(k, block);
      else if (again === null) {
        again = inst;
        first = earlier;
      }
    }
    this.examined[block] = end;
    if (eligible === 0) {
      remark.step(RPO.walk, "none", { block });
      return false;
    }
    this.visited.add(index);
    remark.step(RPO.visited, { block, eligible, index });
    if (again !== null) remark.step(RPO.push, "seen", { inst: again, first, key: key[again.id] ?? -1, index, block });
    else if (policy === "measured") remark.step(RPO.push, "any", { block, index });
    else remark.step(RPO.push, "fresh", { block });
    return again !== null || policy === "measured";
  }

  /** Opcode 145: slot 371 decides whether a barrier is a candidate. It defines nothing that could be shared, but a store in its block leads a value. */
  barriers(block: BlockId): void {
    const { edit, remark, knobs } = this.ctx;
    const index = this.index(block);
    for (const inst of edit.block(block).insts) {
      if (effectOf(inst) !== "barrier" || inst.op === "MEMBAR") continue;
      const safe = knobs.flag("gvn-barriers-safe", RPO.candidate);
      if (safe) this.visited.add(index);
      remark.step(RPO.candidate, safe ? "safe" : "unsafe", { inst, index, block });
    }
  }

  /** Opcodes 32 and 159: a guarded branch or EXIT takes over the byte of the block that computes its predicate, as far as the walk has come. */
  passOn(block: BlockId): void {
    const { edit, remark } = this.ctx;
    const { visited, from } = this;
    const index = this.index(block);
    for (const inst of edit.block(block).insts) {
      const p = inst.guard?.reg;
      if (p !== undefined && !isConstantReg(p) && (inst.op === "BRA" || inst.op === "EXIT" || inst.op === "RET")) {
        const source = from.get(p);
        if (source === undefined || source === block || visited.has(index) || !visited.has(this.index(source))) continue;
        visited.add(index);
        remark.step(RPO.passedOn, { inst, p, from: source, index, block, blocks: [source] });
      }
      for (const r of defsOf(inst)) from.set(r, block);
    }
  }
}
