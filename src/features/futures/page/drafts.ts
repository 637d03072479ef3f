/** Texts that were typed into the edit dialog and not used. */

import type { Draft, EditHere, FuturesView } from "./futures-view.ts";

const MOST_DRAFTS = 20;

const isOf =
  (edit: EditHere) =>
  (draft: Draft): boolean =>
    draft.edit.run === edit.run && draft.edit.kernel === edit.kernel && draft.edit.text === edit.text;

/** The text as typed last; null: it was not changed. */
export const draftOf = ({ drafts }: FuturesView, edit: EditHere): string | null => drafts.find(isOf(edit))?.text ?? null;

/** The drafts with this text; the program's own text is none. */
export function withDraft({ drafts }: FuturesView, edit: EditHere, text: string): readonly Draft[] {
  const others = drafts.filter((draft) => !isOf(edit)(draft));
  return text === edit.text ? others : [...others, { edit, text }].slice(-MOST_DRAFTS);
}
