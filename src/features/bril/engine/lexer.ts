/** Words of Bril text with their places. */

export type BrilTokenKind = "name" | "func" | "label" | "number" | "char" | "punct" | "bad" | "end";

export interface BrilToken {
  readonly kind: BrilTokenKind;
  /** As written; of `func` and `label` without the sign before it. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

// In the order in which they are tried at a place; every character is taken by one of them.
const WORD =
  /(?<space>[^\S\n]+|#[^\n]*)|(?<line>\n)|(?<func>@[A-Za-z_%][\w.%]*)|(?<label>\.[A-Za-z_%][\w.%]*)|(?<name>[A-Za-z_%][\w.%]*)|(?<number>[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)|(?<char>'(?:\\.|[^'\n])')|(?<punct>[{}():;=,<>])|(?<bad>[\s\S])/guy;

/** Gives one word after the other, the last one again and again at the end. Linear. */
export class BrilLexer {
  private readonly words: IterableIterator<RegExpMatchArray>;
  private line = 1;
  private lineStart = 0;
  private readonly length: number;
  private ahead: BrilToken;
  /** The word that `next` gave last. */
  last: BrilToken | null = null;

  constructor(text: string) {
    this.words = text.matchAll(WORD);
    this.length = text.length;
    this.ahead = this.read();
  }

  peek(): BrilToken {
    return this.ahead;
  }

  next(): BrilToken {
    const token = this.ahead;
    this.last = token;
    if (token.kind !== "end") this.ahead = this.read();
    return token;
  }

  private read(): BrilToken {
    for (;;) {
      const { value: found, done } = this.words.next();
      if (done === true || found === undefined) {
        return { kind: "end", text: "the end of the text", line: this.line, column: this.length - this.lineStart + 1, length: 0 };
      }
      const at = found.index ?? 0;
      const groups = found.groups ?? {};
      if (groups.line !== undefined) {
        this.line++;
        this.lineStart = at + 1;
        continue;
      }
      if (groups.space !== undefined) continue;
      const kind = KINDS.find((k) => groups[k] !== undefined) ?? "bad";
      const [written] = found;
      const text = kind === "func" || kind === "label" ? written.slice(1) : written;
      return { kind, text, line: this.line, column: at - this.lineStart + 1, length: written.length };
    }
  }
}

const KINDS = ["func", "label", "name", "number", "char", "punct"] as const satisfies readonly BrilTokenKind[];
