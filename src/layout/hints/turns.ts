/**
 * Chooses the orientation of each branch from the graph alone, without sizes and rows, so that it stays the same while blocks grow and
 * hardly changes when one is removed. Two neighbouring lines into a join bound an area; a path that starts inside it and continues below
 * the join must cross one of them. An exit on the right of a loop's back edge must cross that edge.
 */
import { type FlowGraph, flowGraph, group } from "../flow-graph.ts";
import { type FlowOrder, flowOrder, parting } from "../flow-order.ts";
import { type LoopForest, loopContains, loopForest } from "../loop-forest.ts";
import type { Hints } from "./hints.ts";

/** Limit on the edges examined in all tries together; the search ends there. */
const WORK = 60_000;
/** The limit must allow at least this many tries: larger graphs are not changed. */
const TRIES = 64;
/**
 * Costs of a line that must cross, of each of a few more lines to the same target, which may have merged by then, and of a line that ends
 * in a tag before it crosses.
 */
const COST = { crossing: 64, more: 16, tag: 1 } as const;
/** Number of lines with the same target beyond which more of them cost nothing. */
const MORE = 3;
/** What turns must save while lines cross: half a crossing. */
const GAIN = 32;

type Pair = readonly [left: number, right: number];

interface Strands {
  readonly order: FlowOrder;
  readonly cost: number;
  /** Pairs of edges on the wrong sides of each other. */
  readonly wrong: readonly Pair[];
  /** Pairs of lines into a join with a line between them that continues below it. */
  readonly apart: readonly Pair[];
}

export function turns(hints: Hints): Hints {
  const turned = branchesToTurn(hints.graph, hints.loops);
  if (turned.size === 0) return hints;
  const graph = flowGraph(hints.input, turned);
  const order = flowOrder(graph);
  return { ...hints, graph, order, loops: loopForest(graph, order) };
}

/** The branches to turn so that fewer lines cross, as few as are needed. */
export function branchesToTurn(graph: FlowGraph, loops: LoopForest): Set<number> {
  return graph.edgeCount * TRIES > WORK ? new Set() : new Search(graph, loops).run();
}

class Search {
  private readonly graph: FlowGraph;
  private readonly loops: LoopForest;
  /** The graph's successors, ordered by the turns being tried. */
  private readonly succ: Int32Array;
  private readonly back: Uint8Array;
  /** Sources and targets of the edges, then of the lines that continue at tags; and the edges into each block. */
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private readonly into: { readonly start: Int32Array; readonly items: Int32Array };
  private readonly turned = new Set<number>();
  private best: Strands;
  private work = WORK;

  constructor(graph: FlowGraph, loops: LoopForest) {
    this.graph = graph;
    this.loops = loops;
    this.succ = graph.succ.slice();
    const tagged = Array.from(graph.beyond.keys()).filter((n) => (graph.beyond[n] ?? -1) >= 0);
    this.from = Int32Array.from([...graph.from, ...tagged]);
    this.to = Int32Array.from([...graph.to, ...tagged.map((n) => graph.beyond[n] ?? 0)]);
    this.into = group(this.to, graph.count);
    const order = flowOrder(graph);
    this.back = order.back;
    this.best = this.strands(order);
  }

  run(): Set<number> {
    while (this.best.cost > 0 && this.work > 0) {
      const turns = this.cheapest(false) ?? this.cheapest(true);
      if (turns === null) break;
      this.take(turns);
    }
    // A turn that no longer helps is undone.
    for (const n of [...this.turned]) {
      const other = this.tried([n]);
      if (other !== null && other.cost <= this.best.cost) this.take({ turns: [n], strands: other });
    }
    return this.turned;
  }

  /**
   * The turns that save most, of equals those of the smallest parts. Tries one branch or the turns that bring two lines together; `two`:
   * pairs of branches.
   */
  private cheapest(two: boolean): { turns: readonly number[]; strands: Strands } | null {
    const least = this.best.cost < COST.crossing ? COST.tag : GAIN;
    let found: { turns: readonly number[]; strands: Strands } | null = null;
    for (const turns of two ? this.twos() : this.ones()) {
      const strands = this.tried(turns);
      if (strands === null || strands.cost > this.best.cost - least) continue;
      const more = strands.cost - (found?.strands.cost ?? this.best.cost);
      if (more < 0 || (more === 0 && found !== null && this.largest(turns) < this.largest(found.turns))) found = { turns, strands };
    }
    return found;
  }

  private *ones(): Generator<readonly number[]> {
    for (const n of this.partings(this.best)) yield [n];
    yield* this.together(this.best);
  }

  private *twos(): Generator<readonly number[]> {
    const seen = new Set<string>();
    for (const a of this.partings(this.best)) {
      const one = this.tried([a]);
      if (one === null) continue;
      for (const b of this.partings(one)) {
        const key = a < b ? `${a},${b}` : `${b},${a}`;
        if (a === b || seen.has(key)) continue;
        seen.add(key);
        yield [a, b];
      }
    }
  }

  private take({ turns, strands }: { readonly turns: readonly number[]; readonly strands: Strands }): void {
    for (const n of turns) {
      this.swap(n);
      if (!this.turned.delete(n)) this.turned.add(n);
    }
    this.best = strands;
  }

  private tried(turns: readonly number[]): Strands | null {
    if (this.work <= 0) return null;
    for (const n of turns) this.swap(n);
    const order = flowOrder({ ...this.graph, succ: this.succ });
    // In an irreducible graph a different walk may find different loops.
    const same = order.back.every((back, e) => back === this.back[e]);
    const strands = same ? this.strands(order) : null;
    for (const n of turns) this.swap(n);
    return strands;
  }

  private swap(n: number): void {
    this.succ.subarray(this.graph.succStart[n], this.graph.succStart[n + 1]).reverse();
  }

  private strands(order: FlowOrder): Strands {
    const { count, edgeCount } = this.graph;
    const { from, to, into } = this;
    const { nodeKey, back, number } = order;
    const key = Float64Array.from(from, (n, e) => (e < edgeCount ? (order.edgeKey[e] ?? 0) : (nodeKey[n] ?? 0) + 0.5));
    const sorted = Array.from(key.keys()).sort((a, b) => (key[a] ?? 0) - (key[b] ?? 0));
    const place = new Int32Array(sorted.length);
    for (let i = 0; i < sorted.length; i++) place[sorted[i] ?? 0] = i;
    const wrong: Pair[] = [];
    const apart: Pair[] = [];
    let cost = 0;
    let stamp = 0;
    const seen = new Int32Array(count);
    const more = new Int32Array(count);
    this.work -= sorted.length;

    /** Counts the edges that leave the area between two lines into a join, drawn ones or also those that tags hide. */
    const between = (join: number, left: number, right: number, hidden: boolean): void => {
      stamp++;
      this.work -= (place[right] ?? 0) - (place[left] ?? 0);
      let any = false;
      for (let i = (place[left] ?? 0) + 1; i < (place[right] ?? 0); i++) {
        const e = sorted[i] ?? 0;
        const target = to[e] ?? 0;
        // A line from the block that both lines leave crosses neither.
        if (target === join || back[e] === 1 || (from[e] === from[left] && from[e] === from[right]) || (!hidden && e >= edgeCount))
          continue;
        const inside = (nodeKey[target] ?? 0) > (key[left] ?? 0) && (nodeKey[target] ?? 0) < (key[right] ?? 0);
        if (inside || (number[target] ?? 0) < (number[join] ?? 0)) continue;
        any = true;
        if (seen[target] === stamp) {
          more[target] = (more[target] ?? 0) + 1;
          if (!hidden && (more[target] ?? 0) <= MORE) cost += COST.more;
          continue;
        }
        seen[target] = stamp;
        more[target] = 0;
        cost += hidden ? COST.tag : COST.crossing;
        wrong.push([left, e], [e, right], [left, right]);
      }
      if (any) apart.push([left, right]);
    };
    for (let join = 0; join < count; join++) {
      const lines = Array.from(into.items.subarray(into.start[join], into.start[join + 1])).filter((e) => back[e] !== 1);
      lines.sort((a, b) => (place[a] ?? 0) - (place[b] ?? 0));
      const drawn = lines.filter((e) => e < edgeCount);
      for (let i = 1; i < lines.length; i++) between(join, lines[i - 1] ?? 0, lines[i] ?? 0, true);
      for (let i = 1; i < drawn.length; i++) between(join, drawn[i - 1] ?? 0, drawn[i] ?? 0, false);
    }
    for (let e = 0; e < edgeCount; e++) {
      const loop = this.loops.loopOf[to[e] ?? 0] ?? -1;
      if (back[e] !== 1 || loop < 0 || this.loops.header[loop] !== to[e]) continue;
      stamp++;
      this.work -= sorted.length - (place[e] ?? 0);
      for (let i = (place[e] ?? 0) + 1; i < sorted.length; i++) {
        const exit = sorted[i] ?? 0;
        const target = to[exit] ?? 0;
        if (back[exit] === 1 || from[exit] === from[e] || seen[target] === stamp) continue;
        if (!loopContains(this.loops, loop, from[exit] ?? 0) || loopContains(this.loops, loop, target)) continue;
        seen[target] = stamp;
        cost += exit < edgeCount ? COST.crossing : COST.tag;
        wrong.push([e, exit]);
      }
    }
    return { order, cost, wrong, apart };
  }

  /** For each pair of separate lines into a join, the turns that bring them together, with either of them on the left. */
  private *together({ order, apart }: Strands): Generator<readonly number[]> {
    for (const [left, right] of apart) {
      const top = parting(order, this.from[left] ?? 0, this.from[right] ?? 0);
      if (top < 0) continue;
      const turns = [...this.toSide(order, top, left, true), ...this.toSide(order, top, right, false)];
      if (turns.length > 0) yield turns;
      if (this.graph.branch[top] === 1) yield [top, ...this.toSide(order, top, left, false), ...this.toSide(order, top, right, true)];
    }
  }

  /** The branches to turn, on the path from `top` to an edge, to make the edge the last, or the first, on its side of `top`. */
  private toSide({ above }: FlowOrder, top: number, edge: number, last: boolean): number[] {
    const { succStart, branch } = this.graph;
    const turns: number[] = [];
    let below = -1;
    for (let n = this.from[edge] ?? 0; n !== top && n >= 0; n = above[n] ?? -1) {
      const outer = this.succ[last ? (succStart[n + 1] ?? 0) - 1 : (succStart[n] ?? 0)] ?? 0;
      if (branch[n] === 1 && (below < 0 ? outer !== edge : this.to[outer] !== below)) turns.push(n);
      below = n;
    }
    return turns;
  }

  /** The branches at which the paths to edges on the wrong sides of each other diverge. */
  private partings({ order, wrong }: Strands): Set<number> {
    const found = new Set<number>();
    for (const [a, b] of wrong) {
      const n = parting(order, this.from[a] ?? 0, this.from[b] ?? 0);
      if (n >= 0 && this.graph.branch[n] === 1) found.add(n);
    }
    return found;
  }

  /** The size of the largest part below one of these branches. */
  private largest(turns: readonly number[]): number {
    const { found, left } = this.best.order;
    return Math.max(...turns.map((n) => (left[n] ?? 0) - (found[n] ?? 0)));
  }
}
