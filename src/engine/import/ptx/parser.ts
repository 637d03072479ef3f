/** What all parts of the PTX parser share: the lexer, the messages, and the few moves between tokens. */

import type { DiagnosticSink, Place } from "../diagnostics.ts";
import type { PtxCode } from "./codes.ts";
import { type Lexer, TOKEN } from "./lexer.ts";
import type { LocTable } from "./line-map.ts";
import { type OpSpelling, splitOpcode } from "./spelling.ts";

export interface Parser {
  readonly lex: Lexer;
  readonly sink: DiagnosticSink<PtxCode>;
  readonly locs: LocTable;
  /** Spellings met so far: a text has a few hundred, however long it is. */
  readonly spellings: Map<string, OpSpelling>;
  /** A register was declared as a vector. */
  hasVectors: boolean;
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

/** Steps over one punctuation character; false (and nothing consumed) when there is something else. */
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

/** An error at the current token: a syntax error, or the end of the text, if that is the token. */
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
