/** Numbers that say how good a drawing is, to compare engines and to notice when a change makes drawings worse. */

import { crossings } from "../crossings.ts";
import { flowGraph } from "../flow-graph.ts";
import { flowOrder } from "../flow-order.ts";
import { loopContains, loopForest } from "../loop-forest.ts";
import { defaultSpacing, type GraphInput, type GraphLayout, type Point } from "../types.ts";

export interface Quality {
  /** Places where lines of edges with different ends cross; lines that run together cross another one once. */
  readonly crossings: number;
  readonly edges: number;
  /** Edges by which a block falls through to the next one, and how many of them are one vertical piece. */
  readonly falls: number;
  readonly vertical: number;
  /** Edges drawn downwards, and how many of them step aside by so little that it looks like a mistake. */
  readonly forward: number;
  readonly kinks: number;
  readonly bends: number;
  /** Forward edges that go up, back edges that go down. */
  readonly wrongWay: number;
  readonly width: number;
  readonly height: number;
  /** Height divided by the height of the longest path down: 1 is the minimum. */
  readonly tall: number;
  /** Part of the area that no card covers. */
  readonly white: number;
  /** Loops, and how many cards that are not in a loop are in the frame around its cards. */
  readonly loops: number;
  readonly strangers: number;
  /** Height of 12 px text when everything is fitted into 900 × 700. */
  readonly text: number;
  /** Sum of all lines, in pixels. */
  readonly length: number;
}

/** A step to the side of 3 to 60 px. */
const KINK = { least: 3, most: 60 } as const;
const ROOM = { width: 900, height: 700, text: 12 } as const;
const origin: Point = [0, 0];

export function quality(input: GraphInput, layout: GraphLayout): Quality {
  const kinds = new Map(input.edges.map((e) => [e.id, e.kind]));
  let bends = 0;
  let wrongWay = 0;
  let length = 0;
  let falls = 0;
  let vertical = 0;
  let forward = 0;
  let kinks = 0;
  for (const { id, points, back } of layout.edges) {
    bends += Math.max(0, points.length - 2);
    const first = points[0] ?? origin;
    const last = points.at(-1) ?? origin;
    if (back !== last[1] <= first[1]) wrongWay++;
    let kinked = false;
    for (let i = 0; i + 1 < points.length; i++) {
      const a = points[i] ?? origin;
      const b = points[i + 1] ?? origin;
      const across = Math.abs(a[0] - b[0]);
      length += across + Math.abs(a[1] - b[1]);
      if (across >= KINK.least && across <= KINK.most) kinked = true;
    }
    if (back) continue;
    forward++;
    if (kinked) kinks++;
    if (kinds.get(id) !== "fall") continue;
    falls++;
    if (points.length === 2) vertical++;
  }
  const { width, height } = layout.bounds;
  const cards = layout.nodes.reduce((sum, n) => sum + n.width * n.height, 0);
  return {
    crossings: new Set(crossings(flowGraph(input), layout.edges).map((c) => c.place)).size,
    edges: layout.edges.length,
    falls,
    vertical,
    forward,
    kinks,
    bends,
    wrongWay,
    width,
    height,
    tall: height / longestWay(input),
    white: 1 - cards / (width * height),
    ...loopFrames(input, layout),
    text: ROOM.text * Math.min(1, ROOM.width / width, ROOM.height / height),
    length,
  };
}

/** The sum of several drawings, for the counts; the means, for the rest. */
export function total(all: readonly Quality[]): { readonly [K in keyof Quality]: number } & { readonly worstTall: number } {
  const sum = (of: (q: Quality) => number): number => all.reduce((s, q) => s + of(q), 0);
  const mean = (of: (q: Quality) => number): number => sum(of) / Math.max(1, all.length);
  return {
    crossings: sum((q) => q.crossings),
    edges: sum((q) => q.edges),
    falls: sum((q) => q.falls),
    vertical: sum((q) => q.vertical),
    forward: sum((q) => q.forward),
    kinks: sum((q) => q.kinks),
    bends: sum((q) => q.bends),
    wrongWay: sum((q) => q.wrongWay),
    width: mean((q) => q.width),
    height: mean((q) => q.height),
    tall: mean((q) => q.tall),
    white: mean((q) => q.white),
    loops: sum((q) => q.loops),
    strangers: sum((q) => q.strangers),
    text: mean((q) => q.text),
    length: sum((q) => q.length),
    worstTall: Math.max(0, ...all.map((q) => q.tall)),
  };
}

/** Height of the longest path over forward edges: cards and the gaps between them, margins included. */
function longestWay(input: GraphInput): number {
  const graph = flowGraph(input);
  const order = flowOrder(graph);
  const end = new Float64Array(graph.count);
  let longest = 0;
  for (const n of order.rpo) {
    let top = 0;
    for (let k = graph.predStart[n] ?? 0; k < (graph.predStart[n + 1] ?? 0); k++) {
      const edge = graph.pred[k] ?? 0;
      if (order.back[edge] !== 1) top = Math.max(top, (end[graph.from[edge] ?? 0] ?? 0) + defaultSpacing.layer);
    }
    end[n] = top + (graph.height[n] ?? 0);
    longest = Math.max(longest, end[n] ?? 0);
  }
  return longest + 2 * defaultSpacing.margin;
}

function loopFrames(input: GraphInput, layout: GraphLayout): { loops: number; strangers: number } {
  const graph = flowGraph(input);
  const forest = loopForest(graph, flowOrder(graph));
  const at = new Map(layout.nodes.map((n) => [n.id, n]));
  let strangers = 0;
  for (let loop = 0; loop < forest.count; loop++) {
    let [left, top, right, bottom] = [
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ];
    const others: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[] = [];
    graph.ids.forEach((id, n) => {
      const box = at.get(id);
      if (box === undefined) return;
      if (!loopContains(forest, loop, n)) {
        others.push(box);
        return;
      }
      left = Math.min(left, box.x);
      top = Math.min(top, box.y);
      right = Math.max(right, box.x + box.width);
      bottom = Math.max(bottom, box.y + box.height);
    });
    strangers += others.filter((b) => b.x < right && b.x + b.width > left && b.y < bottom && b.y + b.height > top).length;
  }
  return { loops: forest.count, strangers };
}
