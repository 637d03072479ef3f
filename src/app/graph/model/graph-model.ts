/** From the engine's union graph to what is laid out: cards for blocks, one for each jump table, regions for what is collapsed. */

import type { UnionGraph } from "../../../engine/api/types.ts";
import { type Collapsed, collapseFurther, collapseRegions, neighbourhood, type Region, straightLines } from "../../../layout/collapse.ts";
import { measureCard } from "../../../layout/measure.ts";
import type { EdgeKind, GraphEdge, GraphInput, GraphNode, Stub } from "../../../layout/types.ts";
import { outermost } from "../../session/loop-nest.ts";
import { CARD, tableGrid } from "./metrics.ts";

export interface ModelOptions {
  /** Headers of the loops drawn as one card. */
  readonly collapsedLoops: ReadonlySet<number>;
  /** Straight lines of blocks are drawn as one card. */
  readonly lines: boolean;
  /** Ids of regions that were opened by hand: they are never drawn as one card. */
  readonly opened: ReadonlySet<string>;
  /** Only what is at most `steps` edges away from a block; null: everything. */
  readonly around: { readonly block: number; readonly steps: number } | null;
}

export interface GraphModel {
  readonly union: UnionGraph;
  readonly labels: ReadonlyMap<number, string>;
  /** What the layout draws. */
  readonly input: GraphInput;
  /** Node that is not in `input` to the region drawn for it. */
  readonly shownAs: ReadonlyMap<string, string>;
  readonly stubs: ReadonlyMap<string, Stub>;
  /** Nodes of `input` or inside its regions: with a neighbourhood, not all blocks. */
  readonly inside: ReadonlySet<string>;
  /** Edges of the program to the lines drawn for them: one, or two through a table. Keys from `pairKey`. */
  readonly lines: ReadonlyMap<string, readonly BaseLine[]>;
}

/** A line between two cards before anything is collapsed. */
export interface BaseLine {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export const blockNode = (id: number): string => `b${id}`;
export const tableNode = (id: number): string => `t${id}`;
export const pairKey = (from: number, to: number): string => `${from}>${to}`;

/** The block of a block's or a table's card, or null. */
export function blockOfNode(node: string): number | null {
  const match = /^[bt](\d+)$/.exec(node);
  return match === null ? null : Number(match[1]);
}

/** Targets past which the cases of a table that lead nowhere else are drawn in groups. */
const GROUP_CASES_ABOVE = 24;

export function graphModel(union: UnionGraph, options: ModelOptions): GraphModel {
  const labels = new Map(union.blocks.map((b) => [b.id, b.label]));
  const base = baseGraph(union, labels);
  const { around } = options;
  const near: Collapsed =
    around === null || !labels.has(around.block)
      ? { graph: base.graph, shownAs: new Map(), stubs: new Map() }
      : neighbourhood(base.graph, blockNode(around.block), around.steps, CARD);

  const loops = loopRegions(union, labels, options);
  const cases = caseRegions(base.graph);
  const wanted = [...loops, ...cases.filter((r) => !options.opened.has(r.id))];
  let collapsed = collapseRegions(near.graph, wanted, CARD);
  if (options.lines) {
    const lines = lineRegions(collapsed.graph);
    collapsed = collapseFurther(
      collapsed,
      lines.filter((r) => !options.opened.has(r.id)),
      CARD,
    );
  }
  return {
    union,
    labels,
    input: withPortRoom(collapsed.graph),
    shownAs: collapsed.shownAs,
    stubs: near.stubs,
    inside: new Set(near.graph.nodes.map((n) => n.id)),
    lines: base.lines,
  };
}

/** Tables wide enough for the lines that leave them; known only once their targets are grouped. */
function withPortRoom(graph: GraphInput): GraphInput {
  if (!graph.nodes.some((n) => n.kind === "table")) return graph;
  const out = new Map<string, number>();
  for (const edge of graph.edges) out.set(edge.from, (out.get(edge.from) ?? 0) + 1);
  const nodes = graph.nodes.map((n) => {
    const ports = ((out.get(n.id) ?? 0) + 1) * CARD.portGap;
    return n.kind === "table" && ports > n.width ? { ...n, width: ports } : n;
  });
  return { ...graph, nodes };
}

function baseGraph(union: UnionGraph, labels: ReadonlyMap<number, string>): { graph: GraphInput; lines: Map<string, BaseLine[]> } {
  const successors = new Map<number, number>();
  const cases = new Map<number, number[]>();
  for (const edge of union.edges) {
    if (throughTable(edge.kind)) append(cases, edge.from, edge.to);
    else successors.set(edge.from, (successors.get(edge.from) ?? 0) + 1);
  }
  const nodes: GraphNode[] = [];
  for (const block of union.blocks) {
    const out = (successors.get(block.id) ?? 0) + (cases.has(block.id) ? 1 : 0);
    const lines = Array.from({ length: block.lines }, (_, i) => (i === 0 ? "x".repeat(block.columns) : ""));
    const { width, height } = measureCard({ headerColumns: block.label.length + 10, lines, successors: out }, CARD);
    nodes.push({ id: blockNode(block.id), kind: "block", width, height, name: block.label });
    const targets = cases.get(block.id);
    if (targets === undefined) continue;
    const grid = tableGrid(targets.length, Math.max(...targets.map((t) => labels.get(t)?.length ?? 4)));
    nodes.push({ id: tableNode(block.id), kind: "table", width: grid.width, height: grid.height, name: "table" });
  }

  const edges: GraphEdge[] = [];
  const lines = new Map<string, BaseLine[]>();
  const line = (from: string, to: string, kind: EdgeKind, port: number): BaseLine => {
    const made = { id: `${from}>${to}`, from, to };
    edges.push({ ...made, kind, port });
    return made;
  };
  const trunks = new Map<number, BaseLine>();
  const ports = new Map<number, number>();
  for (const edge of union.edges) {
    const key = pairKey(edge.from, edge.to);
    if (!throughTable(edge.kind)) {
      lines.set(key, [line(blockNode(edge.from), blockNode(edge.to), layoutKind(edge.kind), edge.port)]);
      continue;
    }
    let trunk = trunks.get(edge.from);
    if (trunk === undefined) {
      trunk = line(blockNode(edge.from), tableNode(edge.from), "brx", edge.port);
      trunks.set(edge.from, trunk);
    }
    const port = ports.get(edge.from) ?? 0;
    ports.set(edge.from, port + 1);
    lines.set(key, [trunk, line(tableNode(edge.from), blockNode(edge.to), "table", port)]);
  }
  return { graph: { nodes, edges, entry: blockNode(union.entry) }, lines };
}

/** A table may have thousands of cases. */
function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

const throughTable = (kind: UnionGraph["edges"][number]["kind"]): boolean => kind === "table" || kind === "default";

function layoutKind(kind: UnionGraph["edges"][number]["kind"]): EdgeKind {
  return kind === "taken" || kind === "else" || kind === "fall" ? kind : "jump";
}

/** The chosen loops that are not open; one inside another only shows once that one is open. */
function loopRegions(union: UnionGraph, labels: ReadonlyMap<number, string>, { collapsedLoops, opened }: ModelOptions): Region[] {
  const idOf = (header: number): string => `loop:${blockNode(header)}`;
  const chosen = outermost(union.loops, ({ header }) => collapsedLoops.has(header) && !opened.has(idOf(header)));
  return [...chosen].map(([header, blocks]) => {
    const name = labels.get(header) ?? "";
    const rest = blocks.filter((b) => b !== header);
    const members = [header, ...rest].flatMap((b) => [blockNode(b), tableNode(b)]);
    return { id: idOf(header), title: `loop ${name}`, name, members };
  });
}

/** Case blocks that only their table leads to and that lead to at most one place, in groups: at most 16 groups, or groups of 8. */
function caseRegions(graph: GraphInput): Region[] {
  const preds = new Map<string, number>();
  const succs = new Map<string, number>();
  for (const edge of graph.edges) {
    preds.set(edge.to, (preds.get(edge.to) ?? 0) + 1);
    succs.set(edge.from, (succs.get(edge.from) ?? 0) + 1);
  }
  const arms = new Map<string, string[]>();
  for (const edge of graph.edges) {
    if (edge.kind !== "table" || preds.get(edge.to) !== 1 || (succs.get(edge.to) ?? 0) > 1) continue;
    append(arms, edge.from, edge.to);
  }
  const regions: Region[] = [];
  for (const [table, list] of arms) {
    if (list.length <= GROUP_CASES_ABOVE) continue;
    const size = Math.max(8, Math.ceil(list.length / 16));
    for (let i = 0; i < list.length; i += size) {
      regions.push({ id: `cases:${table}:${i / size}`, title: "case blocks 000", members: list.slice(i, i + size) });
    }
  }
  return regions;
}

function lineRegions(graph: GraphInput): Region[] {
  const name = new Map(graph.nodes.map((n) => [n.id, n.name ?? n.id]));
  return straightLines(graph)
    .map((run) => run.filter((id) => !/^(t\d|stub:)/.test(id)))
    .filter((run) => run.length > 1)
    .map((run) => {
      const first = name.get(run[0] ?? "") ?? "";
      return { id: `line:${run[0]}`, title: `${first} … ${name.get(run.at(-1) ?? "") ?? ""}`, name: first, members: run };
    });
}
