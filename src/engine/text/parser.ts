/** Ori text to a module: never throws, recovers at the next line, reports every error. */

import type { Diagnostic } from "../api/types.ts";
import type { Reg } from "../ir/ids.ts";
import type { Func, Module, ModuleSymbol, Param, Trivia } from "../ir/types.ts";
import { closest } from "../pipeline/closest.ts";
import { BodyBuilder, type Header, type Named, type RawTable } from "./body.ts";
import type { OriCode } from "./codes.ts";
import { Diagnostics } from "./diagnostics.ts";
import { InstructionReader } from "./instruction.ts";
import { Lexer, TK } from "./lexer.ts";
import { readNumber } from "./literals.ts";
import { clip } from "./mnemonic.ts";
import { OperandReader } from "./operands.ts";
import { isSpace, SPACES, SymbolTable } from "./symbols.ts";

export interface ParseResult {
  /** With errors: what could still be read. Lines with errors are left out, and with them whatever they would have done. */
  readonly module: Module;
  readonly diagnostics: Diagnostic[];
}

/** Parses a whole text. Linear in its length. */
export function parseModule(text: string): ParseResult {
  const parser = new Parser(text);
  const module = parser.module();
  return { module, diagnostics: parser.diagnostics.finish() };
}

const OPEN_PAREN = 40;
const CLOSE_PAREN = 41;
const COMMA = 44;
const MINUS = 45;
const GREATER = 62;
const COLON = 58;
const SEMICOLON = 59;
const EQUALS = 61;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const DIRECTIVES = [".kernel", ".func", ".target", ".table", ".weight", ".symbol"] as const;

class Parser {
  readonly diagnostics = new Diagnostics();
  private readonly lexer: Lexer;
  private readonly operands: OperandReader;
  private readonly instructions: InstructionReader;
  private readonly symbols = new SymbolTable();
  private readonly funcs: Func[] = [];
  private readonly names = new Set<string>();
  private body: BodyBuilder | null = null;
  private target: string | null = null;
  private targetTrivia: Trivia | null = null;
  /** Comments of lines that are not kept in place; they move to the next item. */
  private carried: string[] = [];
  private failed = false;
  private saidOutside = false;
  /** Inside the braces of a table. */
  private inGroup = false;

  constructor(text: string) {
    this.lexer = new Lexer(text, this.diagnostics);
    const report = (code: OriCode, start: number, end: number, message: string, suggestion: string | null = null): void => {
      // One error a statement: the others would mostly be its echoes.
      if (this.failed) return;
      this.failed = true;
      this.add(code, start, end, message, suggestion, "error");
    };
    const warn = (code: OriCode, start: number, end: number, message: string, suggestion: string | null = null): void => {
      this.add(code, start, end, message, suggestion, "warning");
    };
    const symbol = (name: string): number | null => this.symbols.offsetOf(name);
    this.operands = new OperandReader(this.lexer, report, symbol);
    this.instructions = new InstructionReader(this.lexer, this.operands, { report, warn }, symbol);
  }

  module(): Module {
    const { lexer } = this;
    while (lexer.kind !== TK.EOF) {
      this.failed = false;
      this.statement();
    }
    this.endBody();
    const tail = this.trivia()?.before ?? [];
    return {
      target: this.target,
      ...(this.targetTrivia === null ? {} : { targetTrivia: this.targetTrivia }),
      symbols: this.symbols.list,
      funcs: this.funcs,
      tail,
    };
  }

  private add(code: OriCode, start: number, end: number, message: string, suggestion: string | null, severity: "error" | "warning"): void {
    const { lexer } = this;
    // A statement that runs over lines through a comment may begin above the current line.
    const column = Math.max(1, lexer.column(start));
    this.diagnostics.add(code, lexer.line, column, start < lexer.lineStart ? 0 : end - start, message, suggestion, severity);
  }

  private error(code: OriCode, message: string, suggestion: string | null = null): void {
    if (this.failed) return;
    this.failed = true;
    this.add(code, this.lexer.start, this.lexer.end, message, suggestion, "error");
  }

  private trivia(): Trivia | null {
    const trivia = this.lexer.takeTrivia();
    if (this.carried.length === 0) return trivia;
    const before = trivia === null ? this.carried : [...this.carried, ...trivia.before];
    this.carried = [];
    return { before, after: trivia?.after ?? "" };
  }

  /** One directive, label or instruction. */
  private statement(): void {
    const { lexer } = this;
    if (lexer.kind === TK.NEWLINE || lexer.kind === SEMICOLON) {
      if (lexer.kind === TK.NEWLINE) this.carry();
      lexer.advance();
      return;
    }
    if (lexer.kind === TK.IDENT) {
      const { start, line } = lexer;
      const column = lexer.column(start);
      const isDirective = lexer.text.charCodeAt(start) === 46;
      if (isDirective || this.isLabel()) {
        const name = lexer.slice();
        lexer.advance();
        if (this.accept(COLON)) {
          this.label({ name, line, column });
        } else {
          this.directive({ name, line, column });
        }
        return;
      }
    }
    this.instruction();
  }

  /** Whether a colon follows the word at the current token. */
  private isLabel(): boolean {
    const { text, end } = this.lexer;
    let at = end;
    while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++;
    return text.charCodeAt(at) === COLON;
  }

  private label(at: Named): void {
    const { body, lexer } = this;
    if (body === null) {
      this.outside(at.line, at.column, at.name.length, `The label ${clip(at.name)}`);
      return;
    }
    if (lexer.kind === TK.NEWLINE || lexer.kind === TK.EOF) {
      body.label(at, this.trivia());
      lexer.advance();
      return;
    }
    const trivia = this.trivia();
    body.label(at, trivia === null ? null : { before: trivia.before, after: "" });
    if (trivia !== null && trivia.after !== "") this.carried.push(trivia.after);
  }

  private instruction(): void {
    const { lexer } = this;
    const { start, line, lineStart } = lexer;
    const column = lexer.column(start);
    if (this.body === null) {
      this.outside(line, column, lexer.end - start, "This line");
      this.skipStatement();
      return;
    }
    const raw = this.instructions.read();
    if (raw !== null && this.atEnd()) {
      if (lexer.kind === SEMICOLON) lexer.advance();
      const atLineEnd = lexer.kind === TK.NEWLINE;
      // Only a comment can make a statement run over lines; its operands are then located by its first line.
      this.body.instruction(raw, { line, column, lineStart: lexer.lineStart === lineStart ? lineStart : null }, this.trivia());
      if (atLineEnd) lexer.advance();
      return;
    }
    if (raw !== null) this.error("ORI017", `Expected the end of the line, found '${clip(lexer.slice())}'.`);
    this.body.dropped();
    this.skipStatement();
  }

  private atEnd(): boolean {
    const { kind } = this.lexer;
    return kind === TK.NEWLINE || kind === SEMICOLON || kind === TK.EOF;
  }

  /** Skips to behind the end of the statement; its comments move to the next item. */
  private skipStatement(): void {
    const { lexer } = this;
    while (!this.atEnd()) lexer.advance();
    if (lexer.kind === TK.NEWLINE) this.carry();
    if (lexer.kind !== TK.EOF) lexer.advance();
  }

  private carry(): void {
    const trivia = this.lexer.takeTrivia();
    if (trivia === null) return;
    for (const comment of trivia.before) this.carried.push(comment);
    if (trivia.after !== "") this.carried.push(trivia.after);
  }

  private outside(line: number, column: number, length: number, what: string): void {
    // Said once per text: a file without .kernel would repeat it on every line.
    if (!this.saidOutside)
      this.diagnostics.add("ORI006", line, column, length, `${what} stands outside a .kernel or .func.`, ".kernel name()");
    this.saidOutside = true;
  }

  // --- directives ----------------------------------------------------------------------------------------------------------

  private directive(at: Named): void {
    const { name, line, column } = at;
    switch (name) {
      case ".kernel":
      case ".func":
        this.endBody();
        this.beginBody(name === ".kernel" ? "kernel" : "func");
        return;
      case ".target":
        this.targetDirective();
        return;
      case ".table":
      case ".weight":
        if (this.body === null) {
          this.outside(line, column, name.length, name);
          this.skipStatement();
        } else if (name === ".table") {
          this.table(this.body);
        } else {
          this.weight(this.body);
        }
        return;
      case ".symbol":
        this.symbol(null);
        return;
    }
    const space = name.slice(1);
    if (isSpace(space)) {
      this.symbol(space);
      return;
    }
    const guess = closest(name, DIRECTIVES);
    this.diagnostics.add("ORI004", line, column, name.length, `Unknown directive '${clip(name)}'.`, guess);
    this.failed = true;
    this.skipStatement();
  }

  private targetDirective(): void {
    const name = this.word("ORI005", "a target like sm_90");
    if (name !== null && this.endOfDirective()) {
      this.target = name.name;
      this.targetTrivia = this.trivia();
    }
    this.skipStatement();
  }

  private endOfDirective(): boolean {
    if (this.atEnd()) return true;
    this.error("ORI005", `Expected the end of the line, found '${clip(this.lexer.slice())}'.`);
    return false;
  }

  private word(code: OriCode, what: string): Named | null {
    const { lexer } = this;
    if (lexer.kind !== TK.IDENT) {
      this.unexpected(code, what);
      return null;
    }
    const named = { name: lexer.slice(), line: lexer.line, column: lexer.column(lexer.start) };
    lexer.advance();
    return named;
  }

  private unexpected(code: OriCode, what: string): void {
    const { lexer } = this;
    const found =
      lexer.kind === TK.EOF ? "the end of the text" : lexer.kind === TK.NEWLINE ? "the end of the line" : `'${clip(lexer.slice())}'`;
    if (lexer.kind === TK.BAD) this.failed = true;
    this.error(code, `Expected ${what}, found ${found}.`);
  }

  private accept(kind: number): boolean {
    if (this.lexer.kind !== kind) return false;
    this.lexer.advance();
    return true;
  }

  private expect(kind: number, what: string): boolean {
    if (this.accept(kind)) return true;
    this.unexpected("ORI005", what);
    return false;
  }

  private skipNewlines(): void {
    while (this.lexer.kind === TK.NEWLINE) this.lexer.advance();
  }

  private beginBody(kind: "kernel" | "func"): void {
    const { lexer } = this;
    this.operands.startBody();
    const name = this.word("ORI005", `the ${kind}'s name`) ?? { name: "", line: lexer.line, column: lexer.column(lexer.start) };
    const params = this.failed ? [] : this.params();
    const returns = this.failed ? [] : this.returns(kind);
    if (!this.failed) this.endOfDirective();
    if (name.name !== "" && this.names.has(name.name)) {
      this.failed = false;
      this.diagnostics.add("ORI008", name.line, name.column, name.name.length, `There are two bodies of the name ${clip(name.name)}.`);
    }
    this.names.add(name.name);
    const header: Header = { kind, name, params, returns, trivia: this.trivia() };
    this.body = new BodyBuilder(header, this.diagnostics);
    this.skipStatement();
  }

  private params(): Param[] {
    const params: Param[] = [];
    if (!this.accept(OPEN_PAREN)) return params;
    const names = new Set<string>();
    const regs = new Set<Reg>();
    this.skipNewlines();
    while (!this.accept(CLOSE_PAREN)) {
      if (params.length > 0 && !this.expect(COMMA, "',' or ')'")) return params;
      this.skipNewlines();
      const name = this.word("ORI005", "a parameter like n: R0");
      if (name === null || !this.expect(COLON, "':' and a register")) return params;
      const { start, end } = this.lexer;
      const r = this.operands.register();
      if (r === null) return params;
      if (names.has(name.name) || regs.has(r)) {
        this.failed = true;
        this.add("ORI008", start, end, `The parameter ${clip(name.name)} or its register stands twice.`, null, "error");
        return params;
      }
      names.add(name.name);
      regs.add(r);
      params.push({ name: name.name, reg: r });
      this.skipNewlines();
    }
    return params;
  }

  private returns(kind: "kernel" | "func"): Reg[] {
    const regs: Reg[] = [];
    if (this.lexer.kind !== MINUS) return regs;
    if (kind === "kernel") this.error("ORI005", "A kernel has no results; a .func has.", ".func");
    this.lexer.advance();
    if (!this.expect(GREATER, "'->'")) return regs;
    do {
      const r = this.operands.register();
      if (r === null) return regs;
      regs.push(r);
    } while (this.accept(COMMA));
    return kind === "kernel" ? [] : regs;
  }

  private endBody(): void {
    const fn = this.body?.finish(this.operands.nextReg) ?? null;
    if (fn !== null) this.funcs.push(fn);
    this.body = null;
  }

  /** `JT0 base=-2 default=BB9 { BB1, BB2 }`; the group may run over lines. */
  private table(body: BodyBuilder): void {
    const table = this.readTable();
    if (table !== null && this.endOfDirective()) body.table({ ...table, trivia: this.trivia() });
    else if (this.inGroup) this.skipGroup();
    this.skipStatement();
  }

  private readTable(): RawTable | null {
    this.inGroup = false;
    const at = this.word("ORI005", "the table's name");
    if (at === null) return null;
    let base = 0;
    let fallback: Named | null = null;
    while (this.lexer.kind === TK.IDENT) {
      const key = this.lexer.slice();
      if (key !== "base" && key !== "default") break;
      this.lexer.advance();
      if (!this.expect(EQUALS, "'='")) return null;
      if (key === "base") {
        const value = this.integer();
        if (value === null) return null;
        base = value;
      } else {
        fallback = this.word("ORI005", "a label");
        if (fallback === null) return null;
      }
    }
    if (!this.expect(OPEN_BRACE, "base=, default= or '{'")) return null;
    this.inGroup = true;
    const entries: Named[] = [];
    this.skipNewlines();
    while (!this.accept(CLOSE_BRACE)) {
      if (entries.length > 0 && !this.expect(COMMA, "',' or '}'")) return null;
      this.skipNewlines();
      const entry = this.word("ORI005", "a label");
      if (entry === null) return null;
      entries.push(entry);
      this.skipNewlines();
    }
    this.inGroup = false;
    return { at, base, default: fallback, entries, trivia: null };
  }

  /** After an error inside a table's group: up to its closing brace, or to a line that looks like something else. */
  private skipGroup(): void {
    const { lexer } = this;
    let lineStarts = false;
    while (lexer.kind !== TK.EOF && lexer.kind !== CLOSE_BRACE) {
      if (lineStarts && (lexer.text.charCodeAt(lexer.start) === 46 || this.isLabel())) return;
      lineStarts = lexer.kind === TK.NEWLINE;
      lexer.advance();
    }
  }

  private integer(): number | null {
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

  private weight(body: BodyBuilder): void {
    const { lexer } = this;
    const at = this.word("ORI005", "a label");
    if (at !== null) {
      const { start, end } = lexer;
      const value = lexer.kind === TK.NUMBER ? readNumber(lexer.slice(), false) : null;
      if (value?.kind === "imm" || (value?.kind === "decimal" && Number.isFinite(value.value))) {
        lexer.advance();
        if (this.endOfDirective()) body.weight(at, value.value);
      } else {
        this.error("ORI003", "Expected an execution count of 0 or more.");
        if (start === end) this.failed = true;
      }
    }
    this.skipStatement();
  }

  /** `.symbol NAME space size align [offset=N] [init=hex]`, or with the space as the directive: `.shared NAME size [align]`. */
  private symbol(given: ModuleSymbol["space"] | null): void {
    const name = this.word("ORI005", "the symbol's name");
    let space = given;
    if (name !== null && space === null) {
      const word = this.word("ORI005", `a space: ${SPACES.join(", ")}`);
      if (word !== null && isSpace(word.name)) space = word.name;
      else if (word !== null) {
        this.failed = true;
        this.diagnostics.add(
          "ORI005",
          word.line,
          word.column,
          word.name.length,
          `Unknown space '${clip(word.name)}'.`,
          closest(word.name, SPACES),
        );
      }
    }
    if (name !== null && space !== null) this.symbolRest(name, space);
    this.skipStatement();
  }

  private symbolRest(name: Named, space: ModuleSymbol["space"]): void {
    const { lexer } = this;
    const size = this.integer();
    if (size === null) return;
    const align = lexer.kind === TK.NUMBER ? this.integer() : 4;
    if (align === null) return;
    let offset: number | null = null;
    let init: string | null = null;
    while (lexer.kind === TK.IDENT) {
      const key = lexer.slice();
      lexer.advance();
      if ((key !== "offset" && key !== "init") || !this.expect(EQUALS, "'='")) {
        this.error("ORI005", `Expected offset= or init=, found '${clip(key)}'.`);
        return;
      }
      if (key === "offset") {
        offset = this.integer();
        if (offset === null) return;
      } else {
        const hex = lexer.slice();
        if (!/^(?:[0-9a-fA-F]{2})+$/.test(hex)) {
          this.error("ORI005", "Expected pairs of hexadecimal digits.");
          return;
        }
        init = hex.toLowerCase();
        lexer.advance();
      }
    }
    if (!this.endOfDirective()) return;
    if (size < 0 || align < 1 || align > 1024 || (align & (align - 1)) !== 0 || (init !== null && init.length / 2 > size)) {
      this.error(
        "ORI005",
        "Expected a size of 0 or more, an alignment that is a power of two up to 1024, and no more initial bytes than the size.",
      );
      return;
    }
    if (!this.symbols.add({ name: name.name, space, size, align, init }, offset, this.trivia())) {
      this.diagnostics.add("ORI008", name.line, name.column, name.name.length, `There are two symbols of the name ${clip(name.name)}.`);
    }
  }
}
