/** Keeping drawings stable: one graph for all steps of a phase, a key that says when a layout can be reused, and an anchor that stays. */
import { translate } from "./bounds.ts";
import type { Box, GraphEdge, GraphInput, GraphLayout, GraphNode } from "./types.ts";

/**
 * `layout` moved so that `anchor` (the selected block) keeps its position. If it is not in both drawings, all shared blocks
 * decide: the median of their moves, so that one far jump does not drag the view along.
 */
export function keepInPlace(layout: GraphLayout, previous: ReadonlyMap<string, Pick<Box, "x" | "y">>, anchor: string | null): GraphLayout {
  const across: number[] = [];
  const down: number[] = [];
  for (const node of layout.nodes) {
    const before = previous.get(node.id);
    if (before === undefined) continue;
    if (node.id === anchor) return translate(layout, before.x - node.x, before.y - node.y);
    across.push(before.x - node.x);
    down.push(before.y - node.y);
  }
  return across.length === 0 ? layout : translate(layout, median(across), median(down));
}

/** Positions of a layout's nodes, for `keepInPlace` with the next layout. */
export function positions(layout: GraphLayout): Map<string, Pick<Box, "x" | "y">> {
  return new Map(layout.nodes.map((n) => [n.id, { x: n.x, y: n.y }]));
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}

export interface UnionGraph {
  readonly graph: GraphInput;
  /** For each given graph (before, after, then the extra ones): its edge ids to the ids of the lines drawn for them. */
  readonly edges: readonly ReadonlyMap<string, string>[];
}

/**
 * Everything that exists at some step of a phase, as one graph: lay it out once, show or hide parts of it per step. Sizes are the largest
 * seen. The order of successors holds for every given graph: an edge that would break it gets its own line. Takes time linear in the sum of
 * all sizes; list in `extra` only graphs that contain something new.
 */
export function unionGraph(before: GraphInput, after: GraphInput, extra: readonly GraphInput[] = []): UnionGraph {
  const given = [before, after, ...extra];
  // The later state takes precedence: it is the one the reader sees next.
  const ranked = [after, before, ...extra];
  const nodes = unionNodes(ranked);
  const { edges, lineOf } = unionEdges(ranked);
  const known = new Set(nodes.map((n) => n.id));
  const entry = known.has(after.entry) ? after.entry : before.entry;
  return { graph: { nodes, edges, entry }, edges: given.map((g) => lineOf.get(g) ?? new Map<string, string>()) };
}

function unionNodes(graphs: readonly GraphInput[]): GraphNode[] {
  const merged = new Map<string, GraphNode>();
  /** Node to the one listed after it; null is the start of the list. */
  const next = new Map<string | null, string>();
  for (const graph of graphs) {
    let previous: string | null = null;
    for (const node of graph.nodes) {
      const known = merged.get(node.id);
      if (known === undefined) {
        merged.set(node.id, node);
        const follower = next.get(previous);
        if (follower !== undefined) next.set(node.id, follower);
        next.set(previous, node.id);
      } else if (node.width > known.width || node.height > known.height) {
        merged.set(node.id, { ...known, width: Math.max(known.width, node.width), height: Math.max(known.height, node.height) });
      }
      previous = node.id;
    }
  }
  const result: GraphNode[] = [];
  for (let id = next.get(null); id !== undefined; id = next.get(id)) {
    const node = merged.get(id);
    if (node !== undefined) result.push(node);
  }
  return result;
}

function unionEdges(graphs: readonly GraphInput[]): { edges: GraphEdge[]; lineOf: Map<GraphInput, Map<string, string>> } {
  const lists = new Map<string, GraphEdge[]>();
  const lineOf = new Map<GraphInput, Map<string, string>>();
  const taken = new Set<string>();
  for (const graph of graphs) {
    const lines = lineOf.get(graph) ?? new Map<string, string>();
    lineOf.set(graph, lines);
    for (const [from, own] of bySource(graph)) {
      const list = lists.get(from) ?? [];
      lists.set(from, list);
      let cursor = 0;
      for (const edge of own) {
        let at = cursor;
        while (at < list.length && list[at]?.to !== edge.to) at++;
        if (at < list.length) {
          lines.set(edge.id, list[at]?.id ?? edge.id);
          cursor = at + 1;
          continue;
        }
        let id = edge.id;
        for (let n = 2; taken.has(id); n++) id = `${edge.id}~${n}`;
        taken.add(id);
        list.splice(cursor, 0, { ...edge, id });
        lines.set(edge.id, id);
        cursor++;
      }
    }
  }
  const edges: GraphEdge[] = [];
  for (const list of lists.values()) edges.push(...list.map((edge, port) => (edge.port === port ? edge : { ...edge, port })));
  return { edges, lineOf };
}

function bySource(graph: GraphInput): Map<string, GraphEdge[]> {
  const result = new Map<string, GraphEdge[]>();
  for (const edge of graph.edges) {
    const list = result.get(edge.from);
    if (list === undefined) result.set(edge.from, [edge]);
    else list.push(edge);
  }
  for (const list of result.values()) list.sort((a, b) => a.port - b.port);
  return result;
}

/**
 * Two inputs with the same key get the same drawing: ids, sizes, edges and their order, the entry. Labels are left out, since they move
 * nothing. With a 128-bit hash and the counts, a collision is not to be expected.
 */
export function structureKey(input: GraphInput): string {
  const hash = new Hash();
  hash.text(input.entry);
  for (const node of input.nodes) {
    hash.text(node.id);
    hash.text(node.kind);
    hash.number(Math.ceil(node.width));
    hash.number(Math.ceil(node.height));
  }
  for (const edge of input.edges) {
    hash.text(edge.id);
    hash.text(edge.from);
    hash.text(edge.to);
    hash.number(edge.port);
    hash.text(edge.kind);
  }
  return `${input.nodes.length}.${input.edges.length}.${hash.digest()}`;
}

/** Four multiplicative hashes of 32 bits with different factors, mixed at the end. */
class Hash {
  private a = 0x243f6a88;
  private b = 0x85a308d3;
  private c = 0x13198a2e;
  private d = 0x03707344;

  number(value: number): void {
    this.a = Math.imul(this.a ^ value, 0x9e3779b1);
    this.b = Math.imul(this.b ^ (this.a >>> 15) ^ value, 0x85ebca77);
    this.c = Math.imul(this.c ^ (this.b >>> 13) ^ value, 0xc2b2ae3d);
    this.d = Math.imul(this.d ^ (this.c >>> 16) ^ value, 0x27d4eb2f);
  }

  text(value: string): void {
    this.number(value.length);
    for (let i = 0; i < value.length; i++) this.number(value.charCodeAt(i));
  }

  digest(): string {
    return [this.a, this.b, this.c, this.d].map((h) => (h >>> 0).toString(36)).join("");
  }
}
