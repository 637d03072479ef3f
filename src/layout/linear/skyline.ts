/** The lowest thing so far over each stretch of x: what stands under it goes no higher. A tree over the places asked for; log n a call. */
export class Skyline {
  private readonly marks: Float64Array;
  private readonly size: number;
  /** `deepest`: lowest edge anywhere under the vertex; `whole`: one that reaches over all of its range. */
  private readonly deepest: Float64Array;
  private readonly whole: Float64Array;

  /** `places`: every x that a later call names. */
  constructor(places: Iterable<number>) {
    this.marks = Float64Array.from(new Set(places)).sort();
    let size = 1;
    while (size < this.marks.length) size *= 2;
    this.size = size;
    this.deepest = new Float64Array(2 * size).fill(Number.NEGATIVE_INFINITY);
    this.whole = new Float64Array(2 * size).fill(Number.NEGATIVE_INFINITY);
  }

  /** The lowest edge over `low..high`, ends included; minus infinity if nothing is there. */
  over(low: number, high: number): number {
    return this.query(1, 0, this.size - 1, this.rank(low), this.rank(high));
  }

  lower(low: number, high: number, y: number): void {
    this.raise(1, 0, this.size - 1, this.rank(low), this.rank(high), y);
  }

  private rank(place: number): number {
    let low = 0;
    let high = this.marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.marks[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private query(vertex: number, begin: number, end: number, low: number, high: number): number {
    if (high < begin || low > end) return Number.NEGATIVE_INFINITY;
    if (low <= begin && end <= high) return this.deepest[vertex] ?? 0;
    const middle = (begin + end) >> 1;
    const left = this.query(2 * vertex, begin, middle, low, high);
    const right = this.query(2 * vertex + 1, middle + 1, end, low, high);
    return Math.max(this.whole[vertex] ?? 0, left, right);
  }

  private raise(vertex: number, begin: number, end: number, low: number, high: number, y: number): void {
    if (high < begin || low > end) return;
    this.deepest[vertex] = Math.max(this.deepest[vertex] ?? 0, y);
    if (low <= begin && end <= high) {
      this.whole[vertex] = Math.max(this.whole[vertex] ?? 0, y);
      return;
    }
    const middle = (begin + end) >> 1;
    this.raise(2 * vertex, begin, middle, low, high, y);
    this.raise(2 * vertex + 1, middle + 1, end, low, high, y);
  }
}
