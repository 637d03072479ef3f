/** Blocks, dominators, loops and block flags of a body by label: what `analyze` prints. */

import { dominators, postDominators } from "../../analysis/dominators.ts";
import { listedLoops, loopInfo } from "../../analysis/loops.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";

export interface ControlFlowBlock {
  readonly label: string;
  /** Reverse post-order number from 1; 0: unreachable. */
  readonly rpo: number;
  readonly idom: string | null;
  readonly ipdom: string | null;
  readonly preds: readonly string[];
  /** Taken edge first, then else edge; a table's targets in table order without repeats. */
  readonly succs: readonly string[];
  /** Target of a retreating edge. */
  readonly loopHeader: boolean;
  /** In the interval of reverse post-order numbers from some header to its furthest latch. */
  readonly inLoop: boolean;
  /** A predecessor has a smaller number. */
  readonly hasPred: boolean;
  /** Natural loops around the block. */
  readonly loopDepth: number;
}

export interface ControlFlowReport {
  readonly name: string;
  /** The RPO violation: some retreating edge's target does not dominate its source. */
  readonly violation: boolean;
  readonly blocks: readonly ControlFlowBlock[];
  readonly loops: readonly {
    readonly header: string;
    readonly latches: readonly string[];
    readonly blocks: readonly string[];
    readonly natural: boolean;
    /** Number of blocks, if all loops together have too many to list: `blocks` is empty. */
    readonly unlisted?: number;
  }[];
  readonly retreatingEdges: readonly (readonly [from: string, to: string])[];
  readonly irreducible: boolean;
}

/** The same answers as AnalyzeControlFlow gives in a full rebuild, blocks in layout order. */
export function controlFlowReport(fn: Func): ControlFlowReport {
  const label = (id: BlockId): string => fn.blocks[id]?.label ?? `#${id}`;
  const at = (id: number): string | null => (id < 0 ? null : label(id as BlockId));
  const { number } = reversePostOrder(fn);
  const numberOf = (id: BlockId): number => number[id] ?? 0;
  const dom = dominators(fn);
  const postDom = postDominators(fn);
  const info = loopInfo(fn);
  const listed = listedLoops(info.loops);
  const headers = new Set(info.retreating.map(([, to]) => to));
  const inLoop = loopIntervals(info.retreating, numberOf);
  const irreducible = info.irreducible.length > 0;
  return {
    name: fn.name,
    violation: irreducible,
    blocks: fn.layout.map((id) => {
      const rpo = numberOf(id);
      const preds = fn.blocks[id]?.preds ?? [];
      return {
        label: label(id),
        rpo,
        idom: at(dom.idom[id] ?? -1),
        ipdom: at(postDom.idom[id] ?? -1),
        preds: preds.map(label),
        succs: (fn.blocks[id]?.succs ?? []).map(label),
        loopHeader: headers.has(id),
        inLoop: inLoop(rpo),
        hasPred: rpo > 0 && preds.some((p) => numberOf(p) > 0 && numberOf(p) < rpo),
        loopDepth: info.depth[id] ?? 0,
      };
    }),
    loops: info.loops.map((loop) => ({
      header: label(loop.header),
      latches: loop.latches.map(label),
      blocks: listed.has(loop) ? loop.blocks.map(label) : [],
      natural: loop.natural,
      ...(listed.has(loop) ? {} : { unlisted: loop.size }),
    })),
    retreatingEdges: info.retreating.map(([from, to]) => [label(from), label(to)] as const),
    irreducible,
  };
}

/** True for the numbers inside some interval [header, furthest latch]; intervals are added up as a difference array. */
function loopIntervals(retreating: readonly (readonly [BlockId, BlockId])[], numberOf: (id: BlockId) => number): (rpo: number) => boolean {
  const steps = new Map<number, number>();
  for (const [from, to] of retreating) {
    steps.set(numberOf(to), (steps.get(numberOf(to)) ?? 0) + 1);
    steps.set(numberOf(from) + 1, (steps.get(numberOf(from) + 1) ?? 0) - 1);
  }
  let last = 0;
  for (const at of steps.keys()) last = Math.max(last, at);
  const inside = new Uint8Array(last + 1);
  let open = 0;
  for (let n = 1; n <= last; n++) {
    open += steps.get(n) ?? 0;
    inside[n] = open > 0 ? 1 : 0;
  }
  return (rpo) => inside[rpo] === 1;
}
