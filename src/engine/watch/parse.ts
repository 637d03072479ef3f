/** Conditions on the state of a program: `blocks < 5`, `not edge(BB3, BB7)`, `changes(preds(BB4)) and live(R5, BB4)`. */

import { closest } from "../../base/closest.ts";
import {
  condition,
  disjunction,
  type Failed,
  type Grammar,
  type Joined,
  parsing,
  Refused,
  splitWords,
  type Word,
  WordReader,
} from "../../base/conditions.ts";
import { parseReg } from "../ir/reg.ts";

/** What a function is given. `name`: a data structure of a phase. */
export type Argument = "block" | "reg" | "name" | "inst";

interface Signature {
  readonly takes: readonly Argument[];
  /** A text cannot be compared: a condition can only be that it changes. */
  readonly gives: "number" | "truth" | "text";
  readonly about: string;
}

/** All values of a state that a condition can name. */
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
  /** True at the step at which the value changes, or the condition becomes true. */
  | { readonly kind: "changes" | "becomes"; readonly of: WatchExpr };

export type ParsedWatch = { readonly ok: true; readonly expr: WatchExpr } | Failed;

const WORD = /\s+|(\d+(?![\w$.]))|([\w$.]+(?:[-+][\w$.]+)*)|(!=|<=|>=|==|=|<|>)|([(),])/y;
const KINDS = ["number", "word", "op", "mark"] as const;
type Kind = (typeof KINDS)[number];

export const parseWatch = (text: string): ParsedWatch =>
  parsing(() => ({ ok: true, expr: condition(new WatchParser(new WordReader(splitWords(text, WORD, KINDS)))) }));

/** What is wrong with a condition, with its column; null when it can be read. */
export function watchProblem(text: string): string | null {
  const parsed = parseWatch(text);
  return parsed.ok ? null : `column ${parsed.error.column}: ${parsed.error.message}`;
}

/** What an expression gives. */
function givenBy(expr: WatchExpr): Signature["gives"] {
  if (expr.kind === "number") return "number";
  return expr.kind === "ask" ? WATCHED[expr.what].gives : "truth";
}

class WatchParser implements Grammar<WatchExpr, Kind> {
  readonly words: WordReader<Kind>;

  constructor(words: WordReader<Kind>) {
    this.words = words;
  }

  join = (joined: Joined<WatchExpr>): WatchExpr => joined;

  truth(expr: WatchExpr, word: Word<Kind>): WatchExpr {
    const gives = givenBy(expr);
    if (gives === "truth") return expr;
    throw new Refused(word, gives === "text" ? "this is a text: use changes(…)" : "this is a number: compare it, or use changes(…)");
  }

  private number(expr: WatchExpr, word: Word<Kind>): WatchExpr {
    const gives = givenBy(expr);
    if (gives === "number") return expr;
    throw new Refused(word, `this is ${gives === "text" ? "a text" : "true or false"}: it cannot be compared with a number`);
  }

  operand(): WatchExpr {
    const word = this.words.peek();
    const left = this.primary();
    const op = this.words.peek();
    if (op.kind !== "op") return left;
    this.words.next();
    const other = this.words.peek();
    const right = this.number(this.primary(), other);
    return { kind: "compare", op: op.text as Comparison, left: this.number(left, word), right };
  }

  private primary(): WatchExpr {
    const word = this.words.next();
    if (word.kind === "number") return { kind: "number", value: Number(word.text) };
    if (word.kind === "mark" && word.text === "(") {
      const inner = this.words.inside(word, () => disjunction(this));
      this.close();
      return inner;
    }
    if (word.kind !== "word")
      throw new Refused(word, word.kind === "end" ? "expected a condition such as blocks < 5" : `'${word.text}' does not belong here`);
    if (word.text === "changes" || word.text === "becomes") {
      this.open(word);
      const first = this.words.peek();
      const inner = this.words.inside(word, () => disjunction(this));
      const of = word.text === "becomes" ? this.truth(inner, first) : inner;
      this.close();
      return { kind: word.text, of };
    }
    if (!isWatched(word.text)) {
      const meant = closest(word.text, [...Object.keys(WATCHED), "changes", "becomes"]);
      const known = `there are ${Object.keys(WATCHED).join(", ")}, changes and becomes`;
      throw new Refused(word, `there is no '${word.text}'${meant === null ? `; ${known}` : `; did you mean '${meant}'?`}`);
    }
    return this.ask(word.text, word);
  }

  private ask(what: Watched, word: Word<Kind>): WatchExpr {
    const { takes } = WATCHED[what];
    const given: string[] = [];
    if (takes.length > 0) {
      this.open(word);
      takes.forEach((kind, i) => {
        if (i > 0) this.comma(what, takes.length);
        const argument = this.words.next();
        if (argument.kind !== "word" && argument.kind !== "number") throw new Refused(argument, `expected a ${SAID[kind]} here`);
        if (kind === "reg" && parseReg(argument.text) === null) throw new Refused(argument, `'${argument.text}' is not a register`);
        if (kind === "inst" && argument.kind !== "number")
          throw new Refused(argument, `'${argument.text}' is not the number of an instruction`);
        given.push(argument.text);
      });
      this.close();
    }
    return { kind: "ask", what, given };
  }

  private open(word: Word<Kind>): void {
    const mark = this.words.next();
    if (mark.text !== "(") throw new Refused(mark, `expected '(' after ${word.text}`);
  }

  private close(): void {
    const mark = this.words.next();
    if (mark.text !== ")") throw new Refused(mark, "expected ')'");
  }

  private comma(what: Watched, count: number): void {
    const mark = this.words.next();
    if (mark.text !== ",") throw new Refused(mark, `${what} takes ${count} arguments: expected ','`);
  }
}

const SAID: Readonly<Record<Argument, string>> = {
  block: "block's label",
  reg: "register",
  name: "structure's name",
  inst: "number of an instruction",
};

const isWatched = (text: string): text is Watched => Object.hasOwn(WATCHED, text);
