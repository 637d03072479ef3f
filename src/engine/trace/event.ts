/** The plain-data shape of an event, its facts and its focus. */

import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import type { EventKind } from "./kinds.ts";

/** A typed value inside an event: what the sentence is built from and what a breakpoint condition reads. */
export type FactValue = string | number | boolean | null | readonly (string | number)[];
export type Facts = Readonly<Record<string, FactValue>>;

/**
 * What an event is about. Everything is optional so that an event stays small.
 * `nodes` names cells of observed structures as `structureName/cellKey` (for example `scope-tree/n12`).
 */
export interface Focus {
  readonly blocks?: readonly BlockId[];
  readonly edges?: readonly (readonly [BlockId, BlockId])[];
  readonly insts?: readonly InstId[];
  /** Pairs of instruction and operand index (index into `Inst.ops`; -1 is the guard). */
  readonly operands?: readonly (readonly [InstId, number])[];
  readonly regs?: readonly Reg[];
  readonly nodes?: readonly string[];
}

/**
 * One step of a trace. `step` counts from 0; `parent` is the step of the enclosing span's first event, -1 at the top.
 * `line` is the 1-based line of the phase's pseudocode. `sentence` is built from the template and the facts.
 * A `match` event carries `facts.verdict` (`"yes" | "no"`) and, when refused, `facts.condition` (the condition that failed). Any decision may carry
 * `facts.about` (what it is about, when that is not its first instruction or block) and `facts.form` (how it is performed, where there are several forms).
 * `facts.otherPolicy`, `otherVerdict` and `otherAnswer` say what the other policy would decide there.
 */
export interface TraceEvent {
  readonly step: number;
  readonly parent: number;
  readonly depth: number;
  readonly kind: EventKind;
  readonly line: number;
  readonly sentence: string;
  readonly facts: Facts;
  readonly focus: Focus;
}

/**
 * Fills the places of a template with facts: `{count}` is the fact itself, `{count:block is|blocks are}` the words that go with
 * it, by its number or by how many it lists. An unknown name stays visible as `{name}` so that a typo shows.
 */
export function formatSentence(template: string, facts: Facts): string {
  return template.replace(/\{([A-Za-z0-9_]+)(?::([^|{}]*)\|([^{}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = facts[name];
    if (value === undefined) return whole;
    if (one !== undefined && many !== undefined) return (Array.isArray(value) ? value.length : value) === 1 ? one : many;
    if (value === null) return "none";
    if (Array.isArray(value)) return value.join(", ");
    return String(value);
  });
}
