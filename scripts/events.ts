/**
 * All events of the phases of a family, as text to compare: `npx tsx scripts/events.ts FAMILY [--seeds N] > FILE`.
 * The family's fixtures and N random programs (default 40) run under both policies; printed are all events with facts and focus, the
 * observed structures' last cells and the outcomes. Two versions of the code that print the same show the same:
 * `diff <(grep -v '^    facts' A) <(grep -v '^    facts' B)` must be empty, and what differs in the facts must be meant.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { generateModule } from "../src/engine/fuzz/generate/generate.ts";
import { PROFILES } from "../src/engine/fuzz/generate/options.ts";
import type { Func, Module } from "../src/engine/ir/types.ts";
import { PASSES } from "../src/engine/passes/registry.ts";
import { readDirectives } from "../src/engine/passes/testing/fixture.ts";
import { DEFAULT_OPTIONS } from "../src/engine/pipeline/defaults.ts";
import { type PlanOptions, planPipeline } from "../src/engine/pipeline/plan.ts";
import { runPipeline } from "../src/engine/pipeline/run.ts";
import { runPhase } from "../src/engine/pipeline/run-phase.ts";
import { parseModule } from "../src/engine/text/parser.ts";
import { printFunc } from "../src/engine/text/printer.ts";
import { Recording } from "../src/engine/trace/recording.ts";
import { Trace } from "../src/engine/trace/trace.ts";

const {
  values,
  positionals: [family = ""],
} = parseArgs({ options: { seeds: { type: "string", default: "40" } }, allowPositionals: true });
const seeds = Number(values.seeds);
const passes = PASSES.filter((pass) => pass.family === family);
if (passes.length === 0) {
  console.error(`no family '${family}': ${[...new Set(PASSES.map((pass) => pass.family))].join(", ")}`);
  process.exit(2);
}

const folder = join("src/engine/passes", family, "fixtures");
for (const file of readdirSync(folder).filter((name) => name.endsWith(".ori"))) {
  const text = readFileSync(join(folder, file), "utf8");
  const directives = readDirectives(text);
  if (typeof directives === "string") throw new Error(`${file}: ${directives}`);
  const { module } = parseModule(text);
  print(file, module, directives.options);
}
const ids = passes.flatMap((pass) => pass.ids);
const gates = ["back-copy-prop-enable=on"];
for (let seed = 1; seed <= seeds; seed++) {
  const profile = PROFILES[seed % PROFILES.length] ?? "any";
  const module = generateModule({ seed, profile, size: profile === "large" ? 1 : 8 });
  for (const policy of ["notes", "measured"])
    for (const target of ["sm_80", "sm_100"])
      for (const id of ids) print(`seed ${seed}`, module, { ...DEFAULT_OPTIONS, policy, target, knobs: gates, phases: [id] });
}

function print(title: string, module: Module, options: PlanOptions): void {
  const fn = module.funcs[0];
  if (fn === undefined) throw new Error(`${title}: no function`);
  const { plan } = planPipeline(options, module.target);
  for (const run of runPipeline(fn, module, plan).runs) {
    if (run.pass === null || !passes.includes(run.pass)) continue;
    console.log(`\n## ${title}, ${run.planned.id}, ${options.policy} ${options.target ?? ""}`);
    const recording = new Recording(run.before);
    const result = runPhase(run.planned, run.pass, run.before, { module, plan, rec: recording });
    console.log(JSON.stringify({ outcome: result.outcome, error: result.error, reason: result.reason }));
    events(new Trace(recording, run.before), result.fn);
  }
}

function events(trace: Trace, after: Func): void {
  for (let step = 0; step < trace.steps; step++) {
    const { line, kind, depth, sentence, facts, focus } = trace.event(step);
    console.log(`${line} ${"  ".repeat(depth)}${kind}: ${sentence}\n    focus ${sorted(focus)}\n    facts ${sorted(facts)}`);
  }
  trace.funcAt(trace.steps - 1);
  const { journal } = trace;
  for (let cell = 0; cell < journal.cells; cell++) {
    const structure = journal.structures[journal.structureOfCell(cell)]?.name ?? "";
    console.log(`${structure}/${journal.keyOfCell(cell)} = ${JSON.stringify(trace.cell(cell))}`);
  }
  console.log(printFunc(after));
}

/** Parts in the order of their names, without those that are null or empty. */
function sorted(record: object): string {
  const parts = Object.entries(record).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  return JSON.stringify(Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1))));
}
