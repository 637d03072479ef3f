/** Operands for the opcode tests: every pair of boundary values, then random ones. */

import { createPrng } from "../../../base/prng.ts";
import { freshSeed } from "../../testing/seed.ts";
import type { Lane } from "./eval.ts";

const WORDS = [0, 1, 2, 5, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x00ff00ff, 0x12345678];
/** Singles: zeros, ones, subnormals, extremes, infinities, NaN, halves between integers. */
const SINGLES = [
  0, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
  0x3fc00000, 0x40200000, 0x3effffff, 0x4b000001, 0x33800000, 0x4f000000, 0xcf000001, 0x5f000000, 0x3f7fffff,
];
const DOUBLES = [
  0n,
  0x8000000000000000n,
  0x3ff0000000000000n,
  0xbff0000000000000n,
  1n,
  0x000fffffffffffffn,
  0x7fefffffffffffffn,
  0x7ff0000000000000n,
  0xfff0000000000000n,
  0x7ff8000000000000n,
  0x3ff8000000000000n,
  0x4004000000000000n,
  0x3ca0000000000000n,
  0x43e0000000000000n,
  0x41dfffffffc00000n,
  0x3fefffffffffffffn,
];
/** Pairs of halves. */
const HALVES = [0x00003c00, 0x80008000, 0x7c00fc00, 0x7e000001, 0x7bff0400, 0x3c013bff, 0x40004200, 0xbc00c100];

export interface LaneSet {
  readonly lanes: readonly Lane[];
  readonly seed: number;
}

const seed = freshSeed(1_000_000);

/** `kind` says what 32- and 64-bit operands look like. */
export function laneSet(kind: "int" | "float" | "half"): LaneSet {
  const rng = createPrng(seed);
  const words = kind === "int" ? WORDS : kind === "float" ? SINGLES : HALVES;
  const longs = kind === "float" ? DOUBLES : WORDS.flatMap((w) => [BigInt(w), (BigInt(w) << 32n) | 0xfffffffen]);
  const word = (i: number): number => (i < words.length ** 2 ? 0 : rng.chance(0.3) ? rng.pick(words) : rng.u32());
  const long = (): bigint => (rng.chance(0.4) ? rng.pick(longs) : (BigInt(rng.u32()) << 32n) | BigInt(rng.u32()));
  const pairs = words.length ** 2;
  const lanes = Array.from({ length: 640 }, (_, i): Lane => {
    const [a, b] = i < pairs ? [words[i % words.length]!, words[Math.floor(i / words.length)]!] : [word(i), word(i)];
    // Small third operands now and then: lengths, positions, addends that nearly cancel.
    const c = rng.chance(0.3) ? rng.below(70) : rng.chance(0.5) ? rng.pick(words) : rng.u32();
    const [x, y] = i < longs.length ** 2 ? [longs[i % longs.length]!, longs[Math.floor(i / longs.length)]!] : [long(), long()];
    return { a, b, c, x, y, z: long(), p: rng.chance(0.5), q: rng.chance(0.5), r: rng.chance(0.5) };
  });
  return { lanes, seed };
}
