/** Inserts a long text into a model in pieces, one task each: inserting all of it at once would block the page. One undo removes it. */

import { editor, Range } from "./api.ts";

/** What Monaco reads in about ten milliseconds. */
const PIECE = 150_000;
/** The part of a longer text that is shown first; the rest waits for the graph. */
const FIRST_PIECE = 20_000;
/** Waiting work, such as the engine's answer, runs between two pieces. */
const PAUSE_MS = 4;
/** How often, and at most how many times, the rest checks whether more urgent work is done. */
const WAIT_MS = 60;
const MOST_WAITS = 50;
/** Every action of the user finds the whole text. */
const DEEDS = ["keydown", "pointerdown", "paste", "drop", "beforeinput"] as const;

export interface Fill {
  /** What is still to be put at the end of the model. */
  readonly rest: string;
  /** The model still has the text before: nothing that happens to it counts. */
  readonly waits: boolean;
  /** Replaces the model's text, as one edit that can be undone; `begun` is called when its beginning is there, of a long text in a later task. */
  begin(text: string, begun: () => void): void;
  /** Inserts the rest immediately. */
  finish(): void;
}

export interface FillOptions {
  /** Surrounds each change of the model. */
  edit(change: () => void): void;
  /** Something more urgent is under way. */
  busy(): boolean;
  /** A text that came in pieces is complete. */
  done(): void;
}

export function fillOf(model: editor.ITextModel, { edit, busy, done }: FillOptions): Fill {
  let rest = "";
  let start: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const put = (range: Range, text: string): void => edit(() => model.pushEditOperations([], [{ range, text }], () => null));
  const end = (): Range => {
    const line = model.getLineCount();
    const column = model.getLineMaxColumn(line);
    return new Range(line, column, line, column);
  };
  /** The next piece, which ends at a line end. */
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
  /** Replaces the text before by the beginning of the new one. */
  const replace = (text: string, most: number): void => {
    put(model.getFullModelRange(), take(most));
    // An edit has the model's line ends.
    const ends = text.includes("\r\n") ? editor.EndOfLineSequence.CRLF : editor.EndOfLineSequence.LF;
    if (model.getEndOfLineSequence() !== ends) edit(() => model.pushEOL(ends));
  };
  const next = (waited: number): void => {
    if (waited < MOST_WAITS && busy()) {
      timer = setTimeout(next, WAIT_MS, waited + 1);
      return;
    }
    put(end(), take(PIECE));
    if (rest !== "") {
      timer = setTimeout(next, PAUSE_MS, MOST_WAITS);
      return;
    }
    settle();
    done();
  };
  const finish = (): void => {
    start?.();
    if (rest === "") return;
    put(end(), take(rest.length));
    settle();
    done();
  };
  return {
    get rest() {
      return rest;
    },
    get waits() {
      return start !== null;
    },
    begin(text, begun) {
      finish();
      model.pushStackElement();
      rest = text;
      if (text.length <= PIECE) {
        replace(text, PIECE);
        settle();
        begun();
        return;
      }
      for (const deed of DEEDS) window.addEventListener(deed, finish, true);
      start = () => {
        start = null;
        clearTimeout(timer);
        replace(text, FIRST_PIECE);
        begun();
        timer = setTimeout(next, PAUSE_MS, 0);
      };
      // The request to the engine comes first.
      timer = setTimeout(start, 0);
    },
    finish,
  };
}
