/**
 * Random programs: the reference, the import, the pipeline and the export all print the same; what is exported without a phase is canonical, and is exported the
 * same once it has been read.
 */

import { expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import { draws, freshSeed } from "../../../engine/testing/seed.ts";
import { randomBril } from "./random.ts";
import { type Argument, canonicalText, holdBril, jsonOf } from "./testing/held.ts";

const COUNT = draws(12);
const FIRST = freshSeed();
const TARGETS = ["sm_75", "sm_80", "sm_90", "sm_100"];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  int: ["0", "1", "-1", "5", "9223372036854775807", "-9223372036854775808", "17"],
  float: ["0", "1.5", "-2.5", "1e20", "0.001"],
  bool: ["true", "false"],
  char: ["a", "z", "0"],
};

/** Seeds that once failed. 344914775: a phase left reads of a register that is no longer written, in blocks that are never reached. */
const KEPT = [344914775];

it.each(KEPT)("kept seed %i", (seed) => {
  holdSeed(seed);
});

it(`seeds ${FIRST} to ${FIRST + COUNT - 1}`, { timeout: 600_000 + COUNT * 10_000 }, () => {
  let effective = 0;
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    if (holdSeed(seed)) effective++;
  }
  expect(effective).toBeGreaterThan(COUNT / 2);
});

/** Holds the program of a seed; false when the reference ran out of fuel, so that there was nothing to compare. */
function holdSeed(seed: number): boolean {
  const { text, params } = randomBril(seed);
  const rng = createPrng(seed ^ 0x5eed);
  const args = params.map((type, i): Argument => ({ name: `a${i}`, type, text: VALUES[type]![rng.below(VALUES[type]!.length)]! }));
  const plan = { target: TARGETS[seed % TARGETS.length]!, policy: seed % 8 < 4 ? ("notes" as const) : ("measured" as const) };
  const held = holdBril(text, args, [plan]);
  expect(held.difference, `seed ${seed}, arguments ${args.map((a) => a.text).join(" ")}\n${text}`).toBe(null);
  // The two forms are equal.
  expect(canonicalText(jsonOf(text))).toBe(canonicalText(text));
  return held.effective;
}
