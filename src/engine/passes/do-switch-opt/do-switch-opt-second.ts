/** Phase 30: finds chains of equality compares and lowers them to a jump table or a search tree, or leaves them unchanged. */

import { plural } from "../../../base/plural.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { Regrouping } from "../../analysis/regrouping.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { ABOUT } from "./about.ts";
import { ALLOWED, isAllowed } from "./allowed.ts";
import { CASES, type CaseSets, collectCases, drain } from "./case-sets.ts";
import { COMPARE } from "./compare.ts";
import { chain } from "./lower-chain.ts";
import { LOWERING, planLowering } from "./lowering.ts";
import { CHAIN, type SwitchChain, scanSwitches } from "./scan.ts";
import { contextOf, type Decided, type Said, type State, saidOf, setup } from "./state.ts";
import { type Choice, chooseStrategy } from "./strategy.ts";
import { DECISION, OtherPolicy, showDecision } from "./strategy-view.ts";

const RULES = rules({
  start: line("DoSwitchOptSecond(function):", { kind: "note", step: "it decides {rules}, in the second pass (argument {second})" }),
  profile: line(
    "  a profile is attached, no instrumentation runs are left, profile scheduling is off: leave every switch as it is // +1404; +1400 = 0; +1377 bit 3 clear",
    {
      kind: "note",
      step: {
        instrumented:
          "a profile is attached ({block} has a weight), but {left} instrumentation {left:run is|runs are} left, so switches are examined",
        scheduling: "a profile is attached ({block} has a weight), but profile-scheduling-mode is set, so switches are examined",
      },
      missed: { profile: { say: "a profile is attached ({block} has a weight): its layout is kept" } },
      source: "branch-and-switch: PGO Early-Exit Guard",
    },
  ),
  scan: line("  for each block in that order, unless a chain has taken it:", {
    kind: "span",
    step: "scan {count} {count:block|blocks} for chains of compares",
  }),
  secondLook: line("  measured: scan once more what stays; there a case continues a chain only as ISETP.NE with @!P", {
    kind: "note",
    policy: "measured",
    step: "what stays is examined once more: ptxas makes one more table of a run, where all but its first case are ISETP.NE with @!P",
  }),
  ...COMPARE,
  ...CHAIN,
  chain,
  setup,
  ...CASES,
  ...DECISION,
  cascade: line("    cascade: the compares stay", {
    missed: { cascade: { say: "the compares of {head:block} stay: {reason}" } },
  }),
  ...ALLOWED,
  drain,
  ...LOWERING,
  records: line("AnalyzeControlFlow, incremental, when the graph changed // sub_781F80, force = 0", BRIEF),
});

export const doSwitchOptSecond: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  records: RULES.records,
  readsPolicy: true,
  run,
};

/** The argument of sub_791F00 that distinguishes phase 30 from a first pass; what the core does with it is not described. */
const SECOND_PASS = 1;

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, policy, knobs } = ctx;
  remark.step(RULES.start, { rules: policy === "notes" ? "as documented" : "as measured on ptxas 13", second: SECOND_PASS });
  const profiled = edit.func.layout.find((id) => edit.block(id).weight !== null);
  if (profiled === undefined) return lowerSwitches(stateOf(ctx));
  const left = knobs.int("profile-instrumentation-runs", RULES.profile);
  const scheduling = knobs.flag("profile-scheduling-mode", RULES.profile);
  if (left > 0 || scheduling) {
    if (left > 0) remark.step(RULES.profile, "instrumented", { block: profiled, left });
    else remark.step(RULES.profile, "scheduling", { block: profiled });
    return lowerSwitches(stateOf(ctx));
  }
  remark.missed(RULES.profile, "profile", { block: profiled });
  return remark.outcome({ matches: 0, why: "a profile is attached, and the code is laid out by it" });
}

function stateOf({ edit, knobs, remark, policy, module }: PassContext): State {
  const source = module.funcs.find((fn) => fn.name === edit.func.name);
  return {
    edit,
    remark,
    policy,
    extended: knobs.flag("switch-opt-extended-pattern-match", CHAIN.interleaved),
    mostCases: knobs.budget("switch-opt-budget", CHAIN.budget).limit,
    cases: 0,
    limits: {
      cascadeMax: knobs.int("switch-cascade-max-cases", DECISION.notes),
      tableDensity: knobs.int("switch-table-density", DECISION.notes),
      tableMinCases: knobs.int("switch-table-min-cases", DECISION.measured),
    },
    source: source === undefined ? {} : { source },
    context: null,
    rpo: reversePostOrder(edit.func).number,
    regrouping: new Regrouping(edit.func),
    chains: [],
    lowered: [],
  };
}

function lowerSwitches(state: State): PassOutcome {
  const { edit, remark, policy, chains, lowered } = state;
  scanAndLower(state, false);
  // What the real compiler's second scan finds has at least two consecutive cases in the one form that it accepts.
  if (policy === "measured" && hasNegated(state)) {
    remark.step(RULES.secondLook);
    state.rpo = reversePostOrder(edit.func).number;
    state.regrouping = new Regrouping(edit.func);
    scanAndLower(state, true);
  }
  const count = (strategy: Choice["strategy"]): number => lowered.filter(({ choice }) => choice.strategy === strategy).length;
  const cases = chains.reduce((n, { links }) => n + links.length, 0);
  const figures = { chains: chains.length, cases, tables: count("table"), trees: count("tree") };
  return remark.outcome({ matches: chains.length, why: whyNone(state), figures });
}

/** Whether a second scan can find anything: a compare in the one form that continues a chain there. */
function hasNegated({ edit, source: { source = edit.func } }: State): boolean {
  return source.blocks.some((block) => {
    const branch = block === undefined ? undefined : terminatorsOf(block).insts[0];
    return branch?.op === "BRA" && branch.guard?.neg === true;
  });
}

/** Everything is decided on the unchanged function; then the chains, which share no block, are lowered one after the other. */
function scanAndLower(state: State, secondLook: boolean): void {
  const { edit, remark, policy, extended, source } = state;
  const fn = edit.func;
  const other = remark.listening ? new OtherPolicy(fn, policy, { extended, ...source }, state.limits) : null;
  const options = { policy, extended, takeCases: (count: number) => takeCases(state, count), secondLook, ...source };
  const scanned = remark.span(RULES.scan, { count: fn.layout.length }, () => scanSwitches(fn, options, remark));
  const decided: Decided[] = [];
  for (const found of scanned) {
    const { links, selector } = found;
    if (links.length < 2) continue;
    state.chains.push(found);
    const number = state.chains.length;
    const suffix = number === 1 ? "" : ` ${number}`;
    const said = saidOf(found);
    remark.open(chain, { ...said, cases: links.length, selector });
    const sets = collectCases(fn, links, state.rpo, contextOf(state), remark, suffix);
    const choice = choose(state, found, sets, suffix, said, other);
    if (choice !== null) decided.push({ chain: found, choice, sets, suffix });
    remark.close();
  }
  for (const one of decided) chain.look(state, one)?.request()?.commit();
}

function takeCases(state: State, count: number): boolean {
  const { mostCases: limit, cases: spent } = state;
  if (limit === null || spent + count <= limit) {
    state.cases += count;
    return true;
  }
  state.remark.step(CHAIN.budget, { spent, limit });
  return false;
}

/** Source: branch-and-switch: SwitchOptBudget, the default strategy. */
const BEYOND_BUDGET: Choice = { strategy: "tree", from: 0, reason: "SwitchOptBudget is spent, and its default is a tree" };

/** The choice, when it is applied. */
function choose(state: State, found: SwitchChain, sets: CaseSets, suffix: string, said: Said, other: OtherPolicy | null): Choice | null {
  const { edit, policy, remark, limits } = state;
  const facts = sets.facts();
  const values = found.links.map((link) => link.value);
  const choice = found.beyondBudget ? BEYOND_BUDGET : chooseStrategy(policy, values, limits, facts);
  const decision = { chain: found, facts, choice, policy };
  if (other !== null) showDecision(remark, edit.func, decision, other, suffix);
  if (choice.strategy === "cascade") return remark.missed(RULES.cascade, "cascade", { ...said, reason: choice.reason });
  return isAllowed(state, planLowering(found, choice.from), choice, said) ? choice : null;
}

function whyNone({ remark, chains }: State): string {
  if (chains.length === 0) return "no chain of two or more equality compares of one register";
  const reasons = remark.reasons("number", [RULES.cascade, LOWERING.table, chain, ALLOWED.phi, ALLOWED.convergence]);
  return `${plural(chains.length, "chain")} of compares, none lowered: ${reasons}`;
}
