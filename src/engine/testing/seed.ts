/**
 * The first seed of random tests: `ORISCOPE_SEED` where it is set (`npm run check` takes it from the commit, so that a commit's
 * check can be repeated), else of the clock, the same for all tests of a run. Tests print it.
 */
export function freshSeed(below = 1_000_000_000): number {
  const seed = Number(process.env.ORISCOPE_SEED);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`ORISCOPE_SEED is '${process.env.ORISCOPE_SEED}', not a whole number`);
  return seed % below;
}

/** How many random programs a test tries: `count`, or as many times that as `ORISCOPE_TIMES` has for a long run. */
export function draws(count: number): number {
  const times = Number(process.env.ORISCOPE_TIMES ?? 1);
  if (!(times > 0)) throw new Error(`ORISCOPE_TIMES is '${process.env.ORISCOPE_TIMES}', not a number above 0`);
  return Math.ceil(count * times);
}

/** Seeds of a sample: `count` of them, and then more until it has enough of what its test is about, ten times as many at most. */
export function* seedsFrom(first: number, count: number, isEnough: () => boolean): Generator<number> {
  for (let i = 0; i < count || (i < 10 * count && !isEnough()); i++) yield first + i;
}
