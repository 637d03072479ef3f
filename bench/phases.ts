/**
 * How each phase grows with the function: `npx tsx bench/phases.ts [--phase ID] [--shape NAME] [--quick]`.
 * Every phase runs on the untouched function of each shape and size, untraced. Printed are its time and its growth: the time at a size over
 * n log n, against the same at 10,000 instructions (1: no faster than n log n between the two).
 */
import { parseArgs } from "node:util";
import { generateText } from "../src/engine/fuzz/generate/generate.ts";
import { importPtx } from "../src/engine/import/ptx/import.ts";
import type { Module } from "../src/engine/ir/types.ts";
import { PASSES } from "../src/engine/passes/registry.ts";
import { DEFAULT_OPTIONS } from "../src/engine/pipeline/defaults.ts";
import { planPipeline } from "../src/engine/pipeline/plan.ts";
import { passFor } from "../src/engine/pipeline/run.ts";
import { runPassOnce } from "../src/engine/pipeline/run-phase.ts";
import { parseModule } from "../src/engine/text/parser.ts";
import { NO_RECORDER } from "../src/engine/trace/recorder.ts";
import { randomKernel, toPtx } from "./kernels.ts";
import {
  chainOfDiamonds,
  chainOfLoops,
  compareChain,
  deepNest,
  emptyLabels,
  labels,
  longBlock,
  loopNest,
  sharedLoops,
  tangle,
} from "./shapes.ts";

const {
  values: { phase: onlyPhase = null, shape: onlyShape = null, quick },
} = parseArgs({ options: { phase: { type: "string" }, shape: { type: "string" }, quick: { type: "boolean", default: false } } });
const SIZES = quick ? [1000, 10_000] : [1000, 10_000, 30_000, 100_000];

const SHAPES: readonly [name: string, make: (n: number) => Module][] = [
  ["kernel", (n) => importPtx(toPtx(randomKernel(n, 7))).module],
  ["random", (n) => read(generateText({ seed: 5, profile: "any", size: Math.ceil(n / 9) }))],
  ["diamonds", (n) => read(chainOfDiamonds(n))],
  ["loops", (n) => read(chainOfLoops(n))],
  ["shared", (n) => read(sharedLoops(n))],
  ["block", (n) => read(longBlock(n))],
  ["nest", (n) => read(deepNest(n))],
  ["compares", (n) => read(compareChain(n))],
  ["tangle", (n) => read(tangle(n))],
  ["labels", (n) => read(labels(n))],
  ["empty", (n) => read(emptyLabels(n))],
  ["loop nest", (n) => read(loopNest(Math.min(n, 12_000)))],
];

function read(text: string): Module {
  const { module, diagnostics } = parseModule(text);
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) throw new Error(`line ${error.line}: ${error.message}`);
  return module;
}

const ids = PASSES.flatMap((pass) => pass.ids).filter((id) => onlyPhase === null || id === onlyPhase);
for (const [shape, make] of SHAPES) {
  if (onlyShape !== null && shape !== onlyShape) continue;
  const modules = SIZES.map(make);
  const counts = modules.map((m) => sum(m.funcs[0]?.layout.map((b) => m.funcs[0]?.blocks[b]?.insts.length ?? 0) ?? []));
  const blocks = modules.map((m) => m.funcs[0]?.layout.length ?? 0);
  console.log(`\n${shape}: ${counts.map((n, i) => `${n} instructions in ${blocks[i]} blocks`).join(", ")}`);
  console.log(`phase | ${counts.map((n) => `${n}: ms`).join(" | ")} | growth against n log n`);
  for (const id of ids) {
    const times = modules.map((module, i) => timeOf(id, module, (counts[i] ?? 0) > 20_000 ? 1 : 3));
    const unit = (i: number): number => (times[i] ?? 0) / ((counts[i] ?? 1) * Math.log2(counts[i] ?? 2));
    console.log(`${id} | ${times.map((t) => t.toFixed(1)).join(" | ")} | ${times.map((_, i) => (unit(i) / unit(1)).toFixed(2)).join(" ")}`);
  }
}

/** Best of `times` runs, in ms. */
function timeOf(id: string, module: Module, times: number): number {
  const pass = passFor(id);
  const fn = module.funcs[0];
  if (pass === undefined || fn === undefined) throw new Error(`${id} cannot run`);
  const { plan } = planPipeline(DEFAULT_OPTIONS, module.target);
  const env = { module, target: plan.target, level: plan.level, policy: plan.policy, knobs: plan.knobs, rec: NO_RECORDER };
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    // A new function object each time: nothing is remembered from the run before.
    const copy = { ...fn };
    const start = performance.now();
    const { error } = runPassOnce(pass, id, copy, env);
    least = Math.min(least, performance.now() - start);
    if (error !== null) throw new Error(`${id}: ${error}`);
  }
  return least;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
