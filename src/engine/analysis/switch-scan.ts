/** Finds chains of equality compares of one register: the scanner of DoSwitchOpt, in the tolerances of either policy. */

import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, effectOf, getBlock, isRemovableWhenDead, isSpeculatable, phiInput, phisOf, terminatorsOf, usesOf } from "../ir/visit.ts";
import type { Policy } from "../pipeline/policy.ts";
import { type Liveness, liveness } from "./liveness.ts";
import { reversePostOrder } from "./order.ts";
import { type CompareLink, type Constants, constantRegisters, endsInCondition, type NoLink, readCompare, reads } from "./switch-compare.ts";

/** Compares of one register, each reached only when the ones before it failed. Its first block is the head, where a lowering puts the dispatch. */
export interface SwitchChain {
  readonly links: readonly CompareLink[];
  readonly selector: Reg;
  /** Where control goes when no compare holds: the default. */
  readonly fallback: BlockId;
  /** Instructions between the compares that have to run ahead of the dispatch, in order. */
  readonly moved: readonly { readonly block: BlockId; readonly inst: InstId }[];
}

export interface ScanOptions {
  readonly policy: Policy;
  /** SwitchOptExtendedPatternMatch: other instructions between the compares are tolerated (policy 'notes'). */
  readonly extended: boolean;
  /** Asked for each case of a chain of two or more; false ends the chain (SwitchOptBudget). */
  readonly takeCase: () => boolean;
  /**
   * The function as it came in (policy 'measured'): the compiler decides before it propagates copies, so a block that copies the selector there is no
   * head although the copy may be gone by now.
   */
  readonly source?: Func;
}

/** Told about every block with a conditional branch; all calls come in the order of the scan. */
export interface ScanListener {
  /** The block is no start of a chain. */
  refused(block: BlockId, why: NoLink): void;
  /** `index` counts the links of the chain from 0. */
  linked(link: CompareLink, index: number): void;
  /** The chain that starts at `head` ends before `next`. */
  ended(head: BlockId, length: number, next: BlockId, why: NoLink): void;
}

/** All chains of at least one compare, in reverse post-order of their heads. No block is in two of them. */
export function scanSwitches(fn: Func, options: ScanOptions, listener: ScanListener | null = null): readonly SwitchChain[] {
  return new Scanner(fn, options, listener).scan();
}

const BARRIERS = new Set(["barrier", "sync"]);

class Scanner {
  private readonly fn: Func;
  private readonly options: ScanOptions;
  private readonly listener: ScanListener | null;
  private readonly live: Liveness;
  private readonly position: Int32Array;
  private readonly constants: Constants;
  private readonly taken: Uint8Array;
  /** 1 where a BSSY names the block: such a block has to stay. */
  private readonly named: Uint8Array;

  constructor(fn: Func, options: ScanOptions, listener: ScanListener | null) {
    this.fn = fn;
    this.options = options;
    this.listener = listener;
    this.live = liveness(fn);
    this.constants = constantRegisters(fn);
    this.taken = new Uint8Array(fn.blocks.length);
    this.named = namedBlocks(fn);
    this.position = new Int32Array(fn.blocks.length).fill(-1);
    for (let i = 0; i < fn.layout.length; i++) this.position[fn.layout[i] as BlockId] = i;
  }

  scan(): SwitchChain[] {
    const chains: SwitchChain[] = [];
    for (const id of reversePostOrder(this.fn).order) {
      if (this.taken[id] === 1 || !endsInCondition(getBlock(this.fn, id))) continue;
      const link = this.read(id);
      const problem = "condition" in link ? link : this.headProblem(link);
      if ("condition" in link || problem !== null) this.listener?.refused(id, problem as NoLink);
      else chains.push(this.follow(link));
    }
    return chains;
  }

  private read(id: BlockId): CompareLink | NoLink {
    return readCompare(this.fn, id, this.constants, this.position[id]);
  }

  private follow(head: CompareLink): SwitchChain {
    const links = [head];
    const moved: { block: BlockId; inst: InstId }[] = [];
    const predicates = new Set<Reg>([head.predicate]);
    const earlier = new LiveAtTargets(this.fn, this.live, links);
    this.taken[head.block] = 1;
    this.listener?.linked(head, 0);
    for (let last = head; ; ) {
      const next = last.otherwise;
      const found = this.extend(head, last, next, predicates, earlier, links.length);
      if ("condition" in found) {
        this.listener?.ended(head.block, links.length, next, found);
        break;
      }
      for (const inst of found.moved) moved.push({ block: next, inst: inst.id });
      last = found.link;
      links.push(last);
      predicates.add(last.predicate);
      this.taken[next] = 1;
      this.listener?.linked(last, links.length - 1);
    }
    return { links, selector: head.selector, fallback: (links[links.length - 1] as CompareLink).otherwise, moved };
  }

  /** A head may hold anything else, as long as the compare can go and the selector is the same at the block's end. */
  private headProblem(link: CompareLink): NoLink | null {
    const block = getBlock(this.fn, link.block);
    const shared = this.predicateProblem(link);
    if (shared !== null) return shared;
    for (let i = link.at + 1; i < block.insts.length; i++) {
      if (defsOf(block.insts[i] as Inst).includes(link.selector)) {
        return {
          condition: "selector-changed",
          template: "{block} changes {selector} behind the compare",
          facts: { selector: regName(link.selector) },
        };
      }
    }
    if (this.options.policy === "notes") return null;
    if (!link.caseTaken) {
      return { condition: "case-not-taken", template: "the case of {block} is not on the taken edge of a plain branch", facts: {} };
    }
    for (const inst of block.insts) {
      const r = defsOf(inst).find((def) => this.live.isLiveOut(link.block, def));
      if (r !== undefined) {
        const facts = { register: regName(r) };
        return {
          condition: "head-value-used",
          template: "{block} defines {register}, which other blocks use, so it is no head and its compare stays",
          facts,
        };
      }
    }
    const copied = this.copiedInSource(link.block);
    if (copied === null) return null;
    return {
      condition: "head-value-used",
      template: "in the source {block} defines {register}, the selector of its compare, so it is no head",
      facts: { register: regName(copied) },
    };
  }

  /** The selector that the block compares in the source, when it defines it there, too. */
  private copiedInSource(id: BlockId): Reg | null {
    const { source } = this.options;
    const block = source?.blocks[id];
    if (source === undefined || block === undefined) return null;
    const link = readCompare(source, id, () => null, source.layout.indexOf(id));
    if ("condition" in link) return null;
    return block.insts.some((inst) => defsOf(inst).includes(link.selector)) ? link.selector : null;
  }

  /** The predicate must have no reader but the branch: the compare is going to be deleted. */
  private predicateProblem(link: CompareLink): NoLink | null {
    const { insts } = getBlock(this.fn, link.block);
    const facts = { predicate: regName(link.predicate) };
    if (this.live.isLiveOut(link.block, link.predicate)) {
      return { condition: "predicate-live-out", template: "{predicate} is live out of {block}", facts };
    }
    for (let i = link.at + 1; i < insts.length; i++) {
      const inst = insts[i] as Inst;
      if (inst.op !== "BRA" && reads(inst, link.predicate)) {
        return { condition: "predicate-used", template: "another instruction of {block} reads {predicate}", facts };
      }
    }
    return null;
  }

  private extend(
    head: CompareLink,
    last: CompareLink,
    next: BlockId,
    predicates: ReadonlySet<Reg>,
    earlier: LiveAtTargets,
    count: number,
  ): { readonly link: CompareLink; readonly moved: readonly Inst[] } | NoLink {
    const block = getBlock(this.fn, next);
    if (next === head.block || next === this.fn.layout[0]) {
      return { condition: "loop", template: "{block} starts over, or is the entry", facts: {} };
    }
    if (block.preds.length !== 1) {
      return {
        condition: "second-entry",
        template: "{block} has {preds} {preds:predecessor|predecessors}",
        facts: { preds: block.preds.length },
      };
    }
    if (this.named[next] === 1) return { condition: "sync-label", template: "a BSSY names {block}", facts: {} };
    const first = block.insts[0];
    if (first !== undefined && BARRIERS.has(effectOf(first))) {
      return { condition: "chain-stop", template: "{block} begins with {op}, which ends every chain", facts: { op: first.op } };
    }
    const link = this.read(next);
    if ("condition" in link) return link;
    if (link.selector !== head.selector) {
      const facts = { selector: regName(head.selector), other: regName(link.selector) };
      return { condition: "other-selector", template: "{block} compares {other}, not {selector}", facts };
    }
    if (this.options.policy === "measured" && (last.turned || !(link.caseTaken || link.turned))) {
      return { condition: "case-not-taken", template: "the case of {block} is not on the taken edge of a plain branch", facts: {} };
    }
    const problem = this.predicateProblem(link);
    if (problem !== null) return problem;
    const moved = this.needed(block, link);
    for (const inst of moved) {
      const refusal = this.moveProblem(inst, link, predicates, earlier);
      if (refusal !== null) return refusal;
    }
    const { takeCase } = this.options;
    // The first case is counted together with the second: a single compare is no switch.
    if ((count === 1 && !takeCase()) || !takeCase())
      return { condition: "budget", template: "the budget ends the chain before {block}", facts: {} };
    return { link, moved };
  }

  /** The instructions of a block, compare and branches left out, whose results are used by something that stays. */
  private needed(block: Block, link: CompareLink): Inst[] {
    const { at: end } = terminatorsOf(block);
    const used = new Set<Reg>();
    const kept: Inst[] = [];
    for (let i = end - 1; i >= 0; i--) {
      const inst = block.insts[i] as Inst;
      if (i === link.at) continue;
      if (isRemovableWhenDead(inst) && defsOf(inst).every((r) => !used.has(r) && !this.live.isLiveOut(block.id, r))) continue;
      kept.push(inst);
      for (const r of usesOf(inst)) used.add(r);
    }
    return kept.reverse();
  }

  /** Why an instruction between two compares may not run ahead of all of them. */
  private moveProblem(inst: Inst, link: CompareLink, predicates: ReadonlySet<Reg>, earlier: LiveAtTargets): NoLink | null {
    const facts = { op: inst.op };
    if (this.options.policy === "measured" || !this.options.extended) {
      return { condition: "interleaved", template: "{block} holds {op} besides its compare and branch", facts };
    }
    if (inst.op === "PHI" || !isSpeculatable(inst)) {
      return { condition: "interleaved-effect", template: "{op} in {block} may not run ahead of the compares", facts };
    }
    for (const r of defsOf(inst)) {
      if (r === link.selector) {
        return { condition: "selector-changed", template: "{op} in {block} changes {selector}", facts: { ...facts, selector: regName(r) } };
      }
      if (earlier.has(r)) {
        const register = regName(r);
        return {
          condition: "live-at-case",
          template: "{op} in {block} writes {register}, which an earlier case still reads",
          facts: { ...facts, register },
        };
      }
    }
    const clash = [...usesOf(inst), ...defsOf(inst)].find((r) => predicates.has(r) || r === link.predicate);
    if (clash === undefined) return null;
    return {
      condition: "predicate-used",
      template: "{op} in {block} reads or writes {predicate}, a predicate of the chain",
      facts: { ...facts, predicate: regName(clash) },
    };
  }
}

function namedBlocks(fn: Func): Uint8Array {
  const named = new Uint8Array(fn.blocks.length);
  for (const id of fn.layout) {
    for (const inst of getBlock(fn, id).insts) {
      if (inst.op !== "BSSY") continue;
      const label = inst.ops[1];
      if (label?.kind === "label") named[label.block] = 1;
    }
  }
  return named;
}

/** Registers that some target of the links so far reads, gathered only when an instruction between the compares asks. */
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
