/** Synchronizes the model's text with the session's: typing is forwarded, and opened texts are inserted, long ones in pieces. */

import { selectSettled } from "../../session/selectors.ts";
import type { Session } from "../../session/session.ts";
import type { SessionState } from "../../session/state.ts";
import type { editor } from "./api.ts";
import { fillOf } from "./fill.ts";

export interface SourceText {
  /** Brings a text into the model; `begun` is called when its beginning is there: `came` unless the model had it, because it was typed there. */
  show(text: string, begun: (came: boolean) => void): void;
  /** Puts in what is left of a long text, and ends. */
  end(): void;
}

/** `complete`: a text that came in pieces is there. */
export function sourceText(model: editor.ITextModel, { store, actions }: Session, complete: () => void): SourceText {
  /** The model's text as it was passed on last: a long one is not copied to compare it. */
  let handedOn: string | null = null;
  let applying = false;
  const fill = fillOf(model, {
    edit: (change) => {
      applying = true;
      change();
      applying = false;
    },
    busy: () => !isAnswered(store.getState()),
    done: complete,
  });
  const typing = model.onDidChangeContent((event) => {
    if (applying || fill.waits) return;
    // The remaining pieces go in before any edit; one undo removes them all.
    handedOn = fill.rest === "" || event.isUndoing ? textAfter(model, handedOn, event) : model.getValue() + fill.rest;
    actions.document.setText(handedOn);
  });
  return {
    show(text, begun) {
      if (text === handedOn || text === model.getValue()) {
        begun(false);
        return;
      }
      handedOn = null;
      fill.begin(text, () => begun(true));
    },
    end() {
      fill.finish();
      typing.dispose();
    },
  };
}

/** Refuses a paste that is too long: tens of megabytes take Monaco seconds to insert. Returns a function that ends it. */
export function refuseLongPastes(element: HTMLElement, most: number, refused: (length: number) => void): () => void {
  const paste = (event: ClipboardEvent): void => {
    const length = event.clipboardData?.getData("text/plain").length ?? 0;
    if (length <= most) return;
    event.preventDefault();
    event.stopPropagation();
    refused(length);
  };
  element.addEventListener("paste", paste, true);
  return () => element.removeEventListener("paste", paste, true);
}

/** What the text leads to is on screen, or the text leads to nothing. */
const isAnswered = (state: SessionState): boolean =>
  selectSettled(state) || state.document.open?.ok === false || state.run.error !== null || state.engine.status === "failed";

/** The model's text after a change of the previous one; only the changed part of a long text is examined. */
function textAfter(model: editor.ITextModel, before: string | null, event: editor.IModelContentChangedEvent): string {
  if (before === null || event.isFlush || event.isEolChange) return model.getValue();
  // Each offset refers to the text before all changes: applied from the end, no change moves another one.
  const changes = event.changes.toSorted((a, b) => b.rangeOffset - a.rangeOffset);
  let text = before;
  for (const { rangeOffset, rangeLength, text: inserted } of changes)
    text = text.slice(0, rangeOffset) + inserted + text.slice(rangeOffset + rangeLength);
  return text.length === model.getValueLength() ? text : model.getValue();
}
