import { describe, expect, it } from "vitest";
import { createPrng, type Prng } from "../../base/prng.ts";
import { DEFAULT_PIPELINE } from "../api/defaults.ts";
import { EngineSession } from "../api/session.ts";
import { generateText } from "../fuzz/generate/generate.ts";
import { freshSeed } from "../testing/seed.ts";
import type { Intervention } from "./intervention.ts";

const SEED = freshSeed();
const RUNS = ["3", "13", "15", "29", "49", "50", "63", "branch-folding"];
const KNOB = "464=1";

function drawn(rng: Prng): Intervention {
  const run = rng.pick(RUNS);
  switch (rng.below(7)) {
    case 0:
      return { kind: "skip", run, n: 1 + rng.below(4) };
    case 1:
      return { kind: "fuel", run: rng.chance(0.7) ? run : null, n: rng.below(6) };
    case 2:
      return { kind: "knob", assignment: KNOB, from: run, to: null };
    case 3:
      return { kind: "leave-out", run };
    case 4:
      return { kind: "insert", id: "gvn-cse", at: { side: "after", run } };
    case 5:
      return { kind: "move", run: "50", at: { side: "before", run: run === "50" ? "49" : run } };
    default:
      return { kind: "drop", phase: "gvn-cse", condition: "leader-dominates" };
  }
}

describe("what runs have in common", () => {
  it(`is taken from a kept run and changes nothing (seed ${SEED})`, () => {
    const rng = createPrng(SEED);
    const text = generateText({ seed: SEED, profile: "any", size: 8 });
    const all = new EngineSession();
    const kernel = all.open(1, text, "ori").kernels[0]?.name ?? "";
    for (let i = 0; i < 6; i++) {
      const interventions = Array.from({ length: rng.below(3) }, () => drawn(rng));
      const options = { ...DEFAULT_PIPELINE, interventions };
      const alone = new EngineSession();
      alone.open(1, text, "ori");
      expect(all.run(1, kernel, options), JSON.stringify(interventions)).toEqual(alone.run(1, kernel, options));
    }
  });

  it("is everything before the phase in which they part", () => {
    const times: number[] = [];
    let clock = 0;
    const session = new EngineSession({ now: () => clock++ });
    const kernel = session.open(1, generateText({ seed: 5, profile: "any", size: 8 }), "ori").kernels[0]?.name ?? "";
    for (const interventions of [[], [{ kind: "leave-out", run: "49" } as const]]) {
      clock = 0;
      session.run(1, kernel, { ...DEFAULT_PIPELINE, interventions });
      times.push(clock);
    }
    // Two readings of the clock a run: the second future makes those from 49 on.
    expect(times[0]).toBe(2 * 160);
    expect(times[1]).toBe(2 * (158 - 49));
  });
});
