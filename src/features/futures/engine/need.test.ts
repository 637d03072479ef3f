/** `need` of conditions that have a kept program, a third of them on every commit: the program is found again, still shows the difference, and is reported with an input. */

import { expect, it } from "vitest";
import { unmetAt } from "../../../engine/passes/pass.ts";
import { PASSES } from "../../../engine/passes/registry.ts";
import { reasonsOf } from "../../../engine/remark/rules.ts";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { needReport } from "./searches.ts";

/** Each at the first phase of its pass that offers it. */
const CONDITIONS = PASSES.flatMap((pass) =>
  [...new Set(reasonsOf(pass.rules ?? {}).flatMap((reason) => (reason.droppable === null ? [] : [reason.name])))].map((name) => ({
    condition: `${pass.ids.find((id) => unmetAt(pass, id, name) === null)}:${name}`,
    name,
  })),
);

it.each(CONDITIONS.filter((_, i) => i % 3 === freshSeed() % 3))("$condition is needed", ({ condition, name }) => {
  const need = needReport(condition, { count: 0, seed: 1 }, null, null);
  if (typeof need === "string") throw new Error(need);
  expect(need).toMatchObject({ found: true, kept: true, seed: null });
  expect(need.drops).toContain(name);
  expect(parseModule(need.program ?? "").diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  // Where the verifier refuses the result there is nothing to run.
  if (need.difference?.kind === "verifier") expect(need.input).toBe(null);
  else expect(need.difference?.before).not.toBe(need.difference?.after);
});

/** From several phases, found within a few programs; one of them on every commit. The others' kept programs are tried above. */
const FOUND_SOON = [
  "general-optimize-early:branch-negation",
  "general-optimize:several-definitions",
  "ori-do-predication:guarded",
] as const;

it.each([FOUND_SOON[freshSeed() % FOUND_SOON.length]!])("a random program that needs %s is found again from its seed", (condition) => {
  const search = (seed: number, count: number) => needReport(condition, { count, seed, kept: false }, null, null);
  const first = search(1, 400);
  if (typeof first === "string" || first.seed === null) throw new Error("nothing was found");
  expect(search(first.seed, 1)).toEqual({ ...first, searched: 1, decided: 1 });
});
