/** An empty page to write in. */

import type { Session } from "../session/session.ts";
import { USUAL } from "../session/state.ts";

/** An empty text with the cursor in it; undo restores what was there, and it is among the recent works. */
export function startBlank(session: Session): void {
  const { actions } = session;
  actions.view.set({ welcome: false, welcomed: true });
  actions.document.openText({ text: "", title: "untitled", pipeline: USUAL });
  actions.view.set({ editorTab: "source" });
  actions.view.showPane("editor");
  // The editor takes the text over first. The field for typing has this role; the text areas next to it are the editor's own helpers.
  requestAnimationFrame(() => {
    const editor = document.querySelector("#pane-editor [data-editor]");
    const text = editor?.querySelector<HTMLElement>('[role="textbox"]') ?? editor?.querySelector<HTMLElement>("textarea");
    text?.focus();
  });
}
