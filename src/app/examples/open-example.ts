/** Opening an example. */

import type { Session } from "../session/session.ts";
import { USUAL } from "../session/state.ts";
import { messageOf } from "../ui/failure.ts";
import type { PhaseExample } from "./by-phase.ts";
import type { Example } from "./example.ts";

/** Opens an example at its phase. */
export async function openExample(session: Session, example: Example | PhaseExample): Promise<void> {
  const { actions } = session;
  try {
    const text = await example.load();
    const { id, title, format } = example;
    const kernel = "kernel" in example ? (example.kernel ?? null) : null;
    const pipeline = "options" in example ? { ...USUAL, ...example.options } : {};
    actions.document.openText({ text, title, format, example: id, origin: "example", pipeline, kernel });
    if (example.phase === null) actions.position.goToFirstChange();
    else actions.position.goToPhase(example.phase, "change");
    actions.view.set({ editorTab: "source" });
  } catch (error) {
    actions.notify("error", `The example could not be loaded: ${messageOf(error)}`);
  }
}
