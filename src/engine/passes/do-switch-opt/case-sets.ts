/** The cases of one switch in the two red-black trees with 256-bit leaves: by value, whose population is the density, and by place of the target. */

import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import { BitsetRbTree } from "../../structures/bitset-rb-tree.ts";
import type { CompareLink } from "./compare.ts";
import type { SwitchOptContext } from "./context.ts";
import type { SwitchCase } from "./lowering.ts";
import type { CaseRow } from "./rows.ts";
import { type SwitchFacts, switchFacts } from "./strategy.ts";

export const CASES = {
  values: line("    for each case: value - min into the tree of values; a value that is there keeps its first target", {
    missed: {
      "repeated-value": {
        say: "{value} was met before, so the compare of {block} never leads to {target:block}",
        counts: false,
      },
    },
  }),
  targets: line("    for each case: into the record of its target's RPO number, and that number into the tree of targets", {
    kind: "note",
    step: "{value} is put into the record of {target:block}, RPO {rpo}",
  }),
};

export const drain = line("    drain the tree of targets from the highest number down: put each target's cases in their places", {
  step: "RPO {rpo} is {target:block}: put {values} in place",
  source: "branch-and-switch: Case Sort via BitsetRBTree",
});

export interface CaseSets {
  /** As the tree of values has them: its lowest and highest bit and how many are set. */
  facts(): SwitchFacts;
  /** Value - min, as unsigned 32-bit indices. */
  readonly byValue: BitsetRbTree;
  /** Empties the tree of targets and the case records from the highest reverse post-order number down and gives the cases in that order, first-wins only. */
  drain(): SwitchCase[];
}

/** `suffix` distinguishes the structures of one switch from those of the next. `rpo` has reverse post-order numbers by block id. */
export function collectCases(
  fn: Func,
  links: readonly CompareLink[],
  rpo: Int32Array,
  context: SwitchOptContext,
  remark: Remarks,
  suffix: string,
): CaseSets {
  // The tree counts from the smallest value.
  const { min: base } = switchFacts(links.map((link) => link.value));
  const byValue = new BitsetRbTree(remark.observe(`switch-values${suffix}`, "Case values, counted from the smallest", CASES.values));
  const byTarget = new BitsetRbTree(remark.observe(`switch-targets${suffix}`, "Target blocks by RPO number", CASES.targets));
  const rows = remark.shown.table<CaseRow>(`switch-cases${suffix}`, "Cases of the switch");
  const firsts: SwitchCase[] = [];
  const holder = {};
  context.begin(holder);
  for (const [number, link] of links.entries()) {
    const { value, target, block } = link;
    if (remark.listening) {
      byValue.obs.at(CASES.values, { blocks: [block, target] });
      byTarget.obs.at(CASES.targets, { blocks: [target] });
    }
    const counts = byValue.insert(value - base);
    const place = rpo[target] ?? 0;
    rows.set(`c${number}`, () => ({
      value,
      index: value - base,
      block: getBlock(fn, block).label,
      predicate: regName(link.predicate),
      target: getBlock(fn, target).label,
      rpo: place,
      counts,
    }));
    if (counts) {
      const one = { value, target };
      firsts.push(one);
      context.add(one, place);
      remark.step(CASES.targets, { value, target, rpo: place, block });
      byTarget.insert(place);
    }
    if (!counts) remark.missed(CASES.values, "repeated-value", { value, block, target });
  }
  const empty = (): SwitchCase[] => {
    // Another switch may have been collected since: all are decided before the first is lowered.
    if (context.holder !== holder) {
      context.begin(holder);
      for (const one of firsts) context.add(one, rpo[one.target] ?? 0);
    }
    const cases: SwitchCase[] = [];
    byTarget.obs.at(drain);
    for (let n = byTarget.takeMax(); n >= 0; n = byTarget.takeMax()) {
      const list = context.take(n);
      for (const one of list) cases.push(one);
      const target = list[0]?.target;
      if (target !== undefined) remark.step(drain, { rpo: n, target, values: () => list.map((c) => c.value), block: target });
    }
    return cases;
  };
  const facts = (): SwitchFacts => {
    const [min, max, distinct] = [base + byValue.min(), base + byValue.max(), byValue.countBits()];
    const range = max - min + 1;
    return { cases: links.length, distinct, min, max, range, density: distinct / range };
  };
  return { facts, byValue, drain: empty };
}
