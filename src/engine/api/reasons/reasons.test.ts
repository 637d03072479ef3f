/** Every rewrite has a reason: of all fixtures of all phases, and of random programs through the pipeline. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generateModule } from "../../fuzz/generate/generate.ts";
import type { Module } from "../../ir/types.ts";
import { PASSES } from "../../passes/registry.ts";
import { readDirectives } from "../../passes/testing/fixture.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { type PlanOptions, planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { runPhase } from "../../pipeline/run-phase.ts";
import { freshSeed } from "../../testing/seed.ts";
import { parseModule } from "../../text/parser.ts";
import { Recording } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";
import { reasonsAt } from "./reasons.ts";

const seed = freshSeed();
const RANDOM = 4;

/** The recorded phases of a program that change it; of one family, or all. */
function* recordings(module: Module, options: PlanOptions, family: string | null) {
  const [fn] = module.funcs;
  if (fn === undefined) return;
  const { plan } = planPipeline(options, module.target);
  for (const run of runPipeline(fn, module, plan).runs) {
    if (run.pass === null || (family !== null && run.pass.family !== family)) continue;
    const recording = new Recording(run.before);
    runPhase(run.planned, run.pass, run.before, { module, plan, rec: recording });
    yield { id: run.planned.id, table: run.pass.rules ?? null, trace: new Trace(recording, run.before) };
  }
}

const CODE = new Set(["insts", "move", "block-add", "block-remove", "succs"]);

/** Steps that rewrite the program: what a phase requested, and each change of the code or the graph. */
function rewriting(trace: Trace): number[] {
  const firsts = new Set(trace.rewrites.filter(({ refused }) => !refused).map(({ from }) => from));
  return Array.from({ length: trace.steps }, (_, step) => step).filter(
    (step) => firsts.has(step) || trace.tape.kindOf(step) === "rewrite" || CODE.has(trace.editOf(step)?.op ?? ""),
  );
}

/** What is wrong with the reasons of a recording. */
function faults(where: string, { id, table, trace }: { id: string; table: Parameters<typeof reasonsAt>[1]; trace: Trace }): string[] {
  const wrong: string[] = [];
  for (const step of rewriting(trace)) {
    const reasons = reasonsAt(trace, table, step);
    const said = `${where}, ${id}, step ${step}: ${trace.event(step).sentence}`;
    if (reasons.length === 0) wrong.push(`${said}: no reason`);
    for (const { sentence, step: at } of reasons) {
      if (sentence.trim() === "" || /[{}|]|undefined|null|\bnone\b|#\d/.test(sentence.replace(/'[^']*'/g, "")))
        wrong.push(`${said}: '${sentence}'`);
      if (at !== null && (at < 0 || at >= trace.steps)) wrong.push(`${said}: step ${at}`);
    }
  }
  return wrong;
}

function reasonsOf(text: string, options: PlanOptions, id: string, sentence: string): string[] {
  const { module } = parseModule(text);
  for (const { id: phase, table, trace } of recordings(module, options, null)) {
    if (phase !== id) continue;
    for (let step = 0; step < trace.steps; step++)
      if (trace.event(step).sentence.includes(sentence)) return reasonsAt(trace, table, step).map((reason) => reason.sentence);
  }
  return [`no step says '${sentence}'`];
}

describe("reasons of rewrites", () => {
  for (const family of new Set(PASSES.map((pass) => pass.family))) {
    it(`are there for every rewrite of the programs of ${family}`, () => {
      const folder = join("src/engine/passes", family, "fixtures");
      for (const file of readdirSync(folder).filter((name) => name.endsWith(".ori"))) {
        const text = readFileSync(join(folder, file), "utf8");
        const directives = readDirectives(text);
        if (typeof directives === "string") throw new Error(`${file}: ${directives}`);
        for (const recording of recordings(parseModule(text).module, directives.options, family))
          expect(faults(file, recording)).toEqual([]);
      }
    });
  }

  const acrossALoop = readFileSync("src/engine/passes/general-optimize/fixtures/across-a-loop.ori", "utf8");
  const only = (phase: string): PlanOptions => ({ ...DEFAULT_OPTIONS, phases: [phase] });

  it("name the copy that an operand came from", () => {
    expect(reasonsOf(acrossALoop, only("general-optimize"), "general-optimize", "so 'IADD R6, R5, R2' reads R1")).toEqual([
      "R2 is a copy of R1, made by 'MOV R2, R1' in BB0",
    ]);
  });

  it("name the edge whose loss made a block unreachable", () => {
    const text = readFileSync("src/engine/passes/branch-opt/fixtures/cascade.ori", "utf8");
    expect(reasonsOf(text, only("ori-branch-opt"), "ori-branch-opt", "block BB2 is deleted")).toEqual([
      "no edge leads to BB2 any more: its last one, from BB0, was removed at step 43",
    ]);
  });

  it("are there for each edge of a large part that is removed as a whole", () => {
    const dead = Array.from({ length: 60 }, (_, i) => `D${i}:\n    BRA D${i + 1}\n`).join("");
    const text = `.kernel k(a: R0)\nBB0:\n    BRA D60\n${dead}D60:\n    EXIT\n`;
    expect(reasonsOf(text, only("ori-branch-opt"), "ori-branch-opt", "the edge from D0 to D1 is removed")).toEqual([
      "no edge led to D0 when the phase began",
    ]);
  });

  it("name the reader whose change made an instruction dead", () => {
    expect(reasonsOf(acrossALoop, only("general-optimize"), "general-optimize", "'MOV R2, R1' is deleted")).toEqual([
      "nothing reads R2 any more: its last reader, 'IADD R6, R5, R2', was changed at step 44",
    ]);
  });

  it(`are there in random programs, seed ${seed}`, () => {
    for (let i = 0; i < RANDOM; i++) {
      const module = generateModule({ seed: seed + i, profile: "any", size: 6 });
      for (const recording of recordings(module, DEFAULT_OPTIONS, null)) expect(faults(`seed ${seed + i}`, recording)).toEqual([]);
    }
  });
});
