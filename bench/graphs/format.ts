/** The stored graphs: layouts' inputs as short rows, compressed. Made by `collect.ts`, read by the test of the layout's goals and by the bench. */

import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import type { EdgeKind, GraphInput, NodeKind } from "../../src/layout/types.ts";

export interface StoredGraph {
  readonly name: string;
  /** `real`: of compiled kernels; `generated`: structured programs made from a seed; `shape`: what breaks layout engines. */
  readonly group: "real" | "generated" | "shape";
  readonly input: GraphInput;
}

/** The drawings one sees while going from phase to phase of a kernel: cards are matched by `name`. */
export interface StoredPhases {
  readonly name: string;
  readonly inputs: readonly GraphInput[];
}

export interface Stored {
  readonly graphs: readonly StoredGraph[];
  readonly phases: readonly StoredPhases[];
}

type Row = readonly [
  entry: string,
  nodes: readonly (readonly [id: string, width: number, height: number, kind: NodeKind, name: string])[],
  edges: readonly (readonly [from: number, to: number, kind: EdgeKind, port: number])[],
];

interface File {
  readonly graphs: readonly (readonly [name: string, group: StoredGraph["group"], row: Row])[];
  readonly phases: readonly (readonly [name: string, rows: readonly Row[]])[];
}

/** From the root of the repository, where tests and scripts run. */
export const GRAPHS = "bench/graphs/graphs.json.gz";

export function readGraphs(): Stored {
  const file: File = JSON.parse(gunzipSync(readFileSync(GRAPHS)).toString("utf8"));
  return {
    graphs: file.graphs.map(([name, group, row]) => ({ name, group, input: toInput(row) })),
    phases: file.phases.map(([name, rows]) => ({ name, inputs: rows.map(toInput) })),
  };
}

export function packGraphs({ graphs, phases }: Stored): Buffer {
  const file: File = {
    graphs: graphs.map(({ name, group, input }) => [name, group, toRow(input)]),
    phases: phases.map(({ name, inputs }) => [name, inputs.map(toRow)]),
  };
  return gzipSync(JSON.stringify(file), { level: 9 });
}

function toRow(input: GraphInput): Row {
  const at = new Map(input.nodes.map((n, i) => [n.id, i]));
  return [
    input.entry,
    input.nodes.map((n) => [n.id, n.width, n.height, n.kind, n.name ?? n.id]),
    input.edges.map((e) => [at.get(e.from) ?? -1, at.get(e.to) ?? -1, e.kind, e.port]),
  ];
}

function toInput([entry, nodes, edges]: Row): GraphInput {
  const id = (n: number): string => nodes[n]?.[0] ?? "";
  return {
    entry,
    nodes: nodes.map(([own, width, height, kind, name]) => ({ id: own, width, height, kind, name })),
    edges: edges.map(([from, to, kind, port], i) => ({ id: `e${i}`, from: id(from), to: id(to), kind, port })),
  };
}
