/** What became of an instruction under value numbering, read from its history in the run. Pure. */

import type { HistoryItem } from "../../../engine/api/types.ts";

export interface ValueOutcome {
  /** As the numbering saw it; null: nothing is known of it. */
  readonly text: string | null;
  readonly verdict: "leader" | "replaced" | "kept" | "unseen";
  /** `T6`, `overwritten`, …; empty where the event names none. */
  readonly condition: string;
  readonly why: string;
  /** The step that decided; null: none did. */
  readonly step: number | null;
}

/** What each condition of the reference and of its callers asks. */
export const CONDITION_TITLES: Readonly<Record<string, string>> = {
  T4: "the leader's block dominates this one",
  T5: "no MOV of its result follows the leader",
  copy: "it is not already a MOV",
  scope: "this mode may use leaders of the leader's block",
  T6: "a hit: a MOV from the leader",
  overwritten: "the leader's register still holds the value",
  "register-class": "the register can be copied into this one",
  leader: "first of its value: the leader",
  barrier: "no barrier ends the scope before it",
  eligible: "its opcode may be commoned",
};

/** Conditions under which an instruction becomes the leader of its value. */
export const LEADS: ReadonlySet<string> = new Set(["leader"]);

/** `items` is the history of the instruction `inst`, in order; later verdicts win, but a replacement stays one. */
export function outcomeOf(inst: number, items: readonly HistoryItem[]): ValueOutcome {
  let text: string | null = null;
  let outcome: Omit<ValueOutcome, "text"> = {
    verdict: "unseen",
    condition: "",
    why: "It was not examined: the scope ended before it.",
    step: null,
  };
  for (const { kind, facts, focus, sentence, step } of items) {
    if (focus.insts?.[0] !== inst) continue;
    if (text === null && typeof facts.inst === "string") text = facts.inst;
    const condition = typeof facts.condition === "string" ? facts.condition : "";
    if (kind === "rewrite") outcome = { verdict: "replaced", condition: condition === "" ? "join" : condition, why: sentence, step };
    if (kind !== "match" || facts.verdict !== "no" || outcome.verdict === "replaced") continue;
    const why = typeof facts.why === "string" ? facts.why : sentence;
    outcome = { verdict: LEADS.has(condition) ? "leader" : "kept", condition, why, step };
  }
  return { text, ...outcome };
}
