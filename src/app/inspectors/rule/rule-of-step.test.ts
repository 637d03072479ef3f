/** Every step of every family leads to its rule, and the rule to the code that speaks by it. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ruleFamilies, ruleSources } from "../../../../scripts/generate/rule-sources.ts";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import { PASSES } from "../../../engine/passes/registry.ts";
import { placesOf, ruleOfStep } from "./rule-of-step.ts";

const passes = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "engine", "passes");
const FAMILIES = ruleFamilies();
const DECIDING: readonly string[] = ["match", "gate", "rewrite", "visit", "round"];
const sources = new Map(FAMILIES.map((family) => [family, ruleSources(family)]));

it("knows the folder of every family of passes", () => {
  expect(FAMILIES).toEqual([...new Set(PASSES.map((pass) => pass.family))].sort());
});

describe.each(PASSES.map((pass) => [pass.family, pass] as const))("%s", (family, pass) => {
  const { files, rules } = sources.get(family) ?? { files: [], rules: {} };
  const session = new EngineSession();

  it("has the line of each rule, and code for each that says something", () => {
    for (const rule of session.rules(pass.ids[0] ?? "")) {
      const places = rules[rule.name] ?? [];
      const table = places.find(({ verb }) => verb === "table");
      expect({ rule: rule.name, text: files[table?.file ?? -1]?.text.split("\n")[(table?.line ?? 0) - 1] }).toEqual({
        rule: rule.name,
        text: expect.stringMatching(
          new RegExp(`^(  ${rule.name}: |(?:export )?const ${rule.name} = )(line\\(|sameLine\\(|sameLineFixed\\(|\\w+Rule\\(|rule<)`),
        ),
      });
      if (rule.sayings.length + rule.reasons.length === 0) continue;
      expect({ rule: rule.name, uses: places.filter(({ verb }) => verb !== "table").length }).not.toMatchObject({ uses: 0 });
      for (const { file, line, verb } of places)
        if (verb !== "table")
          expect(files[file]?.text.split("\n")[line - 1]).toMatch(
            new RegExp(`[.(]${rule.name}\\b|^ {2,4}(match|apply)\\b|\\b(?:miss|holds)\\(| found: "`),
          );
    }
  });

  it("finds the rule and the sentence of each step", () => {
    const folder = join(passes, family, "fixtures");
    const [fixture = ""] = readdirSync(folder).filter((name) => name.endsWith(".ori"));
    const opened = session.open(1, readFileSync(join(folder, fixture), "utf8"), "ori");
    const { phases } = session.run(1, opened.kernels[0]?.name ?? "", {
      ...DEFAULT_PIPELINE,
      policy: "notes",
      knobs: ["back-copy-prop-enable=on"],
    });
    let told = 0;
    for (const { run, id } of phases) {
      if (!pass.ids.includes(id)) continue;
      const info = session.trace(run);
      const table = session.rules(id);
      for (const event of session.events(run, 0, Math.min(info?.steps ?? 0, 2_000))) {
        const found = ruleOfStep(table, event);
        if (event.facts.pipeline === true || event.line === 0) continue;
        expect({ event, rule: found?.rule.line }).toMatchObject({ rule: event.line });
        if (found === null) continue;
        told++;
        // Edits, knobs and described structures have their own sentences.
        if (DECIDING.includes(event.kind)) expect({ event, sentence: found.saying ?? found.reason }).not.toMatchObject({ sentence: null });
        const [place] = placesOf(rules[found.rule.name] ?? [], found);
        expect({ event, place }).not.toMatchObject({ place: undefined });
      }
    }
    expect(told).toBeGreaterThan(0);
  });
});

describe("a step's rule", () => {
  const session = new EngineSession();
  const table = session.rules("ori-branch-opt");
  const { files, rules } = ruleSources("branch-opt");
  const step = (line: number, sentence: string, facts: Record<string, string>) => ({ kind: "match" as const, line, sentence, facts });

  it("is chosen by what the step says, and its place by the verb and the reason", () => {
    const rule = table.find(({ reasons }) => reasons.length > 1);
    const reason = rule?.reasons.at(-1);
    if (rule === undefined || reason === undefined) throw new Error("no rule with several reasons");
    const said = (reason.frames[0] ?? "{why}").replace("{why}", reason.clause).replace(/\{[^{}]*\}/g, "BB1");
    const found = ruleOfStep(table, step(rule.line, said, { verdict: "no", condition: reason.condition }));
    expect(found).toMatchObject({ rule: { name: rule.name }, reason: { name: reason.name } });
    const [place] = found === null ? [] : placesOf(rules[rule.name] ?? [], found);
    expect(place?.verb).toMatch(/missed|fails|holds/);
    expect(place?.names).toContain(reason.name);
    expect(files[place?.file ?? -1]?.text.split("\n")[(place?.line ?? 0) - 1]).toContain(`"${reason.name}"`);
  });

  it("is none for what the pipeline says, and for a line without rules", () => {
    expect(ruleOfStep(table, { kind: "gate", line: 1, sentence: "", facts: { pipeline: true } })).toBe(null);
    expect(ruleOfStep(table, step(999, "", {}))).toBe(null);
  });
});
