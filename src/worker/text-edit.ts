/** For a small change of a long text only the change is sent: the engine has the earlier text. */

/** The text after `length` characters of `revision` had the ones from `from` to `to` replaced. */
export interface TextEdit {
  /** Revision of the text that is changed: the last one given to the engine. */
  readonly revision: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface GivenText {
  readonly revision: number;
  readonly text: string;
}

/** The edit that turns one text into another; null if it is not much shorter than the text itself. */
export function textEdit({ revision, text: before }: GivenText, after: string): TextEdit | null {
  const from = commonStart(before, after);
  const rest = Math.min(before.length, after.length) - from;
  let tail = 0;
  for (let most = rest; tail < most; ) {
    const half = (tail + most + 1) >> 1;
    if (sameParts(before, before.length - half, after, after.length - half, half - tail)) tail = half;
    else most = half - 1;
  }
  const text = after.slice(from, after.length - tail);
  return text.length * 2 > after.length ? null : { revision, length: before.length, from, to: before.length - tail, text };
}

/** The text after an edit; null: it is an edit of a different text. */
export function edited(given: GivenText | null, { revision, length, from, to, text }: TextEdit): string | null {
  if (given === null || given.revision !== revision || given.text.length !== length) return null;
  return given.text.slice(0, from) + text + given.text.slice(to);
}

/** Halves are compared as whole strings, which is done many characters at a time. */
function commonStart(a: string, b: string): number {
  let same = 0;
  for (let most = Math.min(a.length, b.length); same < most; ) {
    const half = (same + most + 1) >> 1;
    if (sameParts(a, same, b, same, half - same)) same = half;
    else most = half - 1;
  }
  return same;
}

const sameParts = (a: string, atA: number, b: string, atB: number, length: number): boolean =>
  a.slice(atA, atA + length) === b.slice(atB, atB + length);
