/** What is at a place of a PTX or SASS text, as plain data. */

/** The instruction around a place. Lines are 1-based, both included. */
export interface SourceInstruction {
  readonly line: number;
  readonly endLine: number;
  /** As written, modifiers included. */
  readonly opcode: string;
  /** What it does, in a few words; null for an unknown opcode. */
  readonly meaning: string | null;
}

/** A name under the place, with the lines of its function that define and use it. */
export interface SourceName {
  readonly kind: "register" | "label" | "variable" | "special";
  readonly name: string;
  /** Type, space or width, if given in the text; else empty. */
  readonly about: string;
  /** 1-based, `endColumn` excluded. */
  readonly column: number;
  readonly endColumn: number;
  /** Of a label and a variable: where it is declared. */
  readonly definitions: readonly number[];
  readonly uses: readonly number[];
}

export interface SourceNote {
  /** The function the place is in, as the text calls it; null outside of all bodies. */
  readonly func: string | null;
  readonly instruction: SourceInstruction | null;
  readonly name: SourceName | null;
}

/** Answers for one text. */
export interface SourceReader {
  /** Null if there is nothing to report. */
  noteAt(line: number, column: number): SourceNote | null;
}

/** Places of the line starts of a text whose lines end in `\n`. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The line (1-based) that an offset is on. Logarithmic. */
export function lineOfOffset(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if ((starts[mid] ?? 0) <= offset) low = mid + 1;
    else high = mid;
  }
  return low;
}

export interface Word {
  readonly text: string;
  /** 1-based. */
  readonly column: number;
}

/** The match of a global pattern that contains a 1-based column of a line. */
export function wordAround(line: string, column: number, pattern: RegExp): Word | null {
  for (const match of line.matchAll(pattern)) {
    if (match.index >= column) return null;
    if (column <= match.index + match[0].length + 1) return { text: match[0], column: match.index + 1 };
  }
  return null;
}
