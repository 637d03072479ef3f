/** Splits Ori text into tokens, one at a time, and keeps comments and blank lines for the line they belong to. */

import type { Trivia } from "../ir/types.ts";
import type { Diagnostics } from "./diagnostics.ts";

/** Token kinds; every other token is one punctuation character, and its kind is that character's code. */
export const TK = { EOF: 0, NEWLINE: 1, IDENT: 2, NUMBER: 3, STRING: 4, BAD: 5 } as const;

// Character classes, by code below 128.
const SPACE = 1;
const IDENT_START = 2;
const DIGIT = 4;
const PUNCT = 8;
const IDENT_PART = IDENT_START | DIGIT;
const CLASS = new Uint8Array(128);
for (const c of " \t\r\f\v") CLASS[c.charCodeAt(0)] = SPACE;
for (let c = 65; c <= 90; c++) {
  CLASS[c] = IDENT_START;
  CLASS[c + 32] = IDENT_START;
}
for (const c of "_$.") CLASS[c.charCodeAt(0)] = IDENT_START;
for (let c = 48; c <= 57; c++) CLASS[c] = DIGIT;
for (const c of "[](){},:;@!-+~|=>") CLASS[c.charCodeAt(0)] = PUNCT;

const NL = 10;
const QUOTE = 34;
const STAR = 42;
const SLASH = 47;
/** Pasted from a web page; a space, as in other languages that are read. */
const NO_BREAK_SPACE = 0xa0;

/**
 * The current token is `kind`, `start`, `end` (offsets), on line `line` (1-based), whose text starts at `lineStart`. A NEWLINE token ends every line that
 * has tokens; blank and comment lines give none. Tokens never span lines.
 */
export class Lexer {
  readonly text: string;
  kind: number = TK.EOF;
  start = 0;
  end = 0;
  line = 1;
  lineStart = 0;

  private readonly diagnostics: Diagnostics;
  private pos = 0;
  private scanLine = 1;
  private scanLineStart = 0;
  /** Whether the line being scanned has tokens, or comments. */
  private hasTokens = false;
  private hasComment = false;
  private before: string[] = [];
  private after = "";
  /** Comments that began after a token and ran over the line's end: they belong to what follows. */
  private pending: string[] = [];

  constructor(text: string, diagnostics: Diagnostics) {
    this.text = text;
    this.diagnostics = diagnostics;
    if (text.charCodeAt(0) === 0xfeff) this.pos = 1;
    this.advance();
  }

  /** The current token's text. */
  slice(): string {
    return this.text.slice(this.start, this.end);
  }

  /** 1-based column of an offset on the current line. */
  column(offset: number): number {
    return offset - this.lineStart + 1;
  }

  /** Comments and blank lines gathered since the last call, for the item that ends at the current token; null when there are none. */
  takeTrivia(): Trivia | null {
    if (this.before.length === 0 && this.after === "") return null;
    const trivia = { before: this.before, after: this.after };
    this.before = [];
    this.after = "";
    return trivia;
  }

  /** Moves to the next token. */
  advance(): void {
    const { text } = this;
    if (this.kind === TK.NEWLINE && this.pending.length > 0) {
      this.before.push(...this.pending);
      this.pending = [];
    }
    let pos = this.pos;
    for (;;) {
      const c = pos < text.length ? text.charCodeAt(pos) : -1;
      const cls = c >= 0 && c < 128 ? (CLASS[c] ?? 0) : 0;
      if (cls === SPACE || c === NO_BREAK_SPACE) {
        pos++;
        continue;
      }
      if (c === NL || c < 0) {
        if (c < 0 && !this.hasTokens) {
          this.emit(TK.EOF, pos, pos, pos);
          return;
        }
        this.emit(TK.NEWLINE, pos, pos, c < 0 ? pos : pos + 1);
        const hadTokens = this.hasTokens;
        if (c === NL) this.newLine(pos + 1);
        else this.hasTokens = false;
        if (hadTokens) return;
        pos++;
        continue;
      }
      if (c === SLASH) {
        const next = text.charCodeAt(pos + 1);
        if (next === SLASH || next === STAR) {
          pos = this.comment(pos, next === STAR);
          continue;
        }
      }
      this.hasTokens = true;
      if (cls === IDENT_START) {
        let end = pos + 1;
        while (end < text.length && isIdentPart(text.charCodeAt(end))) end++;
        this.emit(TK.IDENT, pos, end, end);
      } else if (cls === DIGIT) {
        const end = this.numberEnd(pos);
        this.emit(TK.NUMBER, pos, end, end);
      } else if (cls === PUNCT) {
        this.emit(c, pos, pos + 1, pos + 1);
      } else if (c === QUOTE) {
        this.quoted(pos);
      } else {
        this.bad(pos);
      }
      return;
    }
  }

  private emit(kind: number, start: number, end: number, pos: number): void {
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.line = this.scanLine;
    this.lineStart = this.scanLineStart;
    this.pos = pos;
  }

  private newLine(pos: number): void {
    if (!this.hasTokens && !this.hasComment) this.before.push("");
    this.hasTokens = false;
    this.hasComment = false;
    this.scanLine++;
    this.scanLineStart = pos;
  }

  /** Reads a comment and files it; returns the offset after it. */
  private comment(pos: number, block: boolean): number {
    const { text } = this;
    const found = block ? text.indexOf("*/", pos + 2) : text.indexOf("\n", pos);
    if (block && found < 0)
      this.diagnostics.add("ORI002", this.scanLine, pos - this.scanLineStart + 1, 2, "This comment is not closed: '*/' is missing.");
    const end = found < 0 ? text.length : block ? found + 2 : found;
    let comment = text.slice(pos, end).trimEnd();
    if (block && found < 0) comment += "*/";
    const lines = comment.split("\n");
    const joins = this.hasComment && !this.hasTokens;
    this.hasComment = true;
    if (lines.length > 1) {
      comment = lines.map((line) => line.trimEnd()).join("\n");
      if (this.hasTokens) this.pending.push(comment);
      else this.own(comment, joins);
    } else if (this.hasTokens) {
      this.after = this.after === "" ? comment : `${this.after} ${comment}`;
    } else {
      this.own(comment, joins);
    }
    if (block) this.countLines(pos, end);
    return end;
  }

  private countLines(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (this.text.charCodeAt(at) !== NL) continue;
      this.scanLine++;
      this.scanLineStart = at + 1;
    }
  }

  /** Comments without code stay together when they are on one line. */
  private own(comment: string, joins: boolean): void {
    const last = this.before.length - 1;
    if (joins && last >= 0) this.before[last] = `${this.before[last]} ${comment}`;
    else this.before.push(comment);
  }

  /** Letters, digits and dots; a sign only in a decimal exponent. The number's reader checks whether the digits are valid. */
  private numberEnd(start: number): number {
    const { text } = this;
    const second = text.charCodeAt(start + 1) | 32;
    const decimal = !(text.charCodeAt(start) === 48 && (second === 120 || second === 102 || second === 100));
    let end = start + 1;
    while (end < text.length) {
      const c = text.charCodeAt(end);
      if (isIdentPart(c)) {
        end++;
      } else if (decimal && (c === 43 || c === 45) && (text.charCodeAt(end - 1) | 32) === 101 && isDigit(text.charCodeAt(end + 1))) {
        end++;
      } else {
        break;
      }
    }
    return end;
  }

  private quoted(start: number): void {
    const { text } = this;
    let end = start + 1;
    for (; end < text.length; end++) {
      const c = text.charCodeAt(end);
      if (c === 92) end++;
      else if (c === QUOTE || c === NL) break;
      if (text.charCodeAt(end) === NL) break;
    }
    end = Math.min(end, text.length);
    if (text.charCodeAt(end) === QUOTE) {
      this.emit(TK.STRING, start, end + 1, end + 1);
      return;
    }
    this.emit(TK.BAD, start, end, end);
    this.diagnostics.add(
      "ORI002",
      this.line,
      this.column(start),
      end - start,
      "This text does not end: a closing '\"' is missing on the line.",
    );
  }

  private bad(start: number): void {
    const { text } = this;
    let end = start + 1;
    while (end < text.length && !isKnown(text.charCodeAt(end))) end++;
    this.emit(TK.BAD, start, end, end);
    const shown = text.slice(start, Math.min(end, start + 10));
    const what = /^[\p{C}\p{Z}]/u.test(shown) ? invisible(shown) : JSON.stringify(shown);
    this.diagnostics.add("ORI001", this.line, this.column(start), end - start, `Unexpected ${what}.`);
  }
}

const invisible = (text: string): string =>
  `invisible character U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

function isIdentPart(c: number): boolean {
  return c < 128 && ((CLASS[c] ?? 0) & IDENT_PART) !== 0;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

function isKnown(c: number): boolean {
  return c === NL || c === QUOTE || c === SLASH || c === NO_BREAK_SPACE || (c < 128 && CLASS[c] !== 0);
}
