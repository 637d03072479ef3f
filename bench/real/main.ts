/**
 * The pipeline on what compilers really write: `npx tsx bench/real/main.ts [--repeat N] [FILE.ptx…]`. Without files, the CUDA sources beside this file
 * are compiled with the `nvcc` on PATH, for sm_80 and sm_90. Each file goes through the command in a process of its own, and through `ptxas -O3`: processor
 * time of all threads and peak memory, medians of N runs (3). Then, in one process that has run before, reading, each phase and printing. Last, how each phase
 * grows over the kernels of all files: its time over n log n, by size, against the kernels of 300 to 1,000 instructions.
 * Without files, the same of generated functions, which LLVM's `opt` takes as well, and what an empty `node` takes.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { importPtx } from "../../src/engine/import/ptx/import.ts";
import { DEFAULT_OPTIONS } from "../../src/engine/pipeline/defaults.ts";
import { planPipeline } from "../../src/engine/pipeline/plan.ts";
import { runPipeline } from "../../src/engine/pipeline/run.ts";
import { sizes } from "../../src/engine/pipeline/run-phase.ts";
import { printModule } from "../../src/engine/text/printer.ts";
import { OPT_PASSES, randomKernel, toLlvm, toPtx } from "../kernels.ts";

const { values, positionals } = parseArgs({ options: { repeat: { type: "string", default: "3" } }, allowPositionals: true });
const repeat = Math.max(1, Number(values.repeat));
const SOURCES = "bench/real/cuda";
/** Statements of generated functions, and rounds in one process: a short one is compiled after many. */
const GENERATED = [
  [1000, 60],
  [5000, 12],
  [10_000, 6],
  [30_000, 3],
] as const;
const TIME = "/usr/bin/time";

const folder = mkdtempSync(join(tmpdir(), "oriscope-real-"));
const files = positionals.length > 0 ? positionals : compiled();
if (runs(TIME) === null) console.log(`${TIME} is not here: no whole commands, only what one process can measure of itself`);
// The first call in a checkout bundles the sources, the first that runs them keeps what was compiled.
if (files[0] !== undefined) spawnSync(process.execPath, ["bin/oriscope.mjs", "run", files[0]], { stdio: "ignore" });
console.log(
  "file | kB | kernels | instructions | command s | MB | KB an instruction | ptxas -O3 s | command / ptxas | warm ms | warm / ptxas | slowest parts ms",
);
/** Kernels of at least so many instructions, up to the next of them. */
const SIZES = [300, 1000, 2000, 4000, 8000];
/** By phase, of the kernels of each size: time, and n log n. */
const growth = new Map<string, { readonly ms: number[]; readonly work: number[] }>();
for (const file of files) measure(file);
if (positionals.length === 0) generated();
rmSync(folder, { recursive: true });
printGrowth();

function noteGrowth(phase: string, instructions: number, ms: number): void {
  const size = SIZES.findLastIndex((least) => instructions >= least);
  if (size < 0) return;
  const known = growth.get(phase) ?? { ms: SIZES.map(() => 0), work: SIZES.map(() => 0) };
  growth.set(phase, known);
  known.ms[size] = (known.ms[size] ?? 0) + ms;
  known.work[size] = (known.work[size] ?? 0) + instructions * Math.log2(instructions);
}

function printGrowth(): void {
  console.log(`\nphase | ms of all kernels | ${SIZES.map((size) => `from ${size}`).join(" | ")}`);
  const total = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0);
  for (const [phase, { ms, work }] of [...growth].sort((a, b) => total(b[1].ms) - total(a[1].ms)).slice(0, 20)) {
    const each = ms.map((time, i) => time / (work[i] ?? 0));
    const ratios = each.map((one) => (Number.isFinite(one) ? (one / (each[0] ?? 1)).toFixed(2) : "–"));
    console.log([phase, total(ms).toFixed(0), ...ratios].join(" | "));
  }
}

function compiled(): string[] {
  if (runs("nvcc") === null) {
    console.log("nvcc is not on PATH: name PTX files instead");
    return [];
  }
  const made: string[] = [];
  for (const source of readdirSync(SOURCES).filter((name) => name.endsWith(".cu"))) {
    for (const arch of ["sm_80", "sm_90"]) {
      const ptx = join(folder, `${source.replace(/\.cu$/, "")}.${arch}.ptx`);
      const { status, stderr } = spawnSync("nvcc", ["-std=c++17", `-arch=${arch}`, "-ptx", "-o", ptx, join(SOURCES, source)], {
        encoding: "utf8",
      });
      if (status === 0) made.push(ptx);
      else console.log(`${source} for ${arch}: nvcc failed: ${stderr.split("\n")[0]}`);
    }
  }
  return made;
}

/** Null when there is no such program. */
function runs(program: string): true | null {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined ? true : null;
}

interface Cost {
  readonly seconds: number;
  readonly bytes: number;
}

/** Medians of a command's processor time and peak memory; null when it fails or cannot be measured. */
function costOf(command: readonly string[]): Cost | null {
  if (runs(TIME) === null || runs(command[0] ?? "") === null) return null;
  const costs: Cost[] = [];
  for (let i = 0; i < repeat; i++) {
    const { status, stderr } = spawnSync(TIME, ["-f", "%U %S %M", ...command], { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
    if (status !== 0) {
      console.log(`${command[0]} failed: ${stderr.slice(0, 200)}`);
      return null;
    }
    const [user = 0, system = 0, kilobytes = 0] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
    costs.push({ seconds: user + system, bytes: kilobytes * 1024 });
  }
  return { seconds: median(costs.map((c) => c.seconds)), bytes: median(costs.map((c) => c.bytes)) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function measure(file: string): void {
  const text = readFileSync(file, "utf8");
  const arch = /^\.target\s+(sm_\d+a?)/m.exec(text)?.[1] ?? "sm_80";
  const command = costOf([process.execPath, "bin/oriscope.mjs", "run", file]);
  const ptxas = costOf(["ptxas", `-arch=${arch}`, "-O3", "-o", "/dev/null", file]);
  const rounds = Array.from({ length: repeat + 1 }, (_, round) => partsOf(text, round > 0)).slice(1);
  const names = [...(rounds[0]?.parts.keys() ?? [])];
  const parts = names.map((name) => [name, median(rounds.map((r) => r.parts.get(name) ?? 0))] as const);
  const warm = median(rounds.map((r) => [...r.parts.values()].reduce((a, b) => a + b, 0)));
  const { kernels, instructions } = rounds[0] ?? { kernels: 0, instructions: 0 };
  const slowest = parts.toSorted((a, b) => b[1] - a[1]).slice(0, 6);
  console.log(
    [
      basename(file),
      (text.length / 1000).toFixed(0),
      kernels,
      instructions,
      command?.seconds.toFixed(2) ?? "–",
      command === null ? "–" : (command.bytes / 1e6).toFixed(0),
      command === null ? "–" : (command.bytes / 1024 / instructions).toFixed(1),
      ptxas?.seconds.toFixed(2) ?? "–",
      ratio(command?.seconds, ptxas?.seconds),
      warm.toFixed(0),
      ratio(warm / 1000, ptxas?.seconds),
      slowest.map(([name, ms]) => `${name} ${ms.toFixed(0)}`).join(", "),
    ].join(" | "),
  );
}

function generated(): void {
  const node = costOf([process.execPath, "-e", "0"]);
  console.log(`\nan empty node: ${node?.seconds.toFixed(2) ?? "–"} s, ${node === null ? "–" : (node.bytes / 1e6).toFixed(0)} MB\n`);
  const withOpt = runs("opt") !== null;
  if (!withOpt) console.log("opt is not on PATH");
  console.log("generated | instructions | command s | MB | ptxas -O3 s | opt s | command / ptxas | command / opt | warm ms | warm / opt");
  for (const [size, rounds] of GENERATED) {
    const kernel = randomKernel(size, 7);
    const ptx = toPtx(kernel);
    const [source, ir] = [join(folder, `generated.${size}.ptx`), join(folder, `generated.${size}.ll`)];
    writeFileSync(source, ptx);
    writeFileSync(ir, toLlvm(kernel));
    const command = costOf([process.execPath, "bin/oriscope.mjs", "run", source]);
    const ptxas = costOf(["ptxas", "-arch=sm_80", "-O3", "-o", "/dev/null", source]);
    const opt = withOpt ? costOf(["opt", `-passes=${OPT_PASSES}`, "-o", "/dev/null", ir]) : null;
    const made = Array.from({ length: rounds }, () => partsOf(ptx, false));
    // The later half: the first rounds compile.
    const warm = median(made.slice(rounds >> 1).map(({ parts }) => [...parts.values()].reduce((a, b) => a + b, 0)));
    console.log(
      [
        size,
        made[0]?.instructions,
        command?.seconds.toFixed(2) ?? "–",
        command === null ? "–" : (command.bytes / 1e6).toFixed(0),
        ptxas?.seconds.toFixed(2) ?? "–",
        opt?.seconds.toFixed(2) ?? "–",
        ratio(command?.seconds, ptxas?.seconds),
        ratio(command?.seconds, opt?.seconds),
        warm.toFixed(warm < 100 ? 1 : 0),
        ratio(warm / 1000, opt?.seconds),
      ].join(" | "),
    );
  }
}

function ratio(a: number | undefined, b: number | undefined): string {
  return a === undefined || b === undefined || b === 0 ? "–" : (a / b).toFixed(2);
}

/** Processor time, all threads of this process. */
function processor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function partsOf(text: string, counted: boolean) {
  const parts = new Map<string, number>();
  const add = (name: string, ms: number): void => void parts.set(name, (parts.get(name) ?? 0) + ms);
  const timed = <T>(name: string, work: () => T): T => {
    const began = processor();
    const made = work();
    add(name, processor() - began);
    return made;
  };
  const { module } = timed("import", () => importPtx(text));
  const { plan } = planPipeline(DEFAULT_OPTIONS, module.target);
  let instructions = 0;
  const funcs = module.funcs.map((fn) => {
    const size = sizes(fn).instructions;
    instructions += size;
    const run = runPipeline(fn, module, plan, { now: processor });
    for (const { planned, ms, ran } of run.runs) {
      add(planned.id, ms);
      if (ran && counted) noteGrowth(planned.id, size, ms);
    }
    return run.result;
  });
  timed("print", () => printModule({ ...module, funcs }));
  return { parts, kernels: module.funcs.length, instructions };
}
