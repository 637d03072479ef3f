/** Reaching definitions register by register, along the dominator tree: sets of definitions change only where the register is written and where ways merge. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { iteratedFrontier } from "./dominance-frontier.ts";
import type { DomTree } from "./dominators.ts";

/** Definitions of one register looked for at one place. With more of them, sets would grow with the square of the function. */
export const MOST_REACHING = 64;

interface Site {
  readonly block: BlockId;
  readonly guarded: boolean;
}

/** Sites [from, to) of a register leave their block: its last sure definition and the guarded ones behind it. */
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

/** A step function over the entry numbers of the dominator tree: `providers[i]` from `starts[i]` on. */
interface Nest {
  readonly starts: readonly number[];
  readonly providers: readonly Provider[];
}

interface Variable<S> {
  readonly sites: readonly S[];
  readonly ends: ReadonlyMap<BlockId, BlockEnd>;
  readonly merges: ReadonlySet<BlockId>;
  /** Made when a head is first looked up. */
  nest: Nest | null;
  readonly sets: Map<Provider, Found<S>>;
}

/** Places in the register's list of sites, ascending, -1 for the value at entry; the sites are made of them when first asked for. */
interface Found<S> {
  readonly ids: readonly number[];
  sites: readonly S[] | null;
}

/** Solves a register when it is first asked for: its merges by iterated dominance frontiers, each set by a walk over the merges that lead to it. */
export class ReachMerges<S extends Site> {
  private readonly variables = new Map<Reg, Variable<S>>();
  private readonly entry: BlockId;
  private readonly number: Int32Array;
  private readonly preds: readonly (readonly BlockId[])[];
  private readonly dom: DomTree;
  private readonly frontiers: readonly (readonly BlockId[])[];
  private readonly stamp: Int32Array;

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
    // What the register holds at the start counts as a definition in the entry.
    const merges = iteratedFrontier(this.frontiers, [this.entry, ...ends.keys()], this.stamp, this.variables.size);
    return { sites, ends, merges: new Set(merges), nest: null, sets: new Map([[START, { ids: [-1], sites: [entry] }]]) };
  }

  /** The provider of a block's head: the block's own merge, else the nearest block up the dominator tree that defines or merges. */
  private head(variable: Variable<S>, block: BlockId): Provider {
    if (variable.merges.has(block)) return mergeAt(block);
    const above = this.dom.idom[block] ?? -1;
    if (block === this.entry || above < 0) return START;
    variable.nest ??= this.nestOf(variable);
    const { starts, providers } = variable.nest;
    // The last interval boundary at or before the place.
    const place = this.dom.enter[above] ?? 0;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if ((starts[mid] as number) <= place) low = mid + 1;
      else high = mid;
    }
    return low === 0 ? START : (providers[low - 1] as Provider);
  }

  /** Subtrees of the dominator tree are intervals of its numbers: where each provider's interval begins, and goes on behind one nested in it. */
  private nestOf({ ends, merges }: Variable<S>): Nest {
    const { enter, exit } = this.dom;
    const blocks = [...new Set([...ends.keys(), ...merges])].sort((a, b) => (enter[a] ?? 0) - (enter[b] ?? 0));
    const starts: number[] = [];
    const providers: Provider[] = [];
    const begin = (at: number, provider: Provider): void => {
      if (starts[starts.length - 1] === at) providers[providers.length - 1] = provider;
      else {
        starts.push(at);
        providers.push(provider);
      }
    };
    const around: { readonly last: number; readonly provider: Provider }[] = [];
    const close = (before: number): void => {
      for (let top = around.at(-1); top !== undefined && top.last < before; top = around.at(-1)) {
        around.pop();
        begin(top.last + 1, around.at(-1)?.provider ?? START);
      }
    };
    for (const block of blocks) {
      close(enter[block] ?? 0);
      const provider = ends.has(block) ? endOf(block) : mergeAt(block);
      begin(enter[block] ?? 0, provider);
      around.push({ last: exit[block] ?? 0, provider });
    }
    close(Number.POSITIVE_INFINITY);
    return { starts, providers };
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
    const found = new Set<number>();
    const seen = new Set<Provider>([provider]);
    const work = [provider];
    const visit = (next: Provider): void => {
      if (seen.has(next)) return;
      seen.add(next);
      const known = variable.sets.get(next);
      if (known === undefined) work.push(next);
      else for (const id of known.ids) found.add(id);
    };
    for (let at = work.pop(); at !== undefined && found.size <= MOST_REACHING; at = work.pop()) {
      const block = (at >> 1) as BlockId;
      if ((at & 1) === 0) {
        const end = variable.ends.get(block);
        if (end === undefined) continue;
        for (let s = end.from; s < end.to; s++) found.add(s);
        if (!end.kills) visit(this.head(variable, block));
        continue;
      }
      if (block === this.entry) visit(START);
      for (const p of this.preds[(this.number[block] ?? 1) - 1] ?? []) visit(variable.ends.has(p) ? endOf(p) : this.head(variable, p));
    }
    const ids = [...found];
    if (ids.length > MOST_REACHING) ids.length = MOST_REACHING + 1;
    return ids.sort((a, b) => a - b);
  }
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i);
