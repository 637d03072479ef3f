/** Functions made from plain graphs, random graphs, and the random numbers for them. */

import { createPrng } from "../../../base/prng.ts";
import { labelOp, makeBlock, makeInst, regOp } from "../../ir/builder.ts";
import { type BlockId, blockId, instId } from "../../ir/ids.ts";
import { reg } from "../../ir/reg.ts";
import type { Block, Func, Inst, JumpTable } from "../../ir/types.ts";
import { computeSuccs } from "../../ir/visit.ts";

/** Successors by block; block 0 is the entry, the layout is 0, 1, 2, … */
export type Graph = readonly (readonly number[])[];

/** Integers from 0 below `n`. */
export function randomInts(seed: number): (n: number) => number {
  const next = createPrng(seed).u32;
  return (n) => next() % n;
}

/**
 * A function of that shape: no successor is EXIT, one is BRA (or nothing, for the next block in the layout), two are `@P0 BRA`, `BRA`, more are a table.
 */
export function funcOf(graph: Graph, fallThrough = false): Func {
  let next = 0;
  const tables = new Map<string, JumpTable>();
  const inst = (op: Inst["op"], ops: Inst["ops"], guarded = false): Inst =>
    makeInst(instId(next++), op, ops, guarded ? { guard: { reg: reg("P", 0), neg: false } } : {});
  const blocks: Block[] = graph.map((succs, i) => {
    const insts: Inst[] = [];
    const [first = 0, second = 0] = succs;
    if (succs.length === 0) insts.push(inst("EXIT", []));
    else if (succs.length === 1) {
      if (!fallThrough || first !== i + 1) insts.push(inst("BRA", [labelOp(blockId(first))]));
    } else if (succs.length === 2) {
      insts.push(inst("BRA", [labelOp(blockId(first))], true));
      if (!fallThrough || second !== i + 1) insts.push(inst("BRA", [labelOp(blockId(second))]));
    } else {
      const name = `JT${i}`;
      tables.set(name, { name, base: 0, default: null, entries: succs.map(blockId), line: 0 });
      insts.push(inst("JMX", [regOp(reg("R", 0)), { kind: "table", name }]));
    }
    return makeBlock(blockId(i), `BB${i}`, insts);
  });
  return connect({
    kind: "kernel",
    name: "graph",
    params: [],
    returns: [],
    blockSize: null,
    blocks,
    layout: blocks.map((b) => b.id),
    tables,
    flags: 0,
    nextInst: next,
    nextReg: [1, 0, 1, 0, 0, 0, 0, 0],
    version: 0,
    codeVersion: 0,
    cfgVersion: 0,
    line: 0,
    trivia: null,
  });
}

/** Fills in successors and predecessors. */
function connect(fn: Func): Func {
  const preds: BlockId[][] = fn.blocks.map(() => []);
  const withSuccs = fn.layout.map((id, at) => {
    const block = fn.blocks[id]!;
    const succs = computeSuccs(fn, block, fn.layout[at + 1] ?? null);
    for (const s of succs) preds[s]!.push(id);
    return { ...block, succs };
  });
  return { ...fn, blocks: withSuccs.map((b) => ({ ...b, preds: preds[b.id]! })) };
}

/** 1 to `size` blocks with 0 to 3 edges each; several kinds of density, so that trees, meshes and unreachable parts all occur. */
export function randomGraph(seed: number, size: number): number[][] {
  const below = randomInts(seed * 2654435761 + 97);
  const n = 1 + below(size);
  const style = below(4);
  return Array.from({ length: n }, (_, i) => {
    const degree = style === 0 ? below(3) : style === 1 ? 1 + below(2) : style === 2 ? below(4) : Math.min(2, 1 + below(3));
    const targets = new Set<number>();
    for (let e = 0; e < degree; e++) {
      const near = below(3) > 0 ? i - 2 + below(5) : below(n);
      targets.add(Math.min(n - 1, Math.max(0, near)));
    }
    return [...targets];
  });
}
