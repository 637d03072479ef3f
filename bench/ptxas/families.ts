/** The families that kernels are drawn from, and how often each. */

import { createPrng, type Prng } from "../../src/base/prng.ts";
import { cleanUpKernel, rangeKernel } from "./clean-up.ts";
import { armKernel, conditionKernel, nestKernel, tailKernel } from "./conditions.ts";
import type { Kernel } from "./kernel.ts";
import { arithmeticKernel, loadKernel } from "./redundancy.ts";
import { brxKernel, inlineTests, switchKernel } from "./switches.ts";

const FAMILIES: readonly (readonly [number, (prng: Prng) => Kernel])[] = [
  [8, switchKernel],
  [1, inlineTests],
  [1, brxKernel],
  [6, nestKernel],
  [2, conditionKernel],
  [4, armKernel],
  [2, tailKernel],
  [5, cleanUpKernel],
  [3, rangeKernel],
  [5, arithmeticKernel],
  [4, loadKernel],
];

/** Different kernels only: small families would draw the same one often. */
export function kernels(seed: number, count: number, family?: string): Kernel[] {
  const prng = createPrng(seed);
  const bag = FAMILIES.flatMap(([weight, make]) => Array.from({ length: weight }, () => make));
  const found = new Map<string, Kernel>();
  for (let i = 0; i < 20 * count && found.size < count; i++) {
    const kernel = prng.pick(bag)(prng.fork());
    if (family === undefined || kernel.family === family) found.set(kernel.ptx, kernel);
  }
  return [...found.values()];
}
