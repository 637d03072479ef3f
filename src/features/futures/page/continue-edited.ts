/** From a text that was edited in the dialog to a future that runs it. */

import type { Session } from "../../../app/session/session.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import type { Diagnostic } from "../../../engine/api/types.ts";
import { withDraft } from "./drafts.ts";
import type { EditHere } from "./futures-view.ts";

/** Makes the future and closes the dialog; what is wrong with the text otherwise. Never rejects. */
export async function continueEdited(session: Session, edit: EditHere, text: string): Promise<readonly Diagnostic[]> {
  const { actions, api, patch, store } = session;
  try {
    const problems = await api.checkEdit(edit.kernel, text);
    const { futuresView } = store.getState();
    // Closed meanwhile, perhaps with its program.
    if (problems.length > 0 || futuresView.edit !== edit) return problems;
    patch("futuresView", { edit: null, drafts: withDraft(futuresView, edit, edit.text) });
    if (text !== edit.text) actions.futures.fork([{ kind: "edit", run: edit.run, text }]);
    else actions.notify("info", "The program was not changed, so there is no new future.");
  } catch (error) {
    actions.notify("error", `The text could not be checked: ${messageOf(error)}`);
  }
  return [];
}
