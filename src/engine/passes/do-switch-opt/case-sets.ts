/** The cases of one switch in the two red-black trees with 256-bit leaves: by value, whose population is the density, and by place of the target. */

import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { BitsetRbTree } from "../../structures/bitset-rb-tree.ts";
import type { CompareLink } from "./compare.ts";
import type { SwitchOptContext } from "./context.ts";
import type { SwitchCase } from "./lowering.ts";
import type { CaseRow } from "./rows.ts";
import { RULES } from "./rules.ts";
import { type SwitchFacts, switchFacts } from "./strategy.ts";

export interface CaseSets {
  readonly facts: SwitchFacts;
  /** Value - min, as unsigned 32-bit indices. */
  readonly byValue: BitsetRbTree;
  /** Empties the tree of targets and the case records from the highest reverse post-order number down and gives the cases in that order, first-wins only. */
  drain(): SwitchCase[];
}

/** `suffix` tells the structures of one switch from those of the next. `rpo` holds reverse post-order numbers by block id. */
export function collectCases(
  fn: Func,
  links: readonly CompareLink[],
  rpo: Int32Array,
  context: SwitchOptContext,
  remark: Remarks,
  suffix: string,
): CaseSets {
  const facts = switchFacts(links.map((link) => link.value));
  const byValue = new BitsetRbTree(remark.observe(`switch-values${suffix}`, "Case values, counted from the smallest", RULES.values));
  const byTarget = new BitsetRbTree(remark.observe(`switch-targets${suffix}`, "Target blocks by RPO number", RULES.targets));
  const rows = remark.shown.table<CaseRow>(`switch-cases${suffix}`, "Cases of the switch");
  const firsts: SwitchCase[] = [];
  const holder = {};
  context.begin(holder);
  for (const [number, link] of links.entries()) {
    const { value, target, block } = link;
    if (remark.listening) {
      byValue.obs.at(RULES.values, { blocks: [block, target] });
      byTarget.obs.at(RULES.targets, { blocks: [target] });
    }
    const counts = byValue.insert(value - facts.min);
    if (counts) {
      byTarget.insert(rpo[target] ?? 0);
      const one = { value, target };
      firsts.push(one);
      context.add(one, rpo[target] ?? 0);
    }
    rows.set(`c${number}`, () => ({
      value,
      index: value - facts.min,
      block: getBlock(fn, block).label,
      predicate: regName(link.predicate),
      target: getBlock(fn, target).label,
      rpo: rpo[target] ?? 0,
      counts,
    }));
    if (!counts) remark.missed(RULES.values, "repeated-value", { value, block, target });
  }
  const drain = (): SwitchCase[] => {
    // Another switch may have been collected since: all are decided before the first one is lowered.
    if (context.holder !== holder) {
      context.begin(holder);
      for (const one of firsts) context.add(one, rpo[one.target] ?? 0);
    }
    const cases: SwitchCase[] = [];
    byTarget.obs.at(RULES.drain);
    for (let n = byTarget.takeMax(); n >= 0; n = byTarget.takeMax()) {
      const list = context.take(n);
      for (const one of list) cases.push(one);
      const target = list[0]?.target;
      if (target !== undefined) remark.step(RULES.drain, { rpo: n, target, values: () => list.map((c) => c.value), block: target });
    }
    return cases;
  };
  return { facts, byValue, drain };
}
