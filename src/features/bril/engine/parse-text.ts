/** Reads the text form of Bril. Continues after an error with the next statement. */

import type { DiagnosticSink, Place } from "../../../engine/import/diagnostics.ts";
import type { BrilFunction, BrilInst, BrilItem, BrilName, BrilParam, BrilProgram, BrilType, BrilValue } from "./ast.ts";
import type { BrilCode } from "./codes.ts";
import { BrilLexer, type BrilToken } from "./lexer.ts";
import { charValue, fitValue, MAX_POINTERS, MOST_ARGS, namedType, numberValue } from "./values.ts";

export function parseBrilText(text: string, sink: DiagnosticSink<BrilCode>): BrilProgram {
  return new Reader(new BrilLexer(text), sink).program();
}

/** Thrown when a statement cannot continue; never leaves this file. */
class Broken extends Error {}

class Reader {
  private readonly lex: BrilLexer;
  private readonly sink: DiagnosticSink<BrilCode>;

  constructor(lex: BrilLexer, sink: DiagnosticSink<BrilCode>) {
    this.lex = lex;
    this.sink = sink;
  }

  program(): BrilProgram {
    const functions: BrilFunction[] = [];
    for (let token = this.lex.peek(); token.kind !== "end"; token = this.lex.peek()) {
      if (token.kind === "func") {
        const found = this.attempt(() => this.func());
        if (found !== null) functions.push(found);
      } else {
        this.report("BRIL004", token, outside(token));
        // The functions that an import names are none of this text.
        if (isImport(token)) this.skipTo((t) => t.text === ";" || t.text === "{");
        this.skipTo((t) => t.kind === "func");
      }
    }
    return { functions };
  }

  private func(): BrilFunction {
    const name = asName(this.lex.next());
    const params: BrilParam[] = [];
    if (this.take("(")) {
      while (!this.take(")")) {
        if (params.length > 0) this.expect(",", "a comma or ')'");
        const param = this.name("the parameter's name");
        this.expect(":", "':' and the parameter's type");
        params.push({ name: param, type: this.type() });
        if (params.length > MOST_ARGS) this.fail("BRIL027", this.lex.peek(), `@${name.text} has more than ${MOST_ARGS} parameters`);
      }
    }
    const type = this.take(":") ? this.type() : null;
    this.expect("{", "'{'");
    const items: BrilItem[] = [];
    for (;;) {
      const token = this.lex.peek();
      if (token.kind === "punct" && token.text === "}") {
        this.lex.next();
        return { name, params, type, items, endLine: token.line };
      }
      if (token.kind === "end" || token.kind === "func") {
        this.report("BRIL005", token, `expected '}' at the end of @${name.text}`);
        return { name, params, type, items, endLine: token.line };
      }
      const item = this.attempt(() => this.item());
      if (item !== null) items.push(item);
    }
  }

  private item(): BrilItem {
    const token = this.lex.peek();
    if (token.kind === "label") {
      this.lex.next();
      this.expect(":", "':' after the label");
      return { kind: "label", name: asName(token) };
    }
    const first = this.name("an instruction, a label or '}'");
    const sign = this.lex.peek();
    if (sign.kind === "punct" && (sign.text === ":" || sign.text === "=")) return this.valueInst(first);
    return this.operation(first, null, null);
  }

  private valueInst(dest: BrilName): BrilInst {
    const type = this.take(":") ? this.type() : null;
    this.expect("=", "'='");
    const op = this.name("the operation");
    if (op.text !== "const") return this.operation(op, dest, type);
    const token = this.lex.next();
    const value = this.literal(token);
    // Of a literal that is none, the rest is skipped; its variable is one all the same.
    if (value === null) this.skipTo((t) => t.kind === "func" || (t.kind === "punct" && ";}".includes(t.text)) || t.line > token.line);
    if (value !== null || this.lex.peek().text === ";") this.expect(";", "';'");
    const fitted = value === null ? null : fitValue(value, type);
    if (typeof fitted === "string") this.report("BRIL006", token, fitted);
    return {
      kind: "inst",
      op: "const",
      dest,
      type,
      args: [],
      funcs: [],
      labels: [],
      value: typeof fitted === "string" ? null : fitted,
      at: op.at,
    };
  }

  private literal(token: BrilToken): BrilValue | null {
    if (token.kind === "number") return numberValue(token.text);
    if (token.kind === "char") {
      const value = charValue(token.text.slice(1, -1));
      if (value !== null) return value;
    }
    if (token.kind === "name" && (token.text === "true" || token.text === "false"))
      return { kind: "bool", value: token.text === "true" } as const;
    const isQuote = token.kind === "bad" && token.text === "'";
    this.report(
      "BRIL006",
      token,
      isQuote ? "a character is one between two quotes, such as 'a'" : `expected a literal, not ${shown(token)}`,
    );
    return null;
  }

  private operation(op: BrilName, dest: BrilName | null, type: BrilType | null): BrilInst {
    const args: BrilName[] = [];
    const funcs: BrilName[] = [];
    const labels: BrilName[] = [];
    for (;;) {
      const token = this.lex.peek();
      const list = token.kind === "name" ? args : token.kind === "func" ? funcs : token.kind === "label" ? labels : null;
      if (list === null) break;
      if (list.length === MOST_ARGS) this.fail("BRIL027", token, `${op.text.slice(0, 40)} has more than ${MOST_ARGS} arguments`);
      list.push(asName(this.lex.next()));
    }
    this.expect(";", "an argument or ';'");
    return { kind: "inst", op: op.text, dest, type, args, funcs, labels, value: null, at: op.at };
  }

  private type(): BrilType {
    let depth = 0;
    for (;;) {
      const token = this.lex.next();
      if (token.kind !== "name") this.fail("BRIL005", token, `expected a type, not ${shown(token)}`);
      if (token.text === "ptr") {
        if (depth === MAX_POINTERS) this.fail("BRIL010", token, `pointers are followed ${MAX_POINTERS} deep; this type goes deeper`);
        this.expect("<", "'<' after ptr");
        depth++;
        continue;
      }
      let type = namedType(token.text);
      if (type === null) this.report("BRIL010", token, `there is no type ${token.text} here`, "int, bool, float, char, ptr<…>");
      for (let i = 0; i < depth; i++) this.expect(">", "'>'");
      type ??= "int";
      for (let i = 0; i < depth; i++) type = { ptr: type };
      return type;
    }
  }

  private name(what: string): BrilName {
    const token = this.lex.peek();
    if (token.kind !== "name") this.fail("BRIL005", token, `expected ${what}, not ${shown(token)}`);
    return asName(this.lex.next());
  }

  private take(punct: string): boolean {
    const token = this.lex.peek();
    if (token.kind !== "punct" || token.text !== punct) return false;
    this.lex.next();
    return true;
  }

  private expect(punct: string, what: string): void {
    if (this.take(punct)) return;
    const token = this.lex.peek();
    const { last } = this.lex;
    // What is missing at the end of a line is reported there, not at the start of the next one.
    const at = last !== null && last.line < token.line ? { ...last, column: last.column + last.length, length: 1 } : token;
    this.fail("BRIL005", at, at === token ? `expected ${what}, not ${shown(token)}` : `expected ${what} at the end of this line`);
  }

  /** What `read` gives; after an error null, with the rest of the statement skipped. */
  private attempt<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.skipTo((t) => t.kind === "func" || (t.kind === "punct" && (t.text === ";" || t.text === "}")));
      if (this.lex.peek().text === ";") this.lex.next();
      return null;
    }
  }

  private skipTo(stop: (token: BrilToken) => boolean): void {
    while (this.lex.peek().kind !== "end" && !stop(this.lex.peek())) this.lex.next();
  }

  private fail(code: BrilCode, token: BrilToken, message: string): never {
    this.report(code, token, message);
    throw new Broken();
  }

  private report(code: BrilCode, token: BrilToken, message: string, suggestion: string | null = null): void {
    this.sink.report(code, placeOf(token), message, suggestion);
  }
}

const placeOf = ({ line, column, length }: BrilToken): Place => ({ line, column, length });

const asName = (token: BrilToken): BrilName => ({ text: token.text, at: placeOf(token) });

function shown({ kind, text }: BrilToken): string {
  if (kind === "end") return text;
  const sign = kind === "func" ? "@" : kind === "label" ? "." : "";
  return `'${sign}${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}

const isImport = ({ kind, text }: BrilToken): boolean => kind === "name" && (text === "import" || text === "from");

const outside = (token: BrilToken): string =>
  isImport(token)
    ? "imports of other files are not supported: put the functions into this text"
    : `expected a function such as '@main {', not ${shown(token)}`;
