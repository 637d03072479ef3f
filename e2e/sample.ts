/**
 * Some of many similar cases. `npm run check` sets ORISCOPE_SEED from the commit and tries `count` of them, different ones on each commit;
 * without it, as in `npm run e2e`, all are tried.
 */
export function someOf<T>(cases: readonly T[], count: number): readonly T[] {
  const seed = Number(process.env.ORISCOPE_SEED ?? "");
  if (process.env.ORISCOPE_SEED === undefined || !Number.isSafeInteger(seed) || count >= cases.length) return cases;
  // Spread over the list: neighbours in it are the most similar.
  const picked = Array.from({ length: count }, (_, i) => (seed + Math.floor((i * cases.length) / count)) % cases.length);
  return cases.filter((_, i) => picked.includes(i));
}
