/**
 * What goes wrong without a legality condition: each family's `witnesses/*.ori` is a program whose meaning its phase preserves, and that means something else, or
 * is not a valid program, once the conditions of its `// drops: NAME, …` are assumed to hold. The other directives are those of fixtures. A program among the
 * family's regressions that names dropped conditions is such a witness, too. `kept-witnesses.json` holds them all for an engine that has no
 * files: `npm run bless -- witnesses` writes it.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkEquivalent } from "../../../engine/fuzz/equivalence.ts";
import { PASSES } from "../../../engine/passes/registry.ts";
import { readDirectives } from "../../../engine/passes/testing/fixture.ts";
import { planPipeline } from "../../../engine/pipeline/plan.ts";
import { passFor } from "../../../engine/pipeline/run.ts";
import { runPassOnce } from "../../../engine/pipeline/run-phase.ts";
import { reasonsOf } from "../../../engine/remark/rules.ts";
import { jsonByEntry } from "../../../engine/testing/json-lines.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { NO_RECORDER } from "../../../engine/trace/recorder.ts";
import { verifyChange } from "../../../engine/verify/verify.ts";
import { KEPT_WITNESSES, type KeptWitness } from "./kept-witnesses.ts";
import { conditionRows } from "./searches.ts";

const root = join(import.meta.dirname, "../../../engine/passes");
const DROPS = /^\/\/ drops:\s*(.+?)\s*$/m;
const files = PASSES.flatMap(({ family }) => [join(root, family, "witnesses"), join(root, family, "regressions")])
  .filter((folder, i, all) => existsSync(folder) && all.indexOf(folder) === i)
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".ori"))
      .sort()
      .map((name) => join(folder, name))
      .filter((file) => folder.endsWith("witnesses") || DROPS.test(readFileSync(file, "utf8"))),
  );

const bless = process.env.BLESS !== undefined;
const found: KeptWitness[] = [];
const kept: readonly KeptWitness[] = bless ? found : KEPT_WITNESSES;

interface Outcome {
  readonly dropped: readonly string[];
  readonly problem: string | null;
  /** The verifier refuses the result. */
  readonly invalid: boolean;
}

afterAll(() => {
  if (bless && found.length === files.length) writeFileSync(join(import.meta.dirname, "kept-witnesses.json"), jsonByEntry(found, 1));
});

describe.each(files.map((file) => [file.slice(root.length + 1, -".ori".length), file]))("%s", (_, file) => {
  const text = readFileSync(file, "utf8");
  const directives = readDirectives(text);
  if (typeof directives === "string") throw new Error(directives);
  const { phase, inputs, threads, options } = directives;
  const drops = (DROPS.exec(text)?.[1] ?? "").split(/[\s,]+/).sort();
  const { module, diagnostics } = parseModule(text);
  const [fn] = module.funcs;
  const pass = passFor(phase);
  const { level, policy, knobs } = options;
  const { plan } = planPipeline(options, module.target);

  /** What the phase makes of the program: conditions that it dropped, and whether that is the same program. */
  const outcome = (dropped: readonly string[], at: string = phase): Outcome => {
    if (fn === undefined || pass === undefined) throw new Error(`no function, or no phase '${phase}'`);
    const interventions = { skips: new Set<number>(), drops: new Set(dropped) };
    const { fn: after, error, permits } = runPassOnce(pass, at, fn, { ...plan, module, rec: NO_RECORDER, interventions });
    if (error !== null) throw new Error(error);
    const invalid = verifyChange(fn, after, module).find(({ severity }) => severity === "error");
    const problem = invalid?.message ?? checkEquivalent(fn, after, module, { inputs, seed: 1, threads }).counterexample?.text ?? null;
    return { dropped: (permits?.dropped ?? []).toSorted(), problem, invalid: invalid !== undefined };
  };

  it("is a program, and drops what its family can drop", () => {
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const droppable = reasonsOf(pass?.rules ?? {}).filter((reason) => reason.droppable !== null);
    expect(droppable.map(({ name }) => name)).toEqual(expect.arrayContaining(drops));
  });

  it("keeps its meaning under the conditions", () => {
    expect(outcome([])).toEqual({ dropped: [], problem: null, invalid: false });
  });

  it("loses its meaning without them", () => {
    const without = outcome(drops);
    expect(without.dropped).toEqual(drops);
    expect(without.problem).not.toBe(null);
    const caught = without.invalid ? "verifier" : "meaning";
    const family = pass?.family ?? "";
    const about = { target: options.target ?? module.target, level, policy, knobs };
    const name = basename(file, ".ori");
    const phases = (pass?.ids ?? []).filter((id) => {
      const [kept, there] = [outcome([], id), outcome(drops, id)];
      return kept.problem === null && there.problem !== null && there.dropped.join() === drops.join();
    });
    found.push({ family, name, phase, phases, drops, caught, ...about, text });
    if (!bless) expect(KEPT_WITNESSES).toContainEqual(found.at(-1));
  });
});

// Below all witnesses, which write a list when they are blessed: then that list is checked.
it("each condition that can be dropped has a witness", () => {
  for (const { family, rules = {} } of PASSES) {
    const droppable = reasonsOf(rules).filter((reason) => reason.droppable !== null);
    const shown = new Set(kept.filter((one) => one.family === family).flatMap(({ drops }) => drops));
    const missing = droppable.map(({ name }) => name).filter((name) => !shown.has(name));
    expect({ family, missing }).toEqual({ family, missing: [] });
  }
});

it("no kept witness is without its file", () => {
  expect(kept.length).toBe(files.length);
});

// Queries the engine, which still has the old list when a new one is written.
it.skipIf(bless)(
  "each condition that is offered at a phase has a witness there: dropped on it, the meaning changes or the verifier refuses",
  () => {
    const offered = conditionRows(null).filter((row) => row.droppable);
    expect(offered.length).toBeGreaterThan(100);
    expect(offered.filter(({ witness }) => witness === null).map(({ phase, condition }) => `${phase}:${condition}`)).toEqual([]);
    for (const { phase, condition, witness, caught, note } of offered) {
      const directives = readDirectives(witness ?? "");
      if (typeof directives === "string") throw new Error(directives);
      const { options, inputs, threads } = directives;
      const { module } = parseModule(witness ?? "");
      const [fn] = module.funcs;
      const pass = passFor(phase);
      if (fn === undefined || pass === undefined) throw new Error(`${phase}:${condition} has no program`);
      const drops = (DROPS.exec(witness ?? "")?.[1] ?? "").split(/[\s,]+/);
      const { plan } = planPipeline(options, module.target);
      const interventions = { skips: new Set<number>(), drops: new Set(drops) };
      const { fn: after, permits } = runPassOnce(pass, phase, fn, { ...plan, module, rec: NO_RECORDER, interventions });
      const invalid = verifyChange(fn, after, module).some(({ severity }) => severity === "error");
      const differs = invalid || checkEquivalent(fn, after, module, { inputs, seed: 1, threads }).counterexample !== null;
      const about = {
        at: directives.phase,
        dropped: permits?.dropped.includes(condition),
        caught: invalid ? "verifier" : "meaning",
        differs,
      };
      expect({ condition, ...about }).toEqual({ condition, at: phase, dropped: true, caught, differs: true });
      // Other dropped conditions are mentioned where it is shown.
      for (const other of drops.filter((one) => one !== condition)) expect(note).toContain(other);
    }
  },
  120_000,
);
