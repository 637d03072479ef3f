/** Splits PTX text into tokens on demand: one token at a time, no array, so that memory stays flat on large files. */

export const TOKEN = {
  end: 0,
  /** `[A-Za-z_$%][A-Za-z0-9_$]*` */
  name: 1,
  /** `.word`, with `::` parts (`.shared::cta`). */
  dotted: 2,
  number: 3,
  string: 4,
  /** One character. */
  punct: 5,
  bad: 6,
} as const;

export type TokenKind = (typeof TOKEN)[keyof typeof TOKEN];

const WORD = 1;
const DIGIT = 2;
const START = 4;
const SPACE = 8;

const CLASS = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const ch = String.fromCharCode(c);
  let bits = 0;
  if (/[A-Za-z_$%]/.test(ch)) bits |= START;
  if (/[A-Za-z0-9_$]/.test(ch)) bits |= WORD;
  if (/[0-9]/.test(ch)) bits |= DIGIT;
  // A stray byte order mark is blank as well, see `classOf`.
  if (/[ \t\r\v\f]/.test(ch)) bits |= SPACE;
  CLASS[c] = bits;
}

function classOf(c: number): number {
  if (c < 128) return CLASS[c] ?? 0;
  return c === 0xfeff || c === 0xa0 ? SPACE : 0;
}

/**
 * The current token is in the public fields; `next` moves on. `line` and `column` are 1-based. `fresh` is true when the token is the first one of its line:
 * PTX ends statements at `;`, but `.loc`, `.file` and listings' preambles end with the line.
 */
export class Lexer {
  readonly text: string;
  kind: TokenKind = TOKEN.end;
  start = 0;
  end = 0;
  line = 1;
  fresh = true;
  /** Position of an unclosed comment or string, -1 when none. */
  unclosed = -1;
  /** End of the token before the current one. */
  previousEnd = 0;
  private pos = 0;
  private lineNow = 1;
  private lineStart = 0;
  private tokenLineStart = 0;

  constructor(text: string) {
    this.text = text;
    this.next();
  }

  get column(): number {
    return this.start - this.tokenLineStart + 1;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** The token's text. */
  get word(): string {
    return this.text.slice(this.start, this.end);
  }

  at(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  /** True when the token is this one punctuation character. */
  is(ch: string): boolean {
    return this.kind === TOKEN.punct && this.text.charCodeAt(this.start) === ch.charCodeAt(0);
  }

  next(): void {
    const { text } = this;
    this.previousEnd = this.end;
    const lineBefore = this.lineNow;
    this.skipBlanks();
    this.fresh = this.lineNow !== lineBefore || this.previousEnd === 0;
    const start = this.pos;
    this.start = start;
    this.line = this.lineNow;
    this.tokenLineStart = this.lineStart;
    if (start >= text.length) {
      this.kind = TOKEN.end;
      this.end = text.length;
      return;
    }
    const c = text.charCodeAt(start);
    const cls = classOf(c);
    let p = start + 1;
    if (cls & START) {
      while (classOf(text.charCodeAt(p)) & WORD) p++;
      // A percent sign alone is the remainder of a constant expression.
      this.kind = c === 37 && p === start + 1 ? TOKEN.punct : TOKEN.name;
    } else if (cls & DIGIT) {
      p = this.numberEnd(start);
      this.kind = TOKEN.number;
    } else if (c === 46 && classOf(text.charCodeAt(p)) & WORD) {
      while (classOf(text.charCodeAt(p)) & WORD) p++;
      while (text.charCodeAt(p) === 58 && text.charCodeAt(p + 1) === 58 && classOf(text.charCodeAt(p + 2)) & WORD) {
        p += 2;
        while (classOf(text.charCodeAt(p)) & WORD) p++;
      }
      this.kind = TOKEN.dotted;
    } else if (c === 34) {
      p = this.stringEnd(start);
      this.kind = TOKEN.string;
    } else {
      this.kind = c < 128 && c > 32 ? TOKEN.punct : TOKEN.bad;
    }
    this.end = p;
    this.pos = p;
  }

  /** Character code right after the current token. */
  after(): number {
    return this.text.charCodeAt(this.end);
  }

  /** First character after the current token that is neither blank nor in a comment; 0 at the end. Comments are skipped, not consumed. */
  peek(): string {
    const saved = [this.pos, this.lineNow, this.lineStart, this.unclosed] as const;
    this.skipBlanks();
    const ch = this.text.charAt(this.pos);
    [this.pos, this.lineNow, this.lineStart, this.unclosed] = saved;
    return ch;
  }

  /** Skips to the first token of the next line. */
  skipLine(): void {
    // A token may already have been read from the line: continue from its start, so that a string that spans lines does not swallow them.
    if (this.kind === TOKEN.end) return;
    let p = this.lineNow === this.line ? this.pos : this.end;
    while (p < this.text.length && this.text.charCodeAt(p) !== 10) p++;
    this.pos = p;
    this.next();
  }

  /** Skips to the token after the next `;`, or to a brace or the end. */
  skipStatement(): void {
    while (this.kind !== TOKEN.end) {
      if (this.is(";")) {
        this.next();
        return;
      }
      if (this.is("{") || this.is("}")) return;
      this.next();
    }
  }

  private skipBlanks(): void {
    const { text } = this;
    let p = this.pos;
    for (;;) {
      const c = text.charCodeAt(p);
      if (c === 10) {
        p++;
        this.lineNow++;
        this.lineStart = p;
      } else if (classOf(c) & SPACE) {
        p++;
      } else if (c === 47 && text.charCodeAt(p + 1) === 47) {
        const eol = text.indexOf("\n", p);
        p = eol < 0 ? text.length : eol;
      } else if (c === 47 && text.charCodeAt(p + 1) === 42) {
        const close = text.indexOf("*/", p + 2);
        if (close < 0 && this.unclosed < 0) this.unclosed = p;
        const stop = close < 0 ? text.length : close + 2;
        for (let nl = text.indexOf("\n", p); nl >= 0 && nl < stop; nl = text.indexOf("\n", nl + 1)) {
          this.lineNow++;
          this.lineStart = nl + 1;
        }
        p = stop;
      } else {
        break;
      }
    }
    this.pos = p;
  }

  /** A literal: digits and letters, a fraction, an exponent's sign. What it means is decided in `literal.ts`. */
  private numberEnd(start: number): number {
    const { text } = this;
    let p = start;
    while (classOf(text.charCodeAt(p)) & WORD) p++;
    // `1.5`, `1.`: only after decimal digits; `5.x` does not occur.
    if (text.charCodeAt(p) === 46 && isDecimal(text, start, p)) {
      p++;
      while (classOf(text.charCodeAt(p)) & WORD) p++;
    }
    const before = text.charCodeAt(p - 1) | 32;
    const sign = text.charCodeAt(p);
    if (before === 101 && (sign === 43 || sign === 45) && isScientific(text, start, p) && classOf(text.charCodeAt(p + 1)) & DIGIT) {
      p++;
      while (classOf(text.charCodeAt(p)) & DIGIT) p++;
    }
    return p;
  }

  private stringEnd(start: number): number {
    const { text } = this;
    let p = start + 1;
    for (;;) {
      const c = text.charCodeAt(p);
      if (Number.isNaN(c) || c === 10) {
        if (this.unclosed < 0) this.unclosed = start;
        return Math.min(p, text.length);
      }
      if (c === 34) return p + 1;
      p += c === 92 && text.charCodeAt(p + 1) !== 10 ? 2 : 1;
    }
  }
}

function isDecimal(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!(classOf(text.charCodeAt(i)) & DIGIT)) return false;
  return true;
}

/** `1e`, `1.5e`: digits, at most one point, then the `e`. Not `0x1e`. */
function isScientific(text: string, from: number, to: number): boolean {
  for (let i = from; i < to - 1; i++) {
    const c = text.charCodeAt(i);
    if (c !== 46 && !(classOf(c) & DIGIT)) return false;
  }
  return true;
}
