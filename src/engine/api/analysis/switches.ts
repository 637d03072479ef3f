/** The compare chains of a function, and the three strategies measured for one of them. */

import { knobValue } from "../../config/knob-store.ts";
import type { KnobKey } from "../../config/knobs.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import { listSwitches, type SelectorDistribution, type SwitchReport, switchReport } from "../../passes/do-switch-opt/report.ts";
import type { Plan } from "../../pipeline/plan.ts";

export type { MeasuredCost, SelectorDistribution, StrategyReport, SwitchReport } from "../../passes/do-switch-opt/report.ts";

export interface SwitchRequest {
  /** Any block of a chain; null, or a block of none: the first chain. */
  readonly block: number | null;
  readonly distribution: SelectorDistribution;
}

export interface SwitchList {
  /** In reverse post-order. */
  readonly switches: readonly { readonly head: number; readonly label: string; readonly cases: number }[];
  /** Head of the chain reported on; null: there is none. */
  readonly head: number | null;
  readonly report: SwitchReport | null;
  /** The blocks that the report's labels name. */
  readonly blocks: readonly (readonly [label: string, block: number])[];
  readonly policy: "notes" | "measured";
}

export function switchList(fn: Func, plan: Pick<Plan, "policy" | "knobs">, { block, distribution }: SwitchRequest): SwitchList {
  const { policy, knobs } = plan;
  const number = (key: KnobKey): number => Number(knobValue(knobs, key) ?? 0);
  const extended = knobValue(knobs, "switch-opt-extended-pattern-match") === true;
  const limits = {
    cascadeMax: number("switch-cascade-max-cases"),
    tableDensity: number("switch-table-density"),
    tableMinCases: number("switch-table-min-cases"),
  };
  const found = listSwitches(fn, policy, extended);
  const switches = found.map(({ head, cases }) => ({ head, label: getBlock(fn, head).label, cases }));
  const reportOf = (id: BlockId): SwitchReport | null => switchReport(fn, id, { policy, limits, distribution, extended });
  const first = found[0]?.head;
  const asked = block === null || fn.blocks[block] === undefined ? null : reportOf(block as BlockId);
  const report = asked ?? (first === undefined ? null : reportOf(first));
  const labels = new Set(report === null ? [] : [report.head, report.fallback, ...report.cases.map((c) => c.target)]);
  const blocks = fn.layout.flatMap((id): [string, number][] => {
    const { label } = getBlock(fn, id);
    return labels.has(label) ? [[label, id]] : [];
  });
  return { switches, head: switches.find((s) => s.label === report?.head)?.head ?? null, report, blocks, policy };
}
