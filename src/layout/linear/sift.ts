/**
 * Fewer crossings: blocks and long lines change places in the one order from left to right (global sifting after Bachmaier, Brandenburg,
 * Brunner and Hübner, 2010). Each that takes part in a crossing tries every place it may have and moves only where that means fewer,
 * so what crosses nothing stays where reverse postorder put it. Cards never change sides with a loop that they are not in.
 */
import type { FlowGraph } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import { type LoopForest, loopContains } from "../loop-forest.ts";
import type { Layers } from "./layers.ts";

const ROUNDS = 4;
/** Comparisons of two blocks, for each block of the graph and at least: past that the order stays as it is. */
const WORK = { perBlock: 600, least: 60_000, most: 600_000 } as const;
/** Ports told apart at one block. */
const PORTS = 64;
const NOTHING: readonly number[] = [];

export function siftOrder(graph: FlowGraph, order: FlowOrder, loops: LoopForest, layers: Layers, shared: Uint8Array): FlowOrder {
  const sifter = new Sifter(graph, order, loops, layers, shared);
  return sifter.run() ? sifter.result() : order;
}

/** A thing with one place from left to right: a node, or a line through several layers. Node `n` is `n`; the line of edge `e` is `count + e`. */
class Sifter {
  private readonly graph: FlowGraph;
  private readonly order: FlowOrder;
  private readonly loops: LoopForest;
  private readonly layers: Layers;
  /** Edge to its line, or -1 if it leads to the next layer or backwards. */
  private readonly lineOf: Int32Array;
  private readonly top: Int32Array;
  private readonly bottom: Int32Array;
  /** What leads into a thing from above and out of it below: things, and the port of the upper one. */
  private readonly up: number[][];
  private readonly upPort: number[][];
  private readonly down: number[][];
  /** Of a line that several edges share: what joins it below its top, by layer. */
  private readonly joins = new Map<number, Map<number, number[]>>();
  /** Where a line or a node ends: lines with one end meet, they do not cross. */
  private readonly end: Int32Array;
  private readonly sorted: number[];
  private readonly place: Float64Array;
  private work: number;
  /** Filled anew for each comparison: a list each would be most of what the search allocates. */
  private readonly lefts: number[] = [];
  private readonly rights: number[] = [];

  constructor(graph: FlowGraph, order: FlowOrder, loops: LoopForest, layers: Layers, shared: Uint8Array) {
    this.graph = graph;
    this.order = order;
    this.loops = loops;
    this.layers = layers;
    const { count, edgeCount, from, to } = graph;
    const of = layers.of;
    const total = count + edgeCount;
    this.lineOf = new Int32Array(edgeCount).fill(-1);
    this.top = new Int32Array(total);
    this.bottom = new Int32Array(total).fill(-1);
    this.up = Array.from({ length: total }, () => []);
    this.upPort = Array.from({ length: total }, () => []);
    this.down = Array.from({ length: total }, () => []);
    this.end = Int32Array.from({ length: total }, (_, thing) => (thing < count ? thing : (to[thing - count] ?? 0)));
    for (let n = 0; n < count; n++) {
      this.top[n] = of[n] ?? 0;
      this.bottom[n] = of[n] ?? 0;
    }
    // Lines that will be drawn as one are one: that of the highest source.
    const sharedLine = new Map<number, number>();
    const bySource = Array.from({ length: edgeCount }, (_, e) => e).sort(
      (a, b) => (of[from[a] ?? 0] ?? 0) - (of[from[b] ?? 0] ?? 0) || a - b,
    );
    for (const e of bySource) {
      const source = from[e] ?? 0;
      const target = to[e] ?? 0;
      const long = (of[target] ?? 0) - (of[source] ?? 0) > 1;
      if (order.back[e] === 1 || !long) continue;
      let line = shared[target] === 1 ? sharedLine.get(target) : undefined;
      if (line === undefined) {
        line = count + e;
        sharedLine.set(target, line);
        this.top[line] = (of[source] ?? 0) + 1;
        this.bottom[line] = (of[target] ?? 0) - 1;
        this.link(line, target, 0);
      }
      this.lineOf[e] = line;
    }
    for (let n = 0; n < count; n++) {
      for (let k = graph.succStart[n] ?? 0; k < (graph.succStart[n + 1] ?? 0); k++) {
        const e = graph.succ[k] ?? 0;
        if (order.back[e] === 1) continue;
        const line = this.lineOf[e] ?? -1;
        const port = Math.min(PORTS - 1, graph.slot[e] ?? 0);
        if (line >= 0 && (of[n] ?? 0) + 1 > (this.top[line] ?? 0)) this.join(n, line, port);
        else this.link(n, line < 0 ? (to[e] ?? 0) : line, port);
      }
    }
    const key = (thing: number): number => (thing < count ? (order.nodeKey[thing] ?? 0) : (order.edgeKey[thing - count] ?? 0));
    this.sorted = Array.from({ length: total }, (_, thing) => thing).filter((thing) => (this.bottom[thing] ?? -1) >= 0);
    this.sorted.sort((a, b) => key(a) - key(b));
    this.place = new Float64Array(total);
    this.renumber(0, this.sorted.length - 1);
    this.work = Math.min(WORK.most, Math.max(WORK.least, WORK.perBlock * this.sorted.length));
  }

  /** True if anything moved. */
  run(): boolean {
    let moved = false;
    for (let round = 0; round < ROUNDS; round++) {
      let better = false;
      for (const thing of this.crossing()) {
        if (this.work <= 0) return moved;
        if (this.sift(thing)) better = true;
      }
      if (!better) break;
      moved = true;
    }
    return moved;
  }

  result(): FlowOrder {
    const { count, edgeCount, from } = this.graph;
    const rank = (thing: number): number => 2 * (this.place[thing] ?? 0);
    const nodeKey = Int32Array.from({ length: count }, (_, n) => rank(n));
    // An edge without a line of its own stands just right of its source.
    const edgeKey = Int32Array.from({ length: edgeCount }, (_, e) => {
      const line = this.lineOf[e] ?? -1;
      return line >= 0 ? rank(line) : rank(from[e] ?? 0) + 1;
    });
    return { ...this.order, nodeKey, edgeKey };
  }

  private link(upper: number, lower: number, port: number): void {
    this.up[lower]?.push(upper);
    this.upPort[lower]?.push(port);
    this.down[upper]?.push(lower);
  }

  private join(source: number, line: number, port: number): void {
    const r = (this.layers.of[source] ?? 0) + 1;
    const byLayer = this.joins.get(line) ?? new Map<number, number[]>();
    this.joins.set(line, byLayer);
    byLayer.set(r, [...(byLayer.get(r) ?? []), source * PORTS + port]);
    this.down[source]?.push(line);
  }

  private renumber(first: number, last: number): void {
    for (let i = first; i <= last; i++) this.place[this.sorted[i] ?? 0] = i;
  }

  /** Things that an end of some crossing piece of line belongs to, the topmost first. */
  private crossing(): number[] {
    const gaps: { upper: number; lower: number; at: number }[][] = Array.from({ length: this.layers.count }, () => []);
    for (const lower of this.sorted) {
      (this.up[lower] ?? []).forEach((upper, i) => {
        const at = (this.place[upper] ?? 0) * PORTS + (this.upPort[lower]?.[i] ?? 0);
        gaps[(this.top[lower] ?? 0) - 1]?.push({ upper, lower, at });
      });
      // Inside a long line every layer has a piece that others may cross.
      for (let r = this.top[lower] ?? 0; r < (this.bottom[lower] ?? 0); r++) {
        gaps[r]?.push({ upper: lower, lower, at: (this.place[lower] ?? 0) * PORTS });
      }
      for (const [r, sources] of this.joins.get(lower) ?? []) {
        for (const s of sources) {
          const upper = Math.floor(s / PORTS);
          gaps[r - 1]?.push({ upper, lower, at: (this.place[upper] ?? 0) * PORTS + (s % PORTS) });
        }
      }
    }
    const found = new Set<number>();
    for (const gap of gaps) {
      gap.sort((p, q) => p.at - q.at || (this.place[p.lower] ?? 0) - (this.place[q.lower] ?? 0));
      // The rightmost lower end so far, and the leftmost from here on, tell which pieces cross any other.
      let most = Number.NEGATIVE_INFINITY;
      const crosses = gap.map(({ lower }) => {
        const at = this.place[lower] ?? 0;
        const crossed = at < most;
        most = Math.max(most, at);
        return crossed;
      });
      let least = Number.POSITIVE_INFINITY;
      for (let i = gap.length - 1; i >= 0; i--) {
        const piece = gap[i];
        if (piece === undefined) continue;
        const at = this.place[piece.lower] ?? 0;
        if (at > least || crosses[i] === true) {
          found.add(piece.upper);
          found.add(piece.lower);
        }
        least = Math.min(least, at);
      }
      this.work -= gap.length;
    }
    return [...found].sort((a, b) => (this.top[a] ?? 0) - (this.top[b] ?? 0) || (this.place[a] ?? 0) - (this.place[b] ?? 0));
  }

  private sift(thing: number): boolean {
    const from = this.place[thing] ?? 0;
    let best = 0;
    let to = from;
    for (const step of [1, -1]) {
      let change = 0;
      for (let q = from + step; q >= 0 && q < this.sorted.length; q += step) {
        const other = this.sorted[q] ?? 0;
        if (this.work-- <= 0) break;
        const high = Math.max(this.top[thing] ?? 0, this.top[other] ?? 0);
        const low = Math.min(this.bottom[thing] ?? 0, this.bottom[other] ?? 0);
        if (this.keptApart(thing, other)) break;
        if (high > low) continue;
        this.place[thing] = q - step / 2;
        change += step > 0 ? this.exchange(thing, other, high, low) : this.exchange(other, thing, high, low);
        if (change < best) {
          best = change;
          to = q;
        }
      }
    }
    this.place[thing] = from;
    if (to === from) return false;
    this.sorted.splice(from, 1);
    this.sorted.splice(to, 0, thing);
    this.renumber(Math.min(from, to), Math.max(from, to));
    return true;
  }

  /** Crossings more if `left` and `right`, now in this order, change places: they meet in layers `high` to `low`. */
  private exchange(left: number, right: number, high: number, low: number): number {
    let change = this.end[left] === this.end[right] ? 0 : this.pairsAbove(left, right, high);
    const a = this.joins.get(left);
    const b = this.joins.get(right);
    if (a !== undefined || b !== undefined) {
      for (let r = high + 1; r <= low; r++) if (a?.has(r) === true || b?.has(r) === true) change += this.pairsAbove(left, right, r);
    }
    return change + this.pairsBelow(left, right, low);
  }

  /** Pairs in order less pairs out of order: what changing places costs in the layer above `r`. */
  private pairsAbove(left: number, right: number, r: number): number {
    const lefts = this.above(left, r, this.lefts);
    const rights = this.above(right, r, this.rights);
    let sum = 0;
    for (let i = 0; i < lefts; i++) {
      const a = this.lefts[i] ?? 0;
      for (let k = 0; k < rights; k++) {
        const b = this.rights[k] ?? 0;
        sum += b > a ? 1 : b < a ? -1 : 0;
      }
    }
    this.work -= (lefts * rights) >> 2;
    return sum;
  }

  /** Writes where the lines into a thing come from in the layer above its layer `r`, and says how many there are. */
  private above(thing: number, r: number, into: number[]): number {
    if (r === this.top[thing]) {
      const ups = this.up[thing] ?? NOTHING;
      const ports = this.upPort[thing] ?? NOTHING;
      for (let i = 0; i < ups.length; i++) into[i] = (this.place[ups[i] ?? 0] ?? 0) * PORTS + (ports[i] ?? 0);
      return ups.length;
    }
    const joined = this.joins.get(thing)?.get(r) ?? NOTHING;
    into[0] = (this.place[thing] ?? 0) * PORTS;
    for (let i = 0; i < joined.length; i++) {
      const source = joined[i] ?? 0;
      into[i + 1] = (this.place[Math.floor(source / PORTS)] ?? 0) * PORTS + (source % PORTS);
    }
    return joined.length + 1;
  }

  private pairsBelow(left: number, right: number, r: number): number {
    const lefts = r === this.bottom[left] ? (this.down[left] ?? NOTHING) : null;
    const rights = r === this.bottom[right] ? (this.down[right] ?? NOTHING) : null;
    let sum = 0;
    for (let i = 0; i < (lefts?.length ?? 1); i++) {
      const a = lefts === null ? left : (lefts[i] ?? 0);
      const endOfA = this.end[a];
      const atA = this.place[a] ?? 0;
      for (let k = 0; k < (rights?.length ?? 1); k++) {
        const b = rights === null ? right : (rights[k] ?? 0);
        if (endOfA === this.end[b]) continue;
        const atB = this.place[b] ?? 0;
        sum += atB > atA ? 1 : atB < atA ? -1 : 0;
      }
    }
    return sum;
  }

  /** Whether one is a card of a loop and the other a card beside that loop. */
  private keptApart(a: number, b: number): boolean {
    const { count } = this.graph;
    return a < count && b < count && (this.beside(a, b) || this.beside(b, a));
  }

  /** Whether `outside` stands in a layer of a loop that `inside` is in and it is not. */
  private beside(inside: number, outside: number): boolean {
    const { loopOf, parent, header } = this.loops;
    const at = this.layers.of[outside] ?? 0;
    for (let l = loopOf[inside] ?? -1; l >= 0 && !loopContains(this.loops, l, outside); l = parent[l] ?? -1) {
      if (at >= (this.layers.of[header[l] ?? 0] ?? 0) && at <= (this.layers.loopEnd[l] ?? 0)) return true;
    }
    return false;
  }
}
