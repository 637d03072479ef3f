/** Finds chains of equality compares of one register: the scanner of DoSwitchOpt, in the tolerances of either policy. */

import { type Liveness, liveness } from "../../analysis/liveness.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { Policy } from "../../config/policy.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Block, Func, Inst } from "../../ir/types.ts";
import {
  defsOf,
  effectOf,
  getBlock,
  isRemovableWhenDead,
  isSpeculatable,
  phiInput,
  phisOf,
  terminatorsOf,
  usesOf,
} from "../../ir/visit.ts";
import { type Remarks, silentRemarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import {
  type Candidate,
  COMPARE,
  type CompareLink,
  type Constants,
  constantRegisters,
  endsInCondition,
  readCompare,
  reads,
  STAYS,
} from "./compare.ts";

export const CHAIN = {
  head: line("    its predicate has no other reader; the selector does not change after the compare", {
    stays: STAYS,
    missed: {
      "predicate-live-out": {
        say: "{predicate:reg} is live out of {block}",
        droppable: "the compare is deleted, and what reads its predicate later finds something else",
      },
      "predicate-used": {
        say: "another instruction of {block} reads {predicate:reg}",
        droppable: "the compare is deleted, and the other instruction finds no predicate",
      },
      "selector-changed": {
        say: "{block} changes {selector:reg} after the compare",
        droppable: "the dispatch reads the new value instead of the one that was compared",
      },
      "moved-changes-selector": {
        code: "selector-changed",
        say: "{op} in {block} changes {selector:reg}",
        droppable: "the dispatch reads the new value instead of the one that earlier compares read",
      },
      "moved-touches-predicate": {
        code: "predicate-used",
        say: "{op} in {block} reads or writes {predicate:reg}, a predicate of the chain",
        droppable: "ahead of the dispatch the instruction finds no predicate, or spoils one",
      },
    },
  }),
  measuredHead: line("    measured: the case is on the taken edge, and the block defines nothing that others use", {
    stays: STAYS,
    policy: "measured",
    missed: {
      "case-not-taken": { say: "the case of {block} is not on the taken edge of a plain branch, as the code came in" },
      "not-negated": { say: "the second scan continues a chain only with ISETP.NE and @!P, and {block} has another form" },
      "head-value-used": { say: "{block} defines {register:reg}, which other blocks use, so it is not a head and its compare stays" },
      "copied-in-source": {
        code: "head-value-used",
        say: "in the source {block} defines {register:reg}, the selector of its compare, so it is not a head",
      },
    },
  }),
  follow: line("    the block is the head of a chain; repeat on the block where the compare fails:", {
    found: { kind: "visit", say: "{block} compares {selector:reg} with {value} into {predicate:reg}: a chain may start there" },
  }),
  entries: line("      it has one predecessor, is not the entry, and does not close a loop", {
    stays: STAYS,
    missed: {
      loop: { say: "{block} starts over, or is the entry" },
      "second-entry": { say: "{block} has {preds} {preds:predecessor|predecessors}" },
      "sync-label": { say: "a BSSY names {block}" },
      "table-entry": { say: "a table names {block} that no predecessor of it jumps through" },
    },
  }),
  stage2: line("      stage 2: a barrier or convergence point at its head ends the chain", {
    stays: STAYS,
    missed: {
      "chain-stop": {
        say: "{block} begins with {op}, which ends every chain",
        droppable: "lanes that an earlier case takes away come to the barrier, too, or it is lost",
      },
    },
  }),
  link: line("      stages 1 and 3 hold, for the same selector", {
    stays: STAYS,
    found: { kind: "visit", say: "{block} continues with {selector:reg} == {value}: case {number}, to {target:block}" },
    missed: {
      "other-selector": {
        say: "{block} compares {other:reg}, not {selector:reg}",
        droppable: "the dispatch looks for values of one register in another",
      },
    },
  }),
  interleaved: line("      what else it computes is dead, or (extended match) pure, movable and dead at the earlier cases", {
    stays: STAYS,
    missed: {
      interleaved: { say: "{block} contains {op} besides its compare and branch" },
      "interleaved-effect": {
        say: "{op} in {block} may not run ahead of the compares",
        droppable: "it runs for lanes, too, that an earlier case takes away",
      },
      "live-at-case": {
        say: "{op} in {block} writes {register:reg}, which an earlier case still reads",
        droppable: "an earlier case reads the new value",
      },
    },
  }),
  budget: line("      one more case from the budget, or the chain ends", {
    stays: STAYS,
    step: { kind: "budget", say: "SwitchOptBudget is spent: {spent} of {limit} {limit:case|cases}" },
    missed: { budget: { say: "the budget ends the chain before {block}" } },
  }),
};

/** For a scan that reports nothing. */
export const SCAN = { ...COMPARE, ...CHAIN };

/** Compares of one register, each reached only when the ones before it failed. Its first block is the head, where a lowering puts the dispatch. */
export interface SwitchChain {
  readonly links: readonly CompareLink[];
  readonly selector: Reg;
  /** Where control goes when no compare holds: the default. */
  readonly fallback: BlockId;
  /** Instructions between the compares that must run before the dispatch, in order. */
  readonly moved: readonly { readonly block: BlockId; readonly inst: InstId }[];
  /** Policy 'notes': SwitchOptBudget was spent before it. */
  readonly beyondBudget: boolean;
}

export interface ScanOptions {
  readonly policy: Policy;
  /** SwitchOptExtendedPatternMatch: other instructions between the compares are tolerated (policy 'notes'). */
  readonly extended: boolean;
  /** Subtracts the cases of a chain of two or more from SwitchOptBudget; false if it has fewer. */
  readonly takeCases: (count: number) => boolean;
  /**
   * The function as it came in (policy 'measured'): the compiler judges the form of branches, and what a head defines, before it propagates copies and inverts
   * jumps. A block that copies the selector there is not a head although the copy may have been removed since.
   */
  readonly source?: Func;
  /** The second scan (policy 'measured'): a case continues a chain only in the form `setp.ne` with `@!p`. */
  readonly secondLook?: boolean;
}

/** All chains of at least one compare, in reverse post-order of their heads. No block is in two of them. */
export function scanSwitches(fn: Func, options: ScanOptions, remark: Remarks = silentRemarks(fn, SCAN)): readonly SwitchChain[] {
  return new Scanner(fn, options, remark).scan();
}

/** Reads compares of a function without reporting. */
function readerOf(source: Func): (here: Candidate) => CompareLink | null {
  const constants = constantRegisters(source);
  const remark = silentRemarks(source, SCAN);
  const position = new Map(source.layout.map((id, i) => [id, i]));
  return (here) => readCompare(source, here, constants, remark, position.get(here.block) ?? -1);
}

const BARRIERS = new Set(["barrier", "sync"]);

class Scanner {
  private readonly fn: Func;
  private readonly options: ScanOptions;
  private readonly remark: Remarks;
  private readonly live: Liveness;
  private readonly position: Int32Array;
  private readonly constants: Constants;
  private readonly taken: Uint8Array;
  private readonly named: NamedBlocks;
  /** SwitchOptBudget is spent. */
  private spent = false;
  /** Reads a compare of the source; made when first needed. */
  private reader: ((here: Candidate) => CompareLink | null) | null = null;

  constructor(fn: Func, options: ScanOptions, remark: Remarks) {
    this.fn = fn;
    this.options = options;
    this.remark = remark;
    this.live = liveness(fn);
    this.constants = constantRegisters(fn);
    this.taken = new Uint8Array(fn.blocks.length);
    this.named = new NamedBlocks({ func: fn });
    this.position = new Int32Array(fn.blocks.length).fill(-1);
    for (let i = 0; i < fn.layout.length; i++) this.position[fn.layout[i] as BlockId] = i;
  }

  scan(): SwitchChain[] {
    const chains: SwitchChain[] = [];
    for (const id of reversePostOrder(this.fn).order) {
      if (this.taken[id] === 1 || !endsInCondition(getBlock(this.fn, id))) continue;
      const here = this.candidate("head", id, id, 0);
      const link = this.read(here);
      if (link !== null && this.mayStart(link, here)) chains.push(this.follow(link));
    }
    return chains;
  }

  private candidate(stays: Candidate["stays"], block: BlockId, head: BlockId, length: number): Candidate {
    return { stays, block, head, length, about: () => `case ${block}`, blocks: stays === "head" ? NO_BLOCKS : [head] };
  }

  private read(here: Candidate): CompareLink | null {
    return readCompare(this.fn, here, this.constants, this.remark, this.position[here.block]);
  }

  private follow(head: CompareLink): SwitchChain {
    const links = [head];
    const moved: { block: BlockId; inst: InstId }[] = [];
    const predicates = new Set<Reg>([head.predicate]);
    const earlier = new LiveAtTargets(this.fn, this.live, links);
    this.taken[head.block] = 1;
    this.remark.matched(CHAIN.follow, () => ({ ...this.saidOf(head), form: "head" }));
    let beyondBudget = false;
    for (let last = head; ; ) {
      const next = last.otherwise;
      const found = this.extend(head, last, next, predicates, earlier, links.length);
      if (found === null) break;
      if (links.length === 1) beyondBudget = this.spent;
      for (const inst of found.moved) moved.push({ block: next, inst: inst.id });
      last = found.link;
      links.push(last);
      predicates.add(last.predicate);
      this.taken[next] = 1;
      this.remark.matched(CHAIN.link, () => ({ ...this.saidOf(last), number: links.length, form: "case" }));
    }
    return { links, selector: head.selector, fallback: (links[links.length - 1] as CompareLink).otherwise, moved, beyondBudget };
  }

  private saidOf({ block, at, selector, value, predicate, target }: CompareLink) {
    const compare = getBlock(this.fn, block).insts[at];
    return { block, selector, value, predicate, target, inst: compare ?? null, blocks: [target], reg: selector, about: `case ${block}` };
  }

  /** A head may contain anything else, as long as the compare can be removed and the selector is the same at the block's end. */
  private mayStart(link: CompareLink, here: Candidate): boolean {
    const { remark } = this;
    const { selector } = link;
    const { insts } = getBlock(this.fn, link.block);
    if (!this.predicateIsOwn(link, here)) return false;
    for (let i = link.at + 1; i < insts.length; i++) {
      const changed = defsOf(insts[i] as Inst).includes(selector);
      if (changed && !remark.holds(CHAIN.head, "selector-changed", false, { ...here, selector })) return false;
    }
    if (this.options.policy === "notes") return true;
    if (!this.asMeasured(link, here).caseTaken) {
      remark.missed(CHAIN.measuredHead, "case-not-taken", here);
      return false;
    }
    // A second look comes after copies have been propagated, and takes a head whatever it defines.
    if (this.options.secondLook === true) return true;
    for (const inst of insts) {
      const register = defsOf(inst).find((def) => this.live.isLiveOut(link.block, def));
      if (register === undefined) continue;
      remark.missed(CHAIN.measuredHead, "head-value-used", { ...here, register });
      return false;
    }
    const copied = this.copiedInSource(here);
    if (copied === null) return true;
    remark.missed(CHAIN.measuredHead, "copied-in-source", { ...here, register: copied });
    return false;
  }

  private inSource(source: Func, here: Candidate): CompareLink | null {
    this.reader ??= readerOf(source);
    return this.reader(here);
  }

  /** The form of a link's branch in the input; for a block that is not in the input in this form, the current one. */
  private asMeasured(link: CompareLink, here: Candidate): Pick<CompareLink, "caseTaken" | "negated"> {
    const { source } = this.options;
    if (source?.blocks[link.block] === undefined) return link;
    const before = this.inSource(source, here);
    if (before === null || before.value !== link.value) return { ...link, caseTaken: link.caseTaken || link.turned };
    return before;
  }

  /** The selector that the block compares in the source, when it defines it there, too. */
  private copiedInSource(here: Candidate): Reg | null {
    const { source } = this.options;
    const block = source?.blocks[here.block];
    if (source === undefined || block === undefined) return null;
    const link = this.inSource(source, here);
    if (link === null) return null;
    return block.insts.some((inst) => defsOf(inst).includes(link.selector)) ? link.selector : null;
  }

  /** The predicate must have no reader but the branch: the compare will be deleted. */
  private predicateIsOwn({ block, at, predicate }: CompareLink, here: Candidate): boolean {
    const { remark } = this;
    const { insts } = getBlock(this.fn, block);
    const said = () => ({ ...here, predicate });
    if (!remark.holds(CHAIN.head, "predicate-live-out", !this.live.isLiveOut(block, predicate), said)) return false;
    for (let i = at + 1; i < insts.length; i++) {
      const inst = insts[i] as Inst;
      const other = inst.op !== "BRA" && reads(inst, predicate);
      if (other && !remark.holds(CHAIN.head, "predicate-used", false, said)) return false;
    }
    return true;
  }

  /** The next case of a chain, with what must run before the dispatch; null when the chain ends. */
  private extend(
    head: CompareLink,
    last: CompareLink,
    next: BlockId,
    predicates: ReadonlySet<Reg>,
    earlier: LiveAtTargets,
    count: number,
  ): { readonly link: CompareLink; readonly moved: readonly Inst[] } | null {
    const { remark } = this;
    const { policy } = this.options;
    const here = this.candidate(count === 1 ? "alone" : "ends", next, head.block, count);
    const block = getBlock(this.fn, next);
    if (next === head.block || next === this.fn.layout[0]) return remark.missed(CHAIN.entries, "loop", here);
    if (block.preds.length !== 1) return remark.missed(CHAIN.entries, "second-entry", () => ({ ...here, preds: block.preds.length }));
    if (this.named.endsRegion(next)) return remark.missed(CHAIN.entries, "sync-label", here);
    if (this.named.tableOf(next) !== null) return remark.missed(CHAIN.entries, "table-entry", here);
    const first = block.insts[0];
    const stops = first !== undefined && BARRIERS.has(effectOf(first));
    if (stops && !remark.holds(CHAIN.stage2, "chain-stop", false, { ...here, op: first.op })) return null;
    const link = this.read(here);
    if (link === null) return null;
    const { selector } = head;
    const other = link.selector;
    if (!remark.holds(CHAIN.link, "other-selector", other === selector, () => ({ ...here, selector, other }))) return null;
    if (policy === "measured") {
      const form = this.asMeasured(link, here);
      if (last.turned || !form.caseTaken) return remark.missed(CHAIN.measuredHead, "case-not-taken", here);
      if (this.options.secondLook === true && !form.negated) return remark.missed(CHAIN.measuredHead, "not-negated", here);
    }
    if (!this.predicateIsOwn(link, here)) return null;
    const moved = this.needed(block, link);
    for (const inst of moved) if (!this.mayMove(inst, link, predicates, earlier, here)) return null;
    return this.takeCase(count) ? { link, moved } : remark.missed(CHAIN.budget, "budget", here);
  }

  /** The first case is counted together with the second: a single compare is not a switch. Beyond the budget, policy 'notes' puts cases into separate chains. */
  private takeCase(count: number): boolean {
    const { policy, takeCases } = this.options;
    if (this.spent || takeCases(count === 1 ? 2 : 1)) return true;
    this.spent = policy === "notes";
    return this.spent && count === 1;
  }

  /** The instructions of a block, without compare and branches, whose results are used by something that stays, or are the selector. */
  private needed(block: Block, link: CompareLink): Inst[] {
    const { at: end } = terminatorsOf(block);
    const used = new Set<Reg>();
    const kept: Inst[] = [];
    for (let i = end - 1; i >= 0; i--) {
      const inst = block.insts[i] as Inst;
      if (i === link.at) {
        // What sets the selector right before its compare makes it a different value from the one that the chain compares.
        used.add(link.selector);
        continue;
      }
      if (isRemovableWhenDead(inst) && defsOf(inst).every((r) => !used.has(r) && !this.live.isLiveOut(block.id, r))) continue;
      kept.push(inst);
      for (const r of usesOf(inst)) used.add(r);
    }
    return kept.reverse();
  }

  /** Whether an instruction between two compares may run ahead of all of them. */
  private mayMove(inst: Inst, link: CompareLink, predicates: ReadonlySet<Reg>, earlier: LiveAtTargets, here: Candidate): boolean {
    const { remark } = this;
    const said = { ...here, op: inst.op };
    if (this.options.policy === "measured" || !this.options.extended) {
      remark.missed(CHAIN.interleaved, "interleaved", said);
      return false;
    }
    const movable = inst.op !== "PHI" && isSpeculatable(inst);
    if (!remark.holds(CHAIN.interleaved, "interleaved-effect", movable, said)) return false;
    for (const r of defsOf(inst)) {
      if (!remark.holds(CHAIN.head, "moved-changes-selector", r !== link.selector, { ...said, selector: r })) return false;
      if (!remark.holds(CHAIN.interleaved, "live-at-case", !earlier.has(r), { ...said, register: r })) return false;
    }
    const clash = [...usesOf(inst), ...defsOf(inst)].find((r) => predicates.has(r) || r === link.predicate);
    return clash === undefined || remark.holds(CHAIN.head, "moved-touches-predicate", false, { ...said, predicate: clash });
  }
}

const NO_BLOCKS: readonly BlockId[] = [];

/** Registers that some target of the links so far reads, gathered only for an instruction between the compares. */
class LiveAtTargets {
  private readonly fn: Func;
  private readonly live: ReturnType<Liveness["gather"]>;
  private readonly links: readonly CompareLink[];
  private readonly phis = new Set<Reg>();
  private done = 0;

  constructor(fn: Func, live: Liveness, links: readonly CompareLink[]) {
    this.fn = fn;
    this.live = live.gather();
    this.links = links;
  }

  has(r: Reg): boolean {
    for (; this.done < this.links.length; this.done++) {
      const { target, block } = this.links[this.done] as CompareLink;
      this.live.add(target);
      for (const phi of phisOf(getBlock(this.fn, target))) {
        const value = phiInput(phi, block);
        if (value?.kind === "reg") this.phis.add(value.reg);
      }
    }
    return this.phis.has(r) || this.live.has(r);
  }
}
