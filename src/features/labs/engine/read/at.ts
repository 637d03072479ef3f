/** Places in a run as a lab writes them: `input`, `49`, `49:end`, `49:120`, or a phase with a condition. */

import { conditionProblem } from "../../../../engine/api/run/breakpoints.ts";
import type { At } from "../lab.ts";

export const INPUT: At = { kind: "input" };

/** Parses `at:`; a string says what is wrong. */
export function readAt(value: unknown): At | string {
  if (value === undefined || value === null || value === "input") return INPUT;
  if (typeof value === "number") return { kind: "start", phase: String(value) };
  if (typeof value === "string") return readText(value);
  if (typeof value !== "object" || Array.isArray(value)) return "expected input, PHASE, PHASE:end, PHASE:STEP or { phase, when, nth }";
  const { phase, when, nth = 1, ...rest } = value as Record<string, unknown>;
  const extra = Object.keys(rest)[0];
  if (extra !== undefined) return `there is no '${extra}' here; known are phase, when and nth`;
  if (typeof phase !== "number" && typeof phase !== "string") return "phase is missing";
  if (typeof when !== "string") return "when is missing: the condition that the event meets";
  if (typeof nth !== "number" || !Number.isInteger(nth) || nth < 1 || nth > 100_000) return "nth is a whole number from 1 up";
  const problem = conditionProblem(when);
  return problem === null ? { kind: "when", phase: String(phase), when, nth } : `when: ${problem}`;
}

/** `49`, `49:end`, `49:12`, `49#3` (the third rewrite). */
function readText(text: string): At | string {
  const [, phase = "", mark, rest = ""] = /^([\w.-]+)(?:([:#])(\w+))?$/.exec(text.trim()) ?? [];
  if (phase === "") return `'${text}' is no place: expected input, PHASE, PHASE:end, PHASE:STEP or PHASE#REWRITE`;
  if (mark === undefined) return { kind: "start", phase };
  if (mark === ":" && rest === "end") return { kind: "end", phase };
  if (!/^\d{1,7}$/.test(rest)) return `'${rest}' is neither end nor a number`;
  if (mark === ":") return { kind: "step", phase, step: Number(rest) };
  const nth = Number(rest);
  return nth < 1 ? "rewrites are counted from 1" : { kind: "when", phase, when: "kind = rewrite", nth };
}

/** As it is written. */
export function atText(at: At): string {
  switch (at.kind) {
    case "input":
      return "input";
    case "start":
      return at.phase;
    case "end":
      return `${at.phase}:end`;
    case "step":
      return `${at.phase}:${at.step}`;
    case "when":
      return `${at.phase}, event ${at.nth} with ${at.when}`;
  }
}
