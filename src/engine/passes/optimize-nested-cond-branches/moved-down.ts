/**
 * Policy 'measured': values that a block computes for blocks below it. Before ptxas examines nests it moves a value down to the block right above its first reader, and a
 * block that computes a value for another one is not an inner block of a pair. Nothing is moved here: only the target places are computed.
 */

import { type DomTree, dominates, dominators } from "../../analysis/dominators.ts";
import { loopInfo } from "../../analysis/loops.ts";
import { type DefSite, type ReachingDefs, reachingDefs, type UseSite } from "../../analysis/reaching-defs.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { defsOf, getBlock, isSpeculatable, surelyDefines, usesOf } from "../../ir/visit.ts";

/** A value that a block computes for blocks below. */
interface Held {
  readonly inst: Inst;
  readonly result: Reg;
  /** It is further up in the program. */
  readonly moved: boolean;
}

export interface Places {
  /** By block: the first value that it computes for a block below. */
  readonly held: ReadonlyMap<BlockId, Held>;
  /** Instructions that ptxas has in a lower block than the program. */
  readonly moved: ReadonlySet<InstId>;
}

/** What computes one value from a thread's index is moved only while it is short: this many instructions, the read of the index included. */
const MOST_FROM_INDEX = 5;

/** A launch's size is in a constant bank, and a lane's position is read where it is needed; other special registers are read in place. */
const IN_BANK = /^SR_(NTID|NCTAID)\b/;
const PLACE_OF_LANE = /^SR_(TID\.[XYZ]|LANEID|(EQ|LT|LE|GT|GE)MASK)$/;

interface Readers {
  readonly uses: readonly UseSite[];
  readonly alone: boolean;
}

const NO_READERS: Readers = { uses: [], alone: true };

type Source = "bank" | "lane" | "pure" | "pinned";

export function placesOf(fn: Func): Places {
  return new MovedDown(fn).places();
}

class MovedDown {
  private readonly fn: Func;
  private readonly dom: DomTree;
  private readonly depth: Int32Array;
  private readonly defs: ReachingDefs;
  private readonly place = new Map<InstId, BlockId>();
  /** By register, once one of its values is examined: by the instruction that makes a value. */
  private readonly readers = new Map<Reg, ReadonlyMap<Inst | null, Readers>>();

  constructor(fn: Func) {
    this.fn = fn;
    this.dom = dominators(fn);
    this.depth = loopInfo(fn).depth;
    this.defs = reachingDefs(fn);
  }

  places(): Places {
    const held = new Map<BlockId, Held>();
    // Blocks of the dominator tree from the bottom, so that readers have their place before what they read.
    const blocks = this.fn.layout.filter((id) => this.dom.inTree[id] === 1).sort((a, b) => this.enter(b) - this.enter(a));
    for (const block of blocks) {
      const { insts } = getBlock(this.fn, block);
      for (let at = insts.length - 1; at >= 0; at--) {
        const inst = insts[at] as Inst;
        for (const result of defsOf(inst)) {
          const site: DefSite = { reg: result, inst, block, at, guarded: !surelyDefines(inst, result), param: false };
          const { uses, alone } = this.readersOf(site);
          if (uses.length === 0) continue;
          const to = alone ? this.lowest(site, uses) : block;
          if (to !== block) this.place.set(inst.id, to);
          if (uses.some((use) => (this.place.get(use.inst.id) ?? use.block) !== to)) held.set(to, { inst, result, moved: to !== block });
        }
      }
    }
    return { held, moved: new Set(this.place.keys()) };
  }

  /** Where the value would be computed: right above its readers, or its own block. */
  private lowest(site: DefSite, uses: readonly UseSite[]): BlockId {
    const { block } = site;
    const inst = site.inst as Inst;
    const kind = sourceOf(inst);
    if (kind === "pinned" || kind === "bank" || isPredicateReg(site.reg) || defsOf(inst).length > 1) return block;
    const ends = uses.map((use) => this.place.get(use.inst.id) ?? use.block);
    const meet = ends.reduce((a, b) => this.meet(a, b));
    const readInMeet = uses.some((use) => use.block === meet && !this.place.has(use.inst.id));
    const to = readInMeet ? ((this.dom.idom[meet] ?? -1) as BlockId) : meet;
    if (to === -1 || to === block || !dominates(this.dom, block, to) || (this.depth[to] ?? 0) > (this.depth[block] ?? 0)) return block;
    if (kind === "lane") return to;
    const tree = new Set<Inst>();
    if (!this.available(site, to, new Set(ends), tree)) return block;
    const fromIndex = [...tree].some((part) => sourceOf(part) === "lane");
    return fromIndex && tree.size > MOST_FROM_INDEX ? block : to;
  }

  /** What the instruction reads can be read further down, too, or computed there. Instructions that would be go into `tree`. */
  private available({ inst, block, at }: DefSite, to: BlockId, readers: ReadonlySet<BlockId>, tree: Set<Inst>): boolean {
    if (inst === null || tree.has(inst)) return inst !== null;
    tree.add(inst);
    return usesOf(inst).every((reg) => {
      if (isConstantReg(reg)) return true;
      const sites = this.defs.reachingAt(block, at, reg);
      const [site] = sites;
      if (site === undefined || site.inst === null || sites.length > 1 || site.block !== block)
        return sites.every((s) => s.block !== block || s.inst === null);
      const kind = sourceOf(site.inst);
      if (kind === "bank") return true;
      const elsewhere = this.readersOf(site).uses.filter((use) => use.block !== block);
      if (kind === "lane") {
        if (this.defs.usesOfReg(reg).length > 1)
          return elsewhere.some((use) => !readers.has(use.block) && use.block !== to && dominates(this.dom, to, use.block));
        tree.add(site.inst);
        return true;
      }
      return elsewhere.length > 0 || (kind === "pure" && this.available(site, to, readers, tree));
    });
  }

  /** Who reads the value, and whether all of them read no other one. */
  private readersOf(site: DefSite): Readers {
    const known = this.readers.get(site.reg) ?? this.collectReaders(site.reg);
    this.readers.set(site.reg, known);
    return known.get(site.inst) ?? NO_READERS;
  }

  private collectReaders(reg: Reg): ReadonlyMap<Inst | null, Readers> {
    const found = new Map<Inst | null, { uses: UseSite[]; alone: boolean }>();
    for (const use of this.defs.usesOfReg(reg)) {
      const { pred } = use;
      const from = pred ?? use.block;
      const sites = this.defs.reachingAt(from, pred === null ? use.at : getBlock(this.fn, from).insts.length, reg);
      for (const { inst } of sites) {
        const of = found.get(inst) ?? { uses: [], alone: true };
        of.uses.push(pred === null ? use : { ...use, block: pred });
        of.alone &&= sites.length === 1 && pred === null;
        found.set(inst, of);
      }
    }
    return found;
  }

  private meet(a: BlockId, b: BlockId): BlockId {
    const upFirst = this.enter(a) <= this.enter(b);
    const other = upFirst ? b : a;
    let above = upFirst ? a : b;
    while (!dominates(this.dom, above, other)) above = (this.dom.idom[above] ?? -1) as BlockId;
    return above;
  }

  private enter(block: BlockId): number {
    return this.dom.enter[block] ?? 0;
  }
}

function sourceOf(inst: Inst): Source {
  if (inst.guard !== null || inst.op === "PHI") return "pinned";
  if (inst.op === "LDC") return "bank";
  if (inst.op === "S2R") {
    const read = inst.ops[1];
    if (read?.kind !== "sreg") return "pinned";
    return IN_BANK.test(read.name) ? "bank" : PLACE_OF_LANE.test(read.name) ? "lane" : "pinned";
  }
  return isSpeculatable(inst) ? "pure" : "pinned";
}
