/** Pseudo-random numbers from a seed: the same seed gives the same run everywhere. */

export interface Prng {
  /** Next 32 bits, unsigned. */
  u32(): number;
  /** Integer in [0, n); n at least 1. */
  below(n: number): number;
  /** Integer in [low, high], both included. */
  range(low: number, high: number): number;
  /** True with probability `p`. */
  chance(p: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A separate generator, so that what one part draws does not shift what another part sees. */
  fork(): Prng;
}

/** xoshiro128**, seeded by splitmix32. `seed` is taken modulo 2^32. */
export function createPrng(seed: number): Prng {
  let z = seed >>> 0;
  const next = (): number => {
    z = (z + 0x9e3779b9) >>> 0;
    let t = z ^ (z >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a2d97);
    return (t ^ (t >>> 15)) >>> 0;
  };
  let a = next();
  let b = next();
  let c = next();
  let d = next();
  const u32 = (): number => {
    const x = Math.imul(b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  const below = (n: number): number => Math.floor((u32() / 0x1_0000_0000) * n);
  return {
    u32,
    below,
    range: (low, high) => low + below(high - low + 1),
    chance: (p) => u32() < p * 0x1_0000_0000,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    fork: () => createPrng(u32()),
  };
}

/** mulberry32: unsigned 32-bit numbers. Only for what an earlier seed names: the generated examples, and graphs that layout once drew badly. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}
