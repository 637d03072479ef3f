/** What all parts of the PTX parser share: the lexer, the messages, and the few moves between tokens. */

import type { DiagnosticSink, Place } from "../diagnostics.ts";
import type { PtxCode } from "./codes.ts";
import { type Lexer, TOKEN } from "./lexer.ts";
import type { LocTable } from "./line-map.ts";
import { narrow, parseLiteral } from "./literal.ts";
import { type OpSpelling, splitOpcode } from "./types.ts";

export interface Parser {
  readonly lex: Lexer;
  readonly sink: DiagnosticSink<PtxCode>;
  readonly locs: LocTable;
  /** Spellings met so far: a text has a few hundred, however long it is. */
  readonly spellings: Map<string, OpSpelling>;
}

export function here(p: Parser): Place {
  return { line: p.lex.line, column: p.lex.column, length: p.lex.length };
}

/** The token as a person would name it in a message. */
export function found(p: Parser): string {
  if (p.lex.at(TOKEN.end)) return "the end of the text";
  const word = p.lex.word;
  return `'${word.length > 40 ? `${word.slice(0, 40)}…` : word}'`;
}

/** Steps over one punctuation character; false (and nothing consumed) when something else stands there. */
export function accept(p: Parser, ch: string): boolean {
  if (!p.lex.is(ch)) return false;
  p.lex.next();
  return true;
}

/** Like `accept`, with a message when it is not there. */
export function expectChar(p: Parser, ch: string, where: string): boolean {
  if (accept(p, ch)) return true;
  complain(p, `expected '${ch}' ${where}, found ${found(p)}`);
  return false;
}

/** An error at the current token: a syntax error, or the end of the text when that is what stands there. */
export function complain(p: Parser, message: string): void {
  p.sink.report(p.lex.at(TOKEN.end) ? "PTX009" : "PTX007", here(p), message);
}

export function spelling(p: Parser, text: string): OpSpelling {
  let known = p.spellings.get(text);
  if (known === undefined) {
    known = splitOpcode(text);
    p.spellings.set(text, known);
  }
  return known;
}

/** Unary and binary operators of constant expressions; precedence as in C. */
const PRECEDENCE: Readonly<Record<string, number>> = { "*": 6, "/": 6, "%": 6, "+": 5, "-": 5, "<<": 4, ">>": 4, "&": 3, "^": 2, "|": 1 };
/** Longer expressions are garbage; the cap keeps 64-bit arithmetic on them cheap. */
const MAX_TERMS = 256;

/** An operator that waits for its operands, and where it stands. */
interface Pending {
  readonly op: string;
  readonly place: Place;
}

/**
 * A constant integer expression of 64 bits: literals, `- ~ !`, `* / % + - << >> & ^ |`, parentheses. Null (and a message) when it is none, divides by zero or
 * overflows; what was read so far is consumed. `first` is a value that was read already.
 */
export function parseConstant(p: Parser, first: bigint | null = null): number | bigint | null {
  const { lex } = p;
  const values: bigint[] = [];
  const ops: Pending[] = [];
  const top = (): string => ops[ops.length - 1]?.op ?? "";
  let sound = true;
  const reduce = (): void => {
    const pending = ops.pop();
    if (pending === undefined) return;
    const { op, place } = pending;
    const b = values.pop() ?? 0n;
    const result = op.startsWith("u") ? unary(op, b) : binary(op, values.pop() ?? 0n, b);
    const problem = typeof result === "string" ? result : outOfRange(result);
    // One message an expression: what follows from a wrong value says nothing.
    if (problem !== null && sound) p.sink.report("PTX025", place, problem);
    if (problem !== null) sound = false;
    values.push(typeof result === "string" || problem !== null ? 0n : result);
  };
  let wantsValue = first === null;
  if (first !== null) values.push(first);
  for (let terms = 0; terms < MAX_TERMS; terms++) {
    if (wantsValue) {
      if (lex.at(TOKEN.number)) {
        const literal = parseLiteral(lex.word);
        if (literal?.kind !== "int") {
          p.sink.report("PTX006", here(p), `${found(p)} is no integer literal`);
          lex.next();
          return null;
        }
        values.push(BigInt(literal.value));
        lex.next();
        wantsValue = false;
      } else if (lex.is("-") || lex.is("~") || lex.is("!")) {
        ops.push({ op: `u${lex.word}`, place: here(p) });
        lex.next();
        continue;
      } else if (lex.is("(")) {
        ops.push({ op: "(", place: here(p) });
        lex.next();
        continue;
      } else {
        complain(p, `expected an integer, found ${found(p)}`);
        return null;
      }
      while (top().startsWith("u")) reduce();
      continue;
    }
    if (lex.is(")") && ops.some(({ op }) => op === "(")) {
      while (ops.length > 0 && top() !== "(") reduce();
      ops.pop();
      lex.next();
      while (top().startsWith("u")) reduce();
      continue;
    }
    const place = here(p);
    const op = binaryOperator(p);
    if (op === null) break;
    const level = PRECEDENCE[op] ?? 0;
    while (ops.length > 0 && (PRECEDENCE[top()] ?? 0) >= level) reduce();
    ops.push({ op, place });
    wantsValue = true;
  }
  while (ops.length > 0) {
    if (top() === "(") {
      complain(p, `expected ')' in a constant expression, found ${found(p)}`);
      return null;
    }
    reduce();
  }
  const value = values.pop();
  return value === undefined || !sound ? null : narrow(value);
}

/** Constants are signed or unsigned 64-bit integers. */
function outOfRange(value: bigint): string | null {
  if (value >= -0x8000000000000000n && value <= 0xffffffffffffffffn) return null;
  return "the constant expression overflows 64 bits here";
}

function unary(op: string, b: bigint): bigint {
  if (op === "u-") return -b;
  // Of an unsigned value the complement is unsigned as well.
  if (op === "u~") return b > 0x7fffffffffffffffn ? BigInt.asUintN(64, ~b) : ~b;
  return b === 0n ? 1n : 0n;
}

const DIVIDED_BY_ZERO = "the constant expression divides by zero here";
const SHIFTED_TOO_FAR = "the constant expression shifts by less than 0 or more than 63 bits here";

function binaryOperator(p: Parser): string | null {
  const { lex } = p;
  if (!lex.at(TOKEN.punct)) return null;
  const ch = lex.word;
  if (ch === "<" || ch === ">") {
    if (lex.after() !== ch.charCodeAt(0)) return null;
    lex.next();
    lex.next();
    return ch + ch;
  }
  if (PRECEDENCE[ch] === undefined) return null;
  lex.next();
  return ch;
}

/** Bits of an unsigned operand give unsigned bits. */
function sameKind(a: bigint, b: bigint, bits: bigint): bigint {
  return a > 0x7fffffffffffffffn || b > 0x7fffffffffffffffn ? BigInt.asUintN(64, bits) : bits;
}

/** A value with a minus before it; null and a message at the place when that has no 64 bits. */
export function negated(p: Parser, place: Place, value: number | bigint): number | bigint | null {
  const result = -BigInt(value);
  const problem = outOfRange(result);
  if (problem !== null) p.sink.report("PTX025", place, problem);
  return problem === null ? narrow(result) : null;
}

/** The value, or what is wrong. */
function binary(op: string, a: bigint, b: bigint): bigint | string {
  switch (op) {
    case "*":
      return a * b;
    case "/":
      return b === 0n ? DIVIDED_BY_ZERO : a / b;
    case "%":
      return b === 0n ? DIVIDED_BY_ZERO : a % b;
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "<<":
      return b < 0n || b > 63n ? SHIFTED_TOO_FAR : BigInt.asIntN(64, a << b);
    case ">>":
      return b < 0n || b > 63n ? SHIFTED_TOO_FAR : a >> b;
    case "&":
      return sameKind(a, b, a & b);
    case "^":
      return sameKind(a, b, a ^ b);
    default:
      return sameKind(a, b, a | b);
  }
}
