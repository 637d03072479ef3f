/** Phase 30: finds chains of equality compares and lowers them to a jump table or a search tree, or leaves them as they are. */

import { reversePostOrder } from "../../analysis/order.ts";
import { Regrouping, seesOrder } from "../../analysis/switch-convergence.ts";
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
} from "../../analysis/switch-lower.ts";
import { type SwitchChain, scanSwitches } from "../../analysis/switch-scan.ts";
import { type Choice, chooseStrategy, type StrategyLimits, switchFacts } from "../../analysis/switch-strategy.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import { plural } from "../../text/plural.ts";
import type { Facts } from "../../trace/event.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { type CaseSets, collectCases } from "./case-sets.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { scanEvents } from "./scan-events.ts";
import { OtherPolicy, showDecision } from "./strategy-view.ts";

export const doSwitchOptSecond: Pass = {
  family: "do-switch-opt",
  ids: ["do-switch-opt-second"],
  summary: "Lowers chains of equality compares to jump tables or binary search trees by their number and density.",
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, rec } = ctx;
  if (rec.on) rec.event("note", LINE.start, "the rules of policy '{policy}' decide", { policy: ctx.policy });
  const profiled = edit.func.layout.find((id) => edit.block(id).weight !== null);
  if (profiled !== undefined) {
    const facts = { verdict: "no", condition: "profile", block: edit.block(profiled).label };
    if (rec.on)
      rec.event("match", LINE.profile, "a profile is attached ({block} has a weight): its layout is kept", facts, { blocks: [profiled] });
    return { matches: 0, rewrites: 0, why: "a profile is attached, and the code is laid out by it" };
  }
  return new SwitchOpt(ctx).run();
}

/** The function as it came in, for the head rule of policy 'measured'. */
function sourceOf({ module, edit }: PassContext): { readonly source?: Func } {
  const source = module.funcs.find((fn) => fn.name === edit.func.name);
  return source === undefined ? {} : { source };
}

class SwitchOpt {
  private readonly ctx: PassContext;
  private readonly limits: StrategyLimits;
  private readonly extended: boolean;
  private readonly budget: Budget;
  private readonly rpo: Int32Array;
  private readonly regrouping: Regrouping;
  private readonly other: OtherPolicy | null;
  private readonly refusals = new Map<string, number>();
  private matches = 0;
  private tables = 0;
  private trees = 0;
  private cases = 0;

  constructor(ctx: PassContext) {
    const { edit, knobs, policy, rec } = ctx;
    this.ctx = ctx;
    this.extended = knobs.flag("switch-opt-extended-pattern-match", LINE.interleaved);
    this.budget = knobs.budget("switch-opt-budget", LINE.budget);
    this.limits = {
      cascadeMax: knobs.int("switch-cascade-max-cases", LINE.notes),
      tableDensity: knobs.int("switch-table-density", LINE.notes),
      tableMinCases: knobs.int("switch-table-min-cases", LINE.measured),
    };
    this.rpo = reversePostOrder(edit.func).number;
    this.regrouping = new Regrouping(edit.func);
    this.other = rec.on ? new OtherPolicy(edit.func, policy, { extended: this.extended, ...sourceOf(ctx) }, this.limits) : null;
  }

  /** Everything is decided on the function as it came in; then the chains, which share no block, are lowered one after the other. */
  run(): PassOutcome {
    const { edit, rec, policy } = this.ctx;
    const fn = edit.func;
    if (rec.on) {
      const facts = { blocks: fn.layout.length, room: fn.layout.length + 2 };
      rec.event("note", LINE.setup, "room for {room} {room:case|cases}, two more than blocks", facts);
      rec.begin("span", LINE.scan, "scan {blocks} {blocks:block|blocks} for chains of compares", { blocks: fn.layout.length });
    }
    const options = { policy, extended: this.extended, takeCase: () => this.takeCase(), ...sourceOf(this.ctx) };
    const chains = scanSwitches(fn, options, rec.on ? scanEvents(fn, rec) : null).filter((chain) => chain.links.length > 1);
    if (rec.on) rec.end();
    const decided: { readonly chain: SwitchChain; readonly choice: Choice; readonly sets: CaseSets; readonly suffix: string }[] = [];
    for (const chain of chains) {
      this.matches++;
      const suffix = this.matches === 1 ? "" : ` ${this.matches}`;
      if (rec.on) this.openChain(chain);
      const sets = collectCases(fn, chain.links, this.rpo, rec, suffix);
      const choice = this.choose(chain, sets, suffix);
      if (choice !== null) decided.push({ chain, choice, sets, suffix });
      if (rec.on) rec.end();
    }
    for (const { chain, choice, sets, suffix } of decided) this.lower(chain, choice, sets, suffix);
    const rewrites = this.tables + this.trees;
    const figures = {
      chains: chains.length,
      cases: chains.reduce((n, c) => n + c.links.length, 0),
      tables: this.tables,
      trees: this.trees,
    };
    return { matches: this.matches, rewrites, why: rewrites > 0 ? null : this.why(), figures };
  }

  private takeCase(): boolean {
    const { limit } = this.budget;
    if (limit === null || this.cases < limit) {
      this.cases++;
      return true;
    }
    const { rec } = this.ctx;
    if (rec.on)
      rec.event("budget", LINE.budget, "SwitchOptBudget is spent: {spent} of {limit} {limit:case|cases}", { spent: this.cases, limit });
    return false;
  }

  /** The choice, when it is to be carried out. */
  private choose(chain: SwitchChain, sets: CaseSets, suffix: string): Choice | null {
    const { edit, policy, rec } = this.ctx;
    const choice = chooseStrategy(
      policy,
      chain.links.map((link) => link.value),
      this.limits,
    );
    const decision = { chain, facts: sets.facts, population: sets.byValue.size, choice, policy };
    if (this.other !== null) showDecision(rec, edit.func, decision, this.other, suffix);
    if (choice.strategy === "cascade") {
      this.refuse(chain, LINE.cascade, "cascade", "the compares of {head} stay: {reason}", { reason: choice.reason });
      return null;
    }
    const plan = planLowering(chain, choice.from);
    return this.allowed(chain, plan, choice) ? choice : null;
  }

  /** Conditions that the notes do not state, but without which the program's meaning would change. */
  private allowed(chain: SwitchChain, plan: LoweringPlan, choice: Choice): boolean {
    const fn = this.ctx.edit.func;
    const { range } = switchFacts(plan.cases.map((c) => c.value));
    if (choice.strategy === "table" && range > MAX_TABLE_ENTRIES) {
      const said = { range, most: MAX_TABLE_ENTRIES };
      this.refuse(
        chain,
        LINE.table,
        "table-too-large",
        "a table of {range} {range:entry|entries} would be larger than {most} (not stated in the notes)",
        said,
      );
      return false;
    }
    if (plan.links.length > MAX_LOWERED_LINKS) {
      const said = { cases: plan.links.length, most: MAX_LOWERED_LINKS };
      this.refuse(
        chain,
        LINE.chain,
        "chain-too-long",
        "{cases} {cases:case|cases} at {head} are more than {most}, which is as many as are lowered at once",
        said,
      );
      return false;
    }
    const { conflict } = phiValues(fn, plan);
    if (conflict !== null) {
      const target = conflict.ops[0]?.kind === "reg" ? regName(conflict.ops[0].reg) : "";
      const text =
        "the PHI of {phi} takes two values over what would be one edge, so the compares of {head} stay (not stated in the notes)";
      this.refuse(chain, LINE.phi, "phi-conflict", text, { phi: target });
      return false;
    }
    const lost = lostDefinition(fn, plan);
    if (lost !== null) {
      const said = { register: regName(lost.reg), block: getBlock(fn, lost.target).label };
      const text = "only a repeated value leads to {block} with a definition of {register}, which is read there (not stated in the notes)";
      this.refuse(chain, LINE.phi, "lost-definition", text, said, [lost.target]);
      return false;
    }
    return this.mayRegroup(chain, plan, choice);
  }

  private mayRegroup(chain: SwitchChain, plan: LoweringPlan, choice: Choice): boolean {
    const fn = this.ctx.edit.func;
    if (!this.regrouping.matters) return true;
    const blocks = plan.links.map((link) => link.block);
    const same = choice.strategy === "table" && tableKeepsGroups(plan, this.ctx.policy === "measured") && this.regrouping.sameEnd(blocks);
    const obstacle = this.regrouping.obstacle(blocks, same);
    if (obstacle === "capped") {
      this.refuse(chain, LINE.convergence, "too-large", "the code behind {head} is too large to prove that its lanes may be regrouped", {});
      return false;
    }
    if (obstacle !== null) {
      const what = seesOrder(obstacle.inst) ? "the order in which lanes arrive" : "which lanes arrive together";
      const said = { op: obstacle.inst.op, block: getBlock(fn, obstacle.block).label, what };
      const text = "{op} in {block} depends on {what}, so the compares of {head} stay (not stated in the notes)";
      this.refuse(chain, LINE.convergence, "convergence", text, said, [obstacle.block]);
      return false;
    }
    const dropped = droppedTargets(plan)[0];
    if (dropped === undefined) return true;
    // Without that edge, lanes may meet earlier than before, anywhere outside.
    const text = "only a repeated value leads to {block}; without it the lanes could meet earlier (not stated in the notes)";
    this.refuse(chain, LINE.convergence, "dropped-target", text, { block: getBlock(fn, dropped).label }, [dropped]);
    return false;
  }

  private lower(chain: SwitchChain, choice: Choice, sets: CaseSets, suffix: string): void {
    const { edit, rec, policy } = this.ctx;
    // A rewrite of this phase is one switch; the fuel of a run is spent here.
    if (!this.budget.take(LINE.chain)) {
      this.refuse(chain, LINE.budget, "fuel", "no rewrite is left for the switch at {head}", {});
      return;
    }
    if (rec.on) this.openChain(chain, choice);
    const own = choice.from === 0 ? sets : collectCases(edit.func, chain.links.slice(choice.from), this.rpo, rec, `${suffix} (suffix)`);
    const plan = { ...planLowering(chain, choice.from), cases: own.drain() };
    const at = (step: LoweringStep): void => rec.at(LINE[step]);
    const lowered = choice.strategy === "table" ? lowerToTable(edit, plan, policy === "measured", at) : lowerToTree(edit, plan, at);
    if (choice.strategy === "table") this.tables++;
    else this.trees++;
    if (rec.on) {
      this.showRewrite(chain, plan, lowered, choice);
      rec.end();
    }
  }

  private showRewrite(chain: SwitchChain, plan: LoweringPlan, lowered: LoweredSwitch, choice: Choice): void {
    const { edit, rec } = this.ctx;
    const table = lowered.table === null ? undefined : edit.func.tables.get(lowered.table);
    const gaps = table === undefined ? 0 : table.entries.filter((id) => id === plan.fallback).length;
    const facts: Facts = {
      verdict: "yes",
      head: edit.block(lowered.head).label,
      strategy: choice.strategy,
      form: choice.strategy === "tree" ? "tree" : this.ctx.policy === "measured" ? "table with a clamp" : "table behind a compare",
      cases: plan.cases.length,
      table: lowered.table ?? "none",
      entries: table?.entries.length ?? 0,
      toDefault: gaps,
      kept: choice.from,
      made: lowered.made.length,
      removed: plan.links.length - 1,
    };
    const template =
      lowered.table === null
        ? "{head} now starts a search tree over {cases} {cases:case|cases}: {made} {made:block|blocks} made, {removed} removed"
        : "{head} now goes through {table}: {entries} {entries:entry|entries} for {cases} {cases:case|cases}, {toDefault} of them to the default";
    const line = lowered.table === null ? LINE.tree : LINE.table;
    rec.event("rewrite", line, template, facts, { blocks: [lowered.head, ...lowered.made], regs: [chain.selector] });
  }

  private openChain(chain: SwitchChain, choice: Choice | null = null): void {
    const { edit, rec } = this.ctx;
    const blocks = chain.links.map((link) => link.block);
    const head = chain.links[choice?.from ?? 0]?.block;
    const facts = { head: head === undefined ? "" : edit.block(head).label, cases: chain.links.length, selector: regName(chain.selector) };
    const template =
      choice === null ? "{head} starts a chain of {cases} {cases:case|cases} of {selector}" : "lower the switch of {selector} at {head}";
    rec.begin("span", LINE.chain, template, facts, { blocks });
  }

  private refuse(chain: SwitchChain, line: number, condition: string, template: string, facts: Facts, also: readonly BlockId[] = []): void {
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    const { edit, rec } = this.ctx;
    const head = chain.links[0]?.block;
    if (!rec.on || head === undefined) return;
    const said = { ...facts, verdict: "no", condition, head: edit.block(head).label };
    rec.event("match", line, template, said, { blocks: [...chain.links.map((link) => link.block), ...also] });
  }

  private why(): string {
    if (this.matches === 0) return "no chain of two or more equality compares of one register";
    const reasons = [...this.refusals].map(([condition, n]) => `${condition}${n === 1 ? "" : ` (${n})`}`).join(", ");
    return `${plural(this.matches, "chain")} of compares, none lowered: ${reasons}`;
  }
}
