/** The lab that is being written in this tab. `draft-keeper.ts` reads and saves it. */

import type { Session } from "../../../../app/session/session.ts";
import { draftIn, type LabDraft } from "../state.ts";

const UNDO = { label: "Undo", command: "lab.undo" } as const;

export const NO_DRAFT: LabDraft = { text: "", work: null, stored: true, former: null };

/** The draft, read when it is first wanted. */
export function draftOf({ store, patch }: Session): Promise<LabDraft> {
  const read = draftIn(store.getState().lab);
  if (read !== null) return Promise.resolve(read);
  return new Promise((resolve) => {
    const stop = store.subscribe(({ lab }) => {
      const draft = draftIn(lab);
      if (draft === null) return;
      stop();
      resolve(draft);
    });
    patch("lab", { draft: "wanted" });
  });
}

export const currentDraft = ({ store }: Session): LabDraft => draftIn(store.getState().lab) ?? NO_DRAFT;

/** The text as it was typed. */
export function setDraft(session: Session, text: string): void {
  session.patch("lab", { draft: { ...currentDraft(session), text } });
}

/** An empty draft; the one before is under Recent, and Undo brings it back. */
export function startAgain(session: Session): void {
  const former = currentDraft(session);
  session.patch("lab", { draft: { ...NO_DRAFT, former } });
  session.actions.notify("info", "The lab was put aside. It is under File, Recent.", UNDO);
}

/** Brings back the draft that was put aside; what was begun instead is put aside. */
export function undoDraft(session: Session): void {
  const { former, ...rest } = currentDraft(session);
  if (former !== null) session.patch("lab", { draft: { ...former, former: { ...rest, former: null } } });
}
