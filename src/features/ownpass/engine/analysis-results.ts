/** Results of our analyses for each block, in the form in which a user's analysis is compared with them. */

import { dominanceFrontiers } from "../../../engine/analysis/dominance-frontier.ts";
import { dominates, dominators } from "../../../engine/analysis/dominators.ts";
import { liveness } from "../../../engine/analysis/liveness.ts";
import { loopInfo } from "../../../engine/analysis/loops.ts";
import { reversePostOrder } from "../../../engine/analysis/order.ts";
import type { OwnBlock, OwnProgram } from "../../../engine/api/types.ts";
import type { BlockId } from "../../../engine/ir/ids.ts";
import { regName } from "../../../engine/ir/reg.ts";
import type { Func } from "../../../engine/ir/types.ts";
import { getBlock } from "../../../engine/ir/visit.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import type { AnalysisKind } from "./api/api.ts";

/** A set of names, one name or none, or a number. */
type Said = readonly string[] | string | number | null;

export const ANALYSIS_KINDS = [
  "live-in",
  "live-out",
  "idom",
  "dominators",
  "frontier",
  "rpo",
  "loop-depth",
] as const satisfies readonly AnalysisKind[];

const OURS: Readonly<Record<NonNullable<AnalysisKind>, (fn: Func) => (block: BlockId) => Said>> = {
  "live-in": (fn) => {
    const live = liveness(fn);
    return (b) => live.liveIn(b).map(regName);
  },
  "live-out": (fn) => {
    const live = liveness(fn);
    return (b) => live.liveOut(b).map(regName);
  },
  idom: (fn) => {
    const { idom } = dominators(fn);
    return (b) => ((idom[b] ?? -1) < 0 ? null : getBlock(fn, (idom[b] ?? 0) as BlockId).label);
  },
  dominators: (fn) => {
    const tree = dominators(fn);
    return (b) => fn.layout.filter((a) => dominates(tree, a, b)).map((a) => getBlock(fn, a).label);
  },
  frontier: (fn) => {
    const frontiers = dominanceFrontiers(fn);
    return (b) => (frontiers?.[b] ?? []).map((a) => getBlock(fn, a).label);
  },
  rpo: (fn) => {
    const { number } = reversePostOrder(fn);
    return (b) => number[b] ?? 0;
  },
  "loop-depth": (fn) => {
    const { depth } = loopInfo(fn);
    return (b) => depth[b] ?? 0;
  },
};

export interface AnalysisRow {
  readonly block: string;
  /** As text, with sets sorted by name. */
  readonly ours: string;
  readonly theirs: string;
  readonly same: boolean;
  /** Counts of expected names (or the one number), of those reported, and of reported names that are wrong. */
  readonly wanted: number;
  readonly right: number;
  readonly spurious: number;
}

/** As `compareAnalysis`, by block; without a built-in analysis to compare with, what the analysis reports for each reachable block. */
export function ownBlocks(
  { text, blocks }: OwnProgram,
  kind: string | null,
  theirs: Readonly<Record<string, unknown>>,
): readonly OwnBlock[] | string {
  const ids = new Map(blocks.map(([id, label]) => [label, id]));
  const idOf = (label: string): number => ids.get(label) ?? -1;
  if (kind === null) {
    const [fn] = parseModule(text).module.funcs;
    const labels = fn === undefined ? [] : reversePostOrder(fn).order.map((id) => getBlock(fn, id).label);
    return labels.map((label) => ({ id: idOf(label), label, theirs: theirText(theirs, label), ours: null, same: true }));
  }
  const rows = compareAnalysis(kind, text, theirs);
  return typeof rows === "string"
    ? rows
    : rows.map(({ block, ours, theirs: said, same }) => ({ id: idOf(block), label: block, theirs: said, ours, same }));
}

/** One row per reachable block; a string says why there is nothing to compare. `theirs` is an arbitrary value, by label. */
export function compareAnalysis(
  kind: string | null,
  text: string,
  theirs: Readonly<Record<string, unknown>>,
): readonly AnalysisRow[] | string {
  const known = ANALYSIS_KINDS.find((k) => k === kind);
  if (known === undefined) return `There is no built-in analysis '${String(kind).slice(0, 60)}'; there are ${ANALYSIS_KINDS.join(", ")}.`;
  const [fn] = parseModule(text).module.funcs;
  if (fn === undefined) return "The text contains no kernel.";
  const ours = OURS[known](fn);
  return reversePostOrder(fn).order.map((id) => {
    const { label } = getBlock(fn, id);
    const [own, given] = [ours(id), Object.hasOwn(theirs, label) ? theirs[label] : undefined];
    const [a, b] = [saidText(own), theirText(theirs, label)];
    return { block: label, ours: a, theirs: b, same: a === b, ...counted(own, given, a === b) };
  });
}

const theirText = (theirs: Readonly<Record<string, unknown>>, label: string): string =>
  Object.hasOwn(theirs, label) ? saidText(theirs[label]) : "(nothing)";

function counted(ours: Said, theirs: unknown, same: boolean): Pick<AnalysisRow, "wanted" | "right" | "spurious"> {
  if (!Array.isArray(ours)) return { wanted: 1, right: same ? 1 : 0, spurious: 0 };
  const wanted = new Set(ours.map(String));
  const given = [...new Set(Array.isArray(theirs) ? theirs.map(String) : [])];
  const right = given.filter((name) => wanted.has(name)).length;
  return { wanted: wanted.size, right, spurious: given.length - right };
}

function saidText(said: unknown): string {
  if (Array.isArray(said)) return `{${[...new Set(said.map(String))].sort().join(", ")}}`;
  return said === null || said === undefined ? "none" : typeof said === "object" ? JSON.stringify(said) : String(said);
}
