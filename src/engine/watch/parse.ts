/** Conditions on the state of a program: `blocks < 5`, `not edge(BB3, BB7)`, `changes(preds(BB4)) and live(R5, BB4)`. */

import { closest } from "../ir/closest.ts";
import { parseReg } from "../ir/reg.ts";

/** What a function is given. `name`: a data structure of a phase. */
export type Argument = "block" | "reg" | "name" | "inst";

interface Signature {
  readonly takes: readonly Argument[];
  /** A text cannot be compared: only that it changes can be asked. */
  readonly gives: "number" | "truth" | "text";
  readonly about: string;
}

/** Everything that can be asked of a state. */
export const WATCHED = {
  blocks: { takes: [], gives: "number", about: "blocks" },
  instructions: { takes: [], gives: "number", about: "instructions" },
  edges: { takes: [], gives: "number", about: "edges" },
  block: { takes: ["block"], gives: "truth", about: "the block exists" },
  edge: { takes: ["block", "block"], gives: "truth", about: "there is an edge from the first to the second" },
  preds: { takes: ["block"], gives: "number", about: "predecessors of the block" },
  succs: { takes: ["block"], gives: "number", about: "successors of the block" },
  size: { takes: ["block"], gives: "number", about: "instructions of the block" },
  flags: { takes: ["block"], gives: "number", about: "the flag word of the block" },
  live: { takes: ["reg", "block"], gives: "truth", about: "the register is live at the start of the block" },
  defs: { takes: ["reg"], gives: "number", about: "instructions that write the register" },
  uses: { takes: ["reg"], gives: "number", about: "operands that read the register" },
  inst: { takes: ["inst"], gives: "truth", about: "the instruction of this number exists" },
  text: { takes: ["inst"], gives: "text", about: "the instruction as it is printed" },
  entries: { takes: ["name"], gives: "number", about: "cells of the structure" },
  height: { takes: ["name"], gives: "number", about: "height of the tree" },
  chain: { takes: ["name"], gives: "number", about: "the longest chain of the hash map" },
} as const satisfies Readonly<Record<string, Signature>>;

export type Watched = keyof typeof WATCHED;

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type WatchExpr =
  | { readonly kind: "and" | "or"; readonly left: WatchExpr; readonly right: WatchExpr }
  | { readonly kind: "not"; readonly of: WatchExpr }
  | { readonly kind: "compare"; readonly op: Comparison; readonly left: WatchExpr; readonly right: WatchExpr }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "ask"; readonly what: Watched; readonly given: readonly string[] }
  /** True at the step at which the value becomes another one, or the truth becomes true. */
  | { readonly kind: "changes" | "becomes"; readonly of: WatchExpr };

/** `column` is 1-based. */
export interface WatchError {
  readonly column: number;
  readonly length: number;
  readonly message: string;
}

export type ParsedWatch = { readonly ok: true; readonly expr: WatchExpr } | { readonly ok: false; readonly error: WatchError };

const MAX_LENGTH = 1000;
const MAX_NESTING = 40;

interface Word {
  readonly text: string;
  readonly kind: "word" | "number" | "op" | "mark" | "end";
  readonly at: number;
}

export function parseWatch(text: string): ParsedWatch {
  if (text.length > MAX_LENGTH)
    return refused({ text: "", kind: "end", at: MAX_LENGTH }, `a condition has at most ${MAX_LENGTH} characters`);
  const words: Word[] = [];
  const pattern = /\s+|(!=|<=|>=|==|=|<|>)|([(),])|(\d+(?![\w$.]))|([\w$.]+(?:[-+][\w$.]+)*)/y;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null)
      return { ok: false, error: { column: at + 1, length: 1, message: `'${text[at] ?? ""}' has no meaning in a condition` } };
    const [, op, mark, number, word] = match;
    if (op !== undefined) words.push({ text: op === "==" ? "=" : op, kind: "op", at });
    else if (mark !== undefined) words.push({ text: mark, kind: "mark", at });
    else if (number !== undefined) words.push({ text: number, kind: "number", at });
    else if (word !== undefined) words.push({ text: word, kind: "word", at });
  }
  words.push({ text: "", kind: "end", at: text.length });
  return new WatchParser(words).parse();
}

/** What is wrong with a condition, with its column; null when it can be read. */
export function watchProblem(text: string): string | null {
  const parsed = parseWatch(text);
  return parsed.ok ? null : `column ${parsed.error.column}: ${parsed.error.message}`;
}

class Refused extends Error {
  readonly word: Word;
  constructor(word: Word, message: string) {
    super(message);
    this.word = word;
  }
}

const refused = ({ at, text }: Word, message: string): ParsedWatch => ({
  ok: false,
  error: { column: at + 1, length: text.length, message },
});

/** What an expression gives. */
function givenBy(expr: WatchExpr): Signature["gives"] {
  if (expr.kind === "number") return "number";
  return expr.kind === "ask" ? WATCHED[expr.what].gives : "truth";
}

class WatchParser {
  private readonly words: readonly Word[];
  private at = 0;
  private nesting = 0;

  constructor(words: readonly Word[]) {
    this.words = words;
  }

  parse(): ParsedWatch {
    try {
      const first = this.peek();
      const expr = this.truth(this.either(), first);
      const rest = this.peek();
      if (rest.kind !== "end") throw new Refused(rest, `expected 'and', 'or' or the end, not '${rest.text}'`);
      return { ok: true, expr };
    } catch (error) {
      if (error instanceof Refused) return refused(error.word, error.message);
      throw error;
    }
  }

  private truth(expr: WatchExpr, word: Word): WatchExpr {
    const gives = givenBy(expr);
    if (gives === "truth") return expr;
    throw new Refused(
      word,
      gives === "text" ? "this is a text: say changes(…)" : "this is a number: compare it with something, or say changes(…)",
    );
  }

  private number(expr: WatchExpr, word: Word): WatchExpr {
    const gives = givenBy(expr);
    if (gives === "number") return expr;
    throw new Refused(word, `this is ${gives === "text" ? "a text" : "true or false"}: it cannot be compared with a number`);
  }

  private either(): WatchExpr {
    const word = this.peek();
    let left = this.both();
    while (this.take("or")) left = { kind: "or", left: this.truth(left, word), right: this.operand(() => this.both()) };
    return left;
  }

  private both(): WatchExpr {
    const word = this.peek();
    let left = this.negated();
    while (this.take("and")) left = { kind: "and", left: this.truth(left, word), right: this.operand(() => this.negated()) };
    return left;
  }

  private operand(read: () => WatchExpr): WatchExpr {
    const word = this.peek();
    return this.truth(read(), word);
  }

  private negated(): WatchExpr {
    if (this.take("not")) {
      this.deeper(this.peek());
      const of = this.operand(() => this.negated());
      this.nesting--;
      return { kind: "not", of };
    }
    return this.compared();
  }

  private compared(): WatchExpr {
    const word = this.peek();
    const left = this.primary();
    const op = this.peek();
    if (op.kind !== "op") return left;
    this.at++;
    const other = this.peek();
    const right = this.number(this.primary(), other);
    return { kind: "compare", op: op.text as Comparison, left: this.number(left, word), right };
  }

  private primary(): WatchExpr {
    const word = this.next();
    if (word.kind === "number") return { kind: "number", value: Number(word.text) };
    if (word.kind === "mark" && word.text === "(") {
      this.deeper(word);
      const inner = this.either();
      this.close();
      this.nesting--;
      return inner;
    }
    if (word.kind !== "word")
      throw new Refused(word, word.kind === "end" ? "expected a condition such as blocks < 5" : `'${word.text}' does not belong here`);
    if (word.text === "changes" || word.text === "becomes") {
      this.open(word);
      this.deeper(word);
      const first = this.peek();
      const inner = this.either();
      const of = word.text === "becomes" ? this.truth(inner, first) : inner;
      this.close();
      this.nesting--;
      return { kind: word.text, of };
    }
    if (!isWatched(word.text)) {
      const meant = closest(word.text, [...Object.keys(WATCHED), "changes", "becomes"]);
      const known = `there are ${Object.keys(WATCHED).join(", ")}, changes and becomes`;
      throw new Refused(word, `there is no '${word.text}'${meant === null ? `; ${known}` : `; did you mean '${meant}'?`}`);
    }
    return this.ask(word.text, word);
  }

  private ask(what: Watched, word: Word): WatchExpr {
    const { takes } = WATCHED[what];
    const given: string[] = [];
    if (takes.length > 0) {
      this.open(word);
      takes.forEach((kind, i) => {
        if (i > 0) this.comma(what, takes.length);
        const argument = this.next();
        if (argument.kind !== "word" && argument.kind !== "number") throw new Refused(argument, `expected a ${SAID[kind]} here`);
        if (kind === "reg" && parseReg(argument.text) === null) throw new Refused(argument, `'${argument.text}' is no register`);
        if (kind === "inst" && argument.kind !== "number") throw new Refused(argument, `'${argument.text}' is no number of an instruction`);
        given.push(argument.text);
      });
      this.close();
    }
    return { kind: "ask", what, given };
  }

  private open(word: Word): void {
    const mark = this.next();
    if (mark.text !== "(") throw new Refused(mark, `expected '(' after ${word.text}`);
  }

  private close(): void {
    const mark = this.next();
    if (mark.text !== ")") throw new Refused(mark, "expected ')'");
  }

  private comma(what: Watched, count: number): void {
    const mark = this.next();
    if (mark.text !== ",") throw new Refused(mark, `${what} is given ${count} things: expected ','`);
  }

  private deeper(word: Word): void {
    if (++this.nesting > MAX_NESTING) throw new Refused(word, "too much inside one another");
  }

  private take(text: string): boolean {
    const word = this.peek();
    if (word.kind !== "word" || word.text !== text) return false;
    this.at++;
    return true;
  }

  private peek(): Word {
    return this.words[this.at] ?? { text: "", kind: "end", at: 0 };
  }

  private next(): Word {
    const word = this.peek();
    if (word.kind !== "end") this.at++;
    return word;
  }
}

const SAID: Readonly<Record<Argument, string>> = {
  block: "block's label",
  reg: "register",
  name: "structure's name",
  inst: "number of an instruction",
};

const isWatched = (text: string): text is Watched => Object.hasOwn(WATCHED, text);
