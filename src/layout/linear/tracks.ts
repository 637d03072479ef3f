/** Heights of the horizontal lines in one gap between two rows. */

export interface Span {
  readonly low: number;
  readonly high: number;
}

/**
 * Gives every span the least track (0 at the top) below all earlier spans it overlaps, ends included. The order of `spans`
 * thus decides who runs above whom. n log n: a tree over the end points holds the lowest track taken so far.
 */
export function assignTracks(spans: readonly Span[]): { track: Int32Array; count: number } {
  const track = new Int32Array(spans.length);
  const marks = Float64Array.from(new Set(spans.flatMap((s) => [s.low, s.high]))).sort();
  const rank = new Map<number, number>();
  for (let i = 0; i < marks.length; i++) rank.set(marks[i] ?? 0, i);
  let size = 1;
  while (size < marks.length) size *= 2;
  // `taken`: highest value anywhere under the vertex; `whole`: value set on all of its range. Values are track + 1.
  const taken = new Int32Array(2 * size);
  const whole = new Int32Array(2 * size);

  const query = (vertex: number, begin: number, end: number, low: number, high: number): number => {
    if (high < begin || low > end) return 0;
    if (low <= begin && end <= high) return taken[vertex] ?? 0;
    const middle = (begin + end) >> 1;
    const inside = Math.max(query(2 * vertex, begin, middle, low, high), query(2 * vertex + 1, middle + 1, end, low, high));
    return Math.max(whole[vertex] ?? 0, inside);
  };
  const raise = (vertex: number, begin: number, end: number, low: number, high: number, value: number): void => {
    if (high < begin || low > end) return;
    taken[vertex] = Math.max(taken[vertex] ?? 0, value);
    if (low <= begin && end <= high) {
      whole[vertex] = Math.max(whole[vertex] ?? 0, value);
      return;
    }
    const middle = (begin + end) >> 1;
    raise(2 * vertex, begin, middle, low, high, value);
    raise(2 * vertex + 1, middle + 1, end, low, high, value);
  };

  let count = 0;
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i];
    if (span === undefined) continue;
    const low = rank.get(span.low) ?? 0;
    const high = rank.get(span.high) ?? 0;
    const free = query(1, 0, size - 1, low, high);
    track[i] = free;
    raise(1, 0, size - 1, low, high, free + 1);
    count = Math.max(count, free + 1);
  }
  return { track, count };
}
