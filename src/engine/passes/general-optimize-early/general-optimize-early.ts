/** Phase 13, GeneralOptimizeEarly (variant A): second tests of one condition are decided, and predicates of known value are folded. */

import { liveness } from "../../analysis/liveness.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { reachingDefs } from "../../analysis/reaching-defs.ts";
import type { Budget } from "../../config/knob-store.ts";
import { withForm, withGuard } from "../../ir/copies.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, phisOf, terminatorsOf } from "../../ir/visit.ts";
import { silentRemarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ROUND_LIMIT, Rounds } from "../shared/copies/rounds.ts";
import { ABOUT } from "./about.ts";
import { type Chain, type ChainEnd, exitTestOf, followChain, type Test, testOf } from "./chain.ts";
import { about, Equivalence, type Same } from "./equivalence.ts";
import type { ChainStateRow } from "./rows.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { Surgery } from "./surgery.ts";

export const generalOptimizeEarly: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  settles: true,
  records: RULES.records,
  run: (ctx: PassContext): PassOutcome => {
    const { remark, level, policy } = ctx;
    // What sets the bit is not known: it follows the level at which the phase runs.
    const from = policy === "measured" ? 1 : 2;
    const closed = remark.closed(RULES.gates, "+1382 bit 2", level >= from, { from }) ?? remark.closed(RULES.gates, "+1056", true);
    return closed === null ? new Early(ctx).run() : { matches: 0, rewrites: 0, why: closed };
  },
};

class Early {
  private readonly ctx: PassContext;
  private readonly rounds: Rounds;
  private readonly budget: Budget;
  /** Knob 91: every block is a skip point. */
  private readonly skip: boolean;
  private readonly state: ShownTable<ChainStateRow>;
  private readonly surgery: Surgery;
  private equivalence: Equivalence;
  /** Ways past a join that were taken, so that two joins do not send one to each other for ever. */
  private readonly threaded = new Set<string>();
  /** Made when it is first asked: this phase names no block. */
  private named: NamedBlocks | null = null;
  private decided = 0;
  private spent = false;
  /** Chains of the last sweep that stayed since lanes would meet. */
  private kept = 0;

  constructor(ctx: PassContext) {
    const { edit, remark, knobs } = ctx;
    this.ctx = ctx;
    this.budget = knobs.budget("convergence-budget", RULES.budget);
    this.skip = knobs.flag("chain-skip", RULES.follow);
    callControlFlow(ctx, RULES.records, true);
    const reach = reachingDefs(edit.func);
    this.surgery = new Surgery(ctx);
    this.surgery.begin(reach);
    this.equivalence = new Equivalence(ctx, reach);
    const parts = { commit: "predicates", copyProp: true, fold: true, dce: true, foldBudget: this.budget } as const;
    this.rounds = new Rounds(ctx, { ...RULES, setup: RULES.values }, parts);
    this.state = remark.shown.table("chain-state", "State of the chain matchers, state[0] to state[9]");
    this.state.set("state[0]", edit.func.name);
  }

  run(): PassOutcome {
    const { edit, remark } = this.ctx;
    let times = 0;
    let further: string | null = null;
    for (let again = true; again && times < ROUND_LIMIT; ) {
      times++;
      const before = edit.editCount;
      this.rounds.run.tally.start(times);
      this.sweep();
      remark.span(RULES.level2, { round: times }, () => this.rounds.round(times));
      // An edge or a definition that went may let a chain or a value through.
      again = edit.editCount !== before && !this.spent && !remark.over;
      further = again && times === ROUND_LIMIT ? `${times} rounds are the limit` : null;
    }
    const { rewrites } = remark;
    if (rewrites > 0) this.surgery.finish(rewrites);
    const { folded = 0, simplified = 0, removed = 0 } = this.rounds.figures;
    return remark.outcome({
      none: "no branch leads to another one along a chain, and no predicate is known",
      further: this.rounds.further(this.kept > 0 || this.rounds.keptBranches) ?? further,
      figures: { rounds: times, decided: this.decided, folded: folded + simplified, removed },
    });
  }

  /** All blocks, until none has a second test left that an earlier one decides. */
  private sweep(): void {
    const { edit, remark } = this.ctx;
    const kept = (): number => remark.times(RULES.convergence, "convergence");
    for (let again = true; again && !this.spent && !remark.over; ) {
      const [before, keptBefore] = [this.decided, kept()];
      // Definitions stay where they are while branches are decided.
      this.equivalence = new Equivalence(this.ctx, reachingDefs(edit.func));
      for (const id of reversePostOrder(edit.func).order.slice()) {
        if (this.spent || remark.over) break;
        this.decideFrom(id);
      }
      again = this.decided > before;
      this.kept = kept() - keptBefore;
    }
  }

  /** Second tests that one block's branch decides, until none is left. */
  private decideFrom(block: BlockId): void {
    const { remark } = this.ctx;
    let test = this.testAt(block);
    if (test === null) return;
    remark.open(RULES.blocks, { block });
    while (test !== null) {
      remark.step(RULES.entry, { block, inst: test.branch });
      const onTaken: boolean = test.branch.op !== "EXIT" && this.decideOver(test, true);
      const again: boolean = onTaken || (!this.spent && this.decideOver(test, false));
      if (again) remark.step(RULES.again, { block });
      test = again ? this.testAt(block) : null;
    }
    remark.close();
  }

  /** The real compiler knows what a guarded EXIT has tested, too. */
  private testAt(block: BlockId): Test | null {
    const { edit, policy } = this.ctx;
    return testOf(edit, block) ?? (policy === "measured" ? exitTestOf(edit, block) : null);
  }

  /**
   * Policy 'measured': the way leads to a join that does nothing but test what this branch has tested, so that it can lead past it. The reference's chains end at a
   * join. Refused wherever an instruction of the function would notice that lanes meet elsewhere.
   */
  private threadOver(test: Test, taken: boolean): boolean {
    const { edit, policy } = this.ctx;
    // Under 'notes' only what would be done is told, not what stands against it.
    const measured = policy === "measured";
    if (!measured && !this.ctx.remark.listening) return false;
    const join = taken ? test.taken : test.otherwise;
    const second = join === test.block || join === edit.func.layout[0] ? null : testOf(edit, join);
    if (second === null) return false;
    const remark = measured ? this.ctx.remark : silentRemarks(edit, RULES);
    const chain = { first: test, second, taken, path: [test.block, join] };
    const target = taken ? second.taken : second.otherwise;
    const key = `${test.block} ${join}`;
    const [compare, ...more] = edit.block(join).insts.slice(0, terminatorsOf(edit.block(join)).at);
    const said = { ...about(chain), join, target };
    if (target === join || this.threaded.has(key)) return false;
    this.named ??= new NamedBlocks({ func: edit.func });
    if (this.named.reason(join) !== null) return remark.missed(RULES.thread, "named", said) ?? false;
    // What the join computes is skipped on this way: only its own condition, which nothing below reads, may be.
    const own =
      compare === undefined ||
      (compare.op !== "PHI" && effectOf(compare) === "pure" && defsOf(compare).every((r) => r === second.guard.reg));
    const dead = compare === undefined || !defsOf(compare).some((r) => liveness(edit.func).isLiveOut(join, r));
    if (!own || !dead || more.length > 0) return remark.missed(RULES.thread, "works", said) ?? false;
    if (phisOf(edit.block(target)).length > 0) return remark.missed(RULES.thread, "phi", said) ?? false;
    const equivalence = measured ? this.equivalence : new Equivalence({ ...this.ctx, remark }, reachingDefs(edit.func));
    const same = equivalence.compare(chain);
    if (same === null) return false;
    const obstacle = this.rounds.run.rejoin.joinBranches();
    if (obstacle !== null) return remark.missed(RULES.thread, "lanes", { ...said, reason: obstacle.reason, inst: obstacle.inst }) ?? false;
    if (!measured) return this.ctx.remark.missed(RULES.thread, "policy", said) ?? false;
    this.sayMatch(chain, same);
    if (!this.budget.take(RULES.budget)) {
      this.spent = true;
      return false;
    }
    this.threaded.add(key);
    const done = remark.found(RULES.thread, { edge: edgeName(chain), ...said }, () => {
      const { tally, work } = this.rounds.run;
      this.decided++;
      tally.add("structural equivalence");
      work.lost.add(second.guard.reg);
      edit.redirect(test.block, join, target);
      return true;
    });
    return done ?? false;
  }

  /** Decides the second test at the end of the chain over one edge; false when there is none, or it stays. */
  private decideOver(test: Test, taken: boolean): boolean {
    const { edit, remark } = this.ctx;
    const chain = followChain(edit, test, taken, this.skip);
    if (typeof chain === "string") {
      if (chain === "several-predecessors" && this.threadOver(test, taken)) return true;
      this.sayEnd(test, taken, chain);
      return false;
    }
    remark.step(RULES.end, { edge: edgeName(chain), ...about(chain) });
    const same = this.equivalence.compare(chain);
    if (same === null) return false;
    const obstacle = this.rounds.run.rejoin.dropEdges(chain.second.block, decidedTerminators(chain));
    const said = () => ({ ...about(chain, same.defs), reason: obstacle?.reason ?? "" });
    if (!remark.holds(RULES.convergence, "convergence", obstacle === null, said)) return false;
    this.sayMatch(chain, same);
    if (!this.budget.take(RULES.budget)) {
      this.spent = true;
      return false;
    }
    return this.apply(chain);
  }

  private apply(chain: Chain): boolean {
    const { edit, remark } = this.ctx;
    const { second, taken } = chain;
    const target = taken ? second.taken : second.otherwise;
    const done = remark.found(RULES.apply, { edge: edgeName(chain), target, ...about(chain) }, () => {
      const { tally, work } = this.rounds.run;
      this.decided++;
      tally.add("structural equivalence");
      work.lost.add(second.guard.reg);
      edit.setTerminators(second.block, decidedTerminators(chain));
      return true;
    });
    if (done === true) this.surgery.tell(second);
    return done ?? false;
  }

  private sayMatch(chain: Chain, same: Same): void {
    const { edit, remark } = this.ctx;
    if (!remark.listening) return;
    const { first, second, path } = chain;
    const said = about(chain, same.defs);
    switch (same.step) {
      case "same-register":
        remark.matched(RULES.sameRegister, { ...said, p: same.p });
        break;
      case "same-definition":
        remark.matched(RULES.compare, { ...said, a: same.defs[0] });
        break;
      case "renamed":
        remark.matched(RULES.renamed, { ...said, source: same.source });
        break;
      case "equal-computation":
        remark.matched(RULES.deep, { ...said, a: same.defs[0], b: same.defs[1] });
    }
    const further = this.beyond(chain);
    const text = (inst: Inst | undefined): string | null => (inst === undefined ? null : printInst(edit.func, inst));
    const label = (block: BlockId): string => edit.block(block).label;
    const renamed = same.step === "renamed" ? [regName(same.source), text(same.copies[0]), text(same.copies.at(-1))] : [null, null, null];
    const third = further === null ? [null, null] : [text(further.branch), label(further.block)];
    const cells = [text(first.branch), text(second.branch), text(same.defs[0]), label(second.block), ...third, ...renamed];
    for (const [i, cell] of cells.entries()) {
      if (cell === null) this.state.remove(`state[${i + 1}]`);
      else this.state.set(`state[${i + 1}]`, cell);
    }
    const nodes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => this.state.node(`state[${from + i}]`));
    if (further === null) remark.step(RULES.state, "one", { path, blocks: path, nodes: nodes(1, 4) });
    else remark.step(RULES.state, "further", { path, third: further.block, blocks: [...path, further.block], nodes: nodes(1, 6) });
    if (same.step === "renamed") remark.step(RULES.state, "renamed", { regs: [same.source], insts: same.copies, nodes: nodes(7, 9) });
  }

  /** One level further: the test that the decided way leads to, which is compared when the block is looked at again. */
  private beyond({ second, taken }: Chain): Test | null {
    const next = followChain(this.ctx.edit, second, taken, this.skip);
    return typeof next === "string" ? null : next.second;
  }

  private sayEnd({ block, taken, otherwise }: Test, onTaken: boolean, end: ChainEnd): void {
    const { remark } = this.ctx;
    const to = onTaken ? taken : otherwise;
    const said = { block, to, blocks: [to] };
    if (end === "no-branch" || end === "cycle") remark.missed(RULES.end, end, said);
    else remark.missed(RULES.follow, end, said);
  }
}

const edgeName = ({ taken }: Chain): string => (taken ? "taken" : "other");

/** The second block's terminators once it is decided: a jump, or nothing where it falls through. */
function decidedTerminators({ second, taken }: Chain): readonly Inst[] {
  const { branch, explicit } = second;
  if (taken) return [withGuard(branch, null)];
  if (!explicit) return [];
  return [withForm(branch, branch.op, [], [{ kind: "label", block: second.otherwise }], null)];
}
