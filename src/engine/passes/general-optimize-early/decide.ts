/** The two rewrites: a second test is decided by the edge it is reached on, and an edge leads past a join that would only test again. */

import { liveness } from "../../analysis/liveness.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reachingDefs } from "../../analysis/reaching-defs.ts";
import type { Budget } from "../../config/knob-store.ts";
import { withForm, withGuard } from "../../ir/copies.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, phisOf, terminatorsOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import type { PassContext } from "../pass.ts";
import type { Rounds } from "../shared/copies/rounds.ts";
import { type Chain, end, follow, followChain, type Test, testOf } from "./chain.ts";
import { about, compare, deep, Equivalence, renamed, type Same, STAYS, sameRegister } from "./equivalence.ts";
import type { ChainStateRow } from "./rows.ts";
import type { Surgery } from "./surgery.ts";

/** What the rules of a run share. */
export interface EarlyState extends Pick<PassContext, "edit" | "remark" | "level" | "policy"> {
  readonly rounds: Rounds;
  /** Knob 464. */
  readonly budget: Budget;
  spent: boolean;
  readonly record: Surgery;
  /** Knob 91: every block is a skip point. */
  readonly skip: boolean;
  readonly view: ShownTable<ChainStateRow>;
  /** For what only the other policy does: its conditions are checked and not reported. */
  readonly silent: () => Remarks;
  equivalence: Equivalence;
  /** Edges that were led past a join, so that two joins do not send one to each other for ever. */
  readonly threaded: Set<string>;
  /** Made when it is first needed: this phase names no block. */
  named: NamedBlocks | null;
}

export interface Edge {
  readonly test: Test;
  readonly taken: boolean;
}

/**
 * The reference's chains end at a join. Refused wherever an instruction of the function would notice that lanes reconverge elsewhere.
 */
export const thread = rule<EarlyState, Edge>()({
  line: "      measured: the edge leads to a join X that only tests what B has tested: lead it past X",
  policy: "measured",
  done: "the {edge} edge of {first:block} now leads to {target:block}, past {join:block}, which would only test the same again",
  stays: STAYS,
  missed: {
    policy: { counts: false, say: "the edge leads to a join, {join:block}, and only policy 'measured' looks past joins" },
    named: { say: "a BSSY or a table names {join:block}" },
    works: { say: "{join:block} does more than test" },
    phi: { say: "{target:block} begins with PHIs" },
    lanes: { code: "convergence", say: "{reason} (condition not stated in the reference)" },
  },
  match(early, { test, taken }, miss) {
    const { edit, policy, remark, rounds } = early;
    const measured = policy === "measured";
    if (early.skip || (!measured && !remark.listening)) return null;
    const join = taken ? test.taken : test.otherwise;
    if (join === test.block || join === edit.func.layout[0] || edit.block(join).preds.length === 1) return null;
    const second = testOf(edit, join);
    if (second === null) return null;
    const target = taken ? second.taken : second.otherwise;
    const key = `${test.block} ${join}`;
    if (target === join || early.threaded.has(key)) return null;
    const chain = { first: test, second, taken, path: [test.block, join] };
    const said = { ...about(chain), join, target };
    // Under 'notes' only what would be done is reported, not what prevents it.
    const no: typeof miss = measured ? miss : () => null;
    early.named ??= new NamedBlocks({ func: edit.func });
    if (early.named.reason(join) !== null) return no("named", said);
    if (!onlyTests(early, second)) return no("works", said);
    if (phisOf(edit.block(target)).length > 0) return no("phi", said);
    const { equivalence } = measured
      ? early
      : { equivalence: new Equivalence({ ...early, remark: early.silent() }, reachingDefs(edit.func)) };
    const same = equivalence.compare(chain);
    if (same === null) return null;
    const obstacle = rounds.run.rejoin.joinBranches();
    if (obstacle !== null) return no("lanes", { ...said, reason: obstacle.reason, inst: obstacle.inst });
    if (!measured) return miss("policy", said);
    report(early, chain, same);
    return { edge: edgeName(chain), ...said, from: test.block, key, second };
  },
  apply(early, { from, join, target, key, second }) {
    early.threaded.add(key);
    count(early, second);
    early.edit.redirect(from, join, target);
  },
});

/** What the join computes is skipped on this edge: only its own condition, which nothing below reads, may be. */
function onlyTests({ edit }: EarlyState, { block, guard }: Test): boolean {
  const [inst, ...more] = edit.block(block).insts.slice(0, terminatorsOf(edit.block(block)).at);
  if (inst === undefined) return true;
  if (more.length > 0 || inst.op === "PHI" || effectOf(inst) !== "pure") return false;
  return defsOf(inst).every((r) => r === guard.reg && !liveness(edit.func).isLiveOut(block, r));
}

export const convergence = line("      not stated in the reference: no lane may reconverge elsewhere because the edge is removed", {
  stays: STAYS,
  missed: {
    convergence: { say: "{reason}", droppable: "lanes reconverge elsewhere, and a vote or a shuffle on the path sees more of them" },
  },
});

export const state = line(
  "    state[1..6] = the chain, one level further if it continues; the second matcher's in state[7..9]; nothing found: next block",
  {
    kind: "note",
    step: {
      one: "state[1] to state[4] contain the chain {path:blocks}, which ends there",
      further: "state[1] to state[6] contain the chain {path:blocks}, which goes on to {third:block}",
      renamed: "state[7] to state[9] contain the registers of the second matcher",
    },
  },
);

export const apply = rule<EarlyState, Edge>()({
  line: "    apply: X always follows the edge that B's branch has decided; examine B again // sub_753B50",
  done: "{second:block} is reached on the {edge} edge of {first:block} only, so it always continues in {target:block}",
  match(early, { test, taken }) {
    const { edit, remark, rounds } = early;
    const chain = followChain(edit, test, taken, early.skip);
    if (typeof chain === "string") {
      const to = taken ? test.taken : test.otherwise;
      const said = { block: test.block, to, blocks: [to] };
      if (chain === "no-branch" || chain === "cycle") return remark.missed(end, chain, said);
      return remark.missed(follow, chain, said);
    }
    const { second } = chain;
    remark.step(end, { edge: edgeName(chain), ...about(chain) });
    const same = early.equivalence.compare(chain);
    if (same === null) return null;
    const after = decidedTerminators(chain);
    const obstacle = rounds.run.rejoin.dropEdges(second.block, after);
    const said = () => ({ ...about(chain, same.defs), reason: obstacle?.reason ?? "" });
    if (!remark.holds(convergence, "convergence", obstacle === null, said)) return null;
    report(early, chain, same);
    const target = taken ? second.taken : second.otherwise;
    return { edge: edgeName(chain), target, ...about(chain), decided: second, after };
  },
  apply(early, { decided, after }) {
    count(early, decided);
    early.edit.setTerminators(decided.block, after);
    early.record.replaced(decided);
  },
});

function count({ rounds }: EarlyState, second: Test): void {
  rounds.run.tally.add("structural equivalence");
  rounds.run.work.lost.add(second.guard.reg);
}

const edgeName = ({ taken }: Chain): string => (taken ? "taken" : "other");

/** The second block's terminators once it is decided: a jump, or nothing where it falls through. */
function decidedTerminators({ second, taken }: Chain): Inst[] {
  const { branch, explicit } = second;
  if (taken) return [withGuard(branch, null)];
  if (!explicit) return [];
  return [withForm(branch, branch.op, [], [{ kind: "label", block: second.otherwise }], null)];
}

/** Which step found the two tests to be the same, and the state that the matchers leave. */
function report(early: EarlyState, chain: Chain, same: Same): void {
  const { edit, remark, view } = early;
  if (!remark.listening) return;
  const { first, second, path } = chain;
  const said = about(chain, same.defs);
  switch (same.step) {
    case "same-register":
      remark.matched(sameRegister, { ...said, p: same.p });
      break;
    case "same-definition":
      remark.matched(compare, { ...said, a: same.defs[0] });
      break;
    case "renamed":
      remark.matched(renamed, { ...said, source: same.source });
      break;
    case "equal-computation":
      remark.matched(deep, { ...said, a: same.defs[0], b: same.defs[1] });
  }
  const further = beyond(early, chain);
  const text = (inst: Inst | undefined): string | null => (inst === undefined ? null : printInst(edit.func, inst));
  const label = (block: BlockId): string => edit.block(block).label;
  const names = same.step === "renamed" ? [regName(same.source), text(same.copies[0]), text(same.copies.at(-1))] : [null, null, null];
  const third = further === null ? [null, null] : [text(further.branch), label(further.block)];
  const cells = [text(first.branch), text(second.branch), text(same.defs[0]), label(second.block), ...third, ...names];
  const show = (from: number, to: number): void => {
    for (let i = from; i <= to; i++) {
      const cell = cells[i - 1] ?? null;
      if (cell === null) view.remove(`state[${i}]`);
      else view.set(`state[${i}]`, cell);
    }
  };
  show(1, same.step === "renamed" ? 6 : 9);
  const nodes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => view.node(`state[${from + i}]`));
  if (further === null) remark.step(state, "one", { path, blocks: path, nodes: nodes(1, 4) });
  else remark.step(state, "further", { path, third: further.block, blocks: [...path, further.block], nodes: nodes(1, 6) });
  if (same.step !== "renamed") return;
  show(7, 9);
  remark.step(state, "renamed", { regs: [same.source], insts: same.copies, nodes: nodes(7, 9) });
}

/** One level further: the test that the decided edge leads to, which is compared when the block is examined again. */
function beyond({ edit, skip }: EarlyState, { second, taken }: Chain): Test | null {
  const next = followChain(edit, second, taken, skip);
  return typeof next === "string" ? null : next.second;
}
