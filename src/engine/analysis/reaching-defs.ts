/** Reaching definitions: merges along the dominator tree for registers that need them, dominance alone for the rest. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import { RegNumbers } from "../ir/reg-numbers.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import { defsOf, getBlock, sureDefsOf, usesOf } from "../ir/visit.ts";
import { BlockReach } from "./block-reach.ts";
import { cached } from "./cache.ts";
import { dominanceFrontiers } from "./dominance-frontier.ts";
import { type DomTree, dominates, dominators } from "./dominators.ts";
import { reversePostOrder } from "./order.ts";
import { ReachMerges } from "./reaching-merges.ts";
import { type ReachRows, solveRows } from "./reaching-rows.ts";
import { type FlowGraph, flowGraph } from "./solve.ts";

/** One definition of one register: an instruction in a reachable block, or the value the register has at the function's entry. */
export interface DefSite {
  readonly reg: Reg;
  /** null: the value at entry (a parameter, else 0 or false). */
  readonly inst: Inst | null;
  /** The entry block for a value at entry. */
  readonly block: BlockId;
  /** Index in the block; -1 for a value at entry. */
  readonly at: number;
  /** The instruction may leave the register as it was. */
  readonly guarded: boolean;
  /** The value at entry is a parameter's. */
  readonly param: boolean;
}

/** One read of one register in a reachable block. A register that an instruction reads twice has one use there. */
export interface UseSite {
  readonly reg: Reg;
  readonly inst: Inst;
  readonly block: BlockId;
  readonly at: number;
  /** For a PHI: the predecessor the value comes from; one use per input. */
  readonly pred: BlockId | null;
  /** Read by a RET as a result of the function, not as an operand. */
  readonly implicit: boolean;
}

/** What is kept of one register. */
class RegRecord {
  readonly reg: Reg;
  /** In reverse post-order of their blocks, then in block order. */
  readonly sites: DefSite[] = [];
  private readonly entryBlock: BlockId;
  readonly param: boolean;
  /** Made on first use: most registers have one definition, which is all that reaches. */
  private first: DefSite | null = null;
  private alone: readonly DefSite[] | null = null;
  private both: readonly DefSite[] | null = null;

  constructor(reg: Reg, entryBlock: BlockId, param: boolean) {
    this.reg = reg;
    this.entryBlock = entryBlock;
    this.param = param;
  }

  /** The value at entry. */
  get entry(): DefSite {
    this.first ??= { reg: this.reg, inst: null, block: this.entryBlock, at: -1, guarded: false, param: this.param };
    return this.first;
  }

  /** The value at entry alone. */
  get before(): readonly DefSite[] {
    this.alone ??= [this.entry];
    return this.alone;
  }

  /** The value at entry and the first site. */
  withFirst(site: DefSite): readonly DefSite[] {
    this.both ??= [this.entry, site];
    return this.both;
  }
}

const NO_SITES: readonly DefSite[] = [];
const NO_USES: readonly UseSite[] = [];
const NO_INSTS: readonly Inst[] = [];

/**
 * Answers for the function as it was at the call: later edits do not change a result (call again for the new state).
 * A guarded definition does not end the reach of earlier ones. Unreachable blocks define and use nothing.
 */
export const reachingDefs: (fn: Func) => ReachingDefs = cached("all", (fn) => new ReachingDefs(fn));

export class ReachingDefs {
  /** The places of registers in `records`. */
  private readonly place: RegNumbers;
  private readonly records: RegRecord[] = [];
  private readonly number: Int32Array;
  private readonly order: readonly BlockId[];
  private readonly graph: FlowGraph<BlockId>;
  /** Reachable predecessors, by place in `order`. */
  private readonly preds: readonly (readonly BlockId[])[];
  private readonly dom: DomTree;
  private readonly entryBlock: BlockId;
  /** null: too many frontiers; then `rows`. */
  private readonly merges: ReachMerges<DefSite> | null;
  private rows: ReachRows | null = null;
  private reach: BlockReach | null = null;
  /** By place in `order`: the instructions as they were. */
  private readonly insts: readonly (readonly Inst[])[];
  private readonly returns: readonly Reg[];
  private readonly params: ReadonlySet<Reg>;
  /** Registers that are read somewhere; made at the first request for a register that nothing writes. */
  private named: Set<Reg> | null = null;
  /** Made on first use: many callers need definitions alone. */
  private uses: Map<Reg, UseSite[]> | null = null;

  constructor(fn: Func) {
    const { order, number } = reversePostOrder(fn);
    this.order = order;
    this.number = number;
    this.graph = flowGraph(fn);
    this.dom = dominators(fn);
    this.entryBlock = order[0] ?? (0 as BlockId);
    this.preds = order.map((id) => reachedOf(getBlock(fn, id).preds, number));
    const frontiers = dominanceFrontiers(fn);
    this.merges = frontiers === null ? null : new ReachMerges(this.entryBlock, number, this.preds, this.dom, frontiers);
    this.params = new Set(fn.params.map((p) => p.reg));
    this.returns = fn.returns;
    this.place = new RegNumbers(fn);
    this.insts = order.map((id) => getBlock(fn, id).insts.slice());
    for (let i = 0; i < order.length; i++) this.collect(order[i] as BlockId, this.insts[i] ?? NO_INSTS);
  }

  /** Definitions of a register in reachable blocks, without its value at entry. */
  sitesOf(r: Reg): readonly DefSite[] {
    return this.known(r)?.sites ?? NO_SITES;
  }

  /** Uses of a register in reachable blocks. */
  usesOfReg(r: Reg): readonly UseSite[] {
    this.uses ??= this.collectUses();
    return this.uses.get(r) ?? NO_USES;
  }

  /**
   * The only definition of a register that is not a parameter and whose definition is not guarded; else null. The value at entry may still reach
   * uses that the definition does not dominate.
   */
  singleDef(r: Reg): DefSite | null {
    const record = this.known(r);
    const site = record?.sites[0];
    if (record === undefined || site === undefined || record.sites.length > 1 || site.guarded || record.param) return null;
    return site;
  }

  /**
   * Definitions that reach the place right before instruction `at` of a block (`at` = number of instructions: its end), the value at entry first. Empty
   * for an unreachable block and for a register that the function never names. More than `MOST_REACHING`: not all of them, perhaps.
   */
  reachingAt(block: BlockId, at: number, r: Reg): readonly DefSite[] {
    const record = this.recordOf(r);
    if (record === undefined || (this.number[block] ?? 0) === 0) return NO_SITES;
    const { sites } = record;
    const from = this.firstSiteIn(record, block);
    let end = from;
    while (end < sites.length && (sites[end] as DefSite).block === block && (sites[end] as DefSite).at < at) end++;
    let start = end;
    while (start > from) {
      start--;
      if (!(sites[start] as DefSite).guarded) return sites.length === 1 ? sites : sites.slice(start, end);
    }
    const incoming = this.reachingIn(record, block);
    if (end === from) return incoming;
    // Through a loop the block's own definitions may come in at its head as well.
    return [...new Set([...incoming, ...sites.slice(from, end)])];
  }

  /** The one definition that reaches a place, when it is an instruction that always writes; else null. */
  soleDefAt(block: BlockId, at: number, r: Reg): DefSite | null {
    const sites = this.reachingAt(block, at, r);
    const only = sites.length === 1 ? sites[0] : undefined;
    return only === undefined || only.inst === null || only.guarded ? null : only;
  }

  // --- inside ----------------------------------------------------------------------------------------------------------------

  private collect(block: BlockId, insts: readonly Inst[]): void {
    for (let at = 0; at < insts.length; at++) {
      const inst = insts[at] as Inst;
      const defs = defsOf(inst);
      if (defs.length === 0) continue;
      const sure = sureDefsOf(inst);
      for (let i = 0; i < defs.length; i++) {
        const reg = defs[i] as Reg;
        const { sites } = this.record(reg);
        // Two definitions of one register by one instruction count once.
        if (sites[sites.length - 1]?.inst !== inst) sites.push({ reg, inst, block, at, guarded: !sure.includes(reg), param: false });
      }
    }
  }

  private known(r: Reg): RegRecord | undefined {
    const place = this.place.get(r);
    return place < 0 ? undefined : this.records[place];
  }

  private record(r: Reg): RegRecord {
    const known = this.known(r);
    if (known !== undefined) return known;
    const made = new RegRecord(r, this.entryBlock, this.params.has(r));
    this.place.set(r, this.records.length);
    this.records.push(made);
    return made;
  }

  /** Undefined for a register that no reachable instruction names. */
  private recordOf(r: Reg): RegRecord | undefined {
    const found = this.known(r);
    if (found !== undefined) return found;
    this.named ??= this.collectNamed();
    return this.named.has(r) ? this.record(r) : undefined;
  }

  /** Of those without a record. */
  private collectNamed(): Set<Reg> {
    const named = new Set<Reg>();
    for (const insts of this.insts) {
      for (let at = 0; at < insts.length; at++) {
        const inst = insts[at] as Inst;
        const uses = usesOf(inst);
        for (let i = 0; i < uses.length; i++) if (!this.place.has(uses[i] as Reg)) named.add(uses[i] as Reg);
        if (inst.op === "RET") for (const r of this.returns) if (!isConstantReg(r)) named.add(r);
      }
    }
    return named;
  }

  private collectUses(): Map<Reg, UseSite[]> {
    const uses = new Map<Reg, UseSite[]>();
    const add = (use: UseSite): void => {
      if (isConstantReg(use.reg)) return;
      const known = uses.get(use.reg);
      if (known === undefined) uses.set(use.reg, [use]);
      else known.push(use);
    };
    for (let i = 0; i < this.order.length; i++) {
      const block = this.order[i] as BlockId;
      const insts = this.insts[i] ?? NO_INSTS;
      for (let at = 0; at < insts.length; at++) {
        const inst = insts[at] as Inst;
        if (inst.op === "PHI") this.phiUses(inst, block, at, add);
        else {
          const regs = usesOf(inst);
          for (let u = 0; u < regs.length; u++) {
            const reg = regs[u] as Reg;
            if (regs.indexOf(reg) === u) add({ reg, inst, block, at, pred: null, implicit: false });
          }
        }
        if (inst.op === "RET") for (const reg of this.returns) add({ reg, inst, block, at, pred: null, implicit: true });
      }
    }
    return uses;
  }

  private phiUses(inst: Inst, block: BlockId, at: number, add: (use: UseSite) => void): void {
    for (const operand of inst.ops) {
      if (operand.kind !== "phi" || (this.number[operand.pred] ?? 0) === 0) continue;
      for (const reg of regsOf(operand.value)) add({ reg, inst, block, at, pred: operand.pred, implicit: false });
    }
  }

  /** Where a register's sites in a block begin, or would, by binary search over the blocks' numbers. */
  private firstSiteIn(record: RegRecord, block: BlockId): number {
    const { sites } = record;
    const wanted = this.number[block] ?? 0;
    let low = 0;
    let high = sites.length;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if ((this.number[(sites[mid] as DefSite).block] ?? 0) < wanted) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  private reachingIn(record: RegRecord, block: BlockId): readonly DefSite[] {
    const { sites } = record;
    if (sites.length === 0) return record.before;
    const first = sites[0] as DefSite;
    if (!needsRow(record)) return this.reachingFromOne(record, first, block);
    if (this.merges !== null) return this.merges.incoming(record.reg, record.entry, sites, block);
    this.rows ??= this.solve();
    return this.rows.incoming(record.reg, block).map((i) => (i === 0 ? record.entry : (sites[i - 1] as DefSite)));
  }

  /** One definition, always written: alone where it dominates; elsewhere the value at entry comes in, and the definition where a way leads from it. */
  private reachingFromOne(record: RegRecord, site: DefSite, block: BlockId): readonly DefSite[] {
    if (site.block !== block && dominates(this.dom, site.block, block)) return record.sites;
    this.reach ??= new BlockReach(this.order, this.number, this.preds);
    if (!this.reach.reaches((this.number[site.block] ?? 1) - 1, (this.number[block] ?? 1) - 1)) return record.before;
    return record.withFirst(site);
  }

  /** Registers with several definitions, or a guarded one, are solved together. */
  private solve(): ReachRows {
    const registers = this.records.filter(needsRow).map(({ reg, sites }) => ({ reg, sites }));
    return solveRows(this.graph, registers);
  }
}

/** The list itself where all are. An edit replaces such a list and never changes one. */
function reachedOf(blocks: readonly BlockId[], number: Int32Array): readonly BlockId[] {
  for (let i = 0; i < blocks.length; i++) if ((number[blocks[i] as BlockId] ?? 0) === 0) return blocks.filter((b) => (number[b] ?? 0) > 0);
  return blocks;
}

const needsRow = ({ sites }: RegRecord): boolean => sites.length > 1 || sites[0]?.guarded === true;

function regsOf(value: Operand): readonly Reg[] {
  if (value.kind === "reg") return [value.reg];
  if (value.kind === "vec" || value.kind === "list") return value.regs;
  if (value.kind === "cbank" && value.base !== null) return [value.base];
  return [];
}
