/** A function as JSON: blocks, instructions, edges, tables and analysis results by label. */

import { dominators, postDominators } from "../analysis/dominators.ts";
import { listedLoops, loopInfo } from "../analysis/loops.ts";
import { reversePostOrder } from "../analysis/order.ts";
import type { BlockId } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { printInst } from "../text/printer.ts";
import { exportEdges } from "./graph.ts";

export function toJson(fn: Func): string {
  return `${JSON.stringify(plain(fn), null, 2)}\n`;
}

function plain(fn: Func): unknown {
  const label = (id: BlockId | number): string | null => fn.blocks[id]?.label ?? null;
  const { number } = reversePostOrder(fn);
  const dom = dominators(fn);
  const postDom = postDominators(fn);
  const { loops } = loopInfo(fn);
  const listed = listedLoops(loops);
  return {
    name: fn.name,
    kind: fn.kind,
    params: fn.params.map(({ name, reg }) => ({ name, reg: regName(reg) })),
    returns: fn.returns.map(regName),
    blocks: fn.layout.flatMap((id) => {
      const block = fn.blocks[id];
      if (block === undefined) return [];
      return {
        label: block.label,
        rpo: number[id] ?? 0,
        idom: label(dom.idom[id] ?? -1),
        ipdom: label(postDom.idom[id] ?? -1),
        weight: block.weight,
        record: { rpo: block.rpo, latchExit: block.latchExit, flags: block.flags, flags2: block.flags2 },
        instructions: block.insts.map((inst) => ({ id: inst.id, text: printInst(fn, inst), line: inst.line })),
        succs: block.succs.map(label),
        preds: block.preds.map(label),
      };
    }),
    edges: exportEdges(fn).map((edge) => ({ from: label(edge.from), to: label(edge.to), label: edge.label, retreating: edge.retreating })),
    tables: [...fn.tables.values()].map((t) => ({
      name: t.name,
      base: t.base,
      default: t.default === null ? null : label(t.default),
      entries: t.entries.map(label),
    })),
    loops: loops.map((loop) => ({
      header: label(loop.header),
      latches: loop.latches.map(label),
      blocks: listed.has(loop) ? loop.blocks.map(label) : [],
      natural: loop.natural,
      ...(listed.has(loop) ? {} : { unlisted: loop.size }),
    })),
  };
}
