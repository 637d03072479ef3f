/** Operands of a PTX instruction. */

import type { Place } from "../diagnostics.ts";
import type { OperandAst } from "./ast.ts";
import { TOKEN } from "./lexer.ts";
import { parseLiteral } from "./literal.ts";
import { accept, complain, expectChar, found, here, negated, type Parser, parseConstant } from "./parser.ts";

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
      return parseName(p);
    case TOKEN.number:
      return parseNumber(p, null);
    case TOKEN.punct:
      break;
    default:
      complain(p, `expected an operand, found ${found(p)}`);
      return null;
  }
  switch (lex.word) {
    case "[":
      return parseMemory(p, callLike, depth);
    case "{":
      return parseItems(p, "vec", "}", callLike, depth);
    case "(":
      return callLike ? parseItems(p, "list", ")", callLike, depth) : constant(p);
    case "-": {
      const minus = here(p);
      lex.next();
      if (lex.at(TOKEN.number)) return parseNumber(p, minus);
      if (lex.at(TOKEN.name)) {
        const of = parseName(p);
        return of === null ? null : { kind: "neg", of };
      }
      return constant(p, minus);
    }
    case "!": {
      lex.next();
      if (!lex.at(TOKEN.name)) {
        complain(p, `expected a predicate after '!', found ${found(p)}`);
        return null;
      }
      const of = parseName(p);
      return of === null ? null : { kind: "not", of };
    }
    case "~":
    case "+":
      return constant(p);
    default:
      complain(p, `expected an operand, found ${found(p)}`);
      return null;
  }
}

/** `minus`: where a minus stands before it. */
function constant(p: Parser, minus: Place | null = null): OperandAst | null {
  accept(p, "+");
  const constant = parseConstant(p);
  if (constant === null) return null;
  const value = minus === null ? constant : negated(p, minus, constant);
  return value === null ? null : { kind: "int", value };
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
  return { kind: "name", name, part, offset };
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

/** `minus`: where a minus stands before it. */
function parseNumber(p: Parser, minus: Place | null): OperandAst | null {
  const { lex } = p;
  const negative = minus !== null;
  const literal = parseLiteral(lex.word);
  if (literal === null) {
    p.sink.report(
      "PTX006",
      here(p),
      `${found(p)} is no literal: expected decimal, 0x…, 0b…, octal, 0f and 8 or 0d and 16 hexadecimal digits`,
    );
    lex.next();
    return { kind: "int", value: 0 };
  }
  lex.next();
  switch (literal.kind) {
    case "int": {
      const isExpression = lex.at(TOKEN.punct) && "+-*/%<>&^|".includes(lex.word);
      const first = minus === null ? literal.value : negated(p, minus, literal.value);
      const value = isExpression ? parseConstant(p, BigInt(first ?? 0)) : first;
      return value === null || first === null ? null : { kind: "int", value };
    }
    case "f32":
      return negative ? { kind: "f32", bits: (literal.bits ^ 0x80000000) >>> 0 } : literal;
    case "f64":
      return negative ? { ...literal, hi: (literal.hi ^ 0x80000000) >>> 0 } : literal;
    case "real":
      return negative ? { kind: "real", value: -literal.value } : literal;
  }
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
    offset = Number(value);
  }
  const coords: OperandAst[] = [];
  while (accept(p, ",")) {
    if (depth >= MAX_DEPTH) return null;
    const item = parseOperand(p, callLike, depth + 1);
    if (item === null) return null;
    coords.push(item);
  }
  return expectChar(p, "]", "after the address") ? { kind: "mem", base, part, offset, coords } : null;
}

/** `+ 4`, `+-4104`, `-8`, with blanks anywhere. */
function signedOffset(p: Parser): number | null {
  const negative = p.lex.is("-");
  p.lex.next();
  const value = parseConstant(p);
  if (value === null) return null;
  return negative ? -Number(value) : Number(value);
}
