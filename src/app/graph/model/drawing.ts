/** A laid out model: every card with its box and blocks, every line with its points and the edges of the program that it draws. */

import { translate } from "../../../layout/bounds.ts";
import { keepInPlace } from "../../../layout/stabilise.ts";
import type { Box, GraphInput, GraphLayout, NodeKind, Point } from "../../../layout/types.ts";
import { type BaseLine, blockNode, blockOfNode, type GraphModel, pairKey } from "./graph-model.ts";

export interface DrawnNode extends Box {
  readonly id: string;
  readonly kind: NodeKind;
  /** The first line of the card. */
  readonly title: string;
  /** The blocks it shows: one, or those of a region; for a stub, the target. */
  readonly blocks: readonly number[];
  /** Which of two states side by side it shows. */
  readonly side?: Side;
}

export type Side = "before" | "after";

export interface DrawnEdge extends Box {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  /** Runs upwards: closes a cycle. */
  readonly back: boolean;
  /** Edges of the program, as pairs of blocks. */
  readonly pairs: readonly (readonly [from: number, to: number])[];
  readonly role: "flow" | "trunk" | "case";
  readonly side?: Side;
}

export interface DrawnSide {
  readonly side: "before" | "after";
  readonly title: string;
  readonly bounds: Box;
  readonly entry: Box | null;
}

export interface Drawing {
  readonly model: GraphModel;
  readonly layout: GraphLayout;
  readonly nodes: ReadonlyMap<string, DrawnNode>;
  readonly edges: ReadonlyMap<string, DrawnEdge>;
  /** Lines drawn for an edge of the program, by `pairKey`. */
  readonly linesOf: ReadonlyMap<string, readonly string[]>;
  readonly edgesFrom: ReadonlyMap<string, readonly DrawnEdge[]>;
  readonly edgesTo: ReadonlyMap<string, readonly DrawnEdge[]>;
  /** For two drawings side by side: where each is, and the card of its entry. */
  readonly sides?: readonly DrawnSide[];
}

/** What the names of cards and lines on the left of two drawings begin with. */
export const LEFT = "before:";

/** The card that a block is drawn in, or null. `side`: of two drawings side by side, prefer the one on this side. */
export function nodeOfBlock(drawing: Drawing, block: number, side: Side | null = null): DrawnNode | null {
  const name = shownNode(drawing.model, drawing.layout, blockNode(block));
  if (side === null) return drawing.nodes.get(name) ?? null;
  const [first, second] = side === "before" ? [LEFT + name, name] : [name, LEFT + name];
  return drawing.nodes.get(first) ?? drawing.nodes.get(second) ?? null;
}

/** Where a block is on either side, as one box; null: it is not drawn. */
export function boxOfBoth(drawing: Drawing, block: number): Box | null {
  const boxes = (["before", "after"] as const).flatMap((side) => nodeOfBlock(drawing, block, side) ?? []);
  const [first, second = first] = boxes;
  if (first === undefined || second === undefined) return null;
  const [x, y] = [Math.min(first.x, second.x), Math.min(first.y, second.y)];
  return {
    x,
    y,
    width: Math.max(first.x + first.width, second.x + second.width) - x,
    height: Math.max(first.y + first.height, second.y + second.height) - y,
  };
}

function shownNode(model: GraphModel, layout: GraphLayout, id: string): string {
  const mine = model.shownAs.get(id) ?? id;
  return layout.simplified?.shownAs.get(mine) ?? mine;
}

export function drawingOf(model: GraphModel, layout: GraphLayout): Drawing {
  const graph = layout.simplified?.graph ?? model.input;
  const shown = (id: string): string => shownNode(model, layout, id);
  const blocksIn = new Map<string, number[]>();
  for (const { id } of model.union.blocks) {
    if (!model.inside.has(blockNode(id))) continue;
    const node = shown(blockNode(id));
    const list = blocksIn.get(node);
    if (list === undefined) blocksIn.set(node, [id]);
    else list.push(id);
  }
  const nodes = drawNodes(model, layout, graph, blocksIn);
  const ends = new Map(graph.edges.map((e) => [e.id, e]));
  const between = new Map<string, Map<string, string>>();
  for (const { id, from, to } of graph.edges) {
    const lines = between.get(from);
    if (lines === undefined) between.set(from, new Map([[to, id]]));
    else if (!lines.has(to)) lines.set(to, id);
  }
  const { pairs, linesOf } = matchLines(model, shown, (id) => ends.has(id), between);

  const edges = new Map<string, DrawnEdge>();
  const edgesFrom = new Map<string, DrawnEdge[]>();
  const edgesTo = new Map<string, DrawnEdge[]>();
  for (const routed of layout.edges) {
    const edge = ends.get(routed.id);
    if (edge === undefined || routed.points.length === 0) continue;
    const role = edge.kind === "brx" ? "trunk" : /^t\d/.test(edge.from) ? "case" : "flow";
    const drawn: DrawnEdge = {
      id: edge.id,
      from: edge.from,
      to: edge.to,
      points: routed.points,
      back: routed.back,
      pairs: pairs.get(edge.id) ?? [],
      role,
      ...boxOf(routed.points),
    };
    edges.set(edge.id, drawn);
    append(edgesFrom, edge.from, drawn);
    append(edgesTo, edge.to, drawn);
  }
  return { model, layout, nodes, edges, linesOf, edgesFrom, edgesTo };
}

function drawNodes(
  model: GraphModel,
  layout: GraphLayout,
  graph: GraphInput,
  blocksIn: ReadonlyMap<string, readonly number[]>,
): Map<string, DrawnNode> {
  const kinds = new Map(graph.nodes.map((n) => [n.id, n.kind]));
  const stubs = new Map([...model.stubs, ...(layout.simplified?.stubs ?? [])]);
  const label = (block: number | null): string => (block === null ? "" : (model.labels.get(block) ?? ""));
  const nodes = new Map<string, DrawnNode>();
  for (const { id, x, y, width, height } of layout.nodes) {
    const kind = kinds.get(id) ?? "block";
    const own = blockOfNode(id);
    const target = blockOfNode(stubs.get(id)?.target ?? "");
    const blocks = target !== null ? [target] : kind === "table" && own !== null ? [own] : (blocksIn.get(id) ?? []);
    const title = kind === "stub" ? `→ ${label(target)}` : kind === "region" ? regionTitle(id, blocks, label) : label(own);
    nodes.set(id, { id, kind, title, blocks, x, y, width, height });
  }
  return nodes;
}

/** `loop BB3`, `if BB2`, `BB4 … BB7`, `BB9 … BB24`: from the region's id and what is in it. */
function regionTitle(id: string, blocks: readonly number[], label: (block: number | null) => string): string {
  const head = label(blockOfNode(/[bt]\d+$/.exec(id)?.[0] ?? ""));
  if (id.startsWith("loop:")) return `loop ${head}`;
  if (id.startsWith("branch:")) return `if ${head}`;
  return `${label(blocks[0] ?? null)} … ${label(blocks.at(-1) ?? null)}`;
}

function matchLines(
  model: GraphModel,
  shown: (id: string) => string,
  drawn: (id: string) => boolean,
  between: ReadonlyMap<string, ReadonlyMap<string, string>>,
): { pairs: Map<string, [number, number][]>; linesOf: Map<string, string[]> } {
  const pairs = new Map<string, [number, number][]>();
  const linesOf = new Map<string, string[]>();
  const lineFor = (line: BaseLine): string | undefined => (drawn(line.id) ? line.id : between.get(shown(line.from))?.get(shown(line.to)));
  for (const { from, to } of model.union.edges) {
    const key = pairKey(from, to);
    for (const line of model.lines.get(key) ?? []) {
      const id = lineFor(line);
      if (id === undefined) continue;
      append(pairs, id, [from, to]);
      append(linesOf, key, id);
    }
  }
  return { pairs, linesOf };
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function boxOf(points: readonly Point[]): Box {
  let [left, top] = points[0] ?? [0, 0];
  let [right, bottom] = [left, top];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/**
 * `layout` moved so that the card of the block called `anchor` is where it was in `before`; without one in both, all
 * shared blocks decide. Blocks are matched by label: numbers may change when the text is edited.
 */
export function anchored(model: GraphModel, layout: GraphLayout, before: Drawing, anchor: string | null): GraphLayout {
  const was = positionsByLabel(before);
  const next = drawingOf(model, layout);
  const is = positionsByLabel(next);
  const old = anchor === null ? undefined : was.get(anchor);
  const now = anchor === null ? undefined : is.get(anchor);
  if (old !== undefined && now !== undefined) return translate(layout, old.x - now.x, old.y - now.y);
  const byNode = new Map(
    [...next.nodes.values()].flatMap((n) => (n.kind === "block" && was.has(n.title) ? [[n.id, was.get(n.title) ?? n] as const] : [])),
  );
  return keepInPlace(layout, byNode, null);
}

function positionsByLabel(drawing: Drawing): Map<string, { x: number; y: number }> {
  const result = new Map<string, { x: number; y: number }>();
  for (const node of drawing.nodes.values()) {
    if (node.kind === "table" || node.kind === "stub") continue;
    for (const block of node.blocks) result.set(drawing.model.labels.get(block) ?? "", { x: node.x, y: node.y });
  }
  return result;
}
