/** What the languages of conditions (on events, on the state of a program) share: words with their position, errors with a position, and `and`, `or`, `not`. */

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

/** Reads words one by one; after the last one every read gives the end. */
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

  /** Takes the next word if it is `text`, in capitals or not. */
  take(text: string): boolean {
    const word = this.peek();
    if (word.kind !== "word" || word.text.toLowerCase() !== text) return false;
    this.at++;
    return true;
  }

  /** The result of `read`, one nesting level deeper; refused at `word` beyond the limit, which keeps the parser from overflowing its stack. */
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

export type Joined<Expr> =
  | { readonly kind: "and" | "or"; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "not"; readonly of: Expr };

/** A language of conditions: what `or`, `and` and `not` join is its own. */
export interface Grammar<Expr, Kind extends string> {
  readonly words: WordReader<Kind>;
  operand(): Expr;
  /** Refuses, at its first word, what is neither true nor false. */
  truth(expr: Expr, word: Word<Kind>): Expr;
  join(joined: Joined<Expr>): Expr;
}

/** The whole text as one condition. */
export function condition<Expr, Kind extends string>(grammar: Grammar<Expr, Kind>): Expr {
  const expr = truth(grammar, disjunction);
  grammar.words.atEnd();
  return expr;
}

export function disjunction<Expr, Kind extends string>(grammar: Grammar<Expr, Kind>): Expr {
  return chain(grammar, "or", (inner) => chain(inner, "and", negation));
}

function chain<Expr, Kind extends string>(
  grammar: Grammar<Expr, Kind>,
  kind: "and" | "or",
  read: (grammar: Grammar<Expr, Kind>) => Expr,
): Expr {
  const first = grammar.words.peek();
  let left = read(grammar);
  while (grammar.words.take(kind)) left = grammar.join({ kind, left: grammar.truth(left, first), right: truth(grammar, read) });
  return left;
}

function negation<Expr, Kind extends string>(grammar: Grammar<Expr, Kind>): Expr {
  if (!grammar.words.take("not")) return grammar.operand();
  let negated = true;
  while (grammar.words.take("not")) negated = !negated;
  const of = truth(grammar, () => grammar.operand());
  return negated ? grammar.join({ kind: "not", of }) : of;
}

function truth<Expr, Kind extends string>(grammar: Grammar<Expr, Kind>, read: (grammar: Grammar<Expr, Kind>) => Expr): Expr {
  const first = grammar.words.peek();
  return grammar.truth(read(grammar), first);
}
