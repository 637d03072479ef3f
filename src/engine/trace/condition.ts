/** Small conditions over events, as breakpoints use them: `kind = rewrite and (block = BB4 or verdict = no) and not cost > 3`. */

import { closest } from "../ir/closest.ts";
import { regName } from "../ir/reg.ts";
import type { FactValue } from "./event.ts";
import { EVENT_KINDS } from "./kinds.ts";
import type { StepTest } from "./subject.ts";
import type { Trace } from "./trace.ts";

type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~";

export type Condition =
  | { readonly kind: "and" | "or"; readonly left: Condition; readonly right: Condition }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "has"; readonly name: string }
  | { readonly kind: "compare"; readonly name: string; readonly op: Comparison; readonly value: string };

/** `column` is 1-based. */
export interface ConditionError {
  readonly column: number;
  readonly length: number;
  readonly message: string;
}

export type ParsedCondition = { readonly ok: true; readonly condition: Condition } | { readonly ok: false; readonly error: ConditionError };

const MAX_LENGTH = 1000;
const MAX_NESTING = 40;

interface Word {
  readonly text: string;
  readonly kind: "word" | "quoted" | "op" | "paren" | "end";
  readonly at: number;
}

/**
 * Names: `kind`, `line`, `step`, `depth`, `block` (label), `edge` (`BB1->BB2`), `inst` (id), `reg`, `node`, `sentence`, and every fact by its name.
 * Operators: `=`, `!=`, `<`, `<=`, `>`, `>=`, `~` (contains); a name alone asks whether there is such a fact and it is not false.
 */
export function parseCondition(text: string): ParsedCondition {
  if (text.length > MAX_LENGTH)
    return failure({ text: "", kind: "end", at: MAX_LENGTH }, `a condition has at most ${MAX_LENGTH} characters`);
  const words = split(text);
  if (!Array.isArray(words)) return { ok: false, error: words };
  return new ConditionParser(words).parse();
}

function split(text: string): Word[] | ConditionError {
  const words: Word[] = [];
  const pattern = /\s+|(!=|<=|>=|==|=|<|>|~)|([()])|"([^"]*)"|((?:[\w$.+/]|->|-(?!>))+)/y;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) return { column: at + 1, length: 1, message: `'${text[at]}' has no meaning in a condition` };
    const [, op, paren, quoted, word] = match;
    if (op !== undefined) words.push({ text: op === "==" ? "=" : op, kind: "op", at });
    else if (paren !== undefined) words.push({ text: paren, kind: "paren", at });
    else if (quoted !== undefined) words.push({ text: quoted, kind: "quoted", at });
    else if (word !== undefined) words.push({ text: word, kind: "word", at });
  }
  words.push({ text: "", kind: "end", at: text.length });
  return words;
}

class Refused extends Error {
  readonly word: Word;
  constructor(word: Word, message: string) {
    super(message);
    this.word = word;
  }
}

class ConditionParser {
  private readonly words: readonly Word[];
  private at = 0;
  private nesting = 0;

  constructor(words: readonly Word[]) {
    this.words = words;
  }

  parse(): ParsedCondition {
    try {
      const condition = this.disjunction();
      const rest = this.peek();
      if (rest.kind !== "end") throw new Refused(rest, `expected 'and', 'or' or the end, not '${rest.text}'`);
      return { ok: true, condition };
    } catch (error) {
      if (error instanceof Refused) return failure(error.word, error.message);
      throw error;
    }
  }

  private disjunction(): Condition {
    let left = this.conjunction();
    while (this.takeWord("or")) left = { kind: "or", left, right: this.conjunction() };
    return left;
  }

  private conjunction(): Condition {
    let left = this.negation();
    while (this.takeWord("and")) left = { kind: "and", left, right: this.negation() };
    return left;
  }

  private negation(): Condition {
    let negated = false;
    while (this.takeWord("not")) negated = !negated;
    const inner = this.primary();
    return negated ? { kind: "not", of: inner } : inner;
  }

  private primary(): Condition {
    const word = this.next();
    if (word.kind === "paren" && word.text === "(") {
      if (++this.nesting > MAX_NESTING) throw new Refused(word, "too many parentheses inside one another");
      const inner = this.disjunction();
      const close = this.next();
      if (close.text !== ")" || close.kind !== "paren") throw new Refused(close, "expected ')'");
      this.nesting--;
      return inner;
    }
    if (word.kind !== "word" || isKeyword(word.text)) {
      throw new Refused(word, word.kind === "end" ? "expected a name such as kind, block or line" : `expected a name, not '${word.text}'`);
    }
    if (this.peek().kind !== "op") return { kind: "has", name: word.text };
    const op = this.next().text as Comparison;
    const value = this.next();
    if (value.kind === "quoted" || (value.kind === "word" && !isKeyword(value.text))) {
      if (word.text === "kind" && (op === "=" || op === "!=") && !isEventKind(value.text)) {
        const meant = closest(value.text, EVENT_KINDS);
        throw new Refused(value, `there is no kind of event '${value.text}'${meant === null ? "" : `; did you mean '${meant}'?`}`);
      }
      return { kind: "compare", name: word.text, op, value: value.text };
    }
    throw new Refused(value, `expected a value after '${word.text} ${op}'`);
  }

  private takeWord(text: string): boolean {
    const word = this.peek();
    if (word.kind !== "word" || word.text.toLowerCase() !== text) return false;
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

const isKeyword = (text: string): boolean => /^(?:and|or|not)$/i.test(text);

const failure = (word: Word, message: string): { readonly ok: false; readonly error: ConditionError } => ({
  ok: false,
  error: { column: word.at + 1, length: word.text.length, message },
});

const isEventKind = (text: string): boolean => EVENT_KINDS.some((kind) => kind === text);

/** What is wrong with a condition, in one line with its column; null when it can be read. */
export function conditionProblem(text: string): string | null {
  const parsed = parseCondition(text);
  return parsed.ok ? null : `column ${parsed.error.column}: ${parsed.error.message}`;
}

/** The condition as a test of a trace's steps. */
export function conditionTest(trace: Trace, condition: Condition): StepTest {
  switch (condition.kind) {
    case "and": {
      const [left, right] = [conditionTest(trace, condition.left), conditionTest(trace, condition.right)];
      return (step) => left(step) && right(step);
    }
    case "or": {
      const [left, right] = [conditionTest(trace, condition.left), conditionTest(trace, condition.right)];
      return (step) => left(step) || right(step);
    }
    case "not": {
      const inner = conditionTest(trace, condition.of);
      return (step) => !inner(step);
    }
    case "has":
      return (step) => valuesOf(trace, step, condition.name).some((value) => value !== false && value !== null);
    case "compare": {
      const { name, op, value } = condition;
      if (op === "!=") return (step) => !valuesOf(trace, step, name).some((v) => holds(v, "=", value));
      return (step) => valuesOf(trace, step, name).some((v) => holds(v, op, value));
    }
  }
}

type Scalar = string | number | boolean | null;

function holds(actual: Scalar, op: Comparison, wanted: string): boolean {
  const text = String(actual);
  if (op === "~") return text.toLowerCase().includes(wanted.toLowerCase());
  const number = typeof actual === "number" ? actual : Number.NaN;
  const wantedNumber = wanted.trim() === "" ? Number.NaN : Number(wanted);
  switch (op) {
    case "=":
      return text === wanted || number === wantedNumber;
    case "!=":
      return text !== wanted && number !== wantedNumber;
    case "<":
      return number < wantedNumber;
    case "<=":
      return number <= wantedNumber;
    case ">":
      return number > wantedNumber;
    case ">=":
      return number >= wantedNumber;
  }
}

/** Every value that a name has at a step: several where an event is about several things. */
function valuesOf(trace: Trace, step: number, name: string): readonly Scalar[] {
  switch (name) {
    case "kind":
      return [trace.tape.kindOf(step)];
    case "line":
      return [trace.tape.lines.get(step)];
    case "step":
      return [step];
    case "depth":
      return [trace.tape.depths.get(step)];
    case "sentence":
      return [trace.event(step).sentence];
    case "block": {
      const { blocks = [], edges = [] } = trace.focus(step);
      return [...[...blocks, ...edges.flat()].map((id) => trace.label(id)), ...factValues(trace.fact(step, name))];
    }
    case "edge":
      return [
        ...(trace.focus(step).edges ?? []).map(([from, to]) => `${trace.label(from)}->${trace.label(to)}`),
        ...factValues(trace.fact(step, name)),
      ];
    case "inst": {
      const { insts = [], operands = [] } = trace.focus(step);
      return [...insts, ...operands.map(([inst]) => inst), ...factValues(trace.fact(step, name))];
    }
    case "reg":
      return [...(trace.focus(step).regs ?? []).map(regName), ...factValues(trace.fact(step, name))];
    case "node":
      return [...(trace.focus(step).nodes ?? []), ...factValues(trace.fact(step, name))];
    default:
      return factValues(trace.fact(step, name));
  }
}

function factValues(value: FactValue | undefined): readonly Scalar[] {
  if (value === undefined) return [];
  return typeof value === "object" && value !== null ? value : [value];
}
