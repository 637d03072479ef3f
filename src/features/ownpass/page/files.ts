/** A pass as a file. */

import type { Session } from "../../../app/session/session.ts";
import { chooseFile, download, safeName } from "../../../app/share/download.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import { MAX_PASS } from "../../../links/link-data.ts";
import { tooLongForPass } from "./actions.ts";

/** What a source within the limit of characters has at most, in UTF-8. */
const MOST_BYTES = 3 * MAX_PASS;

/** Lets the person choose a file with a pass. Never rejects. */
export async function openPassFile(session: Session): Promise<void> {
  const { actions } = session;
  const file = await chooseFile(".ts,.mts,.js,.mjs,.txt");
  if (file === null) return;
  if (file.size > MOST_BYTES) {
    actions.notify("error", `${file.name} has ${file.size.toLocaleString("en")} bytes: too large for a pass.`);
    return;
  }
  try {
    const source = await file.text();
    const problem = tooLongForPass(source);
    if (problem !== null) {
      actions.notify("error", `${file.name} cannot be opened: ${problem}.`);
      return;
    }
    actions.ownpass.open({ source, title: file.name.replace(/\.[a-z]+$/i, "") });
    actions.view.set({ editorTab: "pass" });
  } catch (error) {
    actions.notify("error", `${file.name} could not be read: ${messageOf(error)}`);
  }
}

export function downloadPass({ store }: Session): void {
  const { source, title } = store.getState().ownpass;
  if (source !== null) download(`${safeName(title)}.ts`, source, "text/typescript");
}
