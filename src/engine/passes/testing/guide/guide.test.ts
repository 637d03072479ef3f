/** The worked example of docs/write-a-pass.md is what the document shows, and does what it says. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkEquivalent } from "../../../fuzz/equivalence.ts";
import type { Func } from "../../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../../pipeline/defaults.ts";
import { planPipeline } from "../../../pipeline/plan.ts";
import { runPassOnce } from "../../../pipeline/run-phase.ts";
import { parseModule } from "../../../text/parser.ts";
import { printFunc } from "../../../text/printer.ts";
import { NO_RECORDER } from "../../../trace/recorder.ts";
import { Recording } from "../../../trace/recording.ts";
import { verifyFunc } from "../../../verify/verify.ts";
import { equalSelect } from "./equal-select.ts";

const document = readFileSync(new URL("../../../../../docs/write-a-pass.md", import.meta.url), "utf8");
const source = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
/** The fenced parts of the document in a language, without their fences. */
const blocks = (language: string): string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text]) => text ?? "");

const { module } = parseModule(blocks("ori")[0] ?? "");
const fn = module.funcs[0] as Func;
const { plan } = planPipeline(DEFAULT_OPTIONS, module.target);

function run(drops: readonly string[], rec: Recording | typeof NO_RECORDER = NO_RECORDER) {
  const interventions = { skips: new Set<number>(), drops: new Set(drops) };
  return runPassOnce(equalSelect, "equal-select", fn, { ...plan, module, rec, interventions });
}

it("is shown in the document as it is", () => {
  expect(blocks("ts")).toEqual([source("rules.ts"), source("equal-select.ts")]);
});

it("makes of the document's program what the document says, with the same meaning", () => {
  const { fn: after, outcome } = run([]);
  expect(printFunc(after)).toBe(blocks("text")[0]);
  expect(outcome).toMatchObject({ matches: 3, rewrites: 1, why: null });
  expect(verifyFunc(after, module)).toEqual([]);
  expect(checkEquivalent(fn, after, module, { inputs: 24, seed: 1 }).counterexample).toBeNull();
});

it("is wrong without its condition, as the document says", () => {
  const { fn: after } = run(["different"]);
  expect(checkEquivalent(fn, after, module, { inputs: 24, seed: 1 }).counterexample).not.toBeNull();
});

it("does the same when it is recorded", () => {
  const rec = new Recording(fn);
  expect(printFunc(run([], rec).fn)).toBe(printFunc(run([]).fn));
  expect(rec.tape.length).toBeGreaterThan(4);
});
