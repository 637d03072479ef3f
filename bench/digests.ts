/**
 * One digest for each program, of what the engine makes of it: `npx tsx bench/digests.ts [--random N] [FOLDER…] > before`, and once more
 * after a change that may not change results; `diff before after` then shows the programs whose results differ. A digest covers each phase's
 * program and summary under both policies, of a random program every check that the fuzzer makes. Read are `.ori` and `.ptx` files; without folders, the fixtures of all passes.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createFuzzer } from "../src/engine/api/exec/fuzz.ts";
import { POLICIES } from "../src/engine/config/policy.ts";
import { stateKey } from "../src/engine/fuzz/laws.ts";
import { importPtx } from "../src/engine/import/ptx/import.ts";
import { DEFAULT_OPTIONS } from "../src/engine/pipeline/defaults.ts";
import { planPipeline } from "../src/engine/pipeline/plan.ts";
import { runPipeline } from "../src/engine/pipeline/run.ts";
import { parseModule } from "../src/engine/text/parser.ts";

const { values, positionals } = parseArgs({ options: { random: { type: "string", default: "0" } }, allowPositionals: true });
const random = Number(values.random);
const folders = positionals.length === 0 ? ["src/engine/passes"] : positionals;

for (const folder of folders) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(ori|ptx)$/.test(name));
  for (const name of files.toSorted())
    console.log(`${digestOfText(readFileSync(join(folder, name), "utf8"), name.endsWith(".ptx"))} ${name}`);
}
if (random > 0) digestRandom();

function digestOfText(text: string, ptx: boolean): string {
  const hash = createHash("sha256");
  const { module } = ptx ? importPtx(text) : parseModule(text);
  for (const fn of module.funcs) {
    hash.update(stateKey(fn));
    for (const policy of POLICIES) {
      const { plan } = planPipeline({ ...DEFAULT_OPTIONS, policy }, module.target);
      let before = fn;
      for (const { planned, after, summary } of runPipeline(fn, module, plan).runs) {
        hash.update(`${planned.id} ${summary}\n`);
        if (after !== before) hash.update(stateKey(after));
        before = after;
      }
    }
  }
  return hash.digest("hex").slice(0, 16);
}

function digestRandom(): void {
  const settings = {
    phase: null,
    target: null,
    policy: null,
    knobs: [],
    inputs: 4,
    size: null,
    subsets: null,
    drops: [],
    everyLaw: false,
    noDrawn: false,
    trace: true,
    shrink: false,
  };
  const fuzzer = createFuzzer({ ...settings, profile: null });
  if (typeof fuzzer === "string") throw new Error(fuzzer);
  for (let seed = 1; seed <= random; seed++) {
    const found = JSON.stringify(fuzzer.try(seed));
    console.log(`${createHash("sha256").update(found).digest("hex").slice(0, 16)} random program ${seed}`);
  }
}
