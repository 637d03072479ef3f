/** Reads the directives of the language, after their first word. */

import { closest } from "../../base/closest.ts";
import type { Reg } from "../ir/ids.ts";
import type { BlockSize, ModuleSymbol, Param, SymbolAddress } from "../ir/types.ts";
import type { Header, Named, RawTable } from "./body.ts";
import type { Cursor } from "./cursor.ts";
import { TK } from "./lexer.ts";
import { readNumber } from "./literals.ts";
import { clip } from "./mnemonic.ts";
import type { OperandReader } from "./operands.ts";
import { isSpace, SPACES, type SymbolTable } from "./symbols.ts";

const OPEN_PAREN = 40;
const CLOSE_PAREN = 41;
const COMMA = 44;
const PLUS = 43;
const MINUS = 45;
const GREATER = 62;
const COLON = 58;
const EQUALS = 61;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** `NAME(params) -> regs`, `NAME(params) .reqntid 64, 1, 1`. A header with an error still opens a body; without a name the body is read for its errors only. */
export function readHeader(cursor: Cursor, operands: OperandReader, kind: "kernel" | "func"): Header {
  const { lexer } = cursor;
  const name = cursor.word("ORI005", `the ${kind}'s name`) ?? { name: "", line: lexer.line, column: lexer.column(lexer.start) };
  const params = cursor.failed ? [] : readParams(cursor, operands);
  const returns = cursor.failed ? [] : readResults(cursor, operands, kind);
  const blockSize = cursor.failed ? null : readBlockSize(cursor, kind);
  if (!cursor.failed) cursor.endOfDirective();
  return { kind, name, params, returns, blockSize, trivia: cursor.trivia() };
}

const MOST_THREADS = 1024;

/** `.reqntid X, Y, Z`; Y and Z are 1 where they are left out, as in PTX. */
function readBlockSize(cursor: Cursor, kind: "kernel" | "func"): BlockSize | null {
  const { lexer } = cursor;
  if (lexer.kind !== TK.IDENT || lexer.slice() !== ".reqntid") return null;
  if (kind === "func") cursor.error("ORI005", "A .func has no block of its own; a .kernel has.", ".kernel");
  lexer.advance();
  const { start } = lexer;
  const sizes: number[] = [];
  do {
    const size = cursor.integer();
    if (size === null) return null;
    sizes.push(size);
  } while (sizes.length < 3 && cursor.accept(COMMA));
  const [x = 1, y = 1, z = 1] = sizes;
  if (sizes.every((size) => size >= 1) && x * y * z <= MOST_THREADS) return [x, y, z];
  cursor.report("ORI005", start, lexer.start, `Expected up to three sizes of at least 1 each, ${MOST_THREADS} threads in all.`);
  return null;
}

function readParams(cursor: Cursor, operands: OperandReader): Param[] {
  const params: Param[] = [];
  if (!cursor.accept(OPEN_PAREN)) return params;
  const names = new Set<string>();
  const regs = new Set<Reg>();
  cursor.skipNewlines();
  while (!cursor.accept(CLOSE_PAREN)) {
    if (params.length > 0 && !cursor.expect(COMMA, "',' or ')'")) return params;
    cursor.skipNewlines();
    const name = cursor.word("ORI005", "a parameter like n: R0");
    if (name === null || !cursor.expect(COLON, "':' and a register")) return params;
    const { start, end } = cursor.lexer;
    const r = operands.register();
    if (r === null) return params;
    if (names.has(name.name) || regs.has(r)) {
      cursor.report("ORI008", start, end, `The parameter ${clip(name.name)} or its register is declared twice.`);
      return params;
    }
    names.add(name.name);
    regs.add(r);
    params.push({ name: name.name, reg: r });
    cursor.skipNewlines();
  }
  return params;
}

function readResults(cursor: Cursor, operands: OperandReader, kind: "kernel" | "func"): Reg[] {
  const regs: Reg[] = [];
  if (cursor.lexer.kind !== MINUS) return regs;
  if (kind === "kernel") cursor.error("ORI005", "A kernel has no results; a .func has.", ".func");
  cursor.lexer.advance();
  if (!cursor.expect(GREATER, "'->'")) return regs;
  do {
    const r = operands.register();
    if (r === null) return regs;
    regs.push(r);
  } while (cursor.accept(COMMA));
  return kind === "kernel" ? [] : regs;
}

/**
 * `JT0 base=-2 default=BB9 { BB1, BB2 }`; the group may run over lines. Null after an error; the cursor is then after the group, or at what looks like
 * the next statement.
 */
export function readTable(cursor: Cursor): RawTable | null {
  const at = cursor.word("ORI005", "the table's name");
  if (at === null) return null;
  let base = 0;
  let fallback: Named | null = null;
  while (cursor.lexer.kind === TK.IDENT) {
    const key = cursor.lexer.slice();
    if (key !== "base" && key !== "default") break;
    cursor.lexer.advance();
    if (!cursor.expect(EQUALS, "'='")) return null;
    if (key === "base") {
      const value = cursor.integer();
      if (value === null) return null;
      base = value;
    } else {
      fallback = cursor.word("ORI005", "a label");
      if (fallback === null) return null;
    }
  }
  if (!cursor.expect(OPEN_BRACE, "base=, default= or '{'")) return null;
  const entries = readGroup(cursor);
  if (entries === null) skipGroup(cursor);
  if (entries === null || !cursor.endOfDirective()) return null;
  return { at, base, default: fallback, entries, trivia: cursor.trivia() };
}

function readGroup(cursor: Cursor): Named[] | null {
  const entries: Named[] = [];
  cursor.skipNewlines();
  while (!cursor.accept(CLOSE_BRACE)) {
    if (entries.length > 0 && !cursor.expect(COMMA, "',' or '}'")) return null;
    cursor.skipNewlines();
    const entry = cursor.word("ORI005", "a label");
    if (entry === null) return null;
    entries.push(entry);
    cursor.skipNewlines();
  }
  return entries;
}

/** After an error inside a table's group: up to its closing brace, or to a line that looks like something else. */
function skipGroup(cursor: Cursor): void {
  const { lexer } = cursor;
  let lineStarts = false;
  while (lexer.kind !== TK.EOF && lexer.kind !== CLOSE_BRACE) {
    if (lineStarts && (lexer.text.charCodeAt(lexer.start) === 46 || cursor.isLabel())) return;
    lineStarts = lexer.kind === TK.NEWLINE;
    lexer.advance();
  }
}

/** `BB3 900`. Null after an error. */
export function readWeight(cursor: Cursor): { readonly at: Named; readonly weight: number } | null {
  const { lexer } = cursor;
  const at = cursor.word("ORI005", "a label");
  if (at === null) return null;
  const value = lexer.kind === TK.NUMBER ? readNumber(lexer.slice(), false) : null;
  if (value?.kind === "imm" || (value?.kind === "decimal" && Number.isFinite(value.value))) {
    lexer.advance();
    return cursor.endOfDirective() ? { at, weight: value.value } : null;
  }
  cursor.error("ORI003", "Expected an execution count of 0 or more.");
  return null;
}

/** `.symbol NAME space size align [offset=N] [init=hex] [addresses={0: NAME+8}]`, or with the space as the directive: `.shared NAME size [align]`. */
export function readSymbol(cursor: Cursor, symbols: SymbolTable, given: ModuleSymbol["space"] | null): void {
  const name = cursor.word("ORI005", "the symbol's name");
  if (name === null) return;
  const space = given ?? readSpace(cursor);
  if (space !== null) readSymbolRest(cursor, symbols, name, space);
}

function readSpace(cursor: Cursor): ModuleSymbol["space"] | null {
  const { start, end } = cursor.lexer;
  const word = cursor.word("ORI005", `a space: ${SPACES.join(", ")}`);
  if (word === null) return null;
  if (isSpace(word.name)) return word.name;
  cursor.report("ORI005", start, end, `Unknown space '${clip(word.name)}'.`, closest(word.name, SPACES));
  return null;
}

function readSymbolRest(cursor: Cursor, symbols: SymbolTable, name: Named, space: ModuleSymbol["space"]): void {
  const { lexer } = cursor;
  const size = cursor.integer();
  if (size === null) return;
  const align = lexer.kind === TK.NUMBER ? cursor.integer() : 4;
  if (align === null) return;
  let offset: number | null = null;
  let init: string | null = null;
  const addresses: SymbolAddress[] = [];
  while (lexer.kind === TK.IDENT) {
    const key = lexer.slice();
    lexer.advance();
    if (!KEYS.has(key) || !cursor.expect(EQUALS, "'='")) {
      cursor.error("ORI005", `Expected offset=, init= or addresses=, found '${clip(key)}'.`);
      return;
    }
    if (key === "offset") {
      offset = cursor.integer();
      if (offset === null) return;
    } else if (key !== "init") {
      if (!readAddresses(cursor, symbols, key === "addresses" ? 8 : 4, size, addresses)) return;
    } else {
      const hex = lexer.slice();
      if (!/^(?:[0-9a-fA-F]{2})+$/.test(hex)) {
        cursor.error("ORI005", "Expected pairs of hexadecimal digits.");
        return;
      }
      init = hex.toLowerCase();
      lexer.advance();
    }
  }
  if (!cursor.endOfDirective()) return;
  if (
    size < 0 ||
    (offset ?? 0) < 0 ||
    align < 1 ||
    align > 1024 ||
    (align & (align - 1)) !== 0 ||
    (init !== null && init.length / 2 > size)
  ) {
    cursor.error(
      "ORI005",
      "Expected a size and an offset of 0 or more, an alignment that is a power of two up to 1024, and no more initial bytes than the size.",
    );
    return;
  }
  const more = addresses.length === 0 ? {} : { addresses };
  if (!symbols.add({ name: name.name, space, size, align, init, ...more }, offset, cursor.trivia())) {
    cursor.diagnostics.add("ORI008", name.line, name.column, name.name.length, `There are two symbols of the name ${clip(name.name)}.`);
  }
}

const KEYS: ReadonlySet<string> = new Set(["offset", "init", "addresses", "addresses32"]);

/** `{0: table+16, 8: name}`: where which address begins. False after an error. */
function readAddresses(cursor: Cursor, symbols: SymbolTable, bytes: SymbolAddress["bytes"], size: number, into: SymbolAddress[]): boolean {
  if (!cursor.expect(OPEN_BRACE, "'{'")) return false;
  do {
    const at = cursor.integer();
    if (at === null || !cursor.expect(COLON, "':' and a symbol")) return false;
    const word = cursor.word("ORI005", "the name of a symbol");
    if (word === null) return false;
    const offset = cursor.accept(PLUS) ? cursor.integer() : 0;
    if (offset === null) return false;
    if (symbols.addressOf(word.name) === null) {
      cursor.diagnostics.add("ORI026", word.line, word.column, word.name.length, `'${clip(word.name)}' is not a symbol declared before.`);
      return false;
    }
    if (at < 0 || at + bytes > size) {
      cursor.error("ORI005", "The address does not fit the symbol's size.");
      return false;
    }
    into.push({ at, bytes, name: word.name, offset });
  } while (cursor.accept(COMMA));
  return cursor.expect(CLOSE_BRACE, "'}'");
}
