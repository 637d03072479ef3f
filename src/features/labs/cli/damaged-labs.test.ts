/** A few damaged labs and hand-ins of a fresh seed on every run of the tests; `npm run fuzz -- --mutate labs` tries them at length. */

import { expect, it } from "vitest";
import { draws, freshSeed, seedsFrom } from "../../../engine/testing/seed.ts";
import { readLabs, tryHandIn, tryLab } from "./damaged-labs.ts";

const FIRST = freshSeed();
const HAND_INS = draws(8);

it(`damaged labs and hand-ins: no throw, nothing that runs, the same grade twice (seeds from ${FIRST})`, () => {
  const labs = readLabs();
  let graded = 0;
  // Files that are only refused would test little of the judges.
  for (const seed of seedsFrom(FIRST, HAND_INS, () => graded > 0)) {
    const handIn = tryHandIn(seed, labs);
    expect(handIn.failure, `npm run fuzz -- --mutate hand-ins --count 1 --seed ${seed}`).toBeNull();
    if (handIn.accepted) graded++;
    expect(tryLab(seed, labs).failure, `npm run fuzz -- --mutate labs --count 1 --seed ${seed}`).toBeNull();
  }
  expect(graded).toBeGreaterThan(0);
}, 300_000);
