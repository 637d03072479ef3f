/** Phase 30: finds chains of equality compares and lowers them to a jump table or a search tree, or leaves them unchanged. */

import { plural } from "../../../base/plural.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { Regrouping, seesOrder } from "../../analysis/regrouping.ts";
import { FUNC_FLAG } from "../../ir/flags.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { ABOUT } from "./about.ts";
import { CASES, type CaseSets, collectCases, drain } from "./case-sets.ts";
import { COMPARE } from "./compare.ts";
import { SwitchOptContext } from "./context.ts";
import {
  type AtLine,
  type AtNode,
  droppedTargets,
  LOWERING,
  type LoweredSwitch,
  type LoweringPlan,
  lostDefinition,
  lowerToTable,
  lowerToTree,
  MAX_LOWERED_LINKS,
  MAX_TABLE_ENTRIES,
  phiValues,
  planLowering,
  tableKeepsGroups,
  treeDepth,
} from "./lowering.ts";
import { CHAIN, type SwitchChain, scanSwitches } from "./scan.ts";
import { type Choice, chooseStrategy, type StrategyLimits, switchFacts } from "./strategy.ts";
import { DECISION, OtherPolicy, showDecision } from "./strategy-view.ts";

interface State extends Pick<PassContext, "edit" | "remark" | "policy"> {
  readonly limits: StrategyLimits;
  /** SwitchOptExtendedPatternMatch. */
  readonly extended: boolean;
  /** SwitchOptBudget; null: any number. */
  readonly mostCases: number | null;
  /** Cases taken from the budget. */
  cases: number;
  /** The function as it came in, for the head rule of policy 'measured'. */
  readonly source: { readonly source?: Func };
  /** Made for the first chain. */
  context: SwitchOptContext | null;
  /** Of the function when it was scanned last. */
  rpo: Int32Array;
  regrouping: Regrouping;
  readonly chains: SwitchChain[];
  readonly lowered: Decided[];
}

/** A chain with what was decided about it. */
interface Decided {
  readonly chain: SwitchChain;
  readonly choice: Choice;
  readonly sets: CaseSets;
  /** Tells the structures of one switch from those of the next. */
  readonly suffix: string;
}

/** A chain, in remarks. */
interface Said {
  readonly head: BlockId;
  readonly blocks: readonly BlockId[];
}

/** A rewrite of this phase is one switch. */
const chain = rule<State, Decided>()({
  line: "  for each chain of two cases or more:",
  kind: "span",
  step: "{head:block} starts a chain of {cases} {cases:case|cases} of {selector:reg}",
  done: { kind: "span", say: "lower the switch of {selector:reg} at {head:block}" },
  because: "{head} starts a chain of compares of {selector} with constants",
  missed: {
    "chain-too-long": { say: "{cases} {cases:case|cases} at {head:block} are more than {most}, which is as many as are lowered at once" },
  },
  match: (_, decided) => ({ ...saidOf(decided.chain, decided.choice.from), selector: decided.chain.selector, decided }),
  apply(state, { decided }) {
    const { edit, remark, policy } = state;
    const { chain: found, choice, sets, suffix } = decided;
    const links = found.links.slice(choice.from);
    const own = choice.from === 0 ? sets : collectCases(edit.func, links, state.rpo, contextOf(state), remark, `${suffix} (suffix)`);
    const plan = { ...planLowering(found, choice.from), cases: own.drain() };
    const at: AtLine = (line) => remark.at(line);
    const made =
      choice.strategy === "table" ? lowerToTable(edit, plan, policy === "measured", at) : lowerToTree(edit, plan, at, sayNode(remark));
    state.lowered.push(decided);
    if (remark.listening) showLowered(state, plan, made);
  },
});

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
  setup: line("    the first chain: make the context of the switches if there is none, room for blocks + 2 // SwitchOptContext, +1288", {
    kind: "note",
    step: {
      made: "the context of {name} is made, room for {room} {room:case|cases}, two more than blocks",
      kept: "the context of {name} was made by an earlier run and is kept, room for {room} {room:case|cases}, two more than blocks",
    },
    source: "branch-and-switch: phase 30, sub_791F00(ctx, 1)",
  }),
  ...CASES,
  ...DECISION,
  cascade: line("    cascade: the compares stay", {
    missed: { cascade: { say: "the compares of {head:block} stay: {reason}" } },
  }),
  phi: line("    a PHI that takes two values over what becomes one edge: the compares stay", {
    missed: {
      "phi-conflict": {
        say: "the PHI of {phi:reg} takes two values over what would be one edge, so the compares of {head:block} stay (not stated in the reference)",
        droppable: "lanes of one case get the PHI's value for another",
      },
      "lost-definition": {
        say: "only a repeated value leads to {block:block} with a definition of {register:reg}, which is read there (not stated in the reference)",
        fixed:
          "No lane takes the edge of a repeated value, and if its definition was the only one, the register was already undefined on another path.",
      },
    },
  }),
  convergence: line("    lanes would reach code that depends on which lanes are together in other groups: the compares stay", {
    missed: {
      "too-large": { say: "the code after {head:block} is too large to prove that its lanes may be regrouped" },
      "depends-on-order": {
        code: "convergence",
        say: "{op} in {sees:block} depends on the order in which lanes arrive, so the compares of {head:block} stay (not stated in the reference)",
        fixed: "The order of the lanes is a race: where it matters, no result is the correct one.",
      },
      convergence: {
        say: "{op} in {sees:block} depends on which lanes arrive together, so the compares of {head:block} stay (not stated in the reference)",
        droppable: "lanes of two cases come to it together that came one group after the other",
      },
      "dropped-target": {
        say: "only a repeated value leads to {target:block}; without it the lanes could reconverge earlier (not stated in the reference)",
        droppable: "lanes reconverge before code that depends on which lanes are together",
      },
    },
  }),
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

function contextOf(state: State): SwitchOptContext {
  const { edit, remark } = state;
  const { name, layout, flags } = edit.func;
  if (state.context === null) {
    state.context = new SwitchOptContext(name, layout.length, (id) => edit.block(id).label, remark);
    remark.step(RULES.setup, (flags & FUNC_FLAG.SWITCH_CONTEXT) === 0 ? "made" : "kept", { name, room: state.context.room });
    edit.setFuncFlags(flags | FUNC_FLAG.SWITCH_CONTEXT);
  }
  return state.context;
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

/** Conditions that the reference does not state, but without which the program's meaning would change. */
function isAllowed(state: State, plan: LoweringPlan, choice: Choice, said: Said): boolean {
  const { edit, remark } = state;
  const fn = edit.func;
  const { range } = switchFacts(plan.cases.map((c) => c.value));
  if (choice.strategy === "table" && range > MAX_TABLE_ENTRIES) {
    remark.missed(LOWERING.table, "table-too-large", { ...said, range, most: MAX_TABLE_ENTRIES });
    return false;
  }
  if (plan.links.length > MAX_LOWERED_LINKS) {
    remark.missed(chain, "chain-too-long", { ...said, cases: plan.links.length, most: MAX_LOWERED_LINKS });
    return false;
  }
  const phi = phiValues(fn, plan).conflict?.ops[0];
  if (phi?.kind === "reg" && !remark.holds(RULES.phi, "phi-conflict", false, { ...said, phi: phi.reg })) return false;
  const lost = lostDefinition(fn, plan);
  if (lost !== null) {
    const where = { ...said, block: lost.target, register: lost.reg, blocks: [...said.blocks, lost.target] };
    remark.missed(RULES.phi, "lost-definition", where);
    return false;
  }
  return !state.regrouping.matters || mayRegroup(state, plan, choice, said);
}

function mayRegroup({ remark, policy, regrouping }: State, plan: LoweringPlan, choice: Choice, said: Said): boolean {
  const blocks = plan.links.map((link) => link.block);
  const same = choice.strategy === "table" && tableKeepsGroups(plan, policy === "measured") && regrouping.sameEnd(blocks);
  const obstacle = regrouping.obstacle(blocks, same);
  if (obstacle === "capped") {
    remark.missed(RULES.convergence, "too-large", said);
    return false;
  }
  if (obstacle !== null) {
    const { inst, block: sees } = obstacle;
    const where = { ...said, op: inst.op, sees, blocks: [...said.blocks, sees] };
    if (seesOrder(inst)) return remark.missed(RULES.convergence, "depends-on-order", where) !== null;
    if (!remark.holds(RULES.convergence, "convergence", false, where)) return false;
  }
  const [target] = droppedTargets(plan);
  // Without that edge, lanes may reconverge earlier than before, anywhere outside.
  if (target === undefined) return true;
  return remark.holds(RULES.convergence, "dropped-target", false, { ...said, target, blocks: [...said.blocks, target] });
}

function showLowered(
  { edit, remark, policy }: State,
  { cases, selector, fallback, links }: LoweringPlan,
  { head, made, table }: LoweredSwitch,
): void {
  const said = { head, cases: cases.length, blocks: [head, ...made], reg: selector };
  if (table === null) {
    remark.matched(LOWERING.tree, { ...said, made: made.length, removed: links.length - 1, depth: treeDepth(cases.length), form: "tree" });
    return;
  }
  const entries = edit.func.tables.get(table)?.entries ?? [];
  const toDefault = entries.filter((id) => id === fallback).length;
  const form = policy === "measured" ? "table with a clamp" : "table after a compare";
  remark.matched(LOWERING.table, { ...said, table, entries: entries.length, toDefault, form });
}

/** Each node of the tree, from its root, before its edits. */
const sayNode =
  (remark: State["remark"]): AtNode =>
  (node, block, one) => {
    if (!remark.listening) return;
    const { lo, hi, depth } = node;
    const about = { block, lo, hi, depth };
    if (node.kind === "empty") remark.step(LOWERING.leaf, "empty", about);
    else if (node.kind === "leaf") remark.step(LOWERING.leaf, "one", { ...about, value: one?.value ?? 0 });
    else if (node.kind === "less") remark.step(LOWERING.less, { ...about, mid: node.case, value: one?.value ?? 0 });
    else remark.step(LOWERING.equal, { ...about, value: one?.value ?? 0, target: one?.target ?? block });
  };

function whyNone({ remark, chains }: State): string {
  if (chains.length === 0) return "no chain of two or more equality compares of one register";
  const reasons = remark.reasons("number", [RULES.cascade, LOWERING.table, chain, RULES.phi, RULES.convergence]);
  return `${plural(chains.length, "chain")} of compares, none lowered: ${reasons}`;
}

function saidOf({ links, fallback }: SwitchChain, from = 0): Said {
  const blocks = links.map((link) => link.block);
  // A chain has a link at every index that a choice names.
  return { head: blocks[from] ?? fallback, blocks };
}
