/**
 * The body that the GeneralOptimize phases share: rounds of forward copy propagation (level 1 marks included), level 2 folding, predicate simplification
 * and removal of what became dead. Each phase says which parts it runs, and when to stop.
 */

import { reachingDefs } from "../../../analysis/reaching-defs.ts";
import { RejoinGuard } from "../../../analysis/rejoin-guard.ts";
import type { BlockId } from "../../../ir/ids.ts";
import type { Inst } from "../../../ir/types.ts";
import { alwaysRuns, isTerminator, neverRuns } from "../../../ir/visit.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import type { PassContext } from "../../pass.ts";
import { foldConstants, isSelfCopy } from "./constant-folding.ts";
import { propagateInto, propagateIntoPhi } from "./copy-propagation.ts";
import { CopyValues, copySource } from "./copy-values.ts";
import { removeDead } from "./dead-code.ts";
import { EdgeFacts } from "./edge-facts.ts";
import { deferEqualPhi, settlePhis } from "./equal-phis.ts";
import { OperandMarks } from "./marks.ts";
import { OperandMarking } from "./operand-marking.ts";
import { type Parts, readOptions, spentBudgets } from "./options.ts";
import { decideTerminators, simplifyGuard } from "./predicate-simplification.ts";
import type { CopyStateRow, ReachingRow } from "./rows.ts";
import type { CopyRules } from "./rules.ts";
import { Tally } from "./tally.ts";
import { TwoPassTables } from "./two-pass.ts";
import type { Run, Walk } from "./walk.ts";
import { Worklist } from "./worklist.ts";

/** At most this many rounds; real programs need two or three. */
export const ROUND_LIMIT = 64;

export class Rounds {
  readonly run: Run;
  private readonly copyState: ShownTable<CopyStateRow>;
  private readonly twoPass: TwoPassTables;
  /** The graph as it came in. */
  private readonly cfgBefore: number;

  constructor(ctx: PassContext, rules: CopyRules, parts: Parts) {
    const { edit, remark } = ctx;
    const marks = new OperandMarks(edit, remark);
    const tally = new Tally(remark);
    const options = readOptions(ctx, parts, rules);
    this.cfgBefore = edit.func.cfgVersion;
    const rejoin = new RejoinGuard(edit);
    const work = new Worklist(edit, remark, rules);
    const title = "Definitions that reach the last read of each register";
    const reaching = parts.commit === "all" && remark.listening ? remark.shown.table<ReachingRow>("reaching-definitions", title) : null;
    this.run = { edit, remark, rules, options, work, marks, tally, facts: new EdgeFacts(edit), rejoin, propagated: new Set(), reaching };
    this.copyState = remark.shown.table("copy-state", "copy_seen and def_ctx");
    this.twoPass = new TwoPassTables(remark);
    remark.step(rules.setup, () => ({ blocks: work.blocks, copies: work.copies.count(), tier: options.tier }));
    if (!options.see.global) remark.step(rules.knobs, "irreducible", { also: { condition: "irreducible" } });
  }

  /** One round; how many edits it made. */
  round(number: number): number {
    const { edit, remark, options, tally, work } = this.run;
    if (remark.over) return 0;
    const before = edit.editCount;
    const cfg = edit.func.cfgVersion;
    const removed = tally.of("dead code");
    tally.start(number);
    const walk = this.walk();
    const marking = new OperandMarking(walk, this.copyState, this.twoPass);
    // What is not written is not remembered from round to round: then every block is walked.
    for (const block of work.round(walk.reach, options.commit === "predicates")) {
      if (remark.over) break;
      walkBlock(walk, marking, block);
    }
    settle(walk);
    if (options.dce) removeDead(walk);
    // Fewer edges or definitions may let copies through that were refused: every block is examined again.
    if (walk.doomed.size > 0 || tally.of("dead code") > removed || edit.func.cfgVersion !== cfg) work.everythingAgain();
    return edit.editCount - before;
  }

  get hasMore(): boolean {
    return this.run.work.hasMore;
  }

  /** Why a further run may find more, whatever its rounds came to; null when there is no reason. `kept`: branches stayed because of convergence. */
  further(kept: boolean): string | null {
    const { edit, options } = this.run;
    // What made the function irreducible may be gone: the next run's analysis judges the graph again.
    if (!options.see.global && edit.func.cfgVersion !== this.cfgBefore)
      return "copies stayed inside their blocks, since the function came in irreducible, and its graph has changed";
    const spent = spentBudgets(options);
    if (spent !== null || !kept || edit.editCount === 0) return spent;
    return "branches stay because lanes would reconverge elsewhere, which was judged on the function as it came in";
  }

  /** Branches stayed because of convergence. */
  get keptBranches(): boolean {
    return this.run.remark.times(this.run.rules.guard, "convergence") > 0;
  }

  get figures(): { readonly [name: string]: number } {
    const { tally, propagated } = this.run;
    return {
      copiesPropagated: propagated.size,
      usesReplaced: tally.of("copy propagation"),
      folded: tally.of("constant folding"),
      simplified: tally.of("predicate simplification"),
      removed: tally.of("dead code"),
    };
  }

  private walk(): Walk {
    const { edit, options, work } = this.run;
    const reach = reachingDefs(edit.func);
    const forms: Walk["forms"] = new Map();
    const current = (block: BlockId, at: number): Inst | undefined => {
      const inst = edit.block(block).insts[at];
      return inst === undefined ? undefined : (forms.get(inst.id) ?? inst);
    };
    const values = new CopyValues(edit, reach, options.see, current, work.copies);
    return { ...this.run, reach, values, forms, uses: { count: 0 }, doomed: new Map(), removals: { count: 0 }, gone: new Set(), phis: [] };
  }
}

/** Walks one block. No instruction moves; removals are collected for the end of the round. */
function walkBlock(walk: Walk, marking: OperandMarking, block: BlockId): void {
  const { edit, remark, rules, options, values, facts, forms, doomed, removals } = walk;
  const all = options.commit === "all";
  values.enter(block);
  marking.enter(block);
  facts.enter(block);
  remark.open(rules.block, { block });
  for (let at = 0; at < edit.block(block).insts.length; at++) {
    const old = edit.block(block).insts[at];
    if (old === undefined) break;
    const seen = old.op === "PHI" ? propagateIntoPhi(walk, block, old) : propagateInto(walk, block, old);
    if (seen !== old) commit(walk, block, at, old, seen);
    let inst = forms.size === 0 ? seen : (forms.get(old.id) ?? seen);
    if (options.copyProp && all) marking.visit(block, inst, at);
    if (options.fold) {
      inst = foldConstants(walk, block, at, inst);
      if (inst.op === "PHI") {
        if (all) deferEqualPhi(walk, block, inst);
      } else if (!isTerminator(inst)) inst = simplifyGuard(walk, block, at, inst);
    }
    if (options.dce && all && isSelfCopy(inst)) rules.selfCopy.look(walk, { block, at, inst })?.request()?.stage(removals);
    if (doomed.get(block)?.has(inst.id) === true) continue;
    values.pass(inst, at);
    // A decided branch also removed what came after it.
    if (isTerminator(inst) && options.fold && all) {
      decideTerminators(walk, block, (each) => propagateInto(walk, block, each));
      break;
    }
  }
  facts.leave(block, values);
  remark.close();
}

/** Writes the instruction with its uses replaced, or remembers it if only predicates are written. */
function commit({ edit, remark, rules, options, forms, work, uses }: Walk, block: BlockId, at: number, old: Inst, inst: Inst): void {
  work.note(inst);
  if (options.commit === "predicates") {
    forms.set(old.id, inst);
    return;
  }
  if (copySource(inst) !== null) work.touch(inst);
  if (!alwaysRuns(old) && alwaysRuns(inst)) work.touchNext(inst);
  // It no longer defines anything.
  if (!neverRuns(old) && neverRuns(inst)) work.touchNext(old);
  remark.at(rules.use);
  remark.commitTogether(uses, () => edit.replace(block, at, inst));
}

/** The work left for the end of the round: instructions to remove, and PHIs that become copies. */
function settle(walk: Walk): void {
  const { edit, remark, rules, doomed, removals } = walk;
  remark.commitTogether(removals, () => {
    for (const [block, insts] of doomed) {
      remark.at(rules.guard);
      edit.sweep(block, (inst) => insts.has(inst.id));
    }
  });
  settlePhis(walk);
}
