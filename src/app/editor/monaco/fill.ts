/** Puts a long text into a model in pieces, a task each: all of it at once would keep the page from answering. Undo takes it back as one. */

import { editor, Range } from "./api.ts";

/** What Monaco takes in within some ten milliseconds. */
const PIECE = 150_000;
/** What waits, the engine's answer for instance, comes between two pieces. */
const PAUSE_MS = 4;
/** Whatever a person does finds the whole text. */
const DEEDS = ["keydown", "pointerdown", "paste", "drop", "beforeinput"] as const;

export interface Fill {
  /** What is still to be put at the end of the model. */
  readonly rest: string;
  /** Replaces the model's text, as one edit that can be undone. */
  begin(text: string): void;
  /** Puts the rest in at once. */
  finish(): void;
}

/** `edit` surrounds each change of the model; `done` is called once a text that came in pieces is complete. */
export function fillOf(model: editor.ITextModel, edit: (change: () => void) => void, done: () => void): Fill {
  let rest = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const put = (range: Range, text: string): void => edit(() => model.pushEditOperations([], [{ range, text }], () => null));
  const end = (): Range => {
    const line = model.getLineCount();
    const column = model.getLineMaxColumn(line);
    return new Range(line, column, line, column);
  };
  /** The next piece, which ends with a line. */
  const take = (most: number): string => {
    const at = rest.length <= most ? -1 : rest.lastIndexOf("\n", most - 1);
    const piece = at < 0 ? rest : rest.slice(0, at + 1);
    rest = rest.slice(piece.length);
    return piece;
  };
  const settle = (): void => {
    clearTimeout(timer);
    for (const deed of DEEDS) window.removeEventListener(deed, finish, true);
    model.pushStackElement();
  };
  const next = (): void => {
    put(end(), take(PIECE));
    if (rest !== "") {
      timer = setTimeout(next, PAUSE_MS);
      return;
    }
    settle();
    done();
  };
  const finish = (): void => {
    if (rest === "") return;
    put(end(), take(rest.length));
    settle();
    done();
  };
  return {
    get rest() {
      return rest;
    },
    begin(text) {
      finish();
      model.pushStackElement();
      rest = text;
      put(model.getFullModelRange(), take(PIECE));
      // An edit takes the line ends that the model has.
      const ends = text.includes("\r\n") ? editor.EndOfLineSequence.CRLF : editor.EndOfLineSequence.LF;
      if (model.getEndOfLineSequence() !== ends) edit(() => model.pushEOL(ends));
      if (rest === "") {
        settle();
        return;
      }
      for (const deed of DEEDS) window.addEventListener(deed, finish, true);
      timer = setTimeout(next, PAUSE_MS);
    },
    finish,
  };
}
