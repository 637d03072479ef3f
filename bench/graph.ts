/** How the graph that the page draws grows with the program: `node scripts/run-ts.mjs bench/graph.ts`. Times in ms, and per n log n against the first size. */

import { DEFAULT_PIPELINE } from "../src/engine/api/defaults.ts";
import { EngineSession } from "../src/engine/api/session.ts";
import { chainOfDiamonds, chainOfLoops, compareChain, loopNest } from "./shapes.ts";

const SHAPES: readonly [name: string, make: (n: number) => string, sizes: readonly number[]][] = [
  ["diamonds", chainOfDiamonds, [1000, 10_000, 100_000]],
  ["loops", chainOfLoops, [1000, 10_000, 100_000]],
  ["compares", compareChain, [1000, 10_000, 100_000]],
  ["loop nest", loopNest, [1000, 4000, 12_000]],
];

for (const [name, make, sizes] of SHAPES) {
  const units: number[] = [];
  for (const n of sizes) {
    const session = new EngineSession();
    const { kernels } = session.open(1, make(n), "ori");
    session.run(1, kernels[0]?.name ?? "", { ...DEFAULT_PIPELINE, phases: ["analyze-control-flow"] });
    const start = performance.now();
    const { blocks, edges, loops } = session.graph(0);
    const ms = performance.now() - start;
    units.push(ms / (n * Math.log2(n)));
    const growth = ((units.at(-1) ?? 0) / (units[0] ?? 1)).toFixed(2);
    console.log(
      `${name} ${n}: ${ms.toFixed(1)} ms, ${blocks.length} blocks, ${edges.length} edges, ${loops.length} loops, growth ${growth}`,
    );
  }
}
