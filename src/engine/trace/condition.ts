/** Small conditions over events, as breakpoints use them: `kind = rewrite and (block = BB4 or verdict = no) and not cost > 3`. */

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
  WordReader,
} from "../../base/conditions.ts";
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

export type ParsedCondition = { readonly ok: true; readonly condition: Condition } | Failed;

const WORD = /\s+|((?:[\w$.+/]|->|-(?!>))+)|"([^"]*)"|(!=|<=|>=|==|=|<|>|~)|([()])/y;
const KINDS = ["word", "quoted", "op", "paren"] as const;

/**
 * Names: `kind`, `line`, `step`, `depth`, `block` (label), `edge` (`BB1->BB2`), `inst` (id), `reg`, `node`, `sentence`, and every fact by its name.
 * Operators: `=`, `!=`, `<`, `<=`, `>`, `>=`, `~` (contains); a name alone tests whether there is such a fact and it is not false.
 */
export const parseCondition = (text: string): ParsedCondition =>
  parsing(() => ({ ok: true, condition: condition(new ConditionParser(new WordReader(splitWords(text, WORD, KINDS)))) }));

class ConditionParser implements Grammar<Condition, (typeof KINDS)[number]> {
  readonly words: WordReader<(typeof KINDS)[number]>;

  constructor(words: WordReader<(typeof KINDS)[number]>) {
    this.words = words;
  }

  truth = (expr: Condition): Condition => expr;
  join = (joined: Joined<Condition>): Condition => joined;

  operand(): Condition {
    const word = this.words.next();
    if (word.kind === "paren" && word.text === "(") {
      return this.words.inside(word, () => {
        const inner = disjunction(this);
        const close = this.words.next();
        if (close.text !== ")" || close.kind !== "paren") throw new Refused(close, "expected ')'");
        return inner;
      });
    }
    if (word.kind !== "word" || isKeyword(word.text)) {
      throw new Refused(word, word.kind === "end" ? "expected a name such as kind, block or line" : `expected a name, not '${word.text}'`);
    }
    if (this.words.peek().kind !== "op") return { kind: "has", name: word.text };
    const op = this.words.next().text as Comparison;
    const value = this.words.next();
    if (value.kind === "quoted" || (value.kind === "word" && !isKeyword(value.text))) {
      if (word.text === "kind" && (op === "=" || op === "!=") && !isEventKind(value.text)) {
        const meant = closest(value.text, EVENT_KINDS);
        throw new Refused(value, `there is no kind of event '${value.text}'${meant === null ? "" : `; did you mean '${meant}'?`}`);
      }
      return { kind: "compare", name: word.text, op, value: value.text };
    }
    throw new Refused(value, `expected a value after '${word.text} ${op}'`);
  }
}

const isKeyword = (text: string): boolean => /^(?:and|or|not)$/i.test(text);

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
