import { beforeAll, describe, expect, it } from "vitest";
import { generateModule } from "../fuzz/generate/generate.ts";
import type { Profile } from "../fuzz/generate/options.ts";
import { inputShape, makeInput, toRunInputs } from "../fuzz/inputs.ts";
import { runKernel } from "../interp/interpreter.ts";
import { draws, freshSeed } from "../testing/seed.ts";
import { uniformity } from "./uniformity.ts";

const THREADS = 64;
const PROFILES = ["any", "nest", "irreducible", "lanes", "tangle"] as const;

/** Others on every commit. */
const FIRST = freshSeed(1_000_000);
const PROGRAMS = draws(30);

const programsOf = (profile: Profile) =>
  Array.from({ length: PROGRAMS }, (_, i) => {
    const seed = FIRST + i;
    const module = generateModule({ seed, profile });
    const fn = module.funcs[0]!;
    const shape = inputShape(fn, THREADS);
    const runs = Array.from({ length: 4 }, (_, n) => runKernel(module, fn, toRunInputs(makeInput(shape, seed, n, THREADS), 200_000)));
    return { seed, fn, runs, u: uniformity(fn) };
  });

// Both answers occur in each test, or it would test nothing.
describe.each(PROFILES)("uniformity of programs of profile %s", (profile) => {
  let programs: ReturnType<typeof programsOf> = [];
  beforeAll(() => {
    programs = programsOf(profile);
  });

  it("calls every branch divergent at which a warp was seen to part", () => {
    let parted = 0;
    let uniform = 0;
    for (const { seed, fn, runs, u } of programs)
      for (const id of fn.layout.filter((block) => fn.blocks[block]!.succs.length >= 2)) {
        if (!u.isDivergent(id)) uniform++;
        if (runs.every(({ divergences }) => (divergences[id] ?? 0) === 0)) continue;
        parted++;
        expect(u.isDivergent(id), `seed ${seed}: ${fn.blocks[id]!.label} of\n${fn.name}`).toBe(true);
      }
    expect(parted).toBeGreaterThan(0);
    expect(uniform).toBeGreaterThan(0);
  });

  it("calls lanes apart in every block that a part of the warp was seen to enter", () => {
    let apart = 0;
    let together = 0;
    // The answer is about instructions.
    for (const { seed, fn, runs, u } of programs)
      for (const id of fn.layout.filter((block) => fn.blocks[block]!.insts.length > 0)) {
        if (!u.isApart(id, 0)) together++;
        if (runs.every(({ partial }) => partial[id] !== 1)) continue;
        apart++;
        expect(u.isApart(id, 0), `seed ${seed}: ${fn.blocks[id]!.label} of\n${fn.name}`).toBe(true);
      }
    expect(apart).toBeGreaterThan(0);
    expect(together).toBeGreaterThan(0);
  });
});
