/** Converts a graph and its hints to ELK's input: rows and order become positions, straight lines priorities, the route of a long line bends. */

import { outOf } from "../flow-graph.ts";
import type { Hints } from "../hints/hints.ts";
import { inPortX } from "../ports.ts";
import type { Spacing } from "../types.ts";
import type { ElkExtendedEdge, ElkNode, ElkPoint, ElkPort } from "./elk.ts";
import { optionsFor, PAD, straightness } from "./options.ts";

/** Distance between rows, more than the height of any card, and between positions in a row. */
const [ROW, PLACE] = [100_000, 1_000];
/** Positions are whole numbers; this far from one is right next to it. */
const BESIDE = 0.25;
/** Priorities: of a line that others join, of an invisible line, of a card's straight line, and of a loop's left side, which nothing may bend. */
const [TRUNK, UNDER, STRAIGHT, WALL] = [1, 50, 100, 1_000];

export interface ElkGraph {
  readonly root: ElkNode;
  /** The first bend given to each long line, by edge id: ELK returns it unchanged if the line has become straight. */
  readonly given: ReadonlyMap<string, ElkPoint>;
}

/** Names of ELK's nodes and edges. A line is one edge, or two joined by a node of size zero. */
export const nameOf = { card: (n: number) => `n${n}`, line: (e: number) => `e${e}`, start: (e: number) => `f${e}` } as const;

/** `compact`: at the end, ELK moves everything up as far as possible. */
export function elkGraph(hints: Hints, spacing: Spacing, compact: boolean): ElkGraph {
  const made: Made = { hints, children: [], edges: [], given: new Map() };
  for (const n of hints.order.rpo) {
    for (const e of outOf(hints.graph, n)) addLine(made, e);
    addCard(made, n);
    addUnder(made, n);
  }
  for (let l = 0; l < hints.loops.count; l++) if (hints.walled[l] === 1) addWall(made, l);
  return {
    root: { id: "root", layoutOptions: optionsFor(spacing, compact), children: made.children, edges: made.edges },
    given: made.given,
  };
}

interface Made {
  readonly hints: Hints;
  readonly children: ElkNode[];
  readonly edges: ElkExtendedEdge[];
  readonly given: Map<string, ElkPoint>;
}

function addCard({ hints: { graph, order, row, under }, children }: Made, n: number): void {
  const [width, height] = [graph.width[n] ?? 0, graph.height[n] ?? 0];
  const out = outOf(graph, n);
  const ports = [
    port(`i${n}`, inPortX(width) + PAD, 0, "NORTH"),
    ...Array.from(out, (e) => port(`o${e}`, (graph.port[e] ?? 0) + PAD, height, "SOUTH")),
  ];
  if (under.has(n)) ports.push(port(`b${n}`, inPortX(width) + PAD, height, "SOUTH"));
  // Dummy ports on the left force a self loop to the right, where other back edges run: ELK takes the side with fewer ports.
  const loops = out.some((e) => graph.to[e] === n);
  for (let k = 0; loops && k <= 3 * out.length; k++) ports.push(port(`w${n}_${k}`, 0, height / 2, "WEST"));
  children.push({
    ...node(nameOf.card(n), order.nodeKey[n] ?? 0, row[n] ?? 0, ports),
    y: (row[n] ?? 0) * ROW - height / 2,
    width: width + 2 * PAD,
    height,
  });
}

function addLine(made: Made, e: number): void {
  const { graph, order, loops, row, straight, lane, trunk } = made.hints;
  const [from, to] = [graph.from[e] ?? 0, graph.to[e] ?? 0];
  const [top, bottom] = [row[from] ?? 0, row[to] ?? 0];
  const id = nameOf.line(e);
  const line: ElkExtendedEdge = { id, sources: [`o${e}`], targets: [`i${to}`] };
  const place = made.hints.place[e] ?? 0;
  const isTrunk = trunk[e] === e;
  // A line joins its lane in the first row that it passes, so nothing aligns it with the card above.
  const joins = (trunk[e] ?? -1) >= 0 && !isTrunk;
  if (order.back[e] === 1) {
    const loop = loops.loopOf[to] ?? -1;
    const own = loop >= 0 && loops.header[loop] === to ? (lane[loop] ?? place) : place;
    made.edges.push({ ...line, ...(from === to ? {} : bends(made, id, top, bottom, own)), ...straightness(0) });
    return;
  }
  const isLong = bottom - top > 1;
  const isStraight = straight[to] === e;
  const all = outOf(graph, from);
  const main = all.findIndex((x) => straight[graph.to[x] ?? 0] === x);
  // ELK aligns a long line with the card above it, unless the line begins with a bend in its first row. Only lines to the right of the straight
  // one need that.
  const begins = !isStraight && !joins && (!isLong || (main >= 0 && all.indexOf(e) > main));
  if (!begins)
    made.edges.push({
      ...line,
      ...(isLong ? bends(made, id, top, bottom, place) : {}),
      ...straightness(isStraight ? STRAIGHT : isTrunk ? TRUNK : 0),
    });
  else if (!isLong) made.edges.push({ ...line, ...straightness(-1) });
  else {
    made.children.push(node(`a${e}`, place, top + 1, [port(`ai${e}`, 0, 0, "NORTH"), port(`ao${e}`, 0, 0, "SOUTH")]));
    made.edges.push({ id: nameOf.start(e), sources: [`o${e}`], targets: [`ai${e}`], ...straightness(-1) });
    const goesOn = bottom - top > 2;
    made.edges.push({
      ...line,
      sources: [`ao${e}`],
      ...(goesOn ? bends(made, id, top, bottom, place) : {}),
      ...straightness(!goesOn ? -1 : isTrunk ? TRUNK : 0),
    });
  }
}

/** An invisible line along the left side of a loop with cards next to it keeps them out of the loop. */
function addWall(made: Made, l: number): void {
  const { loops, row, loopEnd, wall } = made.hints;
  const [top, bottom, place] = [(row[loops.header[l] ?? 0] ?? 0) + 1, loopEnd[l] ?? 0, wall[l] ?? 0];
  if (bottom <= top) return;
  const id = `w${l}`;
  made.children.push(
    node(`x${l}`, place, top, [port(`px${l}`, 0, 0, "SOUTH")]),
    node(`y${l}`, place, bottom, [port(`py${l}`, 0, 0, "NORTH")]),
  );
  made.edges.push({
    id,
    sources: [`px${l}`],
    targets: [`py${l}`],
    ...(bottom - top > 1 ? bends(made, id, top, bottom, place) : {}),
    ...straightness(WALL),
  });
}

/** An invisible line aligns the card that follows a loop with the end of its body. It passes on the right of the loop's other cards. */
function addUnder(made: Made, n: number): void {
  const { row, under, lane } = made.hints;
  const below = under.get(n);
  if (below === undefined) return;
  const [top, bottom, id] = [row[n] ?? 0, row[below.card] ?? 0, `u${n}`];
  made.edges.push({
    id,
    sources: [`b${n}`],
    targets: [`i${below.card}`],
    ...(bottom - top > 1 ? bends(made, id, top, bottom, (lane[below.loop] ?? 0) - BESIDE) : {}),
    ...straightness(UNDER),
  });
}

/** A line's positions in the rows that it passes. Here x points down: ELK does not rotate given bends in a downward layout. */
function bends(made: Made, id: string, top: number, bottom: number, place: number): Pick<ElkExtendedEdge, "sections"> {
  // A back edge thus begins below its source's row and ends above its target's, where it turns.
  const [first, last] = [top + 0.25, bottom - 0.25].map((row) => ({ x: row * ROW, y: place * PLACE })) as [ElkPoint, ElkPoint];
  made.given.set(id, first);
  return { sections: [{ id: `s${id}`, startPoint: first, endPoint: last, bendPoints: [first, last] }] };
}

function node(id: string, place: number, row: number, ports: ElkPort[]): ElkNode {
  return { id, x: place * PLACE, y: row * ROW, width: 0, height: 0, ports, layoutOptions: { "elk.portConstraints": "FIXED_POS" } };
}

function port(id: string, x: number, y: number, side: "NORTH" | "SOUTH" | "WEST"): ElkPort {
  return { id, x, y, width: 0, height: 0, layoutOptions: { "elk.port.side": side } };
}
