/** The steps of every rewrite are known: of random programs, in every phase, and with refusals. */

import { describe, expect, it } from "vitest";
import { generateText } from "../../fuzz/generate/generate.ts";
import { freshSeed } from "../../testing/seed.ts";
import { DEFAULT_PIPELINE } from "../defaults.ts";
import { EngineSession } from "../session.ts";

const PROGRAMS = 2;
const seed = freshSeed();

describe(`rewrites of traces, seed ${seed}`, () => {
  it("are as many as asked, each with its steps, and say which were refused", () => {
    for (let i = 0; i < PROGRAMS; i++) {
      const session = new EngineSession();
      const { kernels } = session.open(1, generateText({ seed: seed + i, profile: "tangle", size: 4 }), "ori");
      const kernel = kernels[0]?.name ?? "";
      const plain = session.run(1, kernel, DEFAULT_PIPELINE);
      const busy = plain.phases.find((p) => p.asked > 1);
      const interventions = busy === undefined ? [] : [{ kind: "skip", run: busy.address, n: 2 } as const];
      for (const options of [DEFAULT_PIPELINE, { ...DEFAULT_PIPELINE, interventions }]) {
        const { phases } = session.run(1, kernel, options);
        for (const phase of phases.filter((p) => p.ran)) {
          const rewrites = session.trace(phase.run)?.rewrites;
          const where = `${phase.id} of seed ${seed + i}`;
          if (rewrites == null) throw new Error(where);
          const all = Array.from({ length: phase.asked }, (_, n) => n + 1);
          const told = [...rewrites.n].sort((a, b) => a - b);
          // If permission for all is requested first, a refused one may keep what others would have removed: those are never reported.
          if (phase.refused === 0) expect(told, where).toEqual(all);
          else expect([new Set(told).size, told.filter((n) => !all.includes(n))], where).toEqual([told.length, []]);
          expect(
            rewrites.refused.reduce((sum, refused) => sum + refused, 0),
            where,
          ).toBe(phase.refused);
          expect(
            rewrites.from.every((from, n) => from <= (rewrites.to[n] ?? 0)),
            where,
          ).toBe(true);
        }
      }
    }
  });
});
