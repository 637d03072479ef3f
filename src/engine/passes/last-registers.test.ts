/** Programs that name the last register of each class: phases that make registers take free ones below it, never a constant one. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { checkEquivalent } from "../fuzz/equivalence.ts";
import { withLastRegisters } from "../fuzz/generate/last-registers.ts";
import { textRoundTrip } from "../fuzz/laws.ts";
import { planPipeline } from "../pipeline/plan.ts";
import { runPipeline } from "../pipeline/run.ts";
import { parseModule } from "../text/parser.ts";
import { verifyChange } from "../verify/verify.ts";
import { readDirectives } from "./testing/fixture.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
/** Families that make registers. */
const FAMILIES = [
  "do-switch-opt",
  "expand-jmx",
  "general-optimize-mid",
  "gvn-cse",
  "optimize-nested-cond-branches",
  "ori-do-predication",
  "ori-linear-replacement",
  "ori-reassociate-and-common",
];

it.each(FAMILIES)("%s keeps the meaning of its fixtures", (family) => {
  const folder = join(root, family, "fixtures");
  expect(existsSync(folder)).toBe(true);
  let made = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".ori"))) {
    const text = withLastRegisters(readFileSync(join(folder, file), "utf8"));
    const directives = readDirectives(text);
    if (typeof directives === "string") throw new Error(`${file}: ${directives}`);
    const { module } = parseModule(text);
    const fn = module.funcs[0]!;
    const { plan } = planPipeline(directives.options, module.target);
    const { result } = runPipeline(fn, module, plan);
    if (result === fn) continue;
    expect([file, verifyChange(fn, result, module).filter((d) => d.severity === "error")]).toEqual([file, []]);
    expect([file, textRoundTrip(result, module)]).toEqual([file, null]);
    const { inputs, threads } = directives;
    const { counterexample } = checkEquivalent(fn, result, module, { inputs: Math.min(inputs, 8), seed: 1, threads });
    expect([file, counterexample?.text ?? null]).toEqual([file, null]);
    made++;
  }
  expect(made).toBeGreaterThan(1);
});
