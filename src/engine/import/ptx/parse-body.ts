/** The statements of a PTX body: scopes, labels, declarations, instructions. Never throws, always moves on: linear in the text. */

import type { InstStmt, OperandAst, Stmt, VariableAst } from "./ast.ts";
import { TOKEN } from "./lexer.ts";
import { parseOperand } from "./parse-operand.ts";
import { parseRegisters, parseVariables, SPACES } from "./parse-variable.ts";
import { accept, complain, expectChar, found, here, type Parser, spelling } from "./parser.ts";
import { Scope } from "./scopes.ts";

/** Braces nest at most this deep; a name lookup climbs them. */
const MAX_NESTING = 64;

/** Directives that are legal only between functions: in a body, one means that the body's end is missing. */
const OUTSIDE = new Set([".entry", ".func", ".visible", ".version", ".target", ".address_size", ".weak"]);

interface Body {
  readonly stmts: Stmt[];
  readonly variables: VariableAst[];
}

/** Reads a body after its `{`, up to and with the matching `}`. */
export function parseBody(p: Parser, outer: Scope): Body {
  const { lex } = p;
  const body: Body = { stmts: [], variables: [] };
  const scopes: Scope[] = [outer];
  let scope = outer;
  let tooDeep = 0;
  for (;;) {
    switch (lex.kind) {
      case TOKEN.end:
        p.sink.report("PTX009", here(p), "the text ends inside a body: '}' is missing");
        return body;
      case TOKEN.name:
        if (!parseLabel(p, scope, body)) parseInstruction(p, scope, body, null);
        continue;
      case TOKEN.dotted:
        if (OUTSIDE.has(lex.word) && lex.fresh) {
          p.sink.report("PTX023", here(p), `${found(p)} inside a body: its '}' is missing`);
          return body;
        }
        parseDirective(p, scope, body);
        continue;
      case TOKEN.punct:
        break;
      default:
        p.sink.report("PTX004", here(p), `${found(p)} does not begin a statement`);
        lex.next();
        continue;
    }
    if (lex.is("{")) {
      lex.next();
      if (scopes.length >= MAX_NESTING) {
        if (tooDeep++ === 0) p.sink.report("PTX020", here(p), `braces nest deeper than ${MAX_NESTING}; names in there share one scope`);
        continue;
      }
      scope = new Scope(scope);
      scopes.push(scope);
    } else if (lex.is("}")) {
      lex.next();
      if (tooDeep > 0) {
        tooDeep--;
        continue;
      }
      scopes.pop();
      const outside = scopes[scopes.length - 1];
      if (outside === undefined) return body;
      scope = outside;
    } else if (lex.is(";")) {
      lex.next();
    } else if (lex.is("@")) {
      parseGuarded(p, scope, body);
    } else {
      p.sink.report("PTX004", here(p), `${found(p)} does not begin a statement`);
      lex.next();
      recover(p);
    }
  }
}

/** To the next `;`, brace, or line that looks like a new statement. */
function recover(p: Parser): void {
  const { lex } = p;
  while (!lex.at(TOKEN.end) && !lex.is("{") && !lex.is("}")) {
    if (lex.is(";")) {
      lex.next();
      return;
    }
    if (lex.fresh && (lex.at(TOKEN.name) || lex.is("@"))) return;
    lex.next();
  }
}

function parseLabel(p: Parser, scope: Scope, body: Body): boolean {
  const { lex } = p;
  // The opcode of nearly every instruction: its next word begins right after it.
  if (lex.after() === 46 || lex.peek() !== ":") return false;
  const place = here(p);
  const name = lex.word;
  lex.next();
  lex.next();
  if (lex.at(TOKEN.dotted)) {
    const word = lex.word;
    if (word === ".branchtargets" || word === ".calltargets") {
      lex.next();
      scope.declareTargets({ name, labels: parseNames(p), line: place.line, column: place.column });
      return true;
    }
    if (word === ".callprototype") {
      lex.skipStatement();
      return true;
    }
  }
  const label = { kind: "label", name, line: place.line, column: place.column } as const;
  if (!scope.declareLabel(label)) {
    p.sink.report("PTX011", place, `label '${name}' is in this scope already; branches go to the first one`);
  }
  body.stmts.push(label);
  return true;
}

function parseNames(p: Parser): string[] {
  const { lex } = p;
  const names: string[] = [];
  do {
    if (!lex.at(TOKEN.name)) {
      complain(p, `expected a label, found ${found(p)}`);
      break;
    }
    names.push(lex.word);
    lex.next();
  } while (accept(p, ","));
  if (!expectChar(p, ";", "after the list of labels")) recover(p);
  return names;
}

function parseGuarded(p: Parser, scope: Scope, body: Body): void {
  const { lex } = p;
  lex.next();
  const neg = accept(p, "!");
  if (!lex.at(TOKEN.name)) {
    complain(p, `expected a predicate after '@', found ${found(p)}`);
    recover(p);
    return;
  }
  const name = lex.word;
  lex.next();
  if (!lex.at(TOKEN.name)) {
    complain(p, `expected an instruction after the guard, found ${found(p)}`);
    recover(p);
    return;
  }
  parseInstruction(p, scope, body, { name, neg });
}

function parseInstruction(p: Parser, scope: Scope, body: Body, guard: InstStmt["guard"]): void {
  const { lex } = p;
  const { line, column, start } = { line: lex.line, column: lex.column, start: lex.start };
  let text = lex.word;
  let end = lex.end;
  lex.next();
  while (lex.at(TOKEN.dotted) && !lex.fresh) {
    // Written together, as always, the opcode is one slice of the text.
    text = lex.start === end ? lex.text.slice(start, lex.end) : text + lex.word;
    end = lex.end;
    lex.next();
  }
  const op = spelling(p, text);
  const callLike = op.root === "call";
  const operands: OperandAst[] = [];
  let whole = true;
  if (!lex.is(";")) {
    if (lex.fresh && !callLike && startsStatement(p)) {
      whole = false;
    } else {
      do {
        const operand = parseOperand(p, callLike);
        if (operand === null) {
          whole = false;
          break;
        }
        operands.push(operand);
      } while (accept(p, ","));
    }
  }
  const stop = lex.previousEnd;
  if (lex.is(";")) {
    lex.next();
  } else {
    if (whole || lex.at(TOKEN.end)) complain(p, `expected ';' after the instruction, found ${found(p)}`);
    recover(p);
  }
  body.stmts.push({ kind: "inst", op, guard, operands, isBroken: !whole, scope, line, column, start, end: stop });
}

/** On a new line: what can't be an operand begins the next statement, so a `;` was forgotten. */
function startsStatement(p: Parser): boolean {
  const { lex } = p;
  return lex.is("@") || lex.is("}") || lex.at(TOKEN.dotted) || (lex.at(TOKEN.name) && lex.peek() === ":");
}

function parseDirective(p: Parser, scope: Scope, body: Body): void {
  const { lex } = p;
  const word = lex.word;
  const space = SPACES[word];
  if (space !== undefined) {
    lex.next();
    parseVariables(p, space, false, scope, (variable) => addVariable(p, scope, body, variable));
    return;
  }
  switch (word) {
    case ".reg":
      lex.next();
      parseRegisters(p, scope);
      return;
    case ".loc":
      parseLoc(p);
      return;
    case ".file":
      parseFile(p);
      return;
    case ".extern":
    case ".common":
      lex.next();
      return;
    case ".pragma":
    case ".branchtargets":
    case ".calltargets":
    case ".callprototype":
      lex.skipStatement();
      return;
    case ".section":
      skipSection(p);
      return;
    default: {
      p.sink.report("PTX008", here(p), `unknown directive ${found(p)}`);
      const line = lex.line;
      while (!lex.at(TOKEN.end) && lex.line === line && !lex.is("}")) {
        const done = lex.is(";");
        lex.next();
        if (done) return;
      }
    }
  }
}

function addVariable(p: Parser, scope: Scope, body: Body, variable: VariableAst): void {
  body.variables.push(variable);
  const before = scope.declare(variable.name, { kind: "variable", variable });
  if (before !== null && before.kind !== "variable") {
    p.sink.report(
      "PTX022",
      { line: variable.line, column: variable.column, length: variable.name.length },
      `'${variable.name}' was a register`,
    );
  }
}

/** `.loc file line column [, function_name …, inlined_at …]`: ends with the line. */
export function parseLoc(p: Parser): void {
  const { lex } = p;
  const line = lex.line;
  const row: number[] = [];
  lex.next();
  while (row.length < 2 && lex.at(TOKEN.number) && lex.line === line) {
    row.push(Number.parseInt(lex.word, 10));
    lex.next();
  }
  const [file, source] = row;
  if (file !== undefined && source !== undefined) p.locs.addLoc(line, file, source);
  restOfLine(p, line);
}

/** `.file index "path" [, timestamp, size]`: ends with the line. */
export function parseFile(p: Parser): void {
  const { lex } = p;
  const line = lex.line;
  lex.next();
  if (lex.at(TOKEN.number) && lex.line === line) {
    const index = Number.parseInt(lex.word, 10);
    lex.next();
    if (lex.at(TOKEN.string) && lex.line === line) p.locs.addFile(index, lex.word.slice(1, -1));
  }
  restOfLine(p, line);
}

function restOfLine(p: Parser, line: number): void {
  const { lex } = p;
  while (!lex.at(TOKEN.end) && lex.line === line) lex.next();
}

/** `.section .debug_info { … }`: debug data, braces balanced. */
export function skipSection(p: Parser): void {
  const { lex } = p;
  while (!lex.at(TOKEN.end) && !lex.is("{") && !lex.is(";")) lex.next();
  if (!lex.is("{")) return;
  let open = 0;
  do {
    if (lex.is("{")) open++;
    else if (lex.is("}")) open--;
    lex.next();
  } while (open > 0 && !lex.at(TOKEN.end));
}

/** Numbers, strings, commas and names after a directive of a function's head (`.maxntid 128, 1, 1`). */
export function skipArguments(p: Parser): void {
  const { lex } = p;
  while (lex.at(TOKEN.number) || lex.at(TOKEN.string) || lex.is(",")) {
    lex.next();
  }
}
