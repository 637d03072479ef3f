/** Listens for shortcuts on the whole window. */

import { helpOf, markedHere } from "../session/help.ts";
import type { Session } from "../session/session.ts";
import { findCommand, isTyping } from "./shortcuts.ts";

/** A dialog whose fields have no page keeps what was typed in it; the browser's own help would be about the browser. */
function helpInDialog(session: Session, event: KeyboardEvent): void {
  const help = helpOf(session);
  if (help === null) return;
  event.preventDefault();
  if (session.store.getState().view.dialog === help.dialog) return;
  const page = markedHere(document);
  if (page === null) session.actions.notify("info", "The handbook has no page about this part of the dialog.");
  else help.open(session, page);
}

/**
 * Returns a function that stops it. Keys held down repeat: the session never queues more than one request.
 * Shortcuts with a modifier are handled before anything in the page sees them (the editor has its own key chords); plain keys only
 * if nothing inside handled them.
 */
export function listenForShortcuts(session: Session): () => void {
  const handle = (event: KeyboardEvent, modified: boolean) => {
    if (event.defaultPrevented || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey || event.altKey || event.key === "F9" || event.key === "F1") !== modified) return;
    const state = session.store.getState();
    if (state.view.dialog !== null) {
      if (event.key === "F1") helpInDialog(session, event);
      return;
    }
    // The editors know the word that it is pressed on.
    if (event.key === "F1" && event.target instanceof Element && event.target.closest(".monaco-editor") !== null) return;
    // An open menu has the plain keys.
    if (!modified && event.target instanceof Element && event.target.closest('[role="menu"], [role="menubar"]') !== null) return;
    const command = findCommand(session.commands, event, { typing: isTyping(event.target), singleKeys: state.view.singleKeys });
    if (command === null) return;
    if (command.enabled(state)) {
      event.preventDefault();
      if (modified) event.stopPropagation();
      command.run(session);
    } else {
      if (modified) event.preventDefault();
      const why = command.otherwise?.(state) ?? "";
      if (why !== "") session.actions.notify("info", why);
    }
  };
  const early = (event: KeyboardEvent) => handle(event, true);
  const late = (event: KeyboardEvent) => handle(event, false);
  window.addEventListener("keydown", early, true);
  window.addEventListener("keydown", late);
  return () => {
    window.removeEventListener("keydown", early, true);
    window.removeEventListener("keydown", late);
  };
}
