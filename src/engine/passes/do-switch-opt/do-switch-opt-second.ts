/** Phase 30: finds chains of equality compares and lowers them to a jump table or a search tree, or leaves them as they are. */

import { plural } from "../../../base/plural.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { Regrouping, seesOrder } from "../../analysis/regrouping.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { type CaseSets, collectCases } from "./case-sets.ts";
import { SwitchOptContext } from "./context.ts";
import {
  droppedTargets,
  type LoweredSwitch,
  type LoweringPlan,
  type LoweringStep,
  lostDefinition,
  lowerToTable,
  lowerToTree,
  MAX_LOWERED_LINKS,
  MAX_TABLE_ENTRIES,
  phiValues,
  planLowering,
  tableKeepsGroups,
} from "./lowering.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { type SwitchChain, scanSwitches } from "./scan.ts";
import { type Choice, chooseStrategy, type StrategyLimits, switchFacts } from "./strategy.ts";
import { OtherPolicy, showDecision } from "./strategy-view.ts";

export const doSwitchOptSecond: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  records: RULES.records,
  readsPolicy: true,
  run,
};

/** The argument of sub_791F00 that tells phase 30 from a first pass; what the core does with it is not described. */
const SECOND_PASS = 1;

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, policy, knobs } = ctx;
  remark.step(RULES.start, { rules: policy === "notes" ? "as documented" : "as measured on ptxas 13" });
  const profiled = edit.func.layout.find((id) => edit.block(id).weight !== null);
  if (profiled === undefined) return new SwitchOpt(ctx).run();
  const left = knobs.int("profile-instrumentation-runs", RULES.profile);
  const scheduling = knobs.flag("profile-scheduling-mode", RULES.profile);
  if (left > 0 || scheduling) {
    if (left > 0) remark.step(RULES.profile, "instrumented", { block: profiled, left });
    else remark.step(RULES.profile, "scheduling", { block: profiled });
    return new SwitchOpt(ctx).run();
  }
  remark.missed(RULES.profile, "profile", { block: profiled });
  return remark.outcome({ matches: 0, why: "a profile is attached, and the code is laid out by it" });
}

/** The function as it came in, for the head rule of policy 'measured'. */
function sourceOf({ module, edit }: PassContext): { readonly source?: Func } {
  const source = module.funcs.find((fn) => fn.name === edit.func.name);
  return source === undefined ? {} : { source };
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

class SwitchOpt {
  private readonly ctx: PassContext;
  private readonly limits: StrategyLimits;
  private readonly extended: boolean;
  /** Cases that may be taken; null: any number. */
  private readonly mostCases: number | null;
  private rpo: Int32Array;
  private readonly context: SwitchOptContext;
  private regrouping: Regrouping;
  private other: OtherPolicy | null = null;
  private matches = 0;
  private tables = 0;
  private trees = 0;
  private cases = 0;

  constructor(ctx: PassContext) {
    const { edit, knobs, remark } = ctx;
    this.ctx = ctx;
    this.extended = knobs.flag("switch-opt-extended-pattern-match", RULES.interleaved);
    this.mostCases = knobs.budget("switch-opt-budget", RULES.budget).limit;
    this.limits = {
      cascadeMax: knobs.int("switch-cascade-max-cases", RULES.notes),
      tableDensity: knobs.int("switch-table-density", RULES.notes),
      tableMinCases: knobs.int("switch-table-min-cases", RULES.measured),
    };
    this.rpo = reversePostOrder(edit.func).number;
    this.context = new SwitchOptContext(edit.func.name, edit.func.layout.length, (id) => edit.block(id).label, remark);
    this.regrouping = new Regrouping(edit.func);
  }

  run(): PassOutcome {
    const { edit, remark, policy } = this.ctx;
    const { context } = this;
    remark.step(RULES.setup, { name: edit.func.name, second: SECOND_PASS, room: context.room });
    const chains = [...this.look(false)];
    // What the real compiler's second look finds has at least one case after another in the one form that it takes.
    if (policy === "measured" && this.hasNegated()) {
      remark.step(RULES.secondLook);
      this.rpo = reversePostOrder(edit.func).number;
      this.regrouping = new Regrouping(edit.func);
      chains.push(...this.look(true));
    }
    const cases = chains.reduce((n, c) => n + c.links.length, 0);
    return remark.outcome({
      matches: this.matches,
      why: this.why(),
      figures: { chains: chains.length, cases, tables: this.tables, trees: this.trees },
    });
  }

  /** Whether a second look can find anything: a compare in the one form that it goes on with. */
  private hasNegated(): boolean {
    const { source = this.ctx.edit.func } = sourceOf(this.ctx);
    return source.blocks.some((block) => {
      const branch = block === undefined ? undefined : terminatorsOf(block).insts[0];
      return branch?.op === "BRA" && branch.guard?.neg === true;
    });
  }

  /** Everything is decided on the function as it came in; then the chains, which share no block, are lowered one after the other. */
  private look(secondLook: boolean): readonly SwitchChain[] {
    const { edit, remark, policy } = this.ctx;
    const fn = edit.func;
    const count = fn.layout.length;
    const { context } = this;
    const scan = { extended: this.extended, ...sourceOf(this.ctx) };
    this.other = remark.listening ? new OtherPolicy(fn, policy, scan, this.limits) : null;
    const options = { policy, extended: this.extended, takeCase: () => this.takeCase(), secondLook, ...sourceOf(this.ctx) };
    const scanned = remark.span(RULES.scan, { count }, () => scanSwitches(fn, options, remark));
    const chains = scanned.filter((chain) => chain.links.length > 1);
    const decided: Decided[] = [];
    for (const chain of chains) {
      this.matches++;
      const suffix = this.matches === 1 ? "" : ` ${this.matches}`;
      const said = saidOf(chain);
      remark.open(RULES.chain, { ...said, cases: chain.links.length, selector: chain.selector });
      const sets = collectCases(fn, chain.links, this.rpo, context, remark, suffix);
      const choice = this.choose(chain, sets, suffix, said);
      if (choice !== null) decided.push({ chain, choice, sets, suffix });
      remark.close();
    }
    for (const one of decided) this.lower(one);
    return chains;
  }

  private takeCase(): boolean {
    const { mostCases: limit } = this;
    if (limit === null || this.cases < limit) {
      this.cases++;
      return true;
    }
    this.ctx.remark.step(RULES.budget, { spent: this.cases, limit });
    return false;
  }

  /** The choice, when it is to be carried out. */
  private choose(chain: SwitchChain, sets: CaseSets, suffix: string, said: Said): Choice | null {
    const { edit, policy, remark } = this.ctx;
    const choice = chooseStrategy(
      policy,
      chain.links.map((link) => link.value),
      this.limits,
      sets.byValue.countBits(),
    );
    const decision = { chain, facts: sets.facts, population: sets.byValue.countBits(), choice, policy };
    if (this.other !== null) showDecision(remark, edit.func, decision, this.other, suffix);
    if (choice.strategy === "cascade") return remark.missed(RULES.cascade, "cascade", { ...said, reason: choice.reason });
    return this.isAllowed(planLowering(chain, choice.from), choice, said) ? choice : null;
  }

  /** Conditions that the reference does not state, but without which the program's meaning would change. */
  private isAllowed(plan: LoweringPlan, choice: Choice, said: Said): boolean {
    const { edit, remark } = this.ctx;
    const fn = edit.func;
    const { range } = switchFacts(plan.cases.map((c) => c.value));
    if (choice.strategy === "table" && range > MAX_TABLE_ENTRIES) {
      remark.missed(RULES.table, "table-too-large", { ...said, range, most: MAX_TABLE_ENTRIES });
      return false;
    }
    if (plan.links.length > MAX_LOWERED_LINKS) {
      remark.missed(RULES.chain, "chain-too-long", { ...said, cases: plan.links.length, most: MAX_LOWERED_LINKS });
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
    return !this.regrouping.matters || this.mayRegroup(plan, choice, said);
  }

  private mayRegroup(plan: LoweringPlan, choice: Choice, said: Said): boolean {
    const { remark, policy } = this.ctx;
    const blocks = plan.links.map((link) => link.block);
    const same = choice.strategy === "table" && tableKeepsGroups(plan, policy === "measured") && this.regrouping.sameEnd(blocks);
    const obstacle = this.regrouping.obstacle(blocks, same);
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
    // Without that edge, lanes may meet earlier than before, anywhere outside.
    if (target === undefined) return true;
    return remark.holds(RULES.convergence, "dropped-target", false, { ...said, target, blocks: [...said.blocks, target] });
  }

  /** A rewrite of this phase is one switch. */
  private lower({ chain, choice, sets, suffix }: Decided): void {
    const { edit, remark, policy } = this.ctx;
    const { selector } = chain;
    remark.done(RULES.chain, { ...saidOf(chain, choice.from), selector }, () => {
      const links = chain.links.slice(choice.from);
      const own = choice.from === 0 ? sets : collectCases(edit.func, links, this.rpo, this.context, remark, `${suffix} (suffix)`);
      const plan = { ...planLowering(chain, choice.from), cases: own.drain() };
      const at = (step: LoweringStep): void => remark.at(RULES[step]);
      const lowered = choice.strategy === "table" ? lowerToTable(edit, plan, policy === "measured", at) : lowerToTree(edit, plan, at);
      if (choice.strategy === "table") this.tables++;
      else this.trees++;
      if (remark.listening) this.showLowered(plan, lowered);
    });
  }

  private showLowered({ cases, selector, fallback, links }: LoweringPlan, { head, made, table }: LoweredSwitch): void {
    const { edit, remark, policy } = this.ctx;
    const said = { head, cases: cases.length, blocks: [head, ...made], reg: selector };
    if (table === null) {
      remark.matched(RULES.tree, { ...said, made: made.length, removed: links.length - 1, form: "tree" });
      return;
    }
    const entries = edit.func.tables.get(table)?.entries ?? [];
    const toDefault = entries.filter((id) => id === fallback).length;
    const form = policy === "measured" ? "table with a clamp" : "table after a compare";
    remark.matched(RULES.table, { ...said, table, entries: entries.length, toDefault, form });
  }

  private why(): string {
    if (this.matches === 0) return "no chain of two or more equality compares of one register";
    const reasons = this.ctx.remark.reasons("number", [RULES.cascade, RULES.table, RULES.chain, RULES.phi, RULES.convergence]);
    return `${plural(this.matches, "chain")} of compares, none lowered: ${reasons}`;
  }
}

function saidOf(chain: SwitchChain, from = 0): Said {
  const blocks = chain.links.map((link) => link.block);
  // A chain has a link at every index that a choice names.
  return { head: blocks[from] ?? chain.fallback, blocks };
}
