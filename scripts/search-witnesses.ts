/**
 * Searches for programs that need a legality condition: `npx tsx scripts/search-witnesses.ts [--only FAMILY:CONDITION] [--count N] [--seconds N] [--seed S] [--company]`.
 * Without `--only` every condition without a stored witness is searched. Tried are variants of the phase's own fixtures, regressions and witnesses: those in which
 * the condition decides something come up again more often, so that the search stays where the condition is met. With `--company` a third of the
 * trials drop one or two further conditions with it; then the program must keep its meaning with those alone, and a reader has to see which of them it is about. What is found is printed as a witness file.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createPrng, type Prng } from "../src/base/prng.ts";
import { checkEquivalent } from "../src/engine/fuzz/equivalence.ts";
import { variantOf } from "../src/engine/fuzz/variants.ts";
import type { Func, Module } from "../src/engine/ir/types.ts";
import { PASSES } from "../src/engine/passes/registry.ts";
import { readDirectives } from "../src/engine/passes/testing/fixture.ts";
import { planPipeline } from "../src/engine/pipeline/plan.ts";
import { passFor, runPipeline } from "../src/engine/pipeline/run.ts";
import { runPassOnce } from "../src/engine/pipeline/run-phase.ts";
import { reasonsOf } from "../src/engine/remark/rules.ts";
import { parseModule } from "../src/engine/text/parser.ts";
import { printFunc } from "../src/engine/text/printer.ts";
import { NO_RECORDER } from "../src/engine/trace/recorder.ts";
import { verifyChange, verifyModule } from "../src/engine/verify/verify.ts";
import { KEPT_WITNESSES } from "../src/features/futures/engine/kept-witnesses.ts";

const PASSES_FOLDER = join(process.cwd(), "src/engine/passes");
const INPUTS = 12;
/** Variants loop for ever more often than programs do. */
const FUEL = 4000;

const option = (name: string): string | null => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? null);
};
const count = Number(option("count") ?? "200000");
const seconds = Number(option("seconds") ?? "60");
const firstSeed = Number(option("seed") ?? "1");
const only = option("only");
const company = process.argv.includes("--company");

interface Start {
  readonly head: string;
  readonly body: string;
  readonly phase: string;
  readonly threads: number;
  readonly plan: ReturnType<typeof planPipeline>["plan"];
}

const wanted =
  only === null
    ? PASSES.flatMap(({ family, rules = {} }) =>
        reasonsOf(rules)
          .filter(
            ({ name, droppable }) =>
              droppable !== null && !KEPT_WITNESSES.some((kept) => kept.family === family && kept.drops.includes(name)),
          )
          .map(({ name }) => ({ family, name })),
      )
    : [{ family: only.split(":")[0] ?? "", name: only.split(":")[1] ?? "" }];
for (const { family, name } of wanted) search(family, name);

function search(family: string, condition: string): void {
  const others = PASSES.filter((pass) => pass.family === family)
    .flatMap((pass) => reasonsOf(pass.rules ?? {}))
    .filter((reason) => reason.droppable !== null && reason.name !== condition)
    .map((reason) => reason.name);
  const starts = startsOf(family);
  // Those with the condition in their comments or decisions come first in the draw.
  const pool: { readonly start: Start; readonly body: string }[] = starts.map((start) => ({ start, body: start.body }));
  const [began, rng] = [process.cpuUsage(), createPrng(firstSeed)];
  let [tried, valid, decided] = [0, 0, 0];
  while (tried < count && process.cpuUsage(began).user / 1e6 < seconds) {
    tried++;
    // The later half of the pool is where the condition was met.
    const from = pool[rng.chance(0.7) ? pool.length - 1 - rng.below(Math.min(pool.length, 40)) : rng.below(pool.length)];
    if (from === undefined) return;
    const body = variantOf(from.body, rng);
    const read = readProgram(body, from.start);
    if (read === null) continue;
    valid++;
    const drops = [condition, ...(company && rng.chance(0.34) ? some(others, 1 + rng.below(2), rng) : [])];
    const result = runWith(read, from.start, drops);
    if (result === null || !result.dropped.includes(condition)) continue;
    decided++;
    if (pool.length < 3000) pool.push({ start: from.start, body });
    const used = drops.filter((one) => result.dropped.includes(one));
    const wrong = problemOf(read, result.fn, from.start);
    if (wrong === null) continue;
    const without = runWith(
      read,
      from.start,
      used.filter((one) => one !== condition),
    );
    if (without === null || problemOf(read, without.fn, from.start) !== null) continue;
    console.log(
      `${family}:${condition} after ${tried} programs (${decided} decided)\n// drops: ${used.join(", ")}\n// ${wrong}\n${from.start.head}\n${printFunc(read.fn)}`,
    );
    return;
  }
  console.log(`${family}:${condition}: none in ${tried} programs, ${valid} of them valid, ${decided} in which it decided something`);
}

function startsOf(family: string): readonly Start[] {
  return ["fixtures", "regressions", "witnesses"].flatMap((kind) => {
    const folder = join(PASSES_FOLDER, family, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith(".ori"))
      .flatMap((file): readonly Start[] => {
        const text = readFileSync(join(folder, file), "utf8");
        const directives = readDirectives(text);
        if (typeof directives === "string") return [];
        const { phase, threads, options } = directives;
        const lines = text.split("\n");
        const head = lines.filter((line) => /^\/\/ (phase|before|knob|target|level|policy|no-phase|threads):/.test(line)).join("\n");
        const body = lines.filter((line) => !line.trim().startsWith("//")).join("\n");
        return body.length > 6000 ? [] : [{ head, body, phase, threads, plan: planPipeline(options, null).plan }];
      });
  });
}

interface Program {
  readonly module: Module;
  readonly fn: Func;
}

/** The variant when it is a program, as the phases before leave it. */
function readProgram(body: string, { plan, phase }: Start): Program | null {
  const { module, diagnostics } = parseModule(body);
  const [fn] = module.funcs;
  if (fn === undefined || diagnostics.some((d) => d.severity === "error")) return null;
  if (verifyModule(module).some((d) => d.severity === "error")) return null;
  const before = plan.runs.filter((run) => run.id !== phase);
  if (before.length === 0) return { module, fn };
  return { module, fn: runPipeline(fn, module, { ...plan, runs: before }).result };
}

function runWith(
  { module, fn }: Program,
  { phase, plan }: Start,
  drops: readonly string[],
): { fn: Func; dropped: readonly string[] } | null {
  const pass = passFor(phase);
  if (pass === undefined) return null;
  const interventions = { skips: new Set<number>(), drops: new Set(drops) };
  const result = runPassOnce(pass, phase, fn, { ...plan, module, rec: NO_RECORDER, interventions });
  return result.error === null ? { fn: result.fn, dropped: result.permits?.dropped ?? [] } : null;
}

function problemOf({ module, fn }: Program, after: Func, { threads }: Start): string | null {
  const invalid = verifyChange(fn, after, module).find((d) => d.severity === "error");
  if (invalid !== undefined) return `${invalid.code}: ${invalid.message}`;
  return checkEquivalent(fn, after, module, { inputs: INPUTS, seed: 1, threads, fuel: FUEL }).counterexample?.difference ?? null;
}

function some(from: readonly string[], most: number, rng: Prng): string[] {
  return from.length === 0 ? [] : [...new Set(Array.from({ length: most }, () => rng.pick(from)))];
}
