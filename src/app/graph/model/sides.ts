/** Two drawings side by side as one: the cards and lines on the left have their own ids, so that each side shows its own state. */

import { translate } from "../../../layout/bounds.ts";
import { type Drawing, type DrawnEdge, type DrawnNode, type DrawnSide, LEFT } from "./drawing.ts";

export const GAP = 56;
/** Room for a title above each side. */
export const HEAD = 52;

/** The name of a card without the side's prefix. */
export function ownName(id: string): string {
  return id.startsWith(LEFT) ? id.slice(LEFT.length) : id;
}

export const ENDS: readonly [left: string, right: string] = ["Before", "After"];

export function sideBySide(left: Drawing, right: Drawing, titles = ENDS): Drawing {
  const a = moved(left, -left.layout.bounds.x, -left.layout.bounds.y, "before", (id) => LEFT + id);
  const dx = left.layout.bounds.width + GAP - right.layout.bounds.x;
  const b = moved(right, dx, -right.layout.bounds.y, "after", (id) => id);
  const height = Math.max(left.layout.bounds.height, right.layout.bounds.height) + HEAD;
  const width = left.layout.bounds.width + GAP + right.layout.bounds.width;
  const linesOf = new Map<string, readonly string[]>();
  for (const part of [a, b]) for (const [key, ids] of part.linesOf) linesOf.set(key, [...(linesOf.get(key) ?? []), ...ids]);
  return {
    model: { ...right.model, labels: new Map([...left.model.labels, ...right.model.labels]) },
    layout: { ...right.layout, bounds: { x: 0, y: -HEAD, width, height } },
    nodes: new Map([...a.nodes, ...b.nodes]),
    edges: new Map([...a.edges, ...b.edges]),
    linesOf,
    edgesFrom: new Map([...a.edgesFrom, ...b.edgesFrom]),
    edgesTo: new Map([...a.edgesTo, ...b.edgesTo]),
    sides: [sideOf("before", titles[0], left, a, 0), sideOf("after", titles[1], right, b, left.layout.bounds.width + GAP)],
  };
}

function sideOf(side: DrawnSide["side"], title: string, drawing: Drawing, parts: Parts, x: number): DrawnSide {
  const { bounds, simplified } = drawing.layout;
  const entry = (simplified?.graph ?? drawing.model.input).entry;
  return {
    side,
    title,
    bounds: { x, y: -HEAD, width: bounds.width, height: bounds.height + HEAD },
    entry: parts.nodes.get(side === "before" ? LEFT + entry : entry) ?? null,
  };
}

/** Position of the title above a side. */
export function titleAt({ bounds }: DrawnSide): { readonly x: number; readonly y: number } {
  return { x: bounds.x + 24, y: bounds.y + (3 * HEAD) / 4 };
}

/** Width of a letter, as a part of its size. */
const LETTER = 0.55;
/** The smallest letters, as a part of the usual size. */
const SMALLEST = 0.6;

const roomOf = ({ bounds }: DrawnSide): number => bounds.width + GAP - 48;

/** Size of the letters of all titles: smaller than usual where a side is narrow for its title. */
export function titleSize(sides: readonly DrawnSide[], usual: number): number {
  const fits = Math.min(usual, ...sides.map((side) => Math.floor(roomOf(side) / (side.title.length * LETTER))));
  return Math.max(SMALLEST * usual, fits);
}

/** What of a title, in letters of this size, has room above its side: it never runs into the next. */
export function shortTitle(side: DrawnSide, size: number): string {
  const { title } = side;
  const room = Math.max(1, Math.floor(roomOf(side) / (size * LETTER)));
  return title.length <= room ? title : `${title.slice(0, room - 1).trimEnd()}…`;
}

type Parts = Pick<Drawing, "nodes" | "edges" | "linesOf" | "edgesFrom" | "edgesTo">;

function moved(drawing: Drawing, dx: number, dy: number, side: "before" | "after", name: (id: string) => string): Parts {
  const layout = translate(drawing.layout, dx, dy);
  const at = new Map(layout.nodes.map((n) => [n.id, n]));
  const points = new Map(layout.edges.map((e) => [e.id, e.points]));
  const nodes = new Map<string, DrawnNode>();
  for (const node of drawing.nodes.values()) {
    const { x, y } = at.get(node.id) ?? node;
    nodes.set(name(node.id), { ...node, id: name(node.id), x, y, side });
  }
  const edges = new Map<string, DrawnEdge>();
  for (const edge of drawing.edges.values()) {
    const id = name(edge.id);
    edges.set(id, {
      ...edge,
      id,
      from: name(edge.from),
      to: name(edge.to),
      points: points.get(edge.id) ?? edge.points,
      x: edge.x + dx,
      y: edge.y + dy,
      side,
    });
  }
  const renamed = (lists: ReadonlyMap<string, readonly DrawnEdge[]>): Map<string, readonly DrawnEdge[]> =>
    new Map([...lists].map(([id, list]) => [name(id), list.map((e) => edges.get(name(e.id)) ?? e)]));
  return {
    nodes,
    edges,
    linesOf: new Map([...drawing.linesOf].map(([key, ids]) => [key, ids.map(name)])),
    edgesFrom: renamed(drawing.edgesFrom),
    edgesTo: renamed(drawing.edgesTo),
  };
}
