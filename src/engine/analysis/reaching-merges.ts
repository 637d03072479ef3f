/** Reaching definitions register by register, along the dominator tree: sets of definitions change only where the register is written and where paths merge. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { iteratedFrontier } from "./dominance-frontier.ts";
import type { DomTree } from "./dominators.ts";

/** Limit on the definitions of one register found at one place. Without it, sets would grow with the square of the function. */
export const MOST_REACHING = 64;

interface Site {
  readonly block: BlockId;
  readonly guarded: boolean;
}

/** Sites [from, to) of a register leave their block: its last sure definition and the guarded ones after it. */
interface BlockEnd {
  readonly from: number;
  readonly to: number;
  /** Earlier definitions end here. */
  readonly kills: boolean;
}

/** Where a set comes from: the end of a block that writes the register (2b), a merge at the head of a block (2b + 1), or the function's start. */
type Provider = number;
const START: Provider = -1;
const endOf = (block: BlockId): Provider => 2 * block;
const mergeAt = (block: BlockId): Provider => 2 * block + 1;

/** A step function over the entry numbers of the dominator tree: `providers[i]` from `starts[i]` on, for the first `count`. */
interface Nest {
  readonly starts: Int32Array;
  readonly providers: Int32Array;
  readonly count: number;
}

interface Variable<S> {
  readonly sites: readonly S[];
  readonly ends: ReadonlyMap<BlockId, BlockEnd>;
  readonly merges: ReadonlySet<BlockId>;
  /** Created when a head is first looked up. */
  nest: Nest | null;
  readonly sets: Map<Provider, Found<S>>;
}

/** Indices in the register's list of sites, ascending, -1 for the value at entry; the sites are created from them on first use. */
interface Found<S> {
  readonly ids: readonly number[];
  sites: readonly S[] | null;
}

/** Solves a register on first use: its merges by iterated dominance frontiers, each set by a walk over the merges that lead to it. */
export class ReachMerges<S extends Site> {
  private readonly variables = new Map<Reg, Variable<S>>();
  private readonly entry: BlockId;
  private readonly number: Int32Array;
  private readonly preds: readonly (readonly BlockId[])[];
  private readonly dom: DomTree;
  private readonly frontiers: readonly (readonly BlockId[])[];
  private readonly stamp: Int32Array;
  /** Blocks by their entry numbers in the dominator tree. */
  private readonly entered: Int32Array;
  /** Scratch of a walk: the walk's number at every provider and every site that it has met. */
  private readonly metProvider: Int32Array;
  private metSite = new Int32Array(64);
  private walks = 0;

  /** `number`: places in reverse post-order from 1; `preds` by place from 0. */
  constructor(
    entry: BlockId,
    number: Int32Array,
    preds: readonly (readonly BlockId[])[],
    dom: DomTree,
    frontiers: readonly (readonly BlockId[])[],
  ) {
    this.entry = entry;
    this.number = number;
    this.preds = preds;
    this.dom = dom;
    this.frontiers = frontiers;
    this.stamp = new Int32Array(number.length).fill(-1);
    this.entered = new Int32Array(number.length);
    for (let block = 0; block < number.length; block++) if ((number[block] ?? 0) > 0) this.entered[dom.enter[block] ?? 0] = block;
    this.metProvider = new Int32Array(2 * number.length + 1);
  }

  /**
   * Which definitions of a register reach a reachable block's head: the value at entry first, then sites in their order. Sites come in reverse post-order of
   * their blocks, then in block order. Where more than `MOST_REACHING` reach, that many and one more are given, whichever were found first. Equal questions get
   * the same array.
   */
  incoming(reg: Reg, entry: S, sites: readonly S[], block: BlockId): readonly S[] {
    let variable = this.variables.get(reg);
    if (variable === undefined) {
      variable = this.prepare(entry, sites);
      this.variables.set(reg, variable);
    }
    const found = this.setOf(variable, this.head(variable, block));
    found.sites ??= found.ids.map((id) => sites[id] ?? entry);
    return found.sites;
  }

  private prepare(entry: S, sites: readonly S[]): Variable<S> {
    const ends = new Map<BlockId, BlockEnd>();
    for (let s = 0; s < sites.length; ) {
      const { block } = sites[s] as S;
      let from = s;
      let kills = false;
      for (; s < sites.length && (sites[s] as S).block === block; s++) {
        if ((sites[s] as S).guarded) continue;
        kills = true;
        from = s;
      }
      ends.set(block, { from, to: s, kills });
    }
    // The register's value at the start counts as a definition in the entry.
    const merges = iteratedFrontier(this.frontiers, [this.entry, ...ends.keys()], this.stamp, this.variables.size);
    return { sites, ends, merges: new Set(merges), nest: null, sets: new Map([[START, { ids: [-1], sites: [entry] }]]) };
  }

  /** The provider of a block's head: the block's own merge, else the nearest block up the dominator tree that defines or merges. */
  private head(variable: Variable<S>, block: BlockId): Provider {
    if (variable.merges.has(block)) return mergeAt(block);
    const above = this.dom.idom[block] ?? -1;
    if (block === this.entry || above < 0) return START;
    variable.nest ??= this.nestOf(variable);
    const { starts, providers, count } = variable.nest;
    // The last interval boundary at or before the place.
    const place = this.dom.enter[above] ?? 0;
    let low = 0;
    let high = count;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if ((starts[mid] as number) <= place) low = mid + 1;
      else high = mid;
    }
    return low === 0 ? START : (providers[low - 1] as Provider);
  }

  /** Subtrees of the dominator tree are intervals of its numbers: where each provider's interval begins, and continues after one nested in it. */
  private nestOf({ ends, merges }: Variable<S>): Nest {
    const { enter, exit } = this.dom;
    const places = new Int32Array(ends.size + merges.size);
    let filled = 0;
    for (const block of ends.keys()) places[filled++] = enter[block] ?? 0;
    for (const block of merges) if (!ends.has(block)) places[filled++] = enter[block] ?? 0;
    const inside = places.subarray(0, filled).sort();
    const starts = new Int32Array(2 * filled);
    const providers = new Int32Array(2 * filled);
    let count = 0;
    const begin = (at: number, provider: Provider): void => {
      if (count > 0 && starts[count - 1] === at) count--;
      starts[count] = at;
      providers[count] = provider;
      count++;
    };
    // The providers around the place, innermost last, and where the interval of each ends.
    const around = new Int32Array(filled);
    const lasts = new Int32Array(filled);
    let depth = 0;
    const close = (before: number): void => {
      while (depth > 0 && (lasts[depth - 1] ?? 0) < before) {
        depth--;
        begin((lasts[depth] ?? 0) + 1, depth === 0 ? START : (around[depth - 1] ?? START));
      }
    };
    for (let i = 0; i < filled; i++) {
      const place = inside[i] ?? 0;
      const block = (this.entered[place] ?? 0) as BlockId;
      close(place);
      const provider = ends.has(block) ? endOf(block) : mergeAt(block);
      begin(place, provider);
      around[depth] = provider;
      lasts[depth] = exit[block] ?? 0;
      depth++;
    }
    close(Number.POSITIVE_INFINITY);
    return { starts, providers, count };
  }

  private setOf(variable: Variable<S>, provider: Provider): Found<S> {
    const known = variable.sets.get(provider);
    if (known !== undefined) return known;
    const end = (provider & 1) === 0 ? variable.ends.get((provider >> 1) as BlockId) : undefined;
    const ids = end?.kills === true ? range(end.from, end.to) : this.collect(variable, provider);
    const found: Found<S> = { ids, sites: null };
    variable.sets.set(provider, found);
    return found;
  }

  /** Walks back over the merges; what is known of one on the way is taken as a whole. */
  private collect(variable: Variable<S>, provider: Provider): readonly number[] {
    const walk = ++this.walks;
    if (this.metSite.length <= variable.sites.length) this.metSite = new Int32Array(2 * variable.sites.length);
    const { metProvider, metSite } = this;
    const found: number[] = [];
    const add = (site: number): void => {
      if (metSite[site + 1] === walk) return;
      metSite[site + 1] = walk;
      found.push(site);
    };
    metProvider[provider + 1] = walk;
    const work = [provider];
    const visit = (next: Provider): void => {
      if (metProvider[next + 1] === walk) return;
      metProvider[next + 1] = walk;
      const known = variable.sets.get(next);
      if (known === undefined) work.push(next);
      else for (const id of known.ids) add(id);
    };
    for (let at = work.pop(); at !== undefined && found.length <= MOST_REACHING; at = work.pop()) {
      const block = (at >> 1) as BlockId;
      if ((at & 1) === 0) {
        const end = variable.ends.get(block);
        if (end === undefined) continue;
        for (let s = end.from; s < end.to; s++) add(s);
        if (!end.kills) visit(this.head(variable, block));
        continue;
      }
      if (block === this.entry) visit(START);
      for (const p of this.preds[(this.number[block] ?? 1) - 1] ?? []) visit(variable.ends.has(p) ? endOf(p) : this.head(variable, p));
    }
    if (found.length > MOST_REACHING) found.length = MOST_REACHING + 1;
    return sortFew(found);
  }
}

/** Sorts a short list in place, without the memory that the language's own sorting needs. */
function sortFew(list: number[]): number[] {
  for (let i = 1; i < list.length; i++) {
    const value = list[i] as number;
    let at = i;
    for (; at > 0 && (list[at - 1] as number) > value; at--) list[at] = list[at - 1] as number;
    list[at] = value;
  }
  return list;
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i);
