import { describe, expect, it } from "vitest";
import { generateModule } from "../fuzz/generate/generate.ts";
import type { Profile } from "../fuzz/generate/options.ts";
import { inputShape, makeInput, toRunInputs } from "../fuzz/inputs.ts";
import { runKernel } from "../interp/interpreter.ts";
import type { ExecOutcome } from "../interp/outcome.ts";
import type { Func } from "../ir/types.ts";
import { uniformity } from "./uniformity.ts";

const THREADS = 64;
const PROFILES = ["any", "nest", "irreducible", "lanes", "tangle"] as const;

function runs(profile: Profile, programs: number, visit: (fn: Func, outcome: ExecOutcome, seed: number) => void): void {
  for (let seed = 1; seed <= programs; seed++) {
    const module = generateModule({ seed, profile });
    const fn = module.funcs[0]!;
    const shape = inputShape(fn, THREADS);
    for (let i = 0; i < 4; i++) visit(fn, runKernel(module, fn, toRunInputs(makeInput(shape, seed, i, THREADS), 200_000)), seed);
  }
}

describe("uniformity", () => {
  it.each(PROFILES)("calls every branch divergent at which a warp was seen to part (%s)", (profile) => {
    let parted = 0;
    let uniform = 0;
    runs(profile, 100, (fn, { divergences }, seed) => {
      const u = uniformity(fn);
      for (const id of fn.layout) {
        if (fn.blocks[id]!.succs.length < 2) continue;
        if (!u.isDivergent(id)) uniform++;
        if ((divergences[id] ?? 0) === 0) continue;
        parted++;
        expect(u.isDivergent(id), `seed ${seed}: ${fn.blocks[id]!.label} of\n${fn.name}`).toBe(true);
      }
    });
    // Both answers occur, or the test would say nothing.
    expect(parted).toBeGreaterThan(0);
    expect(uniform).toBeGreaterThan(0);
  });

  it.each(PROFILES)("calls lanes apart in every block that a part of the warp was seen to enter (%s)", (profile) => {
    let apart = 0;
    let together = 0;
    runs(profile, 100, (fn, { partial }, seed) => {
      const u = uniformity(fn);
      for (const id of fn.layout) {
        // The answer is about instructions.
        if (fn.blocks[id]!.insts.length === 0) continue;
        if (!u.isApart(id, 0)) together++;
        if (partial[id] !== 1) continue;
        apart++;
        expect(u.isApart(id, 0), `seed ${seed}: ${fn.blocks[id]!.label} of\n${fn.name}`).toBe(true);
      }
    });
    expect(apart).toBeGreaterThan(0);
    expect(together).toBeGreaterThan(0);
  });
});
