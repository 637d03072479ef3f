/** What a read of a register sees: the copy that made the value, if the copy's source still has it there. */

import type { BitSet } from "../../../../base/bitset.ts";
import { dominates, dominators } from "../../../analysis/dominators.ts";
import type { DefSite, ReachingDefs } from "../../../analysis/reaching-defs.ts";
import { MOST_REACHING } from "../../../analysis/reaching-merges.ts";
import type { Editor } from "../../../ir/edit.ts";
import type { BlockId, Reg } from "../../../ir/ids.ts";
import { isConstantReg, isPredicateReg, regClass } from "../../../ir/reg.ts";
import { BlockNumbers } from "../../../ir/reg-numbers.ts";
import type { Guard, Inst, Operand } from "../../../ir/types.ts";
import { alwaysRuns, defsOf, sameOperand, surelyDefines } from "../../../ir/visit.ts";
import type { ReasonsOf } from "../../../remark/rules.ts";
import type { UNSEEN } from "./rules.ts";

/** Limit on the blocks searched for a redefinition of a copy's source, from a use back to the copy; beyond it nothing is propagated. */
export const SEARCH_LIMIT = 64;

/** A copy as seen from a use. */
export interface SeenCopy {
  readonly copy: Inst;
  readonly block: BlockId;
  readonly at: number;
  /** What the copy reads: a plain register, a literal, or a word of a constant bank. */
  readonly source: Operand;
  /** The copy is not in the use's block. */
  readonly global: boolean;
  /** The copy has a guard, and the use has the same one. */
  readonly guarded: boolean;
  /** Why it may not be propagated, in the order of the checks; empty: it may. */
  readonly doubts: readonly Doubt[];
}

export type Doubt = Exclude<ReasonsOf<typeof UNSEEN>, "policy" | "several-definitions">;

/** `no-copy`: the value comes from something else, which is not a refusal. */
export type Seen = SeenCopy | "no-copy" | "other-block" | "several-definitions" | "too-many-definitions";

export interface SeeOptions {
  /** Copies in other blocks count. */
  readonly global: boolean;
  /** CopyPropUseReachingDefs; off: a copy counts that is its register's only definition and dominates the use. */
  readonly reachingDefs: boolean;
  /** CopyPropNonRegMultiDef. */
  readonly multiDef: boolean;
  /** The target lets copies under a guard be propagated to uses under the same guard. */
  readonly predicated: boolean;
}

/** The source of a copy: MOV or PMOV of a plain register, a literal or a direct constant-bank word. Null: no copy. */
export function copySource(inst: Inst): Operand | null {
  if (inst.op !== "MOV" && inst.op !== "PMOV") return null;
  const dest = inst.ops[0];
  const source = inst.ops[1];
  if (dest?.kind !== "reg" || source === undefined || isConstantReg(dest.reg)) return null;
  switch (source.kind) {
    case "reg": {
      if (inst.op === "PMOV") return source.reg === dest.reg ? null : source;
      if (source.neg || source.abs || source.not || source.reg === dest.reg) return null;
      return isConstantReg(source.reg) || sameFile(source.reg, dest.reg) ? source : null;
    }
    case "imm":
    case "imm64":
    case "f32":
    case "f64":
      return source;
    case "cbank":
      return source.base === null && !source.neg && !source.abs ? source : null;
    default:
      return null;
  }
}

const NO_DOUBT: readonly Doubt[] = [];
const DIFFERENT_GUARD: readonly Doubt[] = ["different-guard"];

/** 32-bit general and uniform registers have the same kind of value. */
function sameFile(a: Reg, b: Reg): boolean {
  const x = regClass(a);
  const y = regClass(b);
  return x === y || ((x === "R" || x === "UR") && (y === "R" || y === "UR")) || (isPredicateReg(a) && isPredicateReg(b));
}

/**
 * Walks blocks forwards; between `enter` and the next one, `see` answers for reads right before the instruction given to the next `pass`. `reach` describes the
 * function at the start of the walk: instructions may be replaced meanwhile by ones that write the same registers, but none inserted or taken out.
 */
export class CopyValues {
  private readonly edit: Editor;
  private readonly reach: ReachingDefs;
  private readonly options: SeeOptions;
  private readonly instAt: (block: BlockId, at: number) => Inst | undefined;
  private readonly foldable: BitSet;
  private block: BlockId = 0 as BlockId;
  /** Index of the last definition of a register so far in the block. */
  private readonly lastDef: BlockNumbers;
  private readonly defBlocks = new Map<Reg, ReadonlySet<BlockId>>();

  /** `instAt`: the current form of an instruction. `foldable`: by instruction id, what is a copy in that form. */
  constructor(
    edit: Editor,
    reach: ReachingDefs,
    options: SeeOptions,
    instAt: (block: BlockId, at: number) => Inst | undefined,
    foldable: BitSet,
  ) {
    this.edit = edit;
    this.reach = reach;
    this.options = options;
    this.instAt = instAt;
    this.foldable = foldable;
    this.lastDef = new BlockNumbers(edit.func);
  }

  enter(block: BlockId): void {
    this.block = block;
    this.lastDef.clear();
  }

  /** The instruction at this index of the current block has been dealt with. */
  pass(inst: Inst, at: number): void {
    const defs = defsOf(inst);
    for (let i = 0; i < defs.length; i++) this.lastDef.set(defs[i] as Reg, at);
  }

  /** True when the current block has written the register before the current place. */
  writtenHere(r: Reg): boolean {
    return this.lastDef.get(r) >= 0;
  }

  /** The instruction that surely made the register's value at the current place; null when there is no single one. */
  definition(r: Reg): Inst | null {
    const last = this.lastDef.get(r);
    const site = last < 0 ? this.reach.soleDefAt(this.block, 0, r) : { block: this.block, at: last };
    const inst = site === null ? undefined : this.instAt(site.block, site.at);
    return inst !== undefined && surelyDefines(inst, r) ? inst : null;
  }

  /** What a read of `r` by the instruction at `at` of the current block, with that guard, sees. */
  see(r: Reg, guard: Guard | null): Seen {
    const last = this.lastDef.get(r);
    return last < 0 ? this.seeGlobal(r) : this.seeLocal(last, guard);
  }

  /** What a PHI of a successor sees that takes `r` at the end of `pred`. */
  seeAtEnd(pred: BlockId, r: Reg): Seen {
    if (!this.options.global) return "other-block";
    const at = this.edit.block(pred).insts.length;
    return this.sole(r, pred, at, this.reach.reachingAt(pred, at, r));
  }

  /** For views: the definitions of `r` by which `see`, or `seeAtEnd` of `pred`, answers. Of what the block has written only the last counts. */
  reachingHere(r: Reg, pred: BlockId | null): readonly Pick<DefSite, "block" | "inst">[] {
    const last = pred === null ? this.lastDef.get(r) : -1;
    if (last >= 0) return [{ block: this.block, inst: this.instAt(this.block, last) ?? null }];
    const sites = pred === null ? this.reach.reachingAt(this.block, 0, r) : this.reach.reachingAt(pred, Number.POSITIVE_INFINITY, r);
    return sites.map(({ block, at, inst }) => ({ block, inst: inst === null ? null : (this.instAt(block, at) ?? null) }));
  }

  /** At the end of `pred` the register certainly has this instruction's result. */
  isSoleAtEnd(pred: BlockId, r: Reg, inst: Inst): boolean {
    const sites = this.reach.reachingAt(pred, Number.POSITIVE_INFINITY, r);
    return sites.length === 1 && sites[0]?.inst?.id === inst.id && !sites[0].guarded;
  }

  private seeLocal(at: number, guard: Guard | null): Seen {
    const copy = this.instAt(this.block, at);
    const source = this.sourceOf(copy);
    if (copy === undefined || source === null) return "no-copy";
    const guarded = !alwaysRuns(copy);
    const redefined = source.kind === "reg" && !isConstantReg(source.reg) && this.lastDef.get(source.reg) > at;
    const doubts: Doubt[] | null = guarded || redefined ? [] : null;
    if (doubts !== null && guarded) {
      const g = copy.guard;
      // The guard is written since, or by the copy itself.
      const same = g !== null && guard?.reg === g.reg && guard.neg === g.neg && this.lastDef.get(g.reg) < at;
      if (!same) doubts.push("different-guard");
      if (!this.options.predicated) doubts.push("predicated");
    }
    if (redefined) doubts?.push("source-redefined");
    return { copy, block: this.block, at, source, global: false, guarded, doubts: doubts ?? NO_DOUBT };
  }

  private seeGlobal(r: Reg): Seen {
    if (!this.options.global) return "other-block";
    return this.sole(r, this.block, 0, this.reach.reachingAt(this.block, 0, r));
  }

  /** `sites`: the definitions that reach the place. */
  private sole(r: Reg, block: BlockId, at: number, sites: readonly DefSite[]): Seen {
    const site = sites[0];
    if (site === undefined) return "no-copy";
    if (sites.length > 1) {
      const same = sites.length > MOST_REACHING ? null : this.sameEverywhere(sites);
      if (same !== null) return same;
      if (!this.anyCopy(sites)) return "no-copy";
      return sites.length > MOST_REACHING ? "too-many-definitions" : "several-definitions";
    }
    if (!this.isCopy(site)) return "no-copy";
    const copy = this.instAt(site.block, site.at);
    const source = this.sourceOf(copy);
    if (copy === undefined || source === null) return "no-copy";
    let doubts = NO_DOUBT;
    if (site.guarded && !alwaysRuns(copy)) doubts = DIFFERENT_GUARD;
    if (!this.options.reachingDefs) {
      const only = this.reach.singleDef(r);
      if (only === null || !dominates(dominators(this.edit.func), site.block, block)) doubts = [...doubts, "not-dominating"];
    }
    if (source.kind === "reg" && !isConstantReg(source.reg)) {
      const doubt = this.mayDiffer(source.reg, site, block, at);
      if (doubt !== null) doubts = [...doubts, doubt];
    }
    return { copy, block: site.block, at: site.at, source, global: site.block !== block, guarded: false, doubts };
  }

  /** One copy of several definitions that reach the place: what is seen when that is not minded. */
  oneOf(r: Reg, block: BlockId, at: number): SeenCopy | null {
    const site = this.reach.reachingAt(block, at, r).find((each) => this.isCopy(each));
    const copy = site === undefined ? undefined : this.instAt(site.block, site.at);
    const source = this.sourceOf(copy);
    if (site === undefined || copy === undefined || source === null) return null;
    return { copy, block: site.block, at: site.at, source, global: true, guarded: false, doubts: NO_DOUBT };
  }

  private isCopy({ inst }: DefSite): boolean {
    return inst !== null && this.foldable.has(inst.id);
  }

  private anyCopy(sites: readonly DefSite[]): boolean {
    for (let i = 0; i < sites.length; i++) if (this.isCopy(sites[i] as DefSite)) return true;
    return false;
  }

  private sourceOf(inst: Inst | undefined): Operand | null {
    return inst === undefined || !this.foldable.has(inst.id) ? null : copySource(inst);
  }

  /** CopyPropNonRegMultiDef: every definition that reaches is a copy of the same literal or constant-bank word. */
  private sameEverywhere(sites: readonly DefSite[]): Seen | null {
    if (!this.options.multiDef) return null;
    let found: SeenCopy | null = null;
    for (const site of sites) {
      const copy = site.inst === null ? undefined : this.instAt(site.block, site.at);
      const source = this.sourceOf(copy);
      if (copy === undefined || source === null || (source.kind === "reg" && !isConstantReg(source.reg))) return null;
      if (found !== null && !sameOperand(found.source, source)) return null;
      found ??= { copy, block: site.block, at: site.at, source, global: true, guarded: false, doubts: NO_DOUBT };
    }
    return found;
  }

  /** Null when `s` has the same value at the place as at the copy; else why that is not certain. The copy dominates the place. */
  private mayDiffer(s: Reg, copy: DefSite, block: BlockId, at: number): Doubt | null {
    // For a read in the current block the answer is that at its head: what the block has written since counts as well.
    if (at === 0 && block === this.block && this.lastDef.get(s) >= 0) return "source-redefined";
    const atCopy = this.reach.reachingAt(copy.block, copy.at, s);
    const here = this.reach.reachingAt(block, at, s);
    const only = atCopy.length === 1 ? atCopy[0] : undefined;
    // With one definition on both sides, running it again in between would have to pass the copy again.
    if (only !== undefined && here.length === 1 && here[0] === only) return null;
    if (here.length === 0 && atCopy.length === 0) return null;
    if (!this.options.reachingDefs) return "source-redefined";
    return this.search(s, copy, block, at);
  }

  /** Searches backwards from the place to the copy for a definition of `s`. */
  private search(s: Reg, copy: DefSite, block: BlockId, at: number): Doubt | null {
    const defs = this.blocksDefining(s);
    if (definesIn(this.edit, copy.block, s, copy.at + 1, copy.block === block && at > copy.at ? at : Number.POSITIVE_INFINITY)) {
      return "source-redefined";
    }
    if (copy.block === block && at > copy.at) return null;
    if (definesIn(this.edit, block, s, 0, at)) return "source-redefined";
    const seen = new Set<BlockId>([copy.block]);
    const stack: BlockId[] = [...this.edit.block(block).preds];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      if (seen.size > SEARCH_LIMIT) return "too-far";
      if (defs.has(id)) return "source-redefined";
      for (const p of this.edit.block(id).preds) stack.push(p);
    }
    return null;
  }

  private blocksDefining(s: Reg): ReadonlySet<BlockId> {
    let blocks = this.defBlocks.get(s);
    if (blocks === undefined) {
      blocks = new Set(this.reach.sitesOf(s).map((site) => site.block));
      this.defBlocks.set(s, blocks);
    }
    return blocks;
  }
}

function definesIn(edit: Editor, block: BlockId, r: Reg, from: number, to: number): boolean {
  const { insts } = edit.block(block);
  for (let i = Math.max(from, 0); i < Math.min(to, insts.length); i++) {
    const inst = insts[i];
    if (inst !== undefined && defsOf(inst).includes(r)) return true;
  }
  return false;
}
