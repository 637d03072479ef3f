/**
 * The interface of ELK: it returns the given graph with positions and lines. Rejects with an error whose message is a sentence. The parts of ELK's
 * graph that are used are declared here, so that the package's types need none of elkjs.
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
