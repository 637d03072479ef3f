/** Random straight-line code in random graphs, and its instruction-level graph for path searches. */

import { immOp, makeInst, regOp } from "../../ir/builder.ts";
import { type BlockId, instId, type Reg } from "../../ir/ids.ts";
import { PT, reg } from "../../ir/reg.ts";
import type { Block, Func, Inst, Operand } from "../../ir/types.ts";
import { funcOf, randomGraph, randomInts } from "./graphs.ts";

export const REGS: readonly Reg[] = [0, 1, 2].map((i) => reg("R", i));

/** A few adds and moves on three registers a block, some guarded, by PT and !PT too, PHIs at some heads; R0 is a parameter. */
export function randomProgram(seed: number, size: number): Func {
  const graph = randomGraph(seed, size);
  const fn = funcOf(graph, seed % 2 === 0);
  const below = randomInts(seed * 40503 + 11);
  let next = fn.nextInst;
  const pick = (): Reg => REGS[below(REGS.length)]!;
  const value = (): Operand => (below(3) === 0 ? immOp(below(5)) : regOp(pick()));
  const fill = (block: Block): Block => {
    const insts: Inst[] = [];
    if (block.preds.length > 0 && below(3) === 0) {
      const inputs = block.preds.map((pred): Operand => ({ kind: "phi", pred, value: value() }));
      insts.push(makeInst(instId(next++), "PHI", [regOp(pick()), ...inputs]));
    }
    for (let i = below(4); i > 0; i--) {
      // Now and then a guard that is always or never true.
      const guard = below(3) === 0 ? { guard: { reg: below(3) === 0 ? PT : reg("P", 1), neg: below(2) === 0 } } : {};
      insts.push(makeInst(instId(next++), "IADD", [regOp(pick()), value(), value()], guard));
    }
    return { ...block, insts: [...insts, ...block.insts] };
  };
  const blocks = fn.blocks.map((b) => (b === undefined ? undefined : fill(b)));
  return { ...fn, blocks, params: [{ name: "n", reg: reg("R", 0) }], nextInst: next };
}

/** A place in the code: before instruction `at` of `block`. */
export interface Place {
  readonly block: BlockId;
  readonly at: number;
}

/** Instructions in reachable blocks with their places. */
export function placesOf(fn: Func, order: readonly BlockId[]): (Place & { readonly inst: Inst })[] {
  return order.flatMap((block) => fn.blocks[block]!.insts.map((inst, at) => ({ block, at, inst })));
}
