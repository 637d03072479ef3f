/** Value numbers by colour: instructions that compute the same value get the same swatch. Read from what the phase shows of its numbering. */

import type { FactValue, TraceEvent } from "../../../engine/trace/event.ts";
import type { ValueNumbers } from "../../session/value-numbers.ts";
import { plural } from "../../ui/plural.ts";
import { NO_LINKS, NO_NODES, type OverlayData } from "./overlay.ts";

/** Facts that may contain the number; the first one found is used. */
const FACTS = ["value", "number", "vn", "key", "index"] as const;

/** The numbers given by `value-number` events up to a step, later ones over earlier ones. */
export function valueNumbers(events: readonly TraceEvent[], step: number): ValueNumbers {
  const numbers = new Map<number, number>();
  for (const event of events) {
    if (event.kind !== "value-number" || event.step > step) continue;
    const number = numberOf(event.facts);
    const inst = event.focus.insts?.[0];
    if (number !== null && inst !== undefined) numbers.set(inst, number);
  }
  return numbers;
}

function numberOf(facts: Readonly<Record<string, FactValue>>): number | null {
  for (const name of FACTS) {
    const value = facts[name];
    if (typeof value === "number") return value;
    const digits = typeof value === "string" ? /\d+/.exec(value) : null;
    if (digits !== null) return Number(digits[0]);
  }
  return null;
}

export function valueOverlay(values: ValueNumbers | null): Omit<OverlayData, "kind"> {
  const note = "No value numbers yet at this step: they appear in phases that number values, such as Value numbering.";
  if (values === null || values.size === 0) return { nodes: NO_NODES, links: NO_LINKS, values: null, legend: [], note };
  const users = new Map<number, number>();
  for (const number of values.values()) users.set(number, (users.get(number) ?? 0) + 1);
  const shared = [...users].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]);
  return {
    nodes: NO_NODES,
    links: NO_LINKS,
    // The colour of a number that only one instruction has means nothing.
    values: new Map([...values].filter(([, number]) => (users.get(number) ?? 0) > 1)),
    legend: shared.slice(0, 6).map(([number, count]) => ({
      id: `v${number}`,
      swatch: { kind: "value", value: number },
      text: `value ${number}: ${plural(count, "instruction")}`,
    })),
    note: `${plural(values.size, "instruction has", "instructions have")} a number, ${plural(shared.length, "number is", "numbers are")} shared.`,
  };
}
