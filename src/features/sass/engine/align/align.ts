/** Aligns a function with another compiler's output for the same source: corresponding blocks, and which decisions agree. */

import { loopInfo } from "../../../../engine/analysis/loops.ts";
import type { Func } from "../../../../engine/ir/types.ts";
import { printInst } from "../../../../engine/text/printer.ts";
import { compareDecisions } from "./decisions.ts";
import { type BlockFacts, collectFacts } from "./facts.ts";
import { matchBlocks } from "./match.ts";
import type { AlignedBlock, AlignedPair, AlignReport } from "./report.ts";

export type Alignment = Pick<AlignReport, "ours" | "real" | "pairs" | "decisions" | "score" | "notes">;

/** Reasons given for a pair. */
const MOST_REASONS = 6;

/** Edges of both must be sound. Deterministic; see `match.ts` for its cost. Unreachable blocks are never matched. */
export function align(ours: Func, real: Func): Alignment {
  const mine = collectFacts(ours);
  const theirs = collectFacts(real);
  const { toReal, toOurs, scores, notes } = matchBlocks(mine, theirs);
  const idOf = (facts: readonly BlockFacts[], at: number): number | null => facts[at]?.id ?? null;
  const realOf = new Map(mine.map((f, i) => [f.id as number, idOf(theirs, toReal[i] ?? -1)]));
  const oursOf = new Map(theirs.map((f, i) => [f.id as number, idOf(mine, toOurs[i] ?? -1)]));
  const place = new Map(ours.layout.map((id, i) => [id as number, i]));
  const pairs = mine
    .flatMap((x, i): AlignedPair[] => {
      const y = theirs[toReal[i] ?? -1];
      return y === undefined ? [] : [{ ours: x.id, real: y.id, score: round(scores[i] ?? 0), reasons: reasons(x, y) }];
    })
    .sort((p, q) => (place.get(p.ours) ?? 0) - (place.get(q.ours) ?? 0));
  const total = mine.length + theirs.length;
  return {
    ours: { name: ours.name, blocks: blocksOf(ours, realOf) },
    real: { name: real.name, blocks: blocksOf(real, oursOf) },
    pairs,
    decisions: [...compareDecisions(ours, real), headers(mine, theirs, toReal)],
    score: total === 0 ? 0 : round((2 * pairs.reduce((sum, p) => sum + p.score, 0)) / total),
    notes,
  };
}

const round = (x: number): number => Math.round(x * 1000) / 1000;

/** Our loop headers that match a loop header of the other side. */
function headers(mine: readonly BlockFacts[], theirs: readonly BlockFacts[], toReal: Int32Array): AlignReport["decisions"][number] {
  const all = mine.filter((f) => f.isHeader).length;
  const matched = mine.filter((f, i) => f.isHeader && theirs[toReal[i] ?? -1]?.isHeader === true).length;
  return { id: "headers", title: "loop headers that are matched with one", ours: all, real: matched, agree: all === matched };
}

function blocksOf(fn: Func, matches: ReadonlyMap<number, number | null>): AlignedBlock[] {
  const loops = loopInfo(fn);
  const headers = new Set<number>(loops.loops.map((l) => l.header));
  return fn.layout.flatMap((id): AlignedBlock[] => {
    const block = fn.blocks[id];
    if (block === undefined) return [];
    return [
      {
        id,
        label: block.label,
        line: block.line,
        instructions: block.insts.map((inst) => printInst(fn, inst)),
        succs: [...block.succs],
        loopDepth: loops.depth[id] ?? 0,
        isLoopHeader: headers.has(id),
        match: matches.get(id) ?? null,
      },
    ];
  });
}

const ORDER = ["store", "atomic", "barrier", "call", "compare", "warp", "function", "load", "special", "constant"];

function reasons(x: BlockFacts, y: BlockFacts): string[] {
  const shared = [...x.keys.keys()].filter((key) => y.keys.has(key));
  const rank = (key: string): number => {
    const at = ORDER.findIndex((kind) => key.startsWith(kind));
    return at < 0 ? ORDER.length : at;
  };
  const words = shared
    .map((key, i) => ({ key, i }))
    .sort((p, q) => rank(p.key) - rank(q.key) || p.i - q.i)
    .map(({ key }) => key);
  const found = words.slice(0, MOST_REASONS);
  if (x.isHeader && y.isHeader) found.unshift("loop header");
  if (x.ending === y.ending && (x.ending === "table" || x.ending === "exit"))
    found.push(`ends in ${x.ending === "exit" ? "an exit" : "a table"}`);
  return found.length > 0 ? found : ["place in the graph"];
}
