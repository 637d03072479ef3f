/** Places the blocks of a phase once for all its steps: every block and edge that exists at some step, laid out by ELK. */

import type { Elk } from "../../../../layout/elk/elk.ts";
import { elkLayout } from "../../../../layout/elk-layout.ts";
import { edgePath, labelPlace } from "../../../../layout/line-path.ts";
import { measureCard } from "../../../../layout/measure.ts";
import type { EdgeKind, GraphEdge, GraphInput, GraphNode } from "../../../../layout/types.ts";
import type { TracePhase } from "../trace-document.ts";
import type { PlayerLine } from "./data.ts";
import { METRICS } from "./metrics.ts";

/** More blocks than this make no picture in an exported file. */
export const MOST_CARDS = 800;

export interface Pictures {
  /** By block id; null if there are too many. */
  readonly boxes: ReadonlyMap<number, readonly [x: number, y: number, width: number, height: number]> | null;
  readonly lines: readonly (Omit<PlayerLine, "from" | "to"> & { readonly from: number; readonly to: number })[];
  readonly bounds: readonly [x: number, y: number, width: number, height: number];
}

interface Seen {
  readonly label: string;
  /** The longest text it has at some step. */
  lines: readonly string[];
  columns: number;
  readonly succs: Map<number, { readonly kind: EdgeKind; readonly port: number }>;
}

export async function pictures(phase: TracePhase, elk: Elk): Promise<Pictures> {
  const seen = everything(phase);
  if (seen.size > MOST_CARDS) return { boxes: null, lines: [], bounds: [0, 0, 0, 0] };
  const layout = await elkLayout(graphOf(seen, phase.input.entry), elk);
  const boxes = new Map(layout.nodes.map(({ id, x, y, width, height }) => [Number(id), [x, y, width, height].map(tenth) as Box]));
  const lines = layout.edges.flatMap(({ id, points, back }) => {
    const [from = 0, to = 0] = id.split(">").map(Number);
    if (points.length === 0) return [];
    const at = points.map(([x, y]) => [tenth(x), tenth(y)] as const);
    const { x, y, anchor } = labelPlace(at);
    return [{ from, to, path: edgePath(at), label: [x, y, anchor] as const, back }];
  });
  const { x, y, width, height } = layout.bounds;
  return { boxes, lines, bounds: [x, y, width, height].map(tenth) as Box };
}

type Box = [x: number, y: number, width: number, height: number];

const tenth = (value: number): number => Math.round(value * 10) / 10;

function everything(phase: TracePhase): Map<number, Seen> {
  const seen = new Map<number, Seen>();
  const blocks = [
    ...phase.input.layout.flatMap((id) => phase.input.blocks.get(id) ?? []),
    ...phase.steps.flatMap((step) => step.changes.blocks),
  ];
  for (const block of blocks) {
    let own = seen.get(block.id);
    if (own === undefined) {
      own = { label: block.label, lines: [], columns: 0, succs: new Map() };
      seen.set(block.id, own);
    }
    if (block.insts.length > own.lines.length) own.lines = block.insts.map((inst) => inst.text);
    for (const inst of block.insts) own.columns = Math.max(own.columns, inst.text.length);
    block.succs.forEach((to, port) => {
      const kind = block.kinds[port] ?? "jump";
      if (!own.succs.has(to)) own.succs.set(to, { kind: kind === "taken" || kind === "else" ? kind : "fall", port });
    });
  }
  return seen;
}

function graphOf(seen: ReadonlyMap<number, Seen>, entry: number): GraphInput {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for (const [id, { label, lines, columns, succs }] of seen) {
    const shown = lines.map((line, i) => (i === 0 ? line.padEnd(columns) : line));
    const { width, height } = measureCard({ headerColumns: label.length, lines: shown, successors: succs.size }, METRICS);
    nodes.push({ id: String(id), kind: "block", width, height, name: label });
    for (const [to, { kind, port }] of succs) {
      if (seen.has(to)) edges.push({ id: `${id}>${to}`, from: String(id), to: String(to), kind, port });
    }
  }
  return { nodes, edges, entry: String(entry) };
}
