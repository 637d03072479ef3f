/** A place in the text being parsed, and the small steps that all statements are read with. */

import type { Trivia } from "../ir/types.ts";
import type { Named } from "./body.ts";
import type { OriCode } from "./codes.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { Lexer, TK } from "./lexer.ts";
import { readNumber } from "./literals.ts";
import { clip } from "./mnemonic.ts";
import type { Report } from "./operands.ts";

const COLON = 58;
const MINUS = 45;
const SEMICOLON = 59;

export class Cursor {
  readonly lexer: Lexer;
  readonly diagnostics: Diagnostics;
  /** An error of this statement was reported: the others would mostly be its echoes. */
  failed = false;
  /** Comments of lines that are not kept; they move to the next item. */
  private carried: string[] = [];

  constructor(text: string, diagnostics: Diagnostics) {
    this.diagnostics = diagnostics;
    this.lexer = new Lexer(text, diagnostics);
  }

  /** Reports an error on the current line, once a statement. */
  readonly report: Report = (code, start, end, message, suggestion = null) => {
    if (this.failed) return;
    this.failed = true;
    this.add(code, start, end, message, suggestion, "error");
  };

  readonly warn: Report = (code, start, end, message, suggestion = null) => {
    this.add(code, start, end, message, suggestion, "warning");
  };

  private add(code: OriCode, start: number, end: number, message: string, suggestion: string | null, severity: "error" | "warning"): void {
    const { lexer } = this;
    // A statement that runs over lines through a comment may begin above the current line.
    const column = Math.max(1, lexer.column(start));
    this.diagnostics.add(code, lexer.line, column, start < lexer.lineStart ? 0 : end - start, message, suggestion, severity);
  }

  /** Reports an error at the current token. */
  error(code: OriCode, message: string, suggestion: string | null = null): void {
    this.report(code, this.lexer.start, this.lexer.end, message, suggestion);
  }

  /** Keeps a comment for the next item. */
  carryComment(comment: string): void {
    this.carried.push(comment);
  }

  trivia(): Trivia | null {
    const trivia = this.lexer.takeTrivia();
    if (this.carried.length === 0) return trivia;
    const before = trivia === null ? this.carried : [...this.carried, ...trivia.before];
    this.carried = [];
    return { before, after: trivia?.after ?? "" };
  }

  /** Whether a colon follows the word at the current token. */
  isLabel(): boolean {
    const { text, end } = this.lexer;
    let at = end;
    while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++;
    return text.charCodeAt(at) === COLON;
  }

  atEnd(): boolean {
    const { kind } = this.lexer;
    return kind === TK.NEWLINE || kind === SEMICOLON || kind === TK.EOF;
  }

  /** Skips past the end of the statement; its comments move to the next item. */
  skipStatement(): void {
    const { lexer } = this;
    while (!this.atEnd()) lexer.advance();
    if (lexer.kind === TK.NEWLINE) this.carry();
    if (lexer.kind !== TK.EOF) lexer.advance();
  }

  /** Moves the line's comments to the next item. */
  carry(): void {
    const trivia = this.lexer.takeTrivia();
    if (trivia === null) return;
    for (const comment of trivia.before) this.carried.push(comment);
    if (trivia.after !== "") this.carried.push(trivia.after);
  }

  endOfDirective(): boolean {
    if (this.atEnd()) return true;
    this.error("ORI005", `Expected the end of the line, found '${clip(this.lexer.slice())}'.`);
    return false;
  }

  word(code: OriCode, what: string): Named | null {
    const { lexer } = this;
    if (lexer.kind !== TK.IDENT) {
      this.unexpected(code, what);
      return null;
    }
    const named = { name: lexer.slice(), line: lexer.line, column: lexer.column(lexer.start) };
    lexer.advance();
    return named;
  }

  unexpected(code: OriCode, what: string): void {
    const { lexer } = this;
    const found =
      lexer.kind === TK.EOF ? "the end of the text" : lexer.kind === TK.NEWLINE ? "the end of the line" : `'${clip(lexer.slice())}'`;
    if (lexer.kind === TK.BAD) this.failed = true;
    this.error(code, `Expected ${what}, found ${found}.`);
  }

  accept(kind: number): boolean {
    if (this.lexer.kind !== kind) return false;
    this.lexer.advance();
    return true;
  }

  expect(kind: number, what: string): boolean {
    if (this.accept(kind)) return true;
    this.unexpected("ORI005", what);
    return false;
  }

  skipNewlines(): void {
    while (this.lexer.kind === TK.NEWLINE) this.lexer.advance();
  }

  integer(): number | null {
    const { lexer } = this;
    const negative = this.accept(MINUS);
    if (lexer.kind === TK.NUMBER) {
      const value = readNumber(lexer.slice(), negative);
      if (value?.kind === "imm") {
        lexer.advance();
        return value.value;
      }
    }
    this.unexpected("ORI003", "an integer");
    return null;
  }
}
