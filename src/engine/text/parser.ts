/** Ori text to a module: never throws, recovers at the next line, reports every error. */

import { closest } from "../../base/closest.ts";
import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Func, Module, Trivia } from "../ir/types.ts";
import { BodyBuilder, type Named } from "./body.ts";
import { Cursor } from "./cursor.ts";
import { Diagnostics } from "./diagnostics.ts";
import { readHeader, readSymbol, readTable, readWeight } from "./directives.ts";
import { InstructionReader } from "./instruction.ts";
import { type Lexer, TK } from "./lexer.ts";
import { clip } from "./mnemonic.ts";
import { OperandReader } from "./operands.ts";
import { isSpace, SymbolTable } from "./symbols.ts";

export interface ParseResult {
  /** With errors: what could still be read. Lines with errors are omitted, together with their effects. */
  readonly module: Module;
  readonly diagnostics: Diagnostic[];
}

/** Parses a whole text. Linear in its length. */
export function parseModule(text: string): ParseResult {
  const parser = new Parser(text);
  const module = parser.module();
  return { module, diagnostics: parser.diagnostics.finish() };
}

const COLON = 58;
const SEMICOLON = 59;

const DIRECTIVES = [".kernel", ".func", ".target", ".table", ".weight", ".symbol"] as const;

class Parser {
  readonly diagnostics = new Diagnostics();
  private readonly cursor: Cursor;
  private readonly lexer: Lexer;
  private readonly operands: OperandReader;
  private readonly instructions: InstructionReader;
  private readonly symbols = new SymbolTable();
  private readonly funcs: Func[] = [];
  private readonly names = new Set<string>();
  private body: BodyBuilder | null = null;
  private target: string | null = null;
  private targetTrivia: Trivia | null = null;
  private saidOutside = false;

  constructor(text: string) {
    this.cursor = new Cursor(text, this.diagnostics);
    this.lexer = this.cursor.lexer;
    const symbol = (name: string): number | null => this.symbols.addressOf(name);
    this.operands = new OperandReader(this.lexer, this.cursor.report, symbol);
    this.instructions = new InstructionReader(this.lexer, this.operands, this.cursor, symbol);
  }

  module(): Module {
    const { lexer } = this;
    while (lexer.kind !== TK.EOF) {
      this.cursor.failed = false;
      this.statement();
    }
    this.endBody();
    const tail = this.cursor.trivia()?.before ?? [];
    return {
      target: this.target,
      ...(this.targetTrivia === null ? {} : { targetTrivia: this.targetTrivia }),
      symbols: this.symbols.list,
      funcs: this.funcs,
      tail,
    };
  }

  /** One directive, label or instruction. */
  private statement(): void {
    const { lexer } = this;
    if (lexer.kind === TK.NEWLINE || lexer.kind === SEMICOLON) {
      if (lexer.kind === TK.NEWLINE) this.cursor.carry();
      lexer.advance();
      return;
    }
    if (lexer.kind === TK.IDENT) {
      const { start, line } = lexer;
      const column = lexer.column(start);
      const isDirective = lexer.text.charCodeAt(start) === 46;
      if (isDirective || this.cursor.isLabel()) {
        const name = lexer.slice();
        lexer.advance();
        if (this.cursor.accept(COLON)) {
          this.label({ name, line, column });
        } else {
          this.directive({ name, line, column });
        }
        return;
      }
    }
    this.instruction();
  }

  private label(at: Named): void {
    const { body, lexer } = this;
    if (body === null) {
      this.outside(at.line, at.column, at.name.length, `The label ${clip(at.name)}`);
      return;
    }
    if (lexer.kind === TK.NEWLINE || lexer.kind === TK.EOF) {
      body.label(at, this.cursor.trivia());
      lexer.advance();
      return;
    }
    const trivia = this.cursor.trivia();
    body.label(at, trivia === null ? null : { before: trivia.before, after: "" });
    if (trivia !== null && trivia.after !== "") this.cursor.carryComment(trivia.after);
  }

  private instruction(): void {
    const { lexer } = this;
    const { start, line, lineStart } = lexer;
    const column = lexer.column(start);
    if (this.body === null) {
      this.outside(line, column, lexer.end - start, "This line");
      this.cursor.skipStatement();
      return;
    }
    const raw = this.instructions.read();
    if (raw !== null && this.cursor.atEnd()) {
      if (lexer.kind === SEMICOLON) lexer.advance();
      const atLineEnd = lexer.kind === TK.NEWLINE;
      // Only a comment can make a statement run over lines; its operands are then located by its first line.
      this.body.instruction(raw, { line, column, lineStart: lexer.lineStart === lineStart ? lineStart : null }, this.cursor.trivia());
      if (atLineEnd) lexer.advance();
      return;
    }
    if (raw !== null) this.cursor.error("ORI017", `Expected the end of the line, found '${clip(lexer.slice())}'.`);
    this.body.dropped();
    this.cursor.skipStatement();
  }

  private outside(line: number, column: number, length: number, what: string): void {
    // Said once per text: a file without .kernel would repeat it on every line.
    if (!this.saidOutside) this.diagnostics.add("ORI006", line, column, length, `${what} is outside a .kernel or .func.`, ".kernel name()");
    this.saidOutside = true;
  }

  // --- directives ----------------------------------------------------------------------------------------------------------

  private directive(at: Named): void {
    const { name, line, column } = at;
    const { body, cursor } = this;
    switch (name) {
      case ".kernel":
      case ".func":
        this.endBody();
        this.beginBody(name === ".kernel" ? "kernel" : "func");
        break;
      case ".target":
        this.targetDirective();
        break;
      case ".table": {
        if (body === null) this.outside(line, column, name.length, name);
        const table = readTable(cursor);
        if (table !== null) body?.table(table);
        break;
      }
      case ".weight": {
        if (body === null) this.outside(line, column, name.length, name);
        const read = readWeight(cursor);
        if (read !== null) body?.weight(read.at, read.weight);
        break;
      }
      case ".symbol":
        readSymbol(cursor, this.symbols, null);
        break;
      default: {
        const space = name.slice(1);
        if (isSpace(space)) readSymbol(cursor, this.symbols, space);
        else this.diagnostics.add("ORI004", line, column, name.length, `Unknown directive '${clip(name)}'.`, closest(name, DIRECTIVES));
      }
    }
    cursor.skipStatement();
  }

  private targetDirective(): void {
    const { cursor } = this;
    const name = cursor.word("ORI005", "a target like sm_90");
    if (name === null || !cursor.endOfDirective()) return;
    this.target = name.name;
    this.targetTrivia = cursor.trivia();
  }

  private beginBody(kind: "kernel" | "func"): void {
    this.operands.startBody();
    const header = readHeader(this.cursor, this.operands, kind);
    const { name, line, column } = header.name;
    if (name !== "" && this.names.has(name)) {
      this.diagnostics.add("ORI008", line, column, name.length, `There are two bodies named ${clip(name)}.`);
    }
    this.names.add(name);
    this.body = new BodyBuilder(header, this.diagnostics);
  }

  private endBody(): void {
    const fn = this.body?.finish(this.operands.nextReg) ?? null;
    if (fn !== null) this.funcs.push(fn);
    this.body = null;
  }
}
