/**
 * Moves variables as little as possible so that given distances between them hold: least squares under separation
 * constraints. Two forms: along one row (exact, pool adjacent violators), and over an acyclic set of constraints (the merging
 * step of Dwyer, Marriott and Stuckey, Fast Node Overlap Removal, 2005: blocks of variables that touch move as one).
 */
import { group } from "../flow-graph.ts";

/**
 * One row. Writes to `x[begin..end)` the nearest positions to `wish` (by squared distance times `weight`) with
 * `x[i+1] - x[i] >= gap[i]`, where `gap[i]` is the least distance between the axes of items `i` and `i + 1`.
 */
export function projectRow(begin: number, end: number, wish: Float64Array, weight: Float64Array, gap: Float64Array, x: Float64Array): void {
  const size = end - begin;
  const sums = new Float64Array(size);
  const weights = new Float64Array(size);
  const starts = new Int32Array(size);
  let pools = 0;
  let shift = 0;
  for (let i = begin; i < end; i++) {
    if (i > begin) shift += gap[i - 1] ?? 0;
    const w = weight[i] ?? 0;
    let sum = w * ((wish[i] ?? 0) - shift);
    let total = w;
    let from = i;
    while (pools > 0 && (sums[pools - 1] ?? 0) * total >= sum * (weights[pools - 1] ?? 0)) {
      pools--;
      sum += sums[pools] ?? 0;
      total += weights[pools] ?? 0;
      from = starts[pools] ?? 0;
    }
    sums[pools] = sum;
    weights[pools] = total;
    starts[pools] = from;
    pools++;
  }
  shift = 0;
  for (let p = 0; p < pools; p++) {
    const base = (sums[p] ?? 0) / (weights[p] ?? 1);
    const stop = p + 1 < pools ? (starts[p + 1] ?? end) : end;
    for (let i = starts[p] ?? begin; i < stop; i++) {
      if (i > begin) shift += gap[i - 1] ?? 0;
      x[i] = base + shift;
    }
  }
}

/** `x[right[c]] - x[left[c]] >= gap[c]` for every `c`; no cycles. */
export interface Separation {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly gap: Float64Array;
}

export interface Projector {
  /** Nearest positions to `wish` found; every constraint holds exactly. */
  project(wish: Float64Array, weight: Float64Array): Float64Array;
}

/** Prepares the constraints once; `project` may then be called with many wishes. */
export function projector(count: number, constraints: Separation): Projector {
  const order = topological(count, constraints);
  const into = group(constraints.right, count);
  return { project: (wish, weight) => new Solver(wish, weight, constraints, order, into).run() };
}

function topological(count: number, { left, right }: Separation): Int32Array {
  const out = group(left, count);
  const waiting = new Int32Array(count);
  for (const r of right) waiting[r] = (waiting[r] ?? 0) + 1;
  const order = new Int32Array(count);
  let end = 0;
  for (let v = 0; v < count; v++) if (waiting[v] === 0) order[end++] = v;
  for (let i = 0; i < end; i++) {
    const v = order[i] ?? 0;
    for (let k = out.start[v] ?? 0; k < (out.start[v + 1] ?? 0); k++) {
      const r = right[out.items[k] ?? 0] ?? 0;
      waiting[r] = (waiting[r] ?? 0) - 1;
      if (waiting[r] === 0) order[end++] = r;
    }
  }
  return order;
}

/** One projection. A block is named by one of its variables; its position is the mean its members ask for. */
class Solver {
  private readonly wish: Float64Array;
  private readonly constraints: Separation;
  private readonly order: Int32Array;
  private readonly into: { start: Int32Array; items: Int32Array };
  private readonly block: Int32Array;
  private readonly offset: Float64Array;
  private readonly members: number[][];
  private readonly sum: Float64Array;
  private readonly mass: Float64Array;
  private readonly at: Float64Array;
  private readonly time: Int32Array;
  private clock = 0;
  /** Pairing heaps of the constraints that end in a block, most violated first. */
  private readonly top: Int32Array;
  private readonly child: Int32Array;
  private readonly sibling: Int32Array;
  private readonly stamped: Int32Array;

  constructor(
    wish: Float64Array,
    weight: Float64Array,
    constraints: Separation,
    order: Int32Array,
    into: { start: Int32Array; items: Int32Array },
  ) {
    const count = wish.length;
    this.wish = wish;
    this.constraints = constraints;
    this.order = order;
    this.into = into;
    this.block = Int32Array.from({ length: count }, (_, v) => v);
    this.offset = new Float64Array(count);
    this.members = Array.from({ length: count }, (_, v) => [v]);
    this.sum = Float64Array.from(wish, (w, v) => w * (weight[v] ?? 0));
    this.mass = weight.slice();
    this.at = wish.slice();
    this.time = new Int32Array(count);
    this.top = new Int32Array(count).fill(-1);
    const size = constraints.left.length;
    this.child = new Int32Array(size).fill(-1);
    this.sibling = new Int32Array(size).fill(-1);
    this.stamped = new Int32Array(size);
  }

  run(): Float64Array {
    for (const v of this.order) this.mergeLeft(v);
    const x = Float64Array.from(this.wish, (_, v) => this.position(v));
    // Rounding, and constraints whose left end moved after they were ranked, are made good here.
    const { left, gap } = this.constraints;
    for (const v of this.order) {
      for (let k = this.into.start[v] ?? 0; k < (this.into.start[v + 1] ?? 0); k++) {
        const c = this.into.items[k] ?? 0;
        x[v] = Math.max(x[v] ?? 0, (x[left[c] ?? 0] ?? 0) + (gap[c] ?? 0));
      }
    }
    return x;
  }

  private position(v: number): number {
    return (this.at[this.block[v] ?? 0] ?? 0) + (this.offset[v] ?? 0);
  }

  private slack(c: number): number {
    const { left, right, gap } = this.constraints;
    return this.position(right[c] ?? 0) - (gap[c] ?? 0) - this.position(left[c] ?? 0);
  }

  private mergeLeft(v: number): void {
    let b = v;
    this.time[b] = ++this.clock;
    for (let k = this.into.start[v] ?? 0; k < (this.into.start[v + 1] ?? 0); k++) {
      const c = this.into.items[k] ?? 0;
      this.stamped[c] = this.clock;
      this.top[b] = this.meld(this.top[b] ?? -1, c);
    }
    for (let c = this.mostViolated(b); c >= 0 && this.slack(c) < 0; c = this.mostViolated(b)) {
      this.top[b] = this.removeTop(this.top[b] ?? -1);
      b = this.unite(this.block[this.constraints.left[c] ?? 0] ?? 0, b, c);
      this.time[b] = ++this.clock;
    }
  }

  private mostViolated(b: number): number {
    const late: number[] = [];
    let c = this.top[b] ?? -1;
    while (c >= 0) {
      const other = this.block[this.constraints.left[c] ?? 0] ?? 0;
      if (other === b) {
        c = this.removeTop(c);
      } else if ((this.stamped[c] ?? 0) < (this.time[other] ?? 0)) {
        const rest = this.removeTop(c);
        late.push(c);
        c = rest;
      } else break;
    }
    for (const again of late) {
      this.stamped[again] = this.clock;
      c = this.meld(c, again);
    }
    this.top[b] = c;
    return c;
  }

  /** Makes blocks `a` (left) and `b` one that keeps constraint `c` tight; returns its name. */
  private unite(a: number, b: number, c: number): number {
    const { left, right, gap } = this.constraints;
    // What to add to offsets in b to make them offsets in a.
    const distance = (this.offset[left[c] ?? 0] ?? 0) + (gap[c] ?? 0) - (this.offset[right[c] ?? 0] ?? 0);
    const keepA = (this.members[a]?.length ?? 0) >= (this.members[b]?.length ?? 0);
    const into = keepA ? a : b;
    const gone = keepA ? b : a;
    const shift = keepA ? distance : -distance;
    const target = this.members[into] ?? [];
    for (const v of this.members[gone] ?? []) {
      this.block[v] = into;
      this.offset[v] = (this.offset[v] ?? 0) + shift;
      target.push(v);
    }
    this.members[gone] = [];
    this.sum[into] = (this.sum[into] ?? 0) + (this.sum[gone] ?? 0) - shift * (this.mass[gone] ?? 0);
    this.mass[into] = (this.mass[into] ?? 0) + (this.mass[gone] ?? 0);
    this.at[into] = (this.sum[into] ?? 0) / (this.mass[into] ?? 1);
    this.top[into] = this.meld(this.top[into] ?? -1, this.top[gone] ?? -1);
    return into;
  }

  /** Inside a block counts as most urgent, so that it surfaces and is thrown away. */
  private urgency(c: number): number {
    const { left, right } = this.constraints;
    const a = this.block[left[c] ?? 0] ?? 0;
    if (a === (this.block[right[c] ?? 0] ?? 0) || (this.stamped[c] ?? 0) < (this.time[a] ?? 0)) return Number.NEGATIVE_INFINITY;
    return this.slack(c);
  }

  private meld(a: number, b: number): number {
    if (a < 0) return b;
    if (b < 0) return a;
    const aFirst = this.urgency(a) <= this.urgency(b);
    const parent = aFirst ? a : b;
    const kid = aFirst ? b : a;
    this.sibling[kid] = this.child[parent] ?? -1;
    this.child[parent] = kid;
    return parent;
  }

  private removeTop(c: number): number {
    const pairs: number[] = [];
    let kid = this.child[c] ?? -1;
    this.child[c] = -1;
    while (kid >= 0) {
      const second = this.sibling[kid] ?? -1;
      this.sibling[kid] = -1;
      if (second < 0) {
        pairs.push(kid);
        break;
      }
      const rest = this.sibling[second] ?? -1;
      this.sibling[second] = -1;
      pairs.push(this.meld(kid, second));
      kid = rest;
    }
    let root = -1;
    for (let i = pairs.length - 1; i >= 0; i--) root = this.meld(root, pairs[i] ?? -1);
    return root;
  }
}
