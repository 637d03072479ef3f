/** Answers about places of an imported text; it is read for this at the first question only. */

import type { SourceNote as PlaceNote, SourceReader } from "../../import/source-note.ts";
import type { ReadResult } from "./read-with.ts";
import type { Readers } from "./readers.ts";

/** What a position of the text means, and the Ori registers that a register of the text became. */
export interface SourceNote extends PlaceNote {
  readonly registers: readonly string[];
}

export interface SourceNotes {
  readonly revision: number;
  noteAt(line: number, column: number): SourceNote | null;
}

/** Longer texts are not read again for a note: that would delay the worker's next request. */
const MOST_CHARACTERS = 4_000_000;

export function sourceNotes(
  revision: number,
  text: string,
  { format, oriNames }: Pick<ReadResult, "format" | "oriNames">,
  readers: Readers,
): SourceNotes {
  let reader: SourceReader | null = null;
  return {
    revision,
    noteAt(line, column) {
      if (text.length > MOST_CHARACTERS) return null;
      reader ??= readers[format]?.source(text) ?? null;
      const note = reader?.noteAt(line, column) ?? null;
      if (note === null) return null;
      const { func, name } = note;
      const registers = func !== null && name?.kind === "register" ? oriNames(func, name.name) : [];
      return { ...note, registers };
    },
  };
}
