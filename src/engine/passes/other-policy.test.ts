/** Wherever the policy decides something, the trace says what the other policy would have decided. Derived from the fixtures, without a list maintained by hand. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { otherPolicy } from "../config/policy.ts";
import { sameFunc } from "../ir/equal.ts";
import { planPipeline } from "../pipeline/plan.ts";
import { runPassOnce, runPhase } from "../pipeline/run-phase.ts";
import { Recording } from "../trace/recording.ts";
import { Trace } from "../trace/trace.ts";
import type { Pass } from "./pass.ts";
import { PASSES } from "./registry.ts";
import { type FixtureRun, runFixture } from "./testing/run-fixture.ts";

const root = dirname(fileURLToPath(import.meta.url));

const fixtures = PASSES.flatMap((pass) => {
  const folder = join(root, pass.family, "fixtures");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ori"))
    .map((file) => ({ pass, name: `${pass.family}/${file}`, text: readFileSync(join(folder, file), "utf8") }));
});

const done = new Map<string, FixtureRun>();

function ran({ name, text }: { readonly name: string; readonly text: string }): FixtureRun {
  const known = done.get(name);
  if (known !== undefined) return known;
  const result = runFixture(text);
  if (typeof result === "string") throw new Error(`${name}: ${result}`);
  done.set(name, result);
  return result;
}

/** The pass, reporting when its code reads the policy. */
function watched(pass: Pass, asked: () => void): Pass {
  return {
    ...pass,
    run: (ctx) =>
      pass.run(
        Object.defineProperty({ ...ctx }, "policy", {
          enumerable: true,
          get: () => {
            asked();
            return ctx.policy;
          },
        }),
      ),
  };
}

/** Decisions of the pass itself that carry the other policy's answer. */
const answers = ({ trace }: Pick<FixtureRun, "trace">): number => {
  let count = 0;
  for (let step = 0; step < trace.steps; step++) {
    if (trace.fact(step, "otherPolicy") !== undefined && trace.fact(step, "pipeline") !== true) count++;
  }
  return count;
};

describe.each(PASSES)("$family", (pass) => {
  const own = fixtures.filter((f) => f.pass === pass);

  it("says that it reads the policy when, and only when, its code does", () => {
    let reads = 0;
    for (const fixture of own) {
      const { run, module, directives } = ran(fixture);
      const { plan } = planPipeline(directives.options, module.target);
      if (reads > 0) break;
      if (!run.ran) continue;
      runPassOnce(
        watched(pass, () => reads++),
        run.planned.id,
        run.before,
        {
          module,
          target: plan.target,
          level: plan.level,
          policy: plan.policy,
          knobs: plan.knobs,
          rec: new Recording(run.before),
          noPhase: plan.noPhase,
        },
      );
    }
    expect({ readsPolicy: reads > 0 }).toEqual({ readsPolicy: pass.readsPolicy === true });
  });

  it("shows the other policy's decision in some fixture when it reads the policy, and never else", () => {
    expect(own.some((fixture) => answers(ran(fixture)) > 0)).toBe(pass.readsPolicy === true);
  });

  it("shows it wherever the policies give different programs", () => {
    const silent: string[] = [];
    for (const fixture of own) {
      const f = ran(fixture);
      const { run, module, directives } = f;
      const { plan: mine } = planPipeline(directives.options, module.target);
      const plan = { ...mine, policy: otherPolicy(mine.policy) };
      const recording = new Recording(run.before);
      const { fn: there } = runPhase(run.planned, pass, run.before, { module, plan, rec: recording });
      const differ = !sameFunc(f.traced.fn, there);
      for (const [policy, trace] of [
        [mine.policy, f.trace],
        [plan.policy, new Trace(recording, run.before)],
      ] as const) {
        const closing = trace.facts(trace.steps - 1);
        expect({ fixture: fixture.name, policy, said: closing.otherVerdict !== "same" }).toEqual({
          fixture: fixture.name,
          policy,
          said: differ,
        });
        const gate = Array.from({ length: trace.steps }, (_, step) => step).some(
          (step) =>
            trace.fact(step, "pipeline") === true &&
            trace.fact(step, "gate") !== undefined &&
            trace.fact(step, "otherPolicy") !== undefined,
        );
        if (differ && answers({ trace }) === 0 && !gate) silent.push(`${fixture.name} under '${policy}'`);
      }
    }
    expect(silent).toEqual([]);
  });
});
