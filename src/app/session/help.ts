/** A feature's pages that explain things: opening one, and which one F1 opens. */

import type { Help } from "./feature.ts";
import { selectEvent, selectPhase } from "./selectors.ts";
import type { Session } from "./session.ts";
import type { SessionState } from "./state.ts";

/** Elements that a page is about carry its id here. */
const MARK = "data-handbook";
/** Marks a text in the language: the page is that of the word at the caret. */
export const WORD_AT_CARET = "word";

/** null if this page has none. */
export const helpOf = ({ features }: Pick<Session, "features">): Help | null =>
  features.find(({ help }) => help !== undefined)?.help ?? null;

/** Opens a page by its id, such as `phase:49`; null: the last one opened. */
export const openHelp = (session: Session, page: string | null): void => helpOf(session)?.open(session, page);

/** The page that the focused or pointed-at thing names, else that of the step's condition, else that of the open phase. */
export function pageHere(state: SessionState, root: Document): string {
  return markedHere(root) ?? pageOfStep(state);
}

/** The handbook page of the focused element, else of the one under the pointer. In a search field: of the highlighted option. */
export function markedHere(root: Document): string | null {
  const active = root.activeElement;
  const option = root.getElementById(active?.getAttribute("aria-activedescendant") ?? "");
  const pointed = [...root.querySelectorAll(":hover")].at(-1);
  for (const element of [option, active, pointed]) {
    const page = element?.closest(`[${MARK}]`)?.getAttribute(MARK);
    if (page === WORD_AT_CARET && active instanceof HTMLTextAreaElement) return pageAtCaret(active);
    if (page != null && page !== WORD_AT_CARET) return page;
  }
  return null;
}

function pageAtCaret({ value, selectionStart }: HTMLTextAreaElement): string | null {
  const from = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const word = wordAt(value.slice(from).split("\n", 1)[0] ?? "", selectionStart - from + 1);
  return word === "" ? null : `opcode:${word.toUpperCase()}`;
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
  const before = /(?<![\w.])[\w.]*$/.exec(line.slice(0, column - 1))?.[0] ?? "";
  const after = /^[\w.]*/.exec(line.slice(column - 1))?.[0] ?? "";
  return before + after;
}
