/** The beginning of a text, as much as a plain text field can show: a browser lays out all of its lines together. */

export interface Most {
  readonly lines: number;
  readonly characters: number;
}

/** While the editor proper is on its way: laid out within some ten milliseconds. */
export const WHILE_LOADING: Most = { lines: 400, characters: 40_000 };
/** Where the editor cannot be loaded, the field has to do. */
export const INSTEAD: Most = { lines: 5_000, characters: 200_000 };

export interface Beginning {
  readonly text: string;
  /** Lines that are not in it, one of which part may be. */
  readonly more: number;
}

export function beginningOf(text: string, most: Most): Beginning {
  let end = 0;
  for (let line = 0; line < most.lines && end <= most.characters; line++) {
    const next = text.indexOf("\n", end);
    if (next < 0) {
      end = text.length;
      break;
    }
    end = next + 1;
  }
  end = Math.min(end, most.characters);
  if (end >= text.length) return { text, more: 0 };
  return { text: text.slice(0, end), more: linesFrom(text, end) };
}

/** The lines that begin at or contain a place and what follows it; the end of the last line begins none. */
function linesFrom(text: string, start: number): number {
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n", start); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
