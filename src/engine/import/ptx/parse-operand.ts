/** Operands of a PTX instruction. */

import type { OperandAst } from "./ast.ts";
import { beginsConstant, parseConstant, parseValue } from "./constant.ts";
import { TOKEN } from "./lexer.ts";
import { type Literal, parseLiteral } from "./literal.ts";
import { accept, complain, expectChar, found, type Parser } from "./parser.ts";
import { predefinedConstant } from "./sregs.ts";

/** Lists within lists nest at most this deep. */
const MAX_DEPTH = 6;

/** One operand; null (with a message, position unspecified) when none can be read. `callLike`: `(` opens an argument list. */
export function parseOperand(p: Parser, callLike: boolean, depth = 0): OperandAst | null {
  const first = parseSimple(p, callLike, depth);
  if (first === null || !p.lex.is("|")) return first;
  p.lex.next();
  const second = parseSimple(p, callLike, depth);
  return second === null ? null : { kind: "pair", first, second };
}

function parseSimple(p: Parser, callLike: boolean, depth: number): OperandAst | null {
  const { lex } = p;
  switch (lex.kind) {
    case TOKEN.name:
      return predefinedConstant(lex.word) === undefined ? parseName(p) : parseValue(p);
    case TOKEN.number:
      return parseNumber(p) ?? parseValue(p);
    case TOKEN.punct:
      break;
    default:
      if (lex.at(TOKEN.dotted) && beginsConstant(p)) return parseValue(p);
      complain(p, `expected an operand, found ${found(p)}`);
      return null;
  }
  switch (lex.word) {
    case "[":
      return parseMemory(p, callLike, depth);
    case "{":
      return parseItems(p, "vec", "}", callLike, depth);
    case "(":
      return callLike ? parseItems(p, "list", ")", callLike, depth) : parseValue(p);
    case "-":
    case "!": {
      const kind = lex.is("-") ? "neg" : "not";
      const word = /^\s*([A-Za-z_$%][\w$]*)/.exec(lex.text.slice(lex.end, lex.end + 100))?.[1];
      if (word === undefined || predefinedConstant(word) !== undefined) return parseValue(p);
      lex.next();
      const of = parseName(p);
      return of === null ? null : { kind, of };
    }
    case "~":
    case "+":
      return parseValue(p);
    default:
      complain(p, `expected an operand, found ${found(p)}`);
      return null;
  }
}

/** What ends an operand right after a number. */
const ENDS = new Set([",", ";", "]", "}", ")"].map((ch) => ch.charCodeAt(0)));

/** A number alone, as nearly all are; null (and nothing consumed) where it may be part of an expression. */
function parseNumber(p: Parser): Literal | null {
  const { lex } = p;
  if (!ENDS.has(lex.after())) return null;
  const literal = parseLiteral(lex.word);
  if (literal !== null) lex.next();
  return literal;
}

/** A register with an optional element (`%tid.x`), a symbol with an optional offset, or `_`. */
function parseName(p: Parser): OperandAst | null {
  const { lex } = p;
  const name = lex.word;
  const part = takePart(p);
  if (name === "_") return { kind: "sink" };
  let offset = 0;
  if (lex.is("+") || lex.is("-")) {
    const value = signedOffset(p);
    if (value === null) return null;
    offset = value;
  }
  return { kind: "name", name, part, offset, named: null };
}

/** Steps over the name and an element that is written right after it: `.x`, without its dot. */
function takePart(p: Parser): string {
  const { lex } = p;
  const dotBehind = lex.after() === 46;
  lex.next();
  if (!dotBehind || !lex.at(TOKEN.dotted)) return "";
  const part = lex.word.slice(1);
  lex.next();
  return part;
}

function parseItems(p: Parser, kind: "vec" | "list", close: string, callLike: boolean, depth: number): OperandAst | null {
  p.lex.next();
  const items: OperandAst[] = [];
  if (depth >= MAX_DEPTH) {
    complain(p, "lists nested this deep are not read");
    return null;
  }
  while (!p.lex.is(close)) {
    const item = parseOperand(p, callLike, depth + 1);
    if (item === null) return null;
    items.push(item);
    if (!accept(p, ",")) break;
  }
  return expectChar(p, close, "after the list") ? { kind, items } : null;
}

/** `[reg+n]`, `[sym]`, `[n]`, `[tex, samp, {x, y}]`. */
function parseMemory(p: Parser, callLike: boolean, depth: number): OperandAst | null {
  const { lex } = p;
  lex.next();
  let base: string | null = null;
  let part = "";
  let offset = 0;
  if (lex.at(TOKEN.name)) {
    base = lex.word;
    part = takePart(p);
    if (lex.is("+") || lex.is("-")) {
      const value = signedOffset(p);
      if (value === null) return null;
      offset = value;
    }
  } else {
    const value = parseConstant(p);
    if (value === null) return null;
    offset = constantNumber(value) ?? 0;
  }
  const coords: OperandAst[] = [];
  while (accept(p, ",")) {
    if (depth >= MAX_DEPTH) return null;
    const item = parseOperand(p, callLike, depth + 1);
    if (item === null) return null;
    coords.push(item);
  }
  return expectChar(p, "]", "after the address") ? { kind: "mem", base, part, offset, coords, named: null } : null;
}

/** `+ 4`, `+-4104`, `-8`, `+4*2`, with blanks anywhere: what is added to a name. */
function signedOffset(p: Parser): number | null {
  const { lex } = p;
  if (lex.is("+") && lex.peek() >= "0") {
    lex.next();
    const plain = parseNumber(p);
    if (plain?.kind === "int") return Number(plain.value);
    return constantNumber(parseConstant(p));
  }
  return constantNumber(parseConstant(p, 0));
}

function constantNumber(value: number | bigint | null): number | null {
  return value === null ? null : Number(typeof value === "bigint" ? BigInt.asIntN(64, value) : value);
}
