/** What F1 is pressed on: the page that the focused or pointed-at thing names, else the step's condition, else the open phase. */

import { selectEvent, selectPhase } from "../session/selectors.ts";
import type { SessionState } from "../session/state.ts";

/** Elements that a page is about carry its id here. */
const MARK = "data-handbook";

export function pageHere(state: SessionState, root: Document): string {
  const focused = root.activeElement?.closest(`[${MARK}]`) ?? null;
  const pointed = [...root.querySelectorAll(":hover")].at(-1)?.closest(`[${MARK}]`) ?? null;
  return focused?.getAttribute(MARK) ?? pointed?.getAttribute(MARK) ?? pageOfStep(state);
}

/** A refusal is about its condition, everything else about its phase. */
function pageOfStep(state: SessionState): string {
  const phase = selectPhase(state);
  if (phase === null) return "";
  const facts = selectEvent(state)?.facts;
  const condition = facts?.verdict === "no" && typeof facts.condition === "string" ? facts.condition : null;
  return condition === null ? `phase:${phase.id}` : `condition:${phase.id}:${condition}`;
}

/** The word of an assembler's line at a column (from 1), with its modifiers: `ISETP.GE`. */
export function wordAt(line: string, column: number): string {
  const before = /[\w.]*$/.exec(line.slice(0, column - 1))?.[0] ?? "";
  const after = /^[\w.]*/.exec(line.slice(column - 1))?.[0] ?? "";
  return before + after;
}
