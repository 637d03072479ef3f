/**
 * This checkout's phases against another one's: `npx tsx bench/against.ts FOLDER [FOLDER] [--phase ID] [--shape NAME] [--size N] [--ms N]`.
 * FOLDER holds an earlier version of this repository with its packages installed; a second one is compared instead of this checkout. Both engines are loaded into one process and run in turns on
 * the same texts, untraced, so that a load on the machine falls on both; of each the least processor time and the fewest bytes allocated
 * count. Bytes do not depend on the load; they want runs without a collection: `node --max-semi-space-size=256 --min-semi-space-size=256 …`.
 */

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { getHeapStatistics } from "node:v8";
import { generateText } from "../src/engine/fuzz/generate/generate.ts";
import { randomKernel, toPtx } from "./kernels.ts";
import { chainOfDiamonds, chainOfLoops, compareChain, deepNest, longBlock, sharedLoops, tangle } from "./shapes.ts";

/** What is used of an engine; both versions have it. */
interface Engine {
  readonly PASSES: typeof import("../src/engine/passes/registry.ts").PASSES;
  readonly importPtx: typeof import("../src/engine/import/ptx/import.ts").importPtx;
  readonly parseModule: typeof import("../src/engine/text/parser.ts").parseModule;
  readonly planPipeline: typeof import("../src/engine/pipeline/plan.ts").planPipeline;
  readonly DEFAULT_OPTIONS: typeof import("../src/engine/pipeline/defaults.ts").DEFAULT_OPTIONS;
  readonly passFor: typeof import("../src/engine/pipeline/run.ts").passFor;
  readonly runPassOnce: typeof import("../src/engine/pipeline/run-phase.ts").runPassOnce;
  readonly NO_RECORDER: typeof import("../src/engine/trace/recorder.ts").NO_RECORDER;
}

/** Runs that each engine gets at least: the first few pay for compilation. */
const FEWEST = 8;

const PARTS: readonly [names: string, file: string][] = [
  ["PASSES", "passes/registry.ts"],
  ["importPtx", "import/ptx/import.ts"],
  ["parseModule", "text/parser.ts"],
  ["planPipeline", "pipeline/plan.ts"],
  ["DEFAULT_OPTIONS", "pipeline/defaults.ts"],
  ["passFor", "pipeline/run.ts"],
  ["runPassOnce", "pipeline/run-phase.ts"],
  ["NO_RECORDER", "trace/recorder.ts"],
];

const {
  values,
  positionals: [folder, second],
} = parseArgs({
  options: {
    size: { type: "string", default: "2000" },
    ms: { type: "string", default: "150" },
    phase: { type: "string" },
    shape: { type: "string" },
  },
  allowPositionals: true,
});
if (folder === undefined) throw new Error("which other checkout?");
const size = Number(values.size);
/** Processor milliseconds that each engine gets for one phase of one shape. */
const share = Number(values.ms);
const { phase: onlyPhase = null, shape: onlyShape = null } = values;

const TEXTS: readonly [name: string, text: (n: number) => string][] = [
  ["random", (n) => generateText({ seed: 5, profile: "any", size: Math.ceil(n / 9) })],
  ["diamonds", chainOfDiamonds],
  ["loops", chainOfLoops],
  ["shared", sharedLoops],
  ["block", longBlock],
  ["nest", deepNest],
  ["compares", compareChain],
  ["tangle", tangle],
];

const own = second === undefined ? process.cwd() : resolve(second);
const [ours, theirs] = [await engineOf(own, "ours"), await engineOf(resolve(folder), "theirs")];
const ids = ours.PASSES.flatMap((pass) => pass.ids).filter((id) => onlyPhase === null || id === onlyPhase);
if (ids.length === 0) throw new Error(`there is no phase ${onlyPhase}: ${ours.PASSES.flatMap((pass) => pass.ids).join(", ")}`);
const ptx = toPtx(randomKernel(size, 7));
const shapes: readonly (readonly [name: string, read: (engine: Engine) => ReturnType<typeof moduleOf>])[] = [
  ["kernel", (engine) => engine.importPtx(ptx).module],
  ...TEXTS.map(([name, text]) => {
    const source = text(size);
    return [name, (engine: Engine) => moduleOf(engine, source)] as const;
  }),
];

/** What one run costs, in processor milliseconds and bytes. */
interface Cost {
  readonly ms: number;
  readonly bytes: number;
}

const ratios = new Map<string, Cost[]>();
for (const [shape, read] of shapes) {
  if (onlyShape !== null && shape !== onlyShape) continue;
  console.log(`\n${shape}\nphase | theirs ms | ours ms | ours / theirs | theirs kB | ours kB | ours / theirs`);
  for (const id of ids) {
    const [a, b] = [read(theirs), read(ours)];
    let [their, our]: Cost[] = [];
    for (let i = 0, spent = 0; i < FEWEST || spent < 2 * share; i++) {
      const [now, nowOurs] = [costOf(theirs, id, a), costOf(ours, id, b)];
      [their, our, spent] = [least(their, now), least(our, nowOurs), spent + now.ms + nowOurs.ms];
    }
    if (their === undefined || our === undefined) continue;
    const ratio = { ms: our.ms / their.ms, bytes: our.bytes / their.bytes };
    ratios.set(id, [...(ratios.get(id) ?? []), ratio]);
    const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);
    console.log(
      `${id} | ${their.ms.toFixed(2)} | ${our.ms.toFixed(2)} | ${ratio.ms.toFixed(2)} | ${kilobytes(their.bytes)} | ${kilobytes(our.bytes)} | ${ratio.bytes.toFixed(2)}`,
    );
  }
}
console.log("\nphase | time: geometric mean | worst | bytes: geometric mean | worst");
for (const [id, of] of ratios) {
  const columns = [of.map(({ ms }) => ms), of.map(({ bytes }) => bytes)].map((column) => {
    const mean = Math.exp(column.reduce((sum, ratio) => sum + Math.log(ratio), 0) / column.length);
    return `${mean.toFixed(2)} | ${Math.max(...column).toFixed(2)}`;
  });
  console.log(`${id} | ${columns.join(" | ")}`);
}

function least(known: Cost | undefined, now: Cost): Cost {
  return known === undefined ? now : { ms: Math.min(known.ms, now.ms), bytes: Math.min(known.bytes, now.bytes) };
}

function moduleOf(engine: Engine, text: string): ReturnType<Engine["parseModule"]>["module"] {
  return engine.parseModule(text).module;
}

function costOf(engine: Engine, id: string, module: ReturnType<typeof moduleOf>): Cost {
  const pass = engine.passFor(id);
  const fn = module.funcs[0];
  if (pass === undefined || fn === undefined) throw new Error(`${id} cannot run`);
  const { plan } = engine.planPipeline(engine.DEFAULT_OPTIONS, module.target);
  const env = { module, target: plan.target, level: plan.level, policy: plan.policy, knobs: plan.knobs, rec: engine.NO_RECORDER };
  // A new function object each time: nothing is remembered from the run before.
  const copy = { ...fn };
  const heap = getHeapStatistics().used_heap_size;
  const start = process.cpuUsage();
  const { error } = engine.runPassOnce(pass, id, copy, env);
  const { user, system } = process.cpuUsage(start);
  const grown = getHeapStatistics().used_heap_size - heap;
  if (error !== null) throw new Error(`${id}: ${error}`);
  // Less than nothing: a collection came in between.
  return { ms: (user + system) / 1000, bytes: grown > 0 ? grown : Number.POSITIVE_INFINITY };
}

/** The engine of a checkout, bundled by its own sources. */
async function engineOf(checkout: string, name: string): Promise<Engine> {
  const { rolldown } = await import("rolldown");
  const source = PARTS.map(([names, file]) => `export { ${names} } from ${JSON.stringify(join(checkout, "src/engine", file))};`).join("\n");
  const entry = "\0engine";
  const bundler = await rolldown({
    input: entry,
    cwd: checkout,
    platform: "node",
    plugins: [{ name: "engine", resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null) }],
    logLevel: "silent",
  });
  const file = join(checkout, "node_modules/.cache", `against-${name}-${process.pid}.mjs`);
  await bundler.write({ file, format: "esm", codeSplitting: false });
  return (await import(pathToFileURL(file).href)) as Engine;
}
