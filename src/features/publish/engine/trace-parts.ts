/** The parts of a trace that its lines and its document share, as plain types: the package's declarations name no library. */

/** What an edge of the graph is. */
export const EDGE_KINDS = ["taken", "else", "fall", "jump", "table", "default"] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

export const STRUCTURE_TYPES = ["hash-map", "rb-tree", "value-table", "bitset", "worklist", "ring", "matrix", "table"] as const;

export type CellJson = string | number | boolean | null | readonly CellJson[] | { readonly [key: string]: CellJson };

/** Cells by structure: pairs of key and value; the key alone removes the cell. */
export type CellsJson = { [structure: string]: ([key: string, value: CellJson] | [key: string])[] };

export interface TableJson {
  name: string;
  base: number;
  default: number | null;
  entries: number[];
}

export interface StructureJson {
  name: string;
  type: (typeof STRUCTURE_TYPES)[number];
  title: string;
}

export interface TraceHeader {
  version: number;
  generator: string;
  title: string;
  function: string;
  target?: string | undefined;
  level?: number | undefined;
}

export type TraceFacts = { [name: string]: string | number | boolean | null | (string | number)[] };

export interface TraceFocus {
  blocks?: number[] | undefined;
  edges?: [from: number, to: number][] | undefined;
  insts?: number[] | undefined;
  operands?: [inst: number, operand: number][] | undefined;
  regs?: string[] | undefined;
  nodes?: string[] | undefined;
}
