/** The one shape of a decision: what the other policy's answer, breakpoints, histories and 'Why' read from an event. */

import type { Facts, Focus } from "../trace/event.ts";
import type { EventKind } from "../trace/kinds.ts";

export interface Decision {
  /** Line of the pseudocode: `rules` in table order. */
  readonly line: number;
  readonly verdict: "yes" | "no";
  /** The reason's name of a refusal, "" when there is none. */
  readonly reason: string;
  /** How it is performed, "" where there is one form only. */
  readonly form: string;
  /** What it is about: `facts.about`, else its first instruction, else its first block. */
  readonly about: string;
}

/** The decision of an event; null for an event without one. */
export function decisionOf(kind: EventKind, line: number, facts: Facts, focus: Focus): Decision | null {
  const about = aboutOf(kind, facts, focus);
  if (about === null) return null;
  const verdict = (kind === "gate" ? facts.ok === true : facts.verdict === "yes") ? "yes" : "no";
  return { line, verdict, reason: verdict === "yes" ? "" : String(facts.condition ?? ""), form: String(facts.form ?? ""), about };
}

function aboutOf(kind: EventKind, facts: Facts, focus: Focus): string | null {
  if (kind === "gate") return facts.pipeline === true ? null : `gate ${String(facts.gate)}`;
  if (facts.verdict !== "yes" && facts.verdict !== "no") return null;
  return objectOf(facts, focus);
}

/** What facts and focus are about; null when that is nothing with a name. */
export function objectOf(facts: Facts, focus: Focus): string | null {
  if (typeof facts.about === "string") return facts.about;
  const inst = focus.insts?.[0];
  if (inst !== undefined) return `inst ${inst}`;
  const block = focus.blocks?.[0];
  return block === undefined ? null : `block ${block}`;
}
