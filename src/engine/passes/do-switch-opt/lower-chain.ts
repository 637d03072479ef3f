/** The rewrite of this phase: one chain becomes a table or a tree. */

import { rule } from "../../remark/rule.ts";
import { collectCases } from "./case-sets.ts";
import {
  type AtLine,
  type AtNode,
  LOWERING,
  type LoweredSwitch,
  type LoweringPlan,
  lowerToTable,
  lowerToTree,
  planLowering,
  treeDepth,
} from "./lowering.ts";
import { contextOf, type Decided, type State, saidOf } from "./state.ts";

export const chain = rule<State, Decided>()({
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
