/**
 * Horizontal positions. Sweeps first: each row in turn takes the positions nearest to what its neighbours ask for. Then what
 * stands nearly in line is joined into rigid vertical rods (a passing line is one rod from its start), and the rods find
 * their places together, so that lines run straight.
 */
import { type FlowGraph, group } from "../flow-graph.ts";
import type { Spacing } from "../types.ts";
import { projector, projectRow, type Separation } from "./project.ts";
import { itemExtent, itemLane, itemNode, itemWall, portOffset, type Rows } from "./rows.ts";

/** Lines between neighbouring rows: from `upper` (at its axis plus `offset`) to the axis of `lower`. */
export interface Links {
  readonly upper: Int32Array;
  readonly lower: Int32Array;
  readonly offset: Float64Array;
  readonly weight: Float64Array;
}

const sweeps = 6;
const rounds = 5;
/** Weight of the line between two blocks that follow each other and nothing else: always straight. */
const onlyWay = 4;
/** Weight of the line by which a block falls through: straight, too, and before all others. */
const fallThrough = 8;
/** Pixels of sideways step below which a line is made straight, by the weight of the line. */
const straighten = 32;
/** Pixels a rod may lean to one side from its top. */
const drift = 160;

export function buildLinks(graph: FlowGraph, rows: Rows): Links {
  const upper: number[] = [];
  const lower: number[] = [];
  const offset: number[] = [];
  const weight: number[] = [];
  const add = (a: number, b: number, dx: number, w: number): void => {
    upper.push(a);
    lower.push(b);
    offset.push(dx);
    weight.push(w);
  };
  for (let e = 0; e < graph.edgeCount; e++) {
    const below = rows.first[e] ?? -1;
    if (below < 0) continue;
    const source = graph.from[e] ?? 0;
    const target = graph.to[e] ?? 0;
    const lone = (degree(graph.succStart, source) === 1 ? 1 : 0) + (degree(graph.predStart, target) === 1 ? 1 : 0);
    const direct = rows.kind[below] === itemNode;
    const w = graph.main[e] === 2 ? fallThrough : !direct ? (graph.main[e] === 1 ? onlyWay : 0.5) : lone === 2 ? onlyWay : 1 + lone;
    add(rows.itemOf[source] ?? 0, below, portOffset(graph, e), w);
  }
  for (let i = 0; i < rows.kind.length; i++) {
    const below = rows.next[i] ?? -1;
    if (below < 0) continue;
    if (isSide(rows, i)) add(i, below, 0, 0.2);
    else add(i, below, 0, rows.falls[i] === 1 ? fallThrough : rows.kind[below] === itemNode ? 0.5 : 4);
  }
  return {
    upper: Int32Array.from(upper),
    lower: Int32Array.from(lower),
    offset: Float64Array.from(offset),
    weight: Float64Array.from(weight),
  };
}

/** A lane or a wall: it gives way to all that is drawn for a reason. */
function isSide(rows: Rows, item: number): boolean {
  return rows.kind[item] === itemLane || rows.kind[item] === itemWall;
}

function degree(start: Int32Array, n: number): number {
  return (start[n + 1] ?? 0) - (start[n] ?? 0);
}

/** The axis of every item: a block's incoming port, a line's own place. Whole pixels; neighbours keep their distances. */
export function placeItems(
  graph: FlowGraph,
  rows: Rows,
  links: Links,
  spacing: Spacing,
  beside: readonly (readonly [left: number, right: number])[],
): Float64Array {
  const items = rows.kind.length;
  const gap = rowGaps(graph, rows, spacing);
  const x = new Float64Array(items);
  for (let r = 0; r < rows.count; r++) centreRow(rows, r, gap, x);
  const above = group(links.lower, items);
  const below = group(links.upper, items);
  const wish = new Float64Array(items);
  const weight = new Float64Array(items);

  const pass = (r: number, up: boolean, down: boolean): void => {
    const begin = rows.start[r] ?? 0;
    const end = rows.start[r + 1] ?? 0;
    for (let i = begin; i < end; i++) {
      let sum = 0;
      let total = 0;
      if (up) {
        for (let k = above.start[i] ?? 0; k < (above.start[i + 1] ?? 0); k++) {
          const c = above.items[k] ?? 0;
          const w = links.weight[c] ?? 0;
          sum += w * ((x[links.upper[c] ?? 0] ?? 0) + (links.offset[c] ?? 0));
          total += w;
        }
      }
      if (down) {
        for (let k = below.start[i] ?? 0; k < (below.start[i + 1] ?? 0); k++) {
          const c = below.items[k] ?? 0;
          const w = links.weight[c] ?? 0;
          sum += w * ((x[links.lower[c] ?? 0] ?? 0) - (links.offset[c] ?? 0));
          total += w;
        }
      }
      if (total === 0) {
        // Nothing to follow here: stay, but give way to all that has a reason.
        wish[i] = x[i] ?? 0;
        weight[i] = 0.02;
      } else {
        wish[i] = sum / total;
        weight[i] = isSide(rows, i) ? 0.02 : total;
      }
    }
    projectRow(begin, end, wish, weight, gap, x);
  };
  for (let s = 0; s < sweeps; s++) {
    const lastDown = s === sweeps - 1;
    for (let r = 0; r < rows.count; r++) pass(r, true, lastDown);
    for (let r = rows.count - 1; r >= 0; r--) pass(r, s > 1, true);
  }
  const apart = beside.map(([left, right]): Apart => {
    const [a, b] = [rows.itemOf[left] ?? 0, rows.itemOf[right] ?? 0];
    return { left: a, right: b, gap: itemExtent(graph, rows, a).right + spacing.node + itemExtent(graph, rows, b).left };
  });
  return placeRods(rows, links, gap, apart, x);
}

/** Items of different rows that are to keep a distance. */
interface Apart {
  readonly left: number;
  readonly right: number;
  readonly gap: number;
}

/** `gap[i]`: least distance between the axes of item `i` and its right neighbour in the same row. */
function rowGaps(graph: FlowGraph, rows: Rows, spacing: Spacing): Float64Array {
  const items = rows.kind.length;
  const gap = new Float64Array(items);
  for (let i = 0; i + 1 < items; i++) {
    if (rows.row[i] !== rows.row[i + 1]) continue;
    const nodes = (rows.kind[i] === itemNode ? 1 : 0) + (rows.kind[i + 1] === itemNode ? 1 : 0);
    const wall = rows.kind[i] === itemWall || rows.kind[i + 1] === itemWall;
    const free = wall ? spacing.node / 2 : nodes === 2 ? spacing.node : nodes === 1 ? spacing.edgeNode : spacing.edge;
    gap[i] = itemExtent(graph, rows, i).right + free + itemExtent(graph, rows, i + 1).left;
  }
  return gap;
}

function centreRow(rows: Rows, r: number, gap: Float64Array, x: Float64Array): void {
  const begin = rows.start[r] ?? 0;
  const end = rows.start[r + 1] ?? 0;
  let width = 0;
  for (let i = begin; i + 1 < end; i++) width += gap[i] ?? 0;
  let at = -width / 2;
  for (let i = begin; i < end; i++) {
    x[i] = at;
    at += gap[i] ?? 0;
  }
}

function placeRods(rows: Rows, links: Links, gap: Float64Array, apart: readonly Apart[], start: Float64Array): Float64Array {
  const items = rows.kind.length;
  const { rod, offset, count } = joinRods(rows, links, start);
  const constraints = rodSeparation(rows, rod, offset, gap, apart);
  const solver = projector(count, constraints);

  // First wish: where the sweeps put the members. A lane must clear the widest row of its loop.
  const wish = new Float64Array(count);
  const weight = new Float64Array(count);
  const lane = new Uint8Array(count);
  for (let i = 0; i < items; i++) {
    const r = rod[i] ?? 0;
    const at = (start[i] ?? 0) - (offset[i] ?? 0);
    if (isSide(rows, i)) {
      const outer = rows.kind[i] === itemLane ? Math.max : Math.min;
      wish[r] = lane[r] === 1 ? outer(wish[r] ?? 0, at) : at;
      weight[r] = 0.02;
      lane[r] = 1;
      continue;
    }
    const w = rows.kind[i] === itemNode ? 2 : 0.5;
    wish[r] = ((wish[r] ?? 0) * (weight[r] ?? 0) + at * w) / ((weight[r] ?? 0) + w);
    weight[r] = (weight[r] ?? 0) + w;
  }
  let x = solver.project(wish, weight);

  const pull = new Float64Array(count);
  const pulled = new Float64Array(count);
  for (let round = 0; round < rounds; round++) {
    pull.fill(0);
    pulled.fill(0);
    for (let c = 0; c < links.upper.length; c++) {
      const a = links.upper[c] ?? 0;
      const b = links.lower[c] ?? 0;
      const ra = rod[a] ?? 0;
      const rb = rod[b] ?? 0;
      if (ra === rb) continue;
      // b wants to stand under a's port.
      const step = (offset[a] ?? 0) + (links.offset[c] ?? 0) - (offset[b] ?? 0);
      const w = links.weight[c] ?? 0;
      pull[rb] = (pull[rb] ?? 0) + w * ((x[ra] ?? 0) + step);
      pulled[rb] = (pulled[rb] ?? 0) + w;
      pull[ra] = (pull[ra] ?? 0) + w * ((x[rb] ?? 0) - step);
      pulled[ra] = (pulled[ra] ?? 0) + w;
    }
    for (let r = 0; r < count; r++) {
      const own = x[r] ?? 0;
      const total = pulled[r] ?? 0;
      wish[r] = total === 0 ? own : 0.5 * own + (0.5 * (pull[r] ?? 0)) / total;
      weight[r] = lane[r] === 1 ? 0.02 : Math.max(0.1, total);
    }
    leanLanes(rows, rod, offset, gap, lane, x, wish);
    x = solver.project(wish, weight);
  }
  for (let r = 0; r < count; r++) x[r] = Math.round(x[r] ?? 0);
  return Float64Array.from(rod, (r, i) => (x[r] ?? 0) + (offset[i] ?? 0));
}

/** A lane wishes to stand as far left as its left neighbours now allow, a wall as far right. */
function leanLanes(
  rows: Rows,
  rod: Int32Array,
  offset: Float64Array,
  gap: Float64Array,
  lane: Uint8Array,
  x: Float64Array,
  wish: Float64Array,
): void {
  const least = new Map<number, number>();
  const most = new Map<number, number>();
  for (let i = 0; i + 1 < rows.kind.length; i++) {
    if (rows.kind[i] !== itemWall || rows.row[i] !== rows.row[i + 1]) continue;
    const r = rod[i] ?? 0;
    const after = rod[i + 1] ?? 0;
    if (lane[after] === 1) continue;
    const at = (x[after] ?? 0) + (offset[i + 1] ?? 0) - (gap[i] ?? 0) - (offset[i] ?? 0);
    most.set(r, Math.min(most.get(r) ?? Number.POSITIVE_INFINITY, at));
  }
  for (const [r, at] of most) wish[r] = at;
  for (let i = 1; i < rows.kind.length; i++) {
    if (rows.kind[i] !== itemLane || rows.row[i] !== rows.row[i - 1]) continue;
    const r = rod[i] ?? 0;
    const before = rod[i - 1] ?? 0;
    if (lane[before] === 1) continue;
    const at = (x[before] ?? 0) + (offset[i - 1] ?? 0) + (gap[i - 1] ?? 0) - (offset[i] ?? 0);
    least.set(r, Math.max(least.get(r) ?? Number.NEGATIVE_INFINITY, at));
  }
  for (const [r, at] of least) wish[r] = at;
}

/** Joins lines with themselves, and what stands nearly in line, into rods; `offset` is an item's axis in its rod. */
function joinRods(rows: Rows, links: Links, x: Float64Array): { rod: Int32Array; offset: Float64Array; count: number } {
  const items = rows.kind.length;
  const joinUp = new Int32Array(items).fill(-1);
  const joinDown = new Int32Array(items).fill(-1);
  const candidates: number[] = [];
  const rank = new Float64Array(links.upper.length);
  for (let c = 0; c < links.upper.length; c++) {
    const a = links.upper[c] ?? 0;
    const b = links.lower[c] ?? 0;
    const line = rows.kind[a] !== itemNode && rows.kind[b] !== itemNode;
    const step = Math.abs((x[a] ?? 0) + (links.offset[c] ?? 0) - (x[b] ?? 0));
    const weight = links.weight[c] ?? 0;
    if (!line && weight < onlyWay && step > straighten * weight) continue;
    rank[c] = (line ? 1e6 : 1000 * weight) - step;
    candidates.push(c);
  }
  candidates.sort((p, q) => (rank[q] ?? 0) - (rank[p] ?? 0) || p - q);
  const crossing = crossingGuard(rows);
  const offsetDown = new Float64Array(items);
  for (const c of candidates) {
    const a = links.upper[c] ?? 0;
    const b = links.lower[c] ?? 0;
    if ((joinDown[a] ?? -1) >= 0 || (joinUp[b] ?? -1) >= 0 || !crossing.admit(a, b)) continue;
    joinDown[a] = b;
    joinUp[b] = a;
    offsetDown[b] = links.offset[c] ?? 0;
  }
  const rod = new Int32Array(items).fill(-1);
  const offset = new Float64Array(items);
  let count = 0;
  for (let i = 0; i < items; i++) {
    const up = joinUp[i] ?? -1;
    if (up < 0) {
      rod[i] = count++;
      continue;
    }
    rod[i] = rod[up] ?? 0;
    const above = offset[up] ?? 0;
    const straight = above + (offsetDown[i] ?? 0);
    // Many straight steps to the same side would drift away without end: from here on, centre under centre.
    const drifts = Math.abs(straight) > drift && Math.abs(straight) > Math.abs(above);
    offset[i] = drifts ? above : straight;
  }
  return { rod, offset, count };
}

/** Keeps joints between two rows from crossing one another: admitted ones must be ordered alike above and below. */
function crossingGuard(rows: Rows): { admit(upper: number, lower: number): boolean } {
  const byRow = new Map<number, { upper: number[]; lower: number[] }>();
  return {
    admit(upper, lower) {
      const r = rows.row[upper] ?? 0;
      const joints = byRow.get(r) ?? { upper: [], lower: [] };
      byRow.set(r, joints);
      const at = lowerBound(joints.upper, upper);
      const before = joints.lower[at - 1];
      const after = joints.lower[at];
      if ((before !== undefined && before >= lower) || (after !== undefined && after <= lower)) return false;
      joints.upper.splice(at, 0, upper);
      joints.lower.splice(at, 0, lower);
      return true;
    },
  };
}

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One constraint per pair of rods that are neighbours somewhere: the strictest. */
function rodSeparation(rows: Rows, rod: Int32Array, offset: Float64Array, gap: Float64Array, apart: readonly Apart[]): Separation {
  const strictest = new Map<number, number>();
  const size = rod.length + 1;
  const add = (left: number, right: number, free: number): void => {
    const key = (rod[left] ?? 0) * size + (rod[right] ?? 0);
    const need = free + (offset[left] ?? 0) - (offset[right] ?? 0);
    const known = strictest.get(key);
    if (known === undefined || need > known) strictest.set(key, need);
  };
  for (let i = 0; i + 1 < rod.length; i++) if (rows.row[i] === rows.row[i + 1]) add(i, i + 1, gap[i] ?? 0);
  for (const { left, right, gap: free } of apart) if (rod[left] !== rod[right]) add(left, right, free);
  const left = new Int32Array(strictest.size);
  const right = new Int32Array(strictest.size);
  const gaps = new Float64Array(strictest.size);
  let c = 0;
  for (const [key, need] of strictest) {
    left[c] = Math.floor(key / size);
    right[c] = key % size;
    // One more pixel than needed, so that rounding to whole pixels never takes from the distance.
    gaps[c] = Math.ceil(need) + 1;
    c++;
  }
  return { left, right, gap: gaps };
}
