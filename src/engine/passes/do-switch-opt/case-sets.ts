/** The cases of one switch in the two red-black trees with 256-bit leaves: by value, whose population is the density, and by place of the target. */

import type { CompareLink } from "../../analysis/switch-compare.ts";
import type { SwitchCase } from "../../analysis/switch-lower.ts";
import { type SwitchFacts, switchFacts } from "../../analysis/switch-strategy.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import { BitsetRbTree } from "../../structures/bitset-rb-tree.ts";
import { NO_STRUCTURE, type Recorder } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

export interface CaseSets {
  readonly facts: SwitchFacts;
  /** Value - min, as unsigned 32-bit indices. */
  readonly byValue: BitsetRbTree;
  /** Empties the tree of targets from the highest reverse post-order number down and gives the cases in that order, first-wins only. */
  drain(): SwitchCase[];
}

/** `suffix` tells the structures of one switch from those of the next. `rpo` holds reverse post-order numbers by block id. */
export function collectCases(fn: Func, links: readonly CompareLink[], rpo: Int32Array, rec: Recorder, suffix: string): CaseSets {
  const facts = switchFacts(links.map((link) => link.value));
  const byValue = new BitsetRbTree({
    rec,
    name: `switch-values${suffix}`,
    title: "Case values, counted from the smallest",
    line: LINE.values,
  });
  const byTarget = new BitsetRbTree({ rec, name: `switch-targets${suffix}`, title: "Target blocks by RPO number", line: LINE.targets });
  const rows = rec.on ? rec.structure("table", `switch-cases${suffix}`, "Cases of the switch") : NO_STRUCTURE;
  const label = (id: BlockId): string => getBlock(fn, id).label;
  const firsts = new Map<BlockId, SwitchCase[]>();
  for (const [number, link] of links.entries()) {
    const { value, target, block } = link;
    if (rec.on) {
      byValue.obs.at(LINE.values, { blocks: [block, target] });
      byTarget.obs.at(LINE.targets, { blocks: [target] });
    }
    const fresh = byValue.insert(value - facts.min);
    if (fresh) {
      byTarget.insert(rpo[target] ?? 0);
      const list = firsts.get(target);
      if (list === undefined) firsts.set(target, [{ value, target }]);
      else list.push({ value, target });
    }
    if (rec.on) {
      const row = {
        value,
        index: value - facts.min,
        block: label(block),
        predicate: regName(link.predicate),
        target: label(target),
        rpo: rpo[target] ?? 0,
        counts: fresh,
      };
      rec.cell(rows, `c${number}`, row);
      if (!fresh) {
        const said = { verdict: "no", condition: "repeated-value", value, block: label(block), target: label(target) };
        rec.event("match", LINE.values, "{value} was met before, so the compare of {block} never leads to {target}", said, {
          blocks: [block],
        });
      }
    }
  }
  const drain = (): SwitchCase[] => {
    const byNumber = new Map<number, SwitchCase[]>();
    for (const [target, list] of firsts) byNumber.set(rpo[target] ?? 0, list);
    const cases: SwitchCase[] = [];
    byTarget.obs.at(LINE.drain);
    for (let n = byTarget.takeMax(); n >= 0; n = byTarget.takeMax()) {
      const list = byNumber.get(n) ?? [];
      for (const one of list) cases.push(one);
      const target = list[0]?.target;
      if (rec.on && target !== undefined) {
        const said = { rpo: n, target: label(target), values: list.map((c) => c.value) };
        rec.event("visit", LINE.drain, "RPO {rpo} is {target}: put {values} in place", said, { blocks: [target] });
      }
    }
    return cases;
  };
  return { facts, byValue, drain };
}
