/** A rewrite has one number: that of the trace is the one that `--skip` and fuel mean. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { planPipeline } from "../pipeline/plan.ts";
import { passFor, runPipeline } from "../pipeline/run.ts";
import { runPassOnce } from "../pipeline/run-phase.ts";
import { freshSeed } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { Recording } from "../trace/recording.ts";
import { Trace } from "../trace/trace.ts";
import { PASSES } from "./registry.ts";
import { readDirectives } from "./testing/fixture.ts";

const root = dirname(fileURLToPath(import.meta.url));
const FAR = 1_000_000;

it.each([...new Set(PASSES.map(({ family }) => family))])("%s", (family) => {
  const folder = join(root, family, "fixtures");
  const files = readdirSync(folder).filter((file) => file.endsWith(".ori"));
  // A third of them, a different one on every commit.
  for (const name of files.filter((_, i) => i % 3 === freshSeed() % 3)) {
    const text = readFileSync(join(folder, name), "utf8");
    const directives = readDirectives(text);
    if (typeof directives === "string") continue;
    const { module } = parseModule(text);
    const { plan } = planPipeline(directives.options, module.target);
    const { runs } = runPipeline(module.funcs[0]!, module, plan);
    const { before, planned } = runs.at(-1)!;
    const pass = passFor(planned.id)!;
    const numbers = (skips: readonly number[]): string[] => {
      const rec = new Recording(before);
      const env = { ...plan, ...planned, module, rec, interventions: { skips: new Set(skips), drops: new Set<string>() } };
      runPassOnce(pass, planned.id, before, env);
      rec.finish();
      const trace = new Trace(rec, before);
      return rec.rewrites.filter(({ from }) => from < trace.steps).map(({ n, from }) => `${n}: ${trace.event(from).sentence}`);
    };
    const plain = numbers([]);
    expect({ name, numbers: plain }).toEqual({ name, numbers: numbers([FAR]) });
  }
});
