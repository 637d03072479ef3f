import { describe, expect, it } from "vitest";
import { checkEquivalent } from "../../../engine/fuzz/equivalence.ts";
import { generateModule } from "../../../engine/fuzz/generate/generate.ts";
import { PROFILES } from "../../../engine/fuzz/generate/options.ts";
import { DEFAULT_OPTIONS } from "../../../engine/pipeline/defaults.ts";
import type { Intervention } from "../../../engine/pipeline/intervention.ts";
import { planPipeline } from "../../../engine/pipeline/plan.ts";
import { runPipeline } from "../../../engine/pipeline/run.ts";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { printFunc } from "../../../engine/text/printer.ts";
import { KEPT_WITNESSES } from "./kept-witnesses.ts";
import { RewritePrefixes } from "./prefixes.ts";

const SEED = 7;
const FRESH = freshSeed();

function prefixesOf(
  module: ReturnType<typeof generateModule>,
  interventions: readonly Intervention[],
  phases: readonly string[] | null = null,
) {
  const [fn] = module.funcs;
  if (fn === undefined) throw new Error("no function");
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases, interventions }, module.target);
  const pipeline = runPipeline(fn, module, plan);
  return { fn, plan, pipeline, prefixes: new RewritePrefixes(fn, module, plan, pipeline, { inputs: 12, seed: SEED }) };
}

/** From both ends, in the order of the page's requests. */
const inwards = (last: number): number[] => Array.from({ length: last + 1 }, (_, i) => (i % 2 === 0 ? i / 2 : last - (i - 1) / 2));

describe("the prefixes of rewrites", () => {
  it("begins with the input, ends with the result, and is green all the way", () => {
    const module = generateModule({ seed: SEED, profile: "any", size: 3 });
    const { fn, plan, pipeline, prefixes } = prefixesOf(module, []);
    expect(prefixes.program(0)).toBe(fn);
    // A phase after the last rewrite may still number and mark.
    const last = pipeline.runs.findLast((run) => (run.outcome?.rewrites ?? 0) > 0);
    expect(prefixes.program(prefixes.rewrites)).toBe(last?.after ?? fn);
    for (let n = 0; n <= prefixes.rewrites; n++) expect({ n, ...prefixes.light(n) }).not.toMatchObject({ colour: "red" });
    const n = Math.ceil(prefixes.rewrites / 2);
    expect(printFunc(prefixes.program(n))).toBe(printFunc(runPipeline(fn, module, plan, { fuel: n }).result));
  });

  it.each(Array.from({ length: 2 }, (_, i) => FRESH + i))(
    "the program of each prefix is that of a whole run with so much fuel, seed %i",
    (seed) => {
      const profile = PROFILES.filter((one) => one !== "large")[seed % (PROFILES.length - 1)] ?? "any";
      const module = generateModule({ seed, profile, size: 3 });
      const { fn, plan, prefixes } = prefixesOf(module, []);
      for (let n = 0; n <= prefixes.rewrites; n += 1 + Math.floor(prefixes.rewrites / 6)) {
        const whole = runPipeline(fn, module, plan, { fuel: n }).result;
        expect({ n, text: printFunc(prefixes.program(n)) }).toEqual({ n, text: printFunc(whole) });
      }
    },
  );

  it.each(Array.from({ length: 3 }, (_, i) => FRESH + 10 + i))(
    "looks only where a prefix differs, and says the same as a checker that runs everything, seed %i",
    (seed) => {
      const profile = PROFILES.filter((one) => one !== "large")[seed % (PROFILES.length - 1)] ?? "any";
      const module = generateModule({ seed, profile, size: 4 });
      // Without these, some prefixes are wrong.
      const drops = [
        { kind: "drop", phase: "general-optimize", condition: "several-definitions" },
        { kind: "drop", phase: "general-optimize-early", condition: "operand-differs" },
      ] as const;
      const { fn, prefixes } = prefixesOf(module, drops);
      for (const n of inwards(prefixes.rewrites)) {
        const light = prefixes.light(n);
        if (light.colour === "red" && light.counterexample === null) continue;
        const whole = checkEquivalent(fn, prefixes.program(n), module, { inputs: 12, seed: SEED, known: true });
        const said = light.colour === "red" ? (light.counterexample?.text ?? "") : null;
        expect({ n, said }).toEqual({ n, said: whole.counterexample?.text ?? null });
      }
    },
  );

  it("turns red at the rewrite that a dropped condition let happen", () => {
    const kept = KEPT_WITNESSES.find((one) => one.family === "gvn-cse" && one.name === "value-overwritten");
    const { module } = parseModule(kept?.text ?? "");
    const drop = { kind: "drop", phase: "gvn-cse", condition: "value-overwritten" } as const;
    const { prefixes } = prefixesOf(module, [drop], ["gvn-cse"]);
    const lights = Array.from({ length: prefixes.rewrites + 1 }, (_, n) => prefixes.light(n).colour);
    expect(lights).toEqual(["green", "red"]);
    const light = prefixes.light(1);
    if (light.colour !== "red" || light.counterexample === null) throw new Error("no counterexample");
    expect(prefixes.shrunk(1, light.counterexample).input.threads).toBe(1);
    expect(prefixes.said(1)?.sentence).toContain("R5");
    expect(prefixes.rewriteAt(1)).toEqual({ run: 0, n: 1 });
  });
});
