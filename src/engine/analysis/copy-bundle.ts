/**
 * The body that the GeneralOptimize bundles share: rounds of forward copy propagation (level 1 marks included), level 2 folding, predicate
 * simplification and removal of what became dead. Each phase configures it and has its own rule for when to stop.
 */

import type { Editor } from "../ir/edit.ts";
import { FUNC_FLAG } from "../ir/flags.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import type { Budget, KnobReader } from "../pipeline/knob-store.ts";
import type { Policy } from "../pipeline/policy.ts";
import type { Target } from "../pipeline/targets.ts";
import { ObservedBitSet } from "../structures/bitset.ts";
import type { Recorder } from "../trace/recorder.ts";
import { checkLiveness, removeLost } from "./copy-dce.ts";
import type { EdgeFact } from "./copy-facts.ts";
import { OperandMarks } from "./copy-marks.ts";
import type { RewriteOptions } from "./copy-rewrite.ts";
import { RoundTable, type SubPass } from "./copy-rounds.ts";
import { type BlockScan, type ScanLines, scanBlock } from "./copy-scan.ts";
import { settleRound } from "./copy-settle.ts";
import { CopyValues, copySource, type SeeOptions } from "./copy-values.ts";
import { CopyWalk } from "./copy-walk.ts";
import { reversePostOrder } from "./order.ts";
import { type ReachingDefs, reachingDefs } from "./reaching-defs.ts";
import { RejoinGuard } from "./rejoin-guard.ts";

/** What the body needs of a pass's context. */
export interface BundleContext {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly knobs: KnobReader;
  readonly target: Target;
  readonly policy: Policy;
}

export interface BundleLines extends ScanLines {
  readonly round: number;
  readonly setup: number;
  readonly dce: number;
  readonly knobs: number;
}

/** `all`: everything is rewritten. `predicates`: values are followed, but only predicates (and guards of branches) are written. */
export type CommitMode = "all" | "predicates";

export interface BundleConfig {
  readonly lines: BundleLines;
  readonly commit: CommitMode;
  /** The sub-passes; copy propagation includes the marks. */
  readonly copyProp: boolean;
  readonly fold: boolean;
  readonly dce: boolean;
  /** Knob 464 where the phase reads it: asked once a fold. */
  readonly budget: Budget | null;
  /** Told of each instruction that was folded or lost a copy, with the number of uses of its result. */
  readonly onFold?: (block: BlockId, inst: Inst, uses: number) => void;
}

export interface BundleTotals {
  copies: number;
  uses: number;
  folded: number;
  simplified: number;
  removed: number;
  matches: number;
}

/** At most this many rounds; real programs need two or three. */
export const ROUND_LIMIT = 64;

export class CopyBundle {
  readonly ctx: BundleContext;
  readonly config: BundleConfig;
  readonly totals: BundleTotals = { copies: 0, uses: 0, folded: 0, simplified: 0, removed: 0, matches: 0 };
  readonly refusals = new Map<string, number>();
  readonly marks: OperandMarks;
  readonly rounds: RoundTable;
  readonly see: SeeOptions;
  readonly rewrite: RewriteOptions;
  readonly limitFp: boolean;
  /** The tier in +1379: 1 under limit-fold-fp, else 0. */
  readonly tier: number;
  readonly copyBudget: Budget;
  readonly globalBudget: Budget;
  /** Copies that were propagated at least once: they count once against CopyPropBudget. */
  readonly counted = new Set<number>();
  readonly facts = new Map<BlockId, readonly EdgeFact[]>();
  readonly lost = new Set<Reg>();
  /** Whether an edge may go, as far as lanes that meet are concerned; asked of the function as it came in. */
  readonly rejoin: RejoinGuard;
  private readonly fixed: ReadonlySet<Reg>;
  /** By instruction id: copies, as far as they are known; nothing else needs to be looked at behind a use. */
  private readonly foldable: ObservedBitSet;
  /** Blocks with definitions that lost a reader: only there something can have died. */
  private readonly live: ObservedBitSet;
  private readonly dirty: ObservedBitSet;
  private next: ObservedBitSet;
  private reach: ReachingDefs | null = null;
  private number: Int32Array = new Int32Array(0);
  /** RPO number of the block being walked. */
  private current = 0;

  constructor(ctx: BundleContext, config: BundleConfig) {
    const { edit, rec, knobs, target } = ctx;
    this.ctx = ctx;
    this.config = config;
    const line = config.lines.knobs;
    this.marks = new OperandMarks(edit, rec);
    this.rounds = new RoundTable(rec);
    const irreducible = (edit.func.flags & FUNC_FLAG.RPO_VIOLATION) !== 0;
    const forced = knobs.flag("copy-prop-force-global", line);
    this.see = {
      global: !irreducible || forced,
      reachingDefs: knobs.flag("copy-prop-use-reaching-defs", line),
      multiDef: knobs.flag("copy-prop-non-reg-multi-def", line),
      predicated: target.backend.capabilities.archPred,
    };
    this.rewrite = {
      addresses: knobs.flag("copy-prop-addr", line),
      constantBanks: knobs.flag("copy-prop-constant-bank", line),
      onlyRegisters: knobs.flag("copy-prop-no-write-non-rr", line),
      noMatrixBank: knobs.flag("copy-prop-no-mma-cb", line),
    };
    this.limitFp = knobs.flag("limit-fold-fp", line);
    this.tier = this.limitFp ? 1 : 0;
    this.copyBudget = knobs.budget("copy-prop-budget", line);
    this.globalBudget = knobs.budget("copy-prop-global-budget", line);
    this.fixed = fixedRegisters(edit, knobs.flag("copy-prop-pre-alloc-reg", line));
    const { func } = edit;
    this.rejoin = new RejoinGuard(func, edit);
    const size = func.blocks.length;
    this.dirty = new ObservedBitSet(size, { rec, name: "reach", title: "Blocks to look at in this round", line: config.lines.setup });
    this.next = new ObservedBitSet(size, {
      rec,
      name: "reach-next",
      title: "Blocks to look at in the next round",
      line: config.lines.setup,
    });
    this.live = new ObservedBitSet(size, { rec, name: "live", title: "Blocks where something may have died", line: config.lines.dce });
    this.foldable = new ObservedBitSet(func.nextInst, {
      rec,
      name: "fold",
      title: "Instructions that are copies",
      line: config.lines.setup,
    });
    for (const id of reversePostOrder(func).order) {
      this.next.add(id);
      for (const inst of edit.block(id).insts) this.note(inst);
    }
    if (rec.on) {
      const facts = { blocks: this.next.count(), copies: this.foldable.count(), tier: this.tier };
      rec.event(
        "note",
        config.lines.setup,
        "{blocks} {blocks:block|blocks} to look at, {copies} {copies:copy|copies} known, tier {tier}",
        facts,
      );
    }
    if (rec.on && !this.see.global) {
      rec.event("note", line, "the function is irreducible (+1377 bit 5): copies stay inside their blocks", { condition: "irreducible" });
    }
  }

  /** Fold-blocking constraint of a register (`sub_91D150`): 1 for the fixed ones. */
  readonly constraint = (r: Reg): number => (this.fixed.has(r) ? 1 : 0);

  /** One round; how many edits it made. */
  round(number: number): number {
    const { edit, rec, policy, target } = this.ctx;
    const { config, rounds } = this;
    const before = edit.editCount;
    const cfg = edit.func.cfgVersion;
    const { removed } = this.totals;
    rounds.start(number);
    this.dirty.copyFrom(this.next);
    this.next.clear();
    const reach = reachingDefs(edit.func);
    this.reach = reach;
    const scan: BlockScan = {
      bundle: this,
      virtual: new Map(),
      doomed: new Map(),
      phis: [],
      measured: policy === "measured",
      values: new CopyValues(
        edit,
        reach,
        this.see,
        (block, at) => {
          const inst = edit.block(block).insts[at];
          return inst === undefined ? undefined : (scan.virtual.get(inst.id) ?? inst);
        },
        this.foldable,
      ),
      walk: new CopyWalk({
        edit,
        rec,
        marks: this.marks,
        context: { target, tier: this.tier, constraint: this.constraint },
        lines: config.lines,
        status: (inst) => checkLiveness(inst, reach),
      }),
    };
    // What is not written is not remembered from round to round: then every block is walked.
    const all = config.commit === "predicates";
    const { order, number: numbers } = reversePostOrder(edit.func);
    this.number = numbers;
    for (const id of order) {
      if (!all && !this.dirty.has(id)) continue;
      this.dirty.delete(id);
      this.current = numbers[id] ?? 0;
      scanBlock(scan, id);
    }
    this.current = Number.POSITIVE_INFINITY;
    settleRound(scan);
    if (config.dce) this.removeDead(reach);
    // Fewer edges or definitions may let copies through that were refused: everything is looked at again.
    if (scan.doomed.size > 0 || this.totals.removed > removed || edit.func.cfgVersion !== cfg) {
      for (const id of reversePostOrder(edit.func).order) this.next.add(id);
    }
    this.reach = null;
    return edit.editCount - before;
  }

  /** A definition's value is known better now: the blocks that read it are looked at later in this round, or in the next one. */
  touch(r: Reg): void {
    for (const { block } of this.reach?.usesOfReg(r) ?? []) {
      if ((this.number[block] ?? 0) > this.current) this.dirty.add(block);
      else this.next.add(block);
    }
  }

  /** Fewer definitions reach the register's uses than this round knows: they are looked at again in the next one. */
  touchNext(r: Reg): void {
    for (const { block } of this.reach?.usesOfReg(r) ?? []) this.next.add(block);
  }

  /** Keeps the bit vector of copies up to date with a new form of an instruction. */
  note(inst: Inst): void {
    if (copySource(inst) === null) this.foldable.delete(inst.id);
    else this.foldable.add(inst.id);
  }

  /** A block has to be looked at again in the next round. */
  again(block: BlockId): void {
    if (block < this.next.length) this.next.add(block);
  }

  get hasMore(): boolean {
    return !this.next.isEmpty();
  }

  /** Uses of the register, as far as this round's start knows them (`sub_91E860`). */
  countUses(r: Reg): number {
    return this.reach?.usesOfReg(r).length ?? 0;
  }

  count(pass: SubPass, n = 1): void {
    this.rounds.add(pass, n);
  }

  refuse(condition: string): void {
    this.totals.matches++;
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
  }

  private removeDead(reach: ReachingDefs): void {
    const { edit, rec } = this.ctx;
    const { lost, live: dying, config } = this;
    const removed = removeLost({ edit, rec, line: config.lines.dce, reach, lost, dying, removed: (inst) => this.marks.clear(inst) });
    this.totals.removed += removed;
    this.count("dead code", removed);
  }

  /** Why a further run may find more, whatever its rounds came to; null when nothing speaks for it. `kept`: branches were, for the sake of convergence. */
  further(kept = this.refusals.has("convergence")): string | null {
    const spent = this.spent();
    if (spent !== null || !kept || this.ctx.edit.editCount === 0) return spent;
    return "branches stay because lanes would meet, which was judged by the function as it came in";
  }

  /** The budgets that are used up, in words: a further run has new ones. Null when none is. */
  private spent(): string | null {
    const { copyBudget, globalBudget, config } = this;
    const budgets: readonly (readonly [string, Budget | null])[] = [
      ["CopyPropBudget", copyBudget],
      ["CopyPropGlobalBudget", globalBudget],
      ["knob 464", config.budget],
    ];
    const names = budgets.flatMap(([name, b]) => (b !== null && b.limit !== null && b.spent >= b.limit ? [name] : []));
    return names.length === 0 ? null : `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} spent, and each run counts anew`;
  }

  /** What to say when nothing changed. */
  why(): string {
    if (this.refusals.size === 0) return "no use sees a copy or a constant, and nothing can be folded";
    const reasons = [...this.refusals].map(([condition, times]) => (times > 1 ? `${condition} (${times} times)` : condition));
    return `every candidate was refused: ${reasons.join(", ")}`;
  }
}

/**
 * Registers fixed before allocation: what a function receives and returns. A kernel's parameters are words of a constant bank in the real machine, so its
 * registers are free.
 */
function fixedRegisters(edit: Editor, allowed: boolean): ReadonlySet<Reg> {
  const { kind, params, returns } = edit.func;
  if (allowed || kind === "kernel") return new Set();
  return new Set([...params.map((p) => p.reg), ...returns].filter((r) => !isConstantReg(r)));
}
