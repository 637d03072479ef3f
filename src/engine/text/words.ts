/** What the small languages of conditions (events, watchpoints) share: words with their place, and errors that say where. */

/** `at`: the 0-based offset in the text. */
export interface Word<Kind extends string> {
  readonly text: string;
  readonly kind: Kind | "end";
  readonly at: number;
}

/** `column` is 1-based. */
export interface WordError {
  readonly column: number;
  readonly length: number;
  readonly message: string;
}

export interface Failed {
  readonly ok: false;
  readonly error: WordError;
}

const MAX_LENGTH = 1000;
const MAX_NESTING = 40;

/** Ends a parser from any depth: the word and what is wrong with it. `parsing` turns it into a result. */
export class Refused extends Error {
  readonly word: Word<string>;

  constructor(word: Word<string>, message: string) {
    super(message);
    this.word = word;
  }
}

/** What `parse` gives, or where it was refused. */
export function parsing<Done>(parse: () => Done): Done | Failed {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { word, message } = error;
    return { ok: false, error: { column: word.at + 1, length: word.text.length, message } };
  }
}

/**
 * The words of a condition, with one of kind `end` after them. `pattern` is sticky and has a group for each kind, in the order of `kinds`;
 * what matches without a group is blank. Throws `Refused`.
 */
export function splitWords<Kind extends string>(text: string, pattern: RegExp, kinds: readonly Kind[]): Word<Kind>[] {
  if (text.length > MAX_LENGTH)
    throw new Refused({ text: "", kind: "end", at: MAX_LENGTH }, `a condition has at most ${MAX_LENGTH} characters`);
  const words: Word<Kind>[] = [];
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) {
      const wrong = text[at] ?? "";
      throw new Refused({ text: wrong, kind: "end", at }, `'${wrong}' has no meaning in a condition`);
    }
    kinds.forEach((kind, i) => {
      const word = match[i + 1];
      if (word !== undefined) words.push({ text: word === "==" ? "=" : word, kind, at });
    });
  }
  words.push({ text: "", kind: "end", at: text.length });
  return words;
}

/** Reads words one by one; after the last one comes the end, as often as it is asked. */
export class WordReader<Kind extends string> {
  private readonly words: readonly Word<Kind>[];
  private at = 0;
  private nesting = 0;

  constructor(words: readonly Word<Kind>[]) {
    this.words = words;
  }

  peek(): Word<Kind> {
    return this.words[this.at] ?? { text: "", kind: "end", at: 0 };
  }

  next(): Word<Kind> {
    const word = this.peek();
    if (word.kind !== "end") this.at++;
    return word;
  }

  /** Takes the next word if it is `text`, in capitals or not where `anyCase`. */
  take(text: string, anyCase = false): boolean {
    const word = this.peek();
    if (word.kind !== "word" || (anyCase ? word.text.toLowerCase() : word.text) !== text) return false;
    this.at++;
    return true;
  }

  /** What `read` gives, one level further in; refused at `word` past the limit, which keeps the parser from overflowing its stack. */
  inside<T>(word: Word<Kind>, read: () => T): T {
    if (++this.nesting > MAX_NESTING) throw new Refused(word, `more than ${MAX_NESTING} levels inside one another`);
    const result = read();
    this.nesting--;
    return result;
  }

  /** Nothing but the end may follow. */
  atEnd(): void {
    const rest = this.peek();
    if (rest.kind !== "end") throw new Refused(rest, `expected 'and', 'or' or the end, not '${rest.text}'`);
  }
}
