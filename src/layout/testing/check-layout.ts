/** What must be true of every drawing, by any engine. */
import { onEachOther } from "../crossings.ts";
import { type FlowGraph, flowGraph } from "../flow-graph.ts";
import { flowOrder } from "../flow-order.ts";
import { inPortX } from "../ports.ts";
import type { GraphInput, GraphLayout, Point } from "../types.ts";

/** One sentence per broken rule; empty for a good drawing. In columns, a line may lead to the head of the next one. */
export function checkLayout(input: GraphInput, layout: GraphLayout, { columns = false } = {}): string[] {
  const problems: string[] = [];
  const graph = flowGraph(input, turnedIn(flowGraph(input), layout));
  const order = flowOrder(graph);
  const at = new Map(layout.nodes.map((n) => [n.id, n]));
  if (layout.nodes.length !== graph.count) problems.push(`${layout.nodes.length} nodes placed of ${graph.count}`);
  if (layout.edges.length !== graph.edgeCount) problems.push(`${layout.edges.length} edges drawn of ${graph.edgeCount}`);

  const boxes = [...layout.nodes].sort((a, b) => a.y - b.y);
  boxes.forEach((a, i) => {
    for (let k = i + 1; k < boxes.length; k++) {
      const b = boxes[k]!;
      if (b.y >= a.y + a.height) break;
      if (a.x < b.x + b.width && b.x < a.x + a.width) problems.push(`${a.id} and ${b.id} overlap`);
    }
  });

  const { bounds } = layout;
  const inside = (x: number, y: number): boolean =>
    x >= bounds.x && y >= bounds.y && x <= bounds.x + bounds.width && y <= bounds.y + bounds.height;
  for (const n of layout.nodes) if (!inside(n.x, n.y) || !inside(n.x + n.width, n.y + n.height)) problems.push(`${n.id} is out of bounds`);

  layout.edges.forEach((edge, e) => {
    const from = at.get(graph.ids[graph.from[e]!]!)!;
    const to = at.get(graph.ids[graph.to[e]!]!)!;
    const name = `${edge.id} (${from.id} to ${to.id})`;
    const first = edge.points[0];
    const last = edge.points.at(-1);
    if (first === undefined || last === undefined) {
      problems.push(`${name} has no line`);
      return;
    }
    if (edge.back !== (order.back[e] === 1)) problems.push(`${name} is wrong about being a back edge`);
    const out: Point = [from.x + graph.port[e]!, from.y + from.height];
    const into: Point = [to.x + inPortX(to.width), to.y];
    if (far(first, out)) problems.push(`${name} starts at ${first}, its port is at ${out}`);
    if (far(last, into)) problems.push(`${name} ends at ${last}, the port is at ${into}`);
    if (!columns && (edge.back ? to.y > from.y : to.y < from.y + from.height)) problems.push(`${name} points the wrong way`);
    edge.points.forEach((p, i) => {
      if (!inside(p[0], p[1])) problems.push(`${name} leaves the bounds`);
      const next = edge.points[i + 1];
      if (next !== undefined && p[0] !== next[0] && p[1] !== next[1]) problems.push(`${name} has a slanted segment`);
      if (next !== undefined) throughBlocks(boxes, p, next, name, problems);
    });
  });
  for (const [a, b, at] of onEachOther(graph, layout.edges))
    problems.push(`${layout.edges[a]?.id} and ${layout.edges[b]?.id} lie on each other at ${at}`);
  return problems;
}

/** The branches whose last successor leaves on the left of the first. */
function turnedIn(graph: FlowGraph, layout: GraphLayout): Set<number> {
  const turned = new Set<number>();
  for (let n = 0; n < graph.count; n++) {
    const own = graph.succ.subarray(graph.succStart[n], graph.succStart[n + 1]);
    const out = (edge: number | undefined): number => layout.edges[edge ?? -1]?.points[0]?.[0] ?? Number.NaN;
    if (graph.branch[n] === 1 && out(own.at(-1)) < out(own[0])) turned.add(n);
  }
  return turned;
}

/** Segments must not run through blocks; running along their borders is bad too, but allowed. */
function throughBlocks(
  boxes: readonly { id: string; x: number; y: number; width: number; height: number }[],
  a: Point,
  b: Point,
  name: string,
  problems: string[],
): void {
  const low = Math.min(a[1], b[1]);
  const high = Math.max(a[1], b[1]);
  for (const box of boxes) {
    if (box.y >= high) break;
    if (box.y + box.height <= low) continue;
    if (Math.max(a[0], b[0]) > box.x && Math.min(a[0], b[0]) < box.x + box.width) problems.push(`${name} runs through ${box.id}`);
  }
}

function far(a: Point, b: Point): boolean {
  return Math.abs(a[0] - b[0]) > 1 || Math.abs(a[1] - b[1]) > 1;
}
