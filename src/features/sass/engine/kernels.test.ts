/** The example kernels do the same from their SASS as from the PTX it was compiled from, and what their CUDA source does. */

import { describe, expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import { fixture, runPtx } from "../../../engine/import/ptx/testing/run-ptx.ts";
import { runSass, type SassArgument, sassFixture } from "./testing/run-sass.ts";

const ints = (n: number, make: (i: number) => number): Int32Array => Int32Array.from({ length: n }, (_, i) => make(i));
const rnd = createPrng(7).u32;
const small = ints(32, () => (rnd() % 40) - 8);
const lanes = (): Int32Array => ints(32, () => rnd() % 32);
const [first, third, fourth] = [lanes(), ints(32, () => 3 * (rnd() % 2) + (rnd() % 3)), lanes()];
const cells = (): Float32Array => {
  const values = Float32Array.from({ length: 8 * 32 }, (_, i) => i);
  const kinds = new Int32Array(values.buffer);
  for (let i = 0; i < 32; i++) kinds[8 * i] = i % 3 === 1 ? 0 : 5;
  return values;
};

/** Arguments and threads. */
const RUNS: Readonly<Record<string, readonly [args: () => SassArgument[], threads: number]>> = {
  "03_nested_and": [() => [first.slice(), small.slice(), third.slice(), fourth.slice(), new Int32Array(32).fill(9), 30], 32],
  "05_loop_nest": [() => [ints(24 * 6, (i) => (i % 30 === 0 ? -1 : i % 7 === 0 ? 0 : (i * 13) % 30)), 24, 6, 20, new Int32Array(16)], 8],
  "06_early_exit": [
    () => [
      Uint32Array.from({ length: 40 }, (_, i) => (i % 9 === 4 ? 0xffffffff : i * 97)),
      Float32Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? Number.NaN : (i - 20) / 8)),
      new Float32Array(40).fill(-99),
      37,
      new Int32Array(Float32Array.of(0.3).buffer)[0]!,
    ],
    40,
  ],
  "07_redundant_addr": [() => [cells(), Int32Array.from([0, 1, 2, 3, 4, 5]), 6, 4], 8],
  "09_reduction": [() => [Float32Array.from({ length: 300 }, (_, i) => i % 13), new Float32Array(1), 300], 128],
  "10_divergent_loop": [
    () => [Uint32Array.from({ length: 40 }, (_, i) => (i === 39 ? 0xffffffff : i * 7)), new Uint32Array(80), 40, 1000],
    64,
  ],
  "11_binary_search": [() => [ints(50, (i) => i * 3 - 20), 50, ints(32, (i) => i * 5 - 30), new Int32Array(32), 32], 32],
};
const TARGETS = ["sm_75", "sm_90"] as const;
const CASES = Object.keys(RUNS).flatMap((name) => TARGETS.map((target) => [name, target] as const));
/** The 1 of 3 * x + 1 in 10_divergent_loop, which sm_75 reads from the compiler's bank. */
const ONE = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0);

describe("example kernels", () => {
  it.each(CASES)("%s for %s computes what its PTX does", (name, target) => {
    const [make, threads] = RUNS[name]!;
    const [untouched, wanted, got] = [make(), make(), make()];
    const ptx = runPtx(fixture(`${name}.${target}`), wanted, threads, { gridDim: 1, blockIdx: 0 });
    expect([ptx.status, ptx.message]).toEqual(["ok", ptx.message]);
    expect(wanted).not.toEqual(untouched);
    const sass = runSass(sassFixture(`${name}.${target}.nvdisasm`), target, got, threads, ONE);
    expect([sass.status, sass.message]).toEqual(["ok", sass.message]);
    expect(got).toEqual(wanted);
  });

  it.each(TARGETS)("11_binary_search for %s finds what is there", (target) => {
    const sorted = ints(50, (i) => i * 3 - 20);
    const keys = ints(32, (i) => i * 5 - 30);
    const out = new Int32Array(32);
    runSass(sassFixture(`11_binary_search.${target}.nvdisasm`), target, [sorted, 50, keys, out, 32], 32);
    const insertion = (key: number): number => sorted.filter((value) => value < key).length;
    expect(out).toEqual(keys.map((key) => (sorted.includes(key) ? sorted.indexOf(key) : ~insertion(key))));
  });
});
