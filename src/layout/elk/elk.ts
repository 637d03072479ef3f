/**
 * The interface of ELK: returns the given graph with positions and lines, or rejects with an error whose message is a sentence. Declares
 * the parts of ELK's graph that are used, so that the package's types do not depend on elkjs.
 */

export type LayoutOptions = Record<string, string>;

export interface ElkPoint {
  x: number;
  y: number;
}

interface Shape {
  id: string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  layoutOptions?: LayoutOptions;
}

export type ElkPort = Shape;

export interface ElkExtendedEdge {
  id: string;
  sources: string[];
  targets: string[];
  sections?: { id: string; startPoint: ElkPoint; endPoint: ElkPoint; bendPoints?: ElkPoint[] }[];
  layoutOptions?: LayoutOptions;
}

export interface ElkNode extends Shape {
  children?: ElkNode[];
  ports?: ElkPort[];
  edges?: ElkExtendedEdge[];
}

export type Elk = (graph: ElkNode) => Promise<ElkNode>;
