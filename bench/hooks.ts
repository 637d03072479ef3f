/**
 * What it costs that every rewrite asks and every legality condition may be dropped, when nobody intervenes: `node scripts/run-ts.mjs bench/hooks.ts [--rounds N]`.
 * The engine is bundled as it is, and twice with those questions taken out of its remarks. All three are loaded into one process and run the whole pipeline on
 * the same programs in turns, so that a load on the machine falls on all. What counts is the median of the ratios of neighbouring runs; that of the two
 * equal ones says how far such a median can be believed.
 */

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { generateText } from "../src/engine/fuzz/generate/generate.ts";
import { randomKernel, toPtx } from "./kernels.ts";

interface Engine {
  readonly importPtx: typeof import("../src/engine/import/ptx/import.ts").importPtx;
  readonly parseModule: typeof import("../src/engine/text/parser.ts").parseModule;
  readonly planPipeline: typeof import("../src/engine/pipeline/plan.ts").planPipeline;
  readonly DEFAULT_OPTIONS: typeof import("../src/engine/pipeline/defaults.ts").DEFAULT_OPTIONS;
  readonly runPipeline: typeof import("../src/engine/pipeline/run.ts").runPipeline;
}

const ENGINE = join(process.cwd(), "src/engine");
const PARTS: readonly [name: string, file: string][] = [
  ["importPtx", "import/ptx/import.ts"],
  ["parseModule", "text/parser.ts"],
  ["planPipeline", "pipeline/plan.ts"],
  ["DEFAULT_OPTIONS", "pipeline/defaults.ts"],
  ["runPipeline", "pipeline/run.ts"],
];
/** Every place where a remark looks at the interventions, and the code without them. */
const WITHOUT: readonly [from: string, to: string][] = [
  ["if (condition || this.permits.drops(reason)) return true;", "if (condition) return true;"],
  ["return this.permits.mayRefuse;", "return false;"],
  ["return this.permits.over;", "return false;"],
  ["if (this.rec !== null || this.permits.mayRefuse) return false;", "if (this.rec !== null) return false;"],
  ["    this.permits.asked++;\n", ""],
  ["if (this.refused !== null || this.granted !== null) {", "if (false) {"],
  ["const refusal = this.permits.ask();", "const refusal = null as Refusal | null;"],
];
/** Runs before the first that counts: they pay for compilation. */
const WARM = 5;
const REMARKS = resolve(ENGINE, "remark/remarks.ts");

const at = process.argv.indexOf("--rounds");
const rounds = at < 0 ? 40 : Number(process.argv[at + 1]);

const [asking, plain, again] = [await engineOf("with"), await engineOf("without"), await engineOf("again")];
const PROGRAMS: readonly (readonly [name: string, format: "ori" | "ptx", text: string])[] = [
  ["random, 456 instructions", "ori", generateText({ seed: 202, profile: "any", size: 60 })],
  ["random, 487 instructions", "ori", generateText({ seed: 18, profile: "any", size: 60 })],
  ["kernel of 1,000 instructions", "ptx", toPtx(randomKernel(1000, 7))],
  ["kernel of 3,000 instructions", "ptx", toPtx(randomKernel(3000, 7))],
];

console.log("program | asked | least ms with the questions | least ms without | with / without, median | without / without, middle half");
const all: number[] = [];
for (const [name, format, text] of PROGRAMS) {
  const runs = [asking, plain, again].map((engine) => prepared(engine, format, text));
  for (const run of runs) for (let i = 0; i < WARM; i++) run();
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  const ratios: number[] = [];
  const equals: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const took = [0, 0, 0];
    // Each goes first in turn.
    for (let k = 0; k < runs.length; k++) {
      const which = (i + k) % runs.length;
      took[which] = cost(runs[which] as Run);
      least[which] = Math.min(least[which] as number, took[which] as number);
    }
    const [a = 0, b = 0, c = 0] = took;
    ratios.push(a / b, a / c);
    equals.push(b / c, c / b);
  }
  all.push(median(ratios));
  const asked = (runs[0] as Run)().runs.reduce((n, run) => n + (run.outcome?.rewrites ?? 0), 0);
  const [a = 0, b = 0, c = 0] = least;
  const columns = [a.toFixed(1), Math.min(b, c).toFixed(1), median(ratios).toFixed(3), spread(equals)];
  console.log(`${name} | ${asked} | ${columns.join(" | ")}`);
}
console.log(`geometric mean of the medians: ${mean(all).toFixed(3)}`);

function mean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Half of the ratios lie between these. */
function spread(values: readonly number[]): string {
  return `${quantile(values, 0.25).toFixed(2)} to ${quantile(values, 0.75).toFixed(2)}`;
}

function quantile(values: readonly number[], share: number): number {
  const order = values.toSorted((a, b) => a - b);
  return order[Math.floor(share * (order.length - 1))] ?? 1;
}

type Run = () => ReturnType<Engine["runPipeline"]>;

function prepared(
  { importPtx, parseModule, planPipeline, DEFAULT_OPTIONS, runPipeline }: Engine,
  format: "ori" | "ptx",
  text: string,
): Run {
  const { module } = format === "ptx" ? importPtx(text) : parseModule(text);
  const [fn] = module.funcs;
  if (fn === undefined) throw new Error("the program could not be read");
  const { plan } = planPipeline(DEFAULT_OPTIONS, module.target);
  // A new function object each time: nothing is remembered from the run before.
  return () => runPipeline({ ...fn }, module, plan);
}

function cost(run: Run): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function engineOf(name: "with" | "without" | "again"): Promise<Engine> {
  const { rolldown } = await import("rolldown");
  const source = PARTS.map(([name, file]) => `export { ${name} } from ${JSON.stringify(join(ENGINE, file))};`).join("\n");
  const entry = "\0engine";
  const transform = (code: string, id: string): string | null => {
    if (name === "with" || id !== REMARKS) return null;
    return WITHOUT.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the remarks no longer read: ${from}`);
      return text.replace(from, to);
    }, code);
  };
  const bundler = await rolldown({
    input: entry,
    cwd: process.cwd(),
    platform: "node",
    plugins: [{ name: "engine", resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null), transform }],
    logLevel: "silent",
  });
  const file = join(process.cwd(), "node_modules/.cache", `hooks-${name}-${process.pid}.mjs`);
  await bundler.write({ file, format: "esm", codeSplitting: false });
  return (await import(pathToFileURL(file).href)) as Engine;
}
