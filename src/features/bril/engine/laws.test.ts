/** Every pass keeps its laws on imported programs too: deterministic, replayed both ways, printed and read back, same meaning. */

import { expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import { POLICIES } from "../../../engine/config/policy.ts";
import { TARGETS } from "../../../engine/config/targets.ts";
import { checkLaws, SharedChecks } from "../../../engine/fuzz/laws.ts";
import { PASSES } from "../../../engine/passes/registry.ts";
import { draws, freshSeed } from "../../../engine/testing/seed.ts";
import { verifyFunc } from "../../../engine/verify/verify.ts";
import { importBril } from "./import.ts";
import { randomBril } from "./random.ts";

const COUNT = draws(6);
const FIRST = freshSeed();
/** Of the positions, for each program. */
const SHARE = 0.3;

it(`laws on imported programs, seeds ${FIRST} to ${FIRST + COUNT - 1}`, { timeout: 3_600_000 }, () => {
  let changed = 0;
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const rng = createPrng(seed);
    const { text } = randomBril(seed);
    const { module } = importBril(text);
    const fn = module.funcs.find((f) => f.kind === "kernel");
    expect(fn && verifyFunc(fn, module).filter((d) => d.severity === "error")).toEqual([]);
    if (fn === undefined) continue;
    // One thread, as all of them would print into one buffer.
    const options = { inputs: 4, seed, threads: 1, trace: true };
    const shared = new SharedChecks(fn, module, options);
    for (const pass of PASSES) {
      for (const id of pass.ids) {
        if (!rng.chance(SHARE)) continue;
        const env = { target: rng.pick(TARGETS), level: 3, policy: rng.pick(POLICIES), knobs: {} };
        const report = checkLaws(fn, module, { pass, id, env }, options, shared);
        const broken = report.violation;
        expect(broken === null ? null : `${id} breaks '${broken.law}': ${broken.message}\n${text}`, `seed ${seed}`).toBe(null);
        if (report.changed) changed++;
      }
    }
  }
  expect(changed).toBeGreaterThan(0);
});
