/**
 * The engine's benchmarks: `npm run bench`. Prints ratios measured in one run; absolute times are this machine's and only there to read the ratios by.
 * Where `ptxas` is on PATH the same PTX goes through it, where LLVM's `opt` is, the same kernel as LLVM IR. `bench/layout.ts` has the layout's.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_PIPELINE } from "../src/engine/api/defaults.ts";
import { EngineSession } from "../src/engine/api/session.ts";
import { importPtx } from "../src/engine/import/ptx/import.ts";
import type { Func, Module } from "../src/engine/ir/types.ts";
import { DEFAULT_OPTIONS } from "../src/engine/pipeline/defaults.ts";
import { planPipeline } from "../src/engine/pipeline/plan.ts";
import { passFor, runPipeline } from "../src/engine/pipeline/run.ts";
import { runPassOnce } from "../src/engine/pipeline/run-phase.ts";
import { NO_RECORDER, type Recorder } from "../src/engine/trace/recorder.ts";
import { OPT_PASSES, randomKernel, toLlvm, toPtx } from "./kernels.ts";

const { quick } = parseArgs({ options: { quick: { type: "boolean", default: false } } }).values;
const SIZES = quick ? [10, 100, 1000] : [10, 100, 1000, 5000, 10_000, 30_000, 100_000];
const now = (): number => performance.now();

/** Best of `times` calls, in ms. */
function best(times: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = now();
    work();
    least = Math.min(least, now() - start);
  }
  return least;
}

const ms = (n: number | null): string => (n === null ? "–" : n < 10 ? n.toFixed(2) : n.toFixed(0));

function kernelOf(module: Module): Func {
  const fn = module.funcs[0];
  if (fn === undefined) throw new Error("the generated kernel could not be read");
  return fn;
}

function onPath(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

function external(program: string, args: readonly string[], times: number): number | null {
  let failed = "";
  const time = best(times, () => {
    const run = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
    if (run.status !== 0) failed = run.stderr;
  });
  if (failed === "") return time;
  console.error(`${program} failed: ${failed.slice(0, 300)}`);
  return null;
}

function pipelineBench(): void {
  const folder = mkdtempSync(join(tmpdir(), "oriscope-bench-"));
  const withPtxas = onPath("ptxas");
  const withOpt = onPath("opt");
  console.log("\nWhole pipeline at -O3 (time for import and all phases), and its growth");
  console.log(
    "instructions | import ms | phases ms | per n log n (1: as at 1,000) | ptxas -O3 ms | ratio ours/ptxas | opt ms | ratio ours/opt",
  );
  let unit: number | null = null;
  const rows: [number, number, number, number, number | null, number | null][] = [];
  for (const size of SIZES) {
    const kernel = randomKernel(size, 7);
    const ptx = toPtx(kernel);
    // The best of several calls: a worker that has run before, as it has after the first edit of a text.
    const times = size > 20_000 ? 2 : size > 1000 ? 6 : 30;
    const { module } = importPtx(ptx);
    const fn = kernelOf(module);
    const count = fn.layout.reduce((n, id) => n + (fn.blocks[id]?.insts.length ?? 0), 0);
    const reading = best(times, () => importPtx(ptx));
    const { plan } = planPipeline(DEFAULT_OPTIONS, module.target);
    const phases = best(times, () => runPipeline(fn, module, plan));
    writeFileSync(join(folder, "k.ptx"), ptx);
    const ptxas = withPtxas
      ? external("ptxas", ["-arch=sm_80", "-O3", "-o", "/dev/null", join(folder, "k.ptx")], Math.min(times, 2))
      : null;
    writeFileSync(join(folder, "k.ll"), toLlvm(kernel));
    const opt = withOpt ? external("opt", [`-passes=${OPT_PASSES}`, "-o", "/dev/null", join(folder, "k.ll")], Math.min(times, 2)) : null;
    rows.push([count, reading, phases, count * Math.log2(count), ptxas, opt]);
    if (size === 1000) unit = (reading + phases) / (count * Math.log2(count));
  }
  for (const [count, reading, phases, nlogn, ptxas, opt] of rows) {
    const total = reading + phases;
    const growth = unit === null ? "–" : (total / nlogn / unit).toFixed(2);
    const ratio = (other: number | null): string => (other === null ? "–" : (total / other).toFixed(2));
    console.log([count, ms(reading), ms(phases), growth, ms(ptxas), ratio(ptxas), ms(opt), ratio(opt)].join(" | "));
  }
  rmSync(folder, { recursive: true });
}

/** What asking `rec.on` costs a pass that nobody watches: how often it is asked, times what one question takes. */
function recorderBench(): void {
  console.log("\nRecorder off: the share of a phase's time that goes into asking whether anybody listens (upper bound)");
  const { module } = importPtx(toPtx(randomKernel(quick ? 1000 : 10_000, 11)));
  const fn = kernelOf(module);
  const { plan } = planPipeline(DEFAULT_OPTIONS, module.target);
  let asked = 0;
  const counting: Recorder = {
    ...NO_RECORDER,
    get on() {
      asked++;
      return false;
    },
  };
  const questions = 20_000_000;
  let sink = 0;
  const recorders = [NO_RECORDER, { ...NO_RECORDER }];
  const one =
    best(3, () => {
      for (let i = 0; i < questions; i++) if (recorders[i & 1]?.on === true) sink++;
    }) / questions;
  if (sink > 0) console.log(sink);
  for (const planned of plan.runs) {
    const pass = passFor(planned.id);
    if (pass === undefined) continue;
    const env = (rec: Recorder) => ({ module, target: plan.target, level: plan.level, policy: plan.policy, knobs: plan.knobs, rec });
    asked = 0;
    runPassOnce(pass, planned.id, fn, env(counting));
    const counted = asked;
    const time = best(3, () => runPassOnce(pass, planned.id, fn, env(NO_RECORDER)));
    console.log(
      `${planned.id}: ${((100 * counted * one) / Math.max(time, 0.001)).toFixed(2)} % (asked ${counted} times in ${ms(time)} ms)`,
    );
  }
}

function seekBench(): void {
  console.log("\nSeeking in traces: the slowest of 40 jumps across the whole trace, against stepping once");
  console.log("phase | events | record ms | slowest jump ms | one step ms | ratio jump/step");
  const session = new EngineSession({ now });
  session.open(1, toPtx(randomKernel(quick ? 1000 : 10_000, 13)), "ptx");
  const result = session.run(1, "bench", DEFAULT_PIPELINE);
  for (const phase of result.phases) {
    if (!phase.ran) continue;
    const started = now();
    const info = session.trace(phase.run);
    const recording = now() - started;
    if (info === null || info.steps < 5000) continue;
    session.view(phase.run, 0, null);
    let slowest = 0;
    let at = 0;
    for (let i = 0; i < 40; i++) {
      const to = (i * 7919 * 7919) % info.steps;
      const start = now();
      session.view(phase.run, to, at);
      slowest = Math.max(slowest, now() - start);
      at = to;
    }
    const step = best(20, () => {
      session.view(phase.run, Math.min(at + 1, info.steps - 1), at);
    });
    console.log([phase.id, info.steps, ms(recording), ms(slowest), ms(step), (slowest / Math.max(step, 0.001)).toFixed(1)].join(" | "));
  }
}

pipelineBench();
recorderBench();
seekBench();
