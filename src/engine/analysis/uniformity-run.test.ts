import { describe, expect, it } from "vitest";
import { generateModule } from "../exec/generate/generate.ts";
import { inputShape, makeInput, toRunInputs } from "../exec/inputs.ts";
import { runKernel } from "../exec/interpreter.ts";
import { uniformity } from "./uniformity.ts";

const THREADS = 64;

describe("uniformity", () => {
  it.each(["any", "nest", "irreducible"] as const)("calls every branch divergent at which a warp was seen to part (%s)", (profile) => {
    let parted = 0;
    let uniform = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const module = generateModule({ seed, profile });
      const fn = module.funcs[0]!;
      const u = uniformity(fn);
      const shape = inputShape(fn, THREADS);
      for (let i = 0; i < 4; i++) {
        const { divergences } = runKernel(module, fn, toRunInputs(makeInput(shape, seed, i, THREADS), 200_000));
        for (const id of fn.layout) {
          if (fn.blocks[id]!.succs.length < 2) continue;
          if (!u.isDivergent(id)) uniform++;
          if ((divergences[id] ?? 0) === 0) continue;
          parted++;
          expect(u.isDivergent(id), `seed ${seed}: ${fn.blocks[id]!.label} of\n${fn.name}`).toBe(true);
        }
      }
    }
    // Both answers occur, or the test would say nothing.
    expect(parted).toBeGreaterThan(0);
    expect(uniform).toBeGreaterThan(0);
  });
});
