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

/**
 * A constant integer expression, wrapped to 64 bits: literals, `- ~ !`, `* / % + - << >> & ^ |`, parentheses. Null (and a message) when it is none;
 * what was read so far is consumed. `first` is a value that was read already.
 */
export function parseConstant(p: Parser, first: bigint | null = null): number | bigint | null {
  const { lex } = p;
  const values: bigint[] = [];
  const ops: string[] = [];
  const reduce = (): void => {
    const op = ops.pop() ?? "";
    const b = values.pop() ?? 0n;
    if (op.startsWith("u")) {
      values.push(op === "u-" ? -b : op === "u~" ? ~b : b === 0n ? 1n : 0n);
      return;
    }
    values.push(BigInt.asIntN(65, binary(op, values.pop() ?? 0n, b)));
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
        ops.push(`u${lex.word}`);
        lex.next();
        continue;
      } else if (lex.is("(")) {
        ops.push("(");
        lex.next();
        continue;
      } else {
        complain(p, `expected an integer, found ${found(p)}`);
        return null;
      }
      while (ops.length > 0 && ops[ops.length - 1]?.startsWith("u")) reduce();
      continue;
    }
    if (lex.is(")") && ops.includes("(")) {
      while (ops.length > 0 && ops[ops.length - 1] !== "(") reduce();
      ops.pop();
      lex.next();
      while (ops.length > 0 && ops[ops.length - 1]?.startsWith("u")) reduce();
      continue;
    }
    const op = binaryOperator(p);
    if (op === null) break;
    const level = PRECEDENCE[op] ?? 0;
    while (ops.length > 0 && (PRECEDENCE[ops[ops.length - 1] ?? ""] ?? 0) >= level) reduce();
    ops.push(op);
    wantsValue = true;
  }
  while (ops.length > 0) {
    if (ops[ops.length - 1] === "(") {
      complain(p, `expected ')' in a constant expression, found ${found(p)}`);
      return null;
    }
    reduce();
  }
  const value = values.pop();
  return value === undefined ? null : narrow(value > 0xffffffffffffffffn ? BigInt.asIntN(64, value) : value);
}

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

function binary(op: string, a: bigint, b: bigint): bigint {
  switch (op) {
    case "*":
      return a * b;
    case "/":
      return b === 0n ? 0n : a / b;
    case "%":
      return b === 0n ? 0n : a % b;
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "<<":
      return b < 0n || b > 63n ? 0n : BigInt.asIntN(64, a << b);
    case ">>":
      return b < 0n || b > 63n ? 0n : a >> b;
    case "&":
      return a & b;
    case "^":
      return a ^ b;
    default:
      return a | b;
  }
}
