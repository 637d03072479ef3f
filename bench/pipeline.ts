/**
 * How the whole pipeline grows on shapes that are hard for it: `node scripts/run-ts.mjs bench/pipeline.ts [--shape NAME]`. Printed are processor time (reading the
 * text and all phases at -O3), its growth over n log n against the smallest size (which pays for compilation), memory, and the slowest phases.
 */
import { parseArgs } from "node:util";
import { importPtx } from "../src/engine/import/ptx/import.ts";
import type { Module } from "../src/engine/ir/types.ts";
import { DEFAULT_OPTIONS } from "../src/engine/pipeline/defaults.ts";
import { planPipeline } from "../src/engine/pipeline/plan.ts";
import { runPipeline } from "../src/engine/pipeline/run.ts";
import { parseModule } from "../src/engine/text/parser.ts";
import { randomKernel, toPtx } from "./kernels.ts";
import { compareChain, labels, loopNest } from "./shapes.ts";

const SHAPES: readonly [name: string, read: (n: number) => Module, sizes: readonly number[]][] = [
  ["PTX function", (n) => importPtx(toPtx(randomKernel(n, 7))).module, [10_000, 40_000, 160_000]],
  ["compares", (n) => parseModule(compareChain(n)).module, [10_000, 30_000, 100_000]],
  ["labels", (n) => parseModule(labels(n)).module, [32_000, 100_000, 200_000]],
  ["loop nest", (n) => parseModule(loopNest(n)).module, [1_000, 4_000, 12_000]],
];

const only = parseArgs({ options: { shape: { type: "string" } } }).values.shape;
const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

for (const [shape, read, sizes] of SHAPES) {
  if (only !== undefined && only !== shape) continue;
  let unit: number | null = null;
  for (const size of sizes) {
    const began = processor();
    const module = read(size);
    const fn = module.funcs[0];
    if (fn === undefined) throw new Error(`${shape} could not be read`);
    const { plan } = planPipeline(DEFAULT_OPTIONS, module.target);
    const { runs } = runPipeline(fn, module, plan, { now: processor });
    const ms = processor() - began;
    const count = fn.layout.reduce((n, id) => n + (fn.blocks[id]?.insts.length ?? 0), 0);
    const each = ms / (count * Math.log2(count));
    unit ??= each;
    const slowest = runs.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
    const phases = slowest.map((r) => `${r.planned.id} ${r.ms.toFixed(0)}`).join(", ");
    const memory = `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`;
    console.log(
      `${shape}, ${count} instructions in ${fn.layout.length} blocks: ${ms.toFixed(0)} ms, growth ${(each / unit).toFixed(2)}, ${memory}; ${phases}`,
    );
  }
}
