/** Input and output of a layout: plain data, shared by the engine, the worker and the view. */

export type NodeKind = "block" | "table" | "region" | "stub";

/**
 * How control passes along an edge. Layout needs to know only the edge with which its block continues (`fall`, or else `else`), which
 * leaves in the middle. The graph's shape decides which edges lead back.
 */
export type EdgeKind = "taken" | "else" | "fall" | "jump" | "table" | "brx";

export interface GraphNode {
  /** Stable across steps and phases: a selection and a kept position depend on it. */
  readonly id: string;
  /** Pixels, from `measure.ts`. */
  readonly width: number;
  readonly height: number;
  readonly kind: NodeKind;
  /** The node's name in titles of regions, for their width; the id if absent. ELK ignores it. */
  readonly name?: string;
  /** The target of a tag's line, if it is drawn: the tag and its predecessors belong to the loops that the line would be in. */
  readonly leadsTo?: string;
}

export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** Position among the source's successors, from 0. Edges leave their source from left to right in this order, always. */
  readonly port: number;
}

export interface GraphInput {
  /** Layout order, normally reverse postorder. It decides where edges do not (unreachable blocks). */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly entry: string;
}

export type Point = readonly [x: number, y: number];

/** Top left corner and size, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode extends Box {
  readonly id: string;
}

export interface RoutedEdge {
  readonly id: string;
  /** An orthogonal polyline from the source's bottom to the target's top. Empty only if an end does not exist. */
  readonly points: readonly Point[];
  /** Closes a cycle in a depth-first walk from the entry: drawn upwards. */
  readonly back: boolean;
}

/** What was simplified because a graph is too large to draw every block and line. */
export interface Simplified {
  /** A few words for the reader, and the full text. */
  readonly summary: string;
  readonly reason: string;
  /** What was laid out instead of the input: draw this. */
  readonly graph: GraphInput;
  /** Input node id to the id of the node drawn for it. Nodes drawn as themselves are left out. */
  readonly shownAs: ReadonlyMap<string, string>;
  /** What a stub replaces, by the stub's node id. */
  readonly stubs: ReadonlyMap<string, Stub>;
}

/** A labelled end that replaces a long edge's line. */
export interface Stub {
  readonly edge: string;
  readonly target: string;
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly RoutedEdge[];
  readonly bounds: Box;
  readonly simplified: Simplified | null;
  /** Wall time, filled in by the service; 0 from the pure functions. */
  readonly ms: number;
}

/** Distances in pixels. */
export interface Spacing {
  /** Least free height between two layers. */
  readonly layer: number;
  /** Between two blocks side by side. */
  readonly node: number;
  /** Between a block and a passing line, and between two passing lines. */
  readonly edgeNode: number;
  readonly edge: number;
  /** Around the whole drawing. */
  readonly margin: number;
}

export const defaultSpacing: Spacing = { layer: 36, node: 36, edgeNode: 20, edge: 12, margin: 24 };
