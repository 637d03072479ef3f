/**
 * Rewrites `graphs.json.gz`: `npx tsx bench/graphs/collect.ts FILE…`. Each file is PTX or a SASS listing; the
 * largest functions come as the page would draw them, in the first phase that works on the graph. Generated graphs and shapes follow.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { graphModel, type ModelOptions } from "../../src/app/graph/model/graph-model.ts";
import { DEFAULT_PIPELINE } from "../../src/engine/api/defaults.ts";
import { EngineSession } from "../../src/engine/api/session.ts";
import { generateKernel } from "../../src/features/examples/page/generate.ts";
import { irreducibleCfg, ladderCfg, nestCfg, structuredCfg, switchCfg } from "../../src/layout/testing/random-cfg.ts";
import type { GraphInput } from "../../src/layout/types.ts";
import { GRAPHS, packGraphs, type StoredGraph, type StoredPhases } from "./format.ts";

const PLAIN: ModelOptions = { collapsedLoops: new Set(), lines: false, opened: new Set(), around: null };
/** Kernels with so many phases that change them are also kept phase by phase. */
const PHASES = 5;
const LEAST_CARDS = 9;

const graphs: StoredGraph[] = [];
const phases: StoredPhases[] = [];

function collect(text: string, name: string, group: StoredGraph["group"]): void {
  const session = new EngineSession();
  const { kernels } = session.open(1, text, null);
  for (const kernel of kernels) {
    const { phases: runs } = session.run(1, kernel.name, DEFAULT_PIPELINE);
    const input = drawn(session, 0);
    if (input.nodes.length < LEAST_CARDS) continue;
    graphs.push({ name: `${name} ${kernel.name}`, group, input });
    const changed = runs.filter((r) => r.changed);
    if (changed.length < PHASES) continue;
    phases.push({ name: `${name} ${kernel.name}`, inputs: changed.map((r) => drawn(session, r.run)) });
  }
}

function drawn(session: EngineSession, run: number): GraphInput {
  return graphModel(session.graph(run), PLAIN).input;
}

for (const file of process.argv.slice(2)) {
  collect(readFileSync(file, "utf8"), basename(file).replace(/\.(ptx|sass)$/, ""), "real");
}
for (const blocks of [50, 150, 300, 500]) collect(generateKernel(`generated_${blocks}`, blocks, 1), String(blocks), "generated");
graphs.push(
  { name: "structured 100", group: "generated", input: structuredCfg(3, 100) },
  { name: "irreducible 30", group: "shape", input: irreducibleCfg(1, 30) },
  { name: "irreducible 100", group: "shape", input: irreducibleCfg(1, 100) },
  { name: "ladder 100", group: "shape", input: ladderCfg(1, 100) },
  { name: "state machine 30", group: "shape", input: switchCfg(1, 30) },
  { name: "nest of 5 with exits", group: "shape", input: nestCfg(1, 5) },
);

const bytes = packGraphs({ graphs, phases });
writeFileSync(GRAPHS, bytes);
for (const { name, group, input } of graphs) console.log(`${group} ${name}: ${input.nodes.length} cards, ${input.edges.length} edges`);
console.log(`${graphs.length} graphs, ${phases.length} kernels by phase, ${bytes.length} bytes`);
