/**
 * Constant expressions: literals, predefined names, `+ - ! ~`, casts, `* / % + - << >> < <= > >= == != & ^ | && ||`, `?:`, parentheses. Integers have 64 bits and wrap;
 * they are signed unless a literal is too large for that or ends with U, a cast says so, or an operator makes them unsigned: `~`, `%`, and whatever has an unsigned operand.
 */

import type { Place } from "../diagnostics.ts";
import { TOKEN } from "./lexer.ts";
import { type Literal, narrow, parseLiteral } from "./literal.ts";
import { accept, complain, found, here, type Parser } from "./parser.ts";
import { predefinedConstant } from "./sregs.ts";

/** An integer by its 64 bits, or a floating-point number. */
type Value = { readonly kind: "int"; readonly bits: bigint; readonly unsigned: boolean } | Exclude<Literal, { readonly kind: "int" }>;
type Whole = Extract<Value, { readonly kind: "int" }>;

/** Parentheses, signs and `?:` nest at most this deep. */
const MAX_DEPTH = 64;

/** By precedence as in C. A table of `Map`s: the words come from a stranger's text. */
const LEVELS = new Map(
  [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]].flatMap(
    (ops, level) => ops.map((op): readonly [string, number] => [op, level + 1]),
  ),
);

/** The value, of any kind; null (and a message) when it is none. What was read so far is consumed. `first` is a value that was read already. */
export function parseValue(p: Parser, first: number | bigint | null = null): Literal | null {
  const start = first === null ? null : whole(BigInt(first));
  const value = conditional(p, start, 0);
  return value === null ? null : literalOf(value);
}

/** An integer; null (and a message) when it is none. */
export function parseConstant(p: Parser, first: number | bigint | null = null): number | bigint | null {
  const place = here(p);
  const value = parseValue(p, first);
  if (value === null || value.kind === "int") return value?.value ?? null;
  p.sink.report("PTX006", place, "this is not an integer constant");
  return null;
}

/** The number of registers before a `>`: a sum at most, since a comparison would take the `>`. */
export function parseCount(p: Parser): number | null {
  const value = binary(p, null, LEVELS.get("+") ?? 0, 0);
  return value?.kind === "int" ? Number(numberOf(value)) : null;
}

/** True when the current token can begin a constant: a number, a sign, or a predefined name. */
export function beginsConstant(p: Parser): boolean {
  const { lex } = p;
  if (lex.at(TOKEN.name)) return predefinedConstant(lex.word) !== undefined;
  return lex.at(TOKEN.number) || isFraction(p) || (lex.at(TOKEN.punct) && "-+~!(".includes(lex.word));
}

/** `.5`, which begins like a directive. */
function isFraction({ lex }: Parser): boolean {
  return lex.at(TOKEN.dotted) && /^\.\d+$/.test(lex.word);
}

function whole(value: bigint, unsigned = value > 0x7fffffffffffffffn): Whole {
  return { kind: "int", bits: BigInt.asUintN(64, value), unsigned };
}

function numberOf({ bits, unsigned }: Whole): bigint {
  return unsigned ? bits : BigInt.asIntN(64, bits);
}

function literalOf(value: Value): Literal {
  return value.kind === "int" ? { kind: "int", value: narrow(numberOf(value)) } : value;
}

/** `a ? b : c`, or what is above it in precedence. */
function conditional(p: Parser, first: Value | null, depth: number): Value | null {
  if (depth > MAX_DEPTH) {
    complain(p, "constant expressions nested this deep are not read");
    return null;
  }
  const place = here(p);
  const test = binary(p, first, 1, depth);
  if (test === null || !accept(p, "?")) return test;
  const yes = conditional(p, null, depth + 1);
  if (yes === null) return null;
  if (!accept(p, ":")) {
    complain(p, `expected ':' in a constant expression, found ${found(p)}`);
    return null;
  }
  const no = conditional(p, null, depth + 1);
  if (no === null) return null;
  if (test.kind !== "int" || yes.kind !== "int" || no.kind !== "int") return refuse(p, place, "the operands of '?:' are integers");
  return test.bits === 0n ? no : yes;
}

/** Operators of a level and all above it, from the left. */
function binary(p: Parser, first: Value | null, level: number, depth: number): Value | null {
  let left = first ?? unary(p, depth);
  while (left !== null) {
    const op = operatorAhead(p);
    const its = LEVELS.get(op) ?? 0;
    if (its < level) return left;
    const place = here(p);
    for (let i = 0; i < op.length; i++) p.lex.next();
    const right = binary(p, null, its + 1, depth);
    if (right === null) return null;
    left = combine(p, place, op, left, right);
  }
  return left;
}

/** The operator that begins at the current token, of one or two characters; empty when there is none. */
function operatorAhead({ lex }: Parser): string {
  if (!lex.at(TOKEN.punct)) return "";
  const two = lex.text.slice(lex.start, lex.start + 2);
  // A bar alone separates results: `p|q`, which no constant is.
  return LEVELS.has(two) ? two : lex.word;
}

const CASTS: Readonly<Record<string, boolean>> = { ".s64": false, ".u64": true };

function unary(p: Parser, depth: number): Value | null {
  const { lex } = p;
  const place = here(p);
  if (depth > MAX_DEPTH) {
    complain(p, "constant expressions nested this deep are not read");
    return null;
  }
  if (lex.at(TOKEN.number)) {
    const literal = parseLiteral(lex.word);
    if (literal === null) {
      p.sink.report(
        "PTX006",
        place,
        `${found(p)} is not a literal: expected decimal, 0x…, 0b…, octal, 0f and 8 or 0d and 16 hexadecimal digits`,
      );
      lex.next();
      return null;
    }
    const marked = /[uU]$/.test(lex.word);
    lex.next();
    return literal.kind === "int" ? whole(BigInt(literal.value), marked || BigInt(literal.value) > 0x7fffffffffffffffn) : literal;
  }
  if (isFraction(p)) {
    const value = Number(lex.word);
    lex.next();
    return { kind: "real", value };
  }
  const known = lex.at(TOKEN.name) ? predefinedConstant(lex.word) : undefined;
  if (known !== undefined) {
    lex.next();
    return whole(BigInt(known));
  }
  if (accept(p, "(")) {
    const cast = lex.at(TOKEN.dotted) ? CASTS[lex.word] : undefined;
    if (cast !== undefined) lex.next();
    const inner = cast === undefined ? conditional(p, null, depth + 1) : null;
    if (cast === undefined && inner === null) return null;
    if (!accept(p, ")")) {
      complain(p, `expected ')' in a constant expression, found ${found(p)}`);
      return null;
    }
    if (cast === undefined) return inner;
    const operand = unary(p, depth + 1);
    if (operand === null || operand.kind === "int") return operand === null ? null : { ...operand, unsigned: cast };
    return refuse(p, place, "only integers are cast");
  }
  const sign = ["-", "+", "~", "!"].find((ch) => lex.is(ch));
  if (sign === undefined) {
    complain(p, `expected a constant, found ${found(p)}`);
    return null;
  }
  lex.next();
  const operand = unary(p, depth + 1);
  if (operand === null || sign === "+") return operand;
  if (operand.kind !== "int") return sign === "-" ? negated(operand) : refuse(p, place, `'${sign}' needs an integer`);
  if (sign === "-") return whole(-numberOf(operand), operand.unsigned);
  if (sign === "~") return whole(~operand.bits, true);
  return whole(operand.bits === 0n ? 1n : 0n);
}

function negated(value: Exclude<Value, Whole>): Value {
  switch (value.kind) {
    case "f32":
      return { kind: "f32", bits: (value.bits ^ 0x80000000) >>> 0 };
    case "f64":
      return { ...value, hi: (value.hi ^ 0x80000000) >>> 0 };
    case "real":
      return { kind: "real", value: -value.value };
  }
}

function refuse(p: Parser, place: Place, message: string): null {
  p.sink.report("PTX025", place, message);
  return null;
}

function combine(p: Parser, place: Place, op: string, left: Value, right: Value): Value | null {
  if (left.kind === "real" && right.kind === "real") return ofReals(p, place, op, left.value, right.value);
  if (left.kind !== "int" || right.kind !== "int") {
    return refuse(p, place, `'${op}' needs two integers or two decimal floating-point numbers`);
  }
  const unsigned = left.unsigned || right.unsigned;
  const [a, b] = [left, right].map((side) => numberOf({ ...side, unsigned }));
  if (a === undefined || b === undefined) return null;
  const truth = (holds: boolean): Value => whole(holds ? 1n : 0n);
  switch (op) {
    case "*":
      return whole(a * b, unsigned);
    case "/":
      return b === 0n ? refuse(p, place, "the constant expression divides by zero here") : whole(a / b, unsigned);
    case "%":
      return right.bits === 0n ? refuse(p, place, "the constant expression divides by zero here") : whole(left.bits % right.bits, true);
    case "+":
      return whole(a + b, unsigned);
    case "-":
      return whole(a - b, unsigned);
    case "<<":
      return whole(left.bits << (right.bits & 63n), left.unsigned);
    case ">>":
      return whole(numberOf(left) >> (right.bits & 63n), left.unsigned);
    case "<":
      return truth(a < b);
    case "<=":
      return truth(a <= b);
    case ">":
      return truth(a > b);
    case ">=":
      return truth(a >= b);
    case "==":
      return truth(left.bits === right.bits);
    case "!=":
      return truth(left.bits !== right.bits);
    case "&":
      return whole(left.bits & right.bits, unsigned);
    case "^":
      return whole(left.bits ^ right.bits, unsigned);
    case "|":
      return whole(left.bits | right.bits, unsigned);
    case "&&":
      return truth(left.bits !== 0n && right.bits !== 0n);
    default:
      return truth(left.bits !== 0n || right.bits !== 0n);
  }
}

function ofReals(p: Parser, place: Place, op: string, a: number, b: number): Value | null {
  const real = (value: number): Value => ({ kind: "real", value });
  const truth = (holds: boolean): Value => whole(holds ? 1n : 0n);
  switch (op) {
    case "+":
      return real(a + b);
    case "-":
      return real(a - b);
    case "*":
      return real(a * b);
    case "/":
      return real(a / b);
    case "<":
      return truth(a < b);
    case "<=":
      return truth(a <= b);
    case ">":
      return truth(a > b);
    case ">=":
      return truth(a >= b);
    case "==":
      return truth(a === b);
    case "!=":
      return truth(a !== b);
    default:
      return refuse(p, place, `'${op}' needs integers`);
  }
}
