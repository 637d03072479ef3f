/** Pairs the blocks of two graphs: best first, from shared content outwards along edges and dominators. */

import type { BlockFacts } from "./facts.ts";

export interface Match {
  /** Index of the other side's block by ours, and back; -1: none. */
  readonly toReal: Int32Array;
  readonly toOurs: Int32Array;
  /** Score of our block's match. */
  readonly scores: Float64Array;
  readonly notes: readonly string[];
}

/** Weaker pairs than this are not a match. */
const LEAST_SCORE = 0.42;
/** A key that more blocks than this share names none of them. */
const MOST_SHARING = 48;
/** Limits on the pairs examined for each block, and on the neighbours tried on either side of a pair. */
const PAIRS_PER_BLOCK = 96;
const MOST_NEIGHBOURS = 12;
/** Limit on the dominators searched for a matched one. */
const MOST_CLIMBS = 64;

/**
 * Deterministic. Pairs are taken in the order of their score; each one taken makes its neighbours candidates with a better score. O(p log p) for p candidate
 * pairs, at most `PAIRS_PER_BLOCK` for each block.
 */
export function matchBlocks(ours: readonly BlockFacts[], real: readonly BlockFacts[]): Match {
  const weights = keyWeights(ours, real);
  const state: State = {
    ours,
    real,
    weights,
    toReal: new Int32Array(ours.length).fill(-1),
    toOurs: new Int32Array(real.length).fill(-1),
    scores: new Float64Array(ours.length),
    content: new Map(),
  };
  const heap = new Heap();
  const best = new Map<number, number>();
  const limit = PAIRS_PER_BLOCK * (ours.length + real.length + 8);
  let pushed = 0;
  const push = (a: number, b: number): void => {
    if (a < 0 || b < 0 || state.toReal[a] !== -1 || state.toOurs[b] !== -1 || pushed >= limit) return;
    const score = scoreOf(state, a, b);
    const key = a * real.length + b;
    if (score < LEAST_SCORE || score <= (best.get(key) ?? 0)) return;
    best.set(key, score);
    pushed++;
    heap.push(score, a, b);
  };
  const take = (a: number, b: number, score: number): void => {
    state.toReal[a] = b;
    state.toOurs[b] = a;
    state.scores[a] = score;
    const x = ours[a];
    const y = real[b];
    if (x === undefined || y === undefined) return;
    push(x.idom, y.idom);
    push(x.ipdom, y.ipdom);
    for (const s of x.succs.slice(0, MOST_NEIGHBOURS)) for (const t of y.succs.slice(0, MOST_NEIGHBOURS)) push(s, t);
    for (const s of x.preds.slice(0, MOST_NEIGHBOURS)) for (const t of y.preds.slice(0, MOST_NEIGHBOURS)) push(s, t);
  };
  // The entries are what both run first.
  if (ours.length > 0 && real.length > 0) take(0, 0, Math.max(LEAST_SCORE, scoreOf(state, 0, 0)));
  seed(state, push);
  for (let top = heap.pop(); top !== null; top = heap.pop()) {
    const { a, b, score } = top;
    if (state.toReal[a] !== -1 || state.toOurs[b] !== -1) continue;
    const now = scoreOf(state, a, b);
    if (now < LEAST_SCORE) continue;
    // Neighbours taken meanwhile may have lowered its score: it is queued again.
    if (now < score - 1e-9 && pushed < limit) {
      best.set(a * real.length + b, now);
      pushed++;
      heap.push(now, a, b);
      continue;
    }
    take(a, b, now);
  }
  const notes = pushed >= limit ? [`Only the ${limit} most likely pairs of blocks were compared.`] : [];
  return { toReal: state.toReal, toOurs: state.toOurs, scores: state.scores, notes };
}

interface State {
  readonly ours: readonly BlockFacts[];
  readonly real: readonly BlockFacts[];
  readonly weights: ReadonlyMap<string, number>;
  readonly toReal: Int32Array;
  readonly toOurs: Int32Array;
  readonly scores: Float64Array;
  /** Content scores by pair. */
  readonly content: Map<number, number>;
}

/** Pairs that share a key few blocks have. */
function seed({ ours, real }: State, push: (a: number, b: number) => void): void {
  const holders = new Map<string, number[]>();
  for (const [b, facts] of real.entries()) {
    for (const key of facts.keys.keys()) {
      const list = holders.get(key);
      if (list === undefined) holders.set(key, [b]);
      else list.push(b);
    }
  }
  for (const [a, facts] of ours.entries()) {
    const near = new Set<number>();
    for (const key of facts.keys.keys()) {
      const list = holders.get(key) ?? [];
      if (list.length <= MOST_SHARING) for (const b of list) near.add(b);
    }
    for (const b of near) push(a, b);
  }
}

/** Worth of a key: by its kind, and less the more blocks have it. */
function keyWeights(ours: readonly BlockFacts[], real: readonly BlockFacts[]): Map<string, number> {
  const blocks = new Map<string, number>();
  for (const { keys } of [...ours, ...real]) for (const key of keys.keys()) blocks.set(key, (blocks.get(key) ?? 0) + 1);
  const weights = new Map<string, number>();
  for (const [key, n] of blocks) weights.set(key, kindWeight(key) / (1 + Math.log2(1 + n / 2)));
  return weights;
}

function kindWeight(key: string): number {
  switch (key.slice(0, key.indexOf(" ") < 0 ? undefined : key.indexOf(" "))) {
    case "store":
    case "atomic":
    case "barrier":
    case "fence":
    case "trap":
      return 4;
    case "compare":
    case "warp":
    case "texture":
      return 3;
    case "call":
    case "function":
    case "special":
    case "load":
      return 2;
    case "constant":
      return 1.2;
    default:
      return 0.7;
  }
}

function scoreOf(state: State, a: number, b: number): number {
  const x = state.ours[a];
  const y = state.real[b];
  if (x === undefined || y === undefined) return 0;
  return 0.5 * contentScore(state, a, b, x, y) + 0.25 * shapeScore(x, y) + 0.25 * neighbourScore(state, x, y);
}

/** Weighted shared part of the keys; two blocks without any are half alike. */
function contentScore(state: State, a: number, b: number, x: BlockFacts, y: BlockFacts): number {
  const pair = a * state.real.length + b;
  const known = state.content.get(pair);
  if (known !== undefined) return known;
  let shared = 0;
  let all = 0;
  for (const [key, n] of x.keys) {
    const w = state.weights.get(key) ?? 0;
    const m = y.keys.get(key) ?? 0;
    shared += w * Math.min(n, m);
    all += w * Math.max(n, m);
  }
  for (const [key, m] of y.keys) if (!x.keys.has(key)) all += (state.weights.get(key) ?? 0) * m;
  const score = all === 0 ? 0.5 : shared / all;
  state.content.set(pair, score);
  return score;
}

function shapeScore(x: BlockFacts, y: BlockFacts): number {
  let score = 0;
  if (x.ending === y.ending) score += 0.35;
  else if ((x.ending === "jump" || x.ending === "through") && (y.ending === "jump" || y.ending === "through")) score += 0.3;
  if (x.loopDepth === y.loopDepth) score += 0.3;
  if (x.isHeader === y.isHeader) score += 0.15;
  if (x.succs.length === y.succs.length) score += 0.1;
  if (x.preds.length === y.preds.length) score += 0.1;
  return score;
}

/** Share of matched neighbours that are also neighbours in the other function, and whether the nearest matched dominators agree; one half if nothing is known. */
function neighbourScore(state: State, x: BlockFacts, y: BlockFacts): number {
  let agree = 0;
  let known = 0;
  const count = (mine: readonly number[], theirs: readonly number[], map: Int32Array): void => {
    for (const n of mine.slice(0, MOST_NEIGHBOURS)) {
      const image = map[n] ?? -1;
      if (image < 0) continue;
      known++;
      if (theirs.includes(image)) agree++;
    }
  };
  count(x.preds, y.preds, state.toReal);
  count(x.succs, y.succs, state.toReal);
  count(y.preds, x.preds, state.toOurs);
  count(y.succs, x.succs, state.toOurs);
  for (const by of ["idom", "ipdom"] as const) {
    const image = nearestImage(state, x, by);
    if (image === null) continue;
    known++;
    if (isAbove(state.real, y, image, by)) agree++;
  }
  return known === 0 ? 0.5 : agree / known;
}

/** Image of the nearest dominator that is matched. */
function nearestImage(state: State, x: BlockFacts, by: "idom" | "ipdom"): number | null {
  let at = x[by];
  for (let climbs = 0; at >= 0 && climbs < MOST_CLIMBS; climbs++) {
    const image = state.toReal[at] ?? -1;
    if (image >= 0) return image;
    at = state.ours[at]?.[by] ?? -1;
  }
  return null;
}

function isAbove(facts: readonly BlockFacts[], y: BlockFacts, wanted: number, by: "idom" | "ipdom"): boolean {
  let at = y[by];
  for (let climbs = 0; at >= 0 && climbs < MOST_CLIMBS; climbs++) {
    if (at === wanted) return true;
    at = facts[at]?.[by] ?? -1;
  }
  return false;
}

interface Entry {
  readonly score: number;
  readonly a: number;
  readonly b: number;
}

/** Highest score first; ties by our index, then theirs. */
class Heap {
  private readonly items: Entry[] = [];

  push(score: number, a: number, b: number): void {
    const { items } = this;
    const entry = { score, a, b };
    let at = items.length;
    items.push(entry);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up];
      if (parent === undefined || !before(entry, parent)) break;
      items[at] = parent;
      at = up;
    }
    items[at] = entry;
  }

  pop(): Entry | null {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined) return null;
    if (items.length === 0) return top;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const l = items[left];
      const r = items[left + 1];
      if (l === undefined) break;
      const [child, from] = r !== undefined && before(r, l) ? [r, left + 1] : [l, left];
      if (!before(child, last)) break;
      items[at] = child;
      at = from;
    }
    items[at] = last;
    return top;
  }
}

function before(p: Entry, q: Entry): boolean {
  if (p.score !== q.score) return p.score > q.score;
  return p.a !== q.a ? p.a < q.a : p.b < q.b;
}
