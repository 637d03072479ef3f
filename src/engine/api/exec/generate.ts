/** Programs made from a seed, by shape: the same settings give the same text everywhere. */

import { createPrng, type Prng } from "../../../base/prng.ts";
import { generateText } from "../../fuzz/generate/generate.ts";
import { isProfile, PROFILES } from "../../fuzz/generate/options.ts";

export type Random = Prng;

export const GENERATOR_SHAPES: readonly string[] = PROFILES;

/** Programs for people have integers and global memory, and nothing that needs its own chapter. */
const PLAIN = {
  floats: false,
  longs: false,
  local: false,
  shared: false,
  warp: false,
  barriers: false,
  opaque: false,
  calls: false,
  atomics: false,
  wider: false,
  phis: false,
} as const;

/** A program of one of the shapes that fuzzing uses, without what beginners cannot read; null: there is no such shape. */
export function plainProgram(shape: string, seed: number, size: number): string | null {
  return isProfile(shape) ? generateText({ seed, profile: shape, size, features: PLAIN }) : null;
}

/** The engine's own random numbers: the same seed gives the same sequence on every machine. */
export function seededRandom(seed: number): Random {
  return createPrng(seed);
}
