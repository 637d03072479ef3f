/** A PTX text: one or more modules, with whatever a listing puts between them. */

import type { BlockSize } from "../../ir/types.ts";
import type { FunctionAst, ParamAst, Stmt, TextAst, UnitAst, VariableAst } from "./ast.ts";
import { TOKEN } from "./lexer.ts";
import { parseBody, parseFile, parseLoc, skipArguments, skipSection } from "./parse-body.ts";
import { parseAttributes, parseDimensions, parseRegisters, parseVariables, SPACES } from "./parse-variable.ts";
import { accept, complain, expectChar, found, here, type Parser } from "./parser.ts";
import { makeRegister, Scope } from "./scopes.ts";
import { B8 } from "./types.ts";

/** Lines that `cuobjdump -ptx` and old compilers put around a module. */
const PREAMBLE = /^(?:Fatbin |=+|[a-z_ ]+ ?=|compressed|host|identifier|has debug|producer|ptxasOptions|ELF file|PTX file|@@|\(|-)/;

const LINKAGE = new Set([".extern", ".visible", ".weak", ".common"]);
/** A prototype without `;` ends at one of these. */
const TOP_LEVEL = new Set([
  ...LINKAGE,
  ".entry",
  ".func",
  ".version",
  ".target",
  ".address_size",
  ".file",
  ".section",
  ".alias",
  ".loc",
  ...Object.keys(SPACES),
]);

interface TextState {
  readonly units: UnitAst[];
  readonly variables: { readonly variable: VariableAst; readonly unit: number; readonly scope: Scope }[];
  readonly functions: FunctionAst[];
  /** Module-level names of the current unit. */
  scope: Scope;
  unit: { version: string | null; target: string | null; addressSize: number };
  isExtern: boolean;
  sharesRegisters: boolean;
}

/** Reads the whole text. Never throws; linear. */
export function parseText(p: Parser): TextAst {
  const unit = { version: null, target: null, addressSize: 64 };
  const state: TextState = {
    units: [unit],
    variables: [],
    functions: [],
    scope: new Scope(null),
    unit,
    isExtern: false,
    sharesRegisters: false,
  };
  const { lex } = p;
  while (!lex.at(TOKEN.end)) {
    if (lex.at(TOKEN.dotted)) parseTopDirective(p, state);
    else skipForeign(p);
  }
  if (lex.unclosed >= 0) p.sink.report("PTX005", placeOf(lex.text, lex.unclosed), "this comment or string does not end");
  const { units, variables, functions, sharesRegisters } = state;
  return { units, variables, functions, sharesRegisters };
}

function placeOf(text: string, at: number): { line: number; column: number; length: number } {
  let line = 1;
  let lineStart = 0;
  for (let nl = text.indexOf("\n"); nl >= 0 && nl < at; nl = text.indexOf("\n", nl + 1)) {
    line++;
    lineStart = nl + 1;
  }
  return { line, column: at - lineStart + 1, length: 1 };
}

function parseTopDirective(p: Parser, state: TextState): void {
  const { lex } = p;
  const word = lex.word;
  if (LINKAGE.has(word)) {
    state.isExtern = word === ".extern";
    lex.next();
    return;
  }
  const isExtern = state.isExtern;
  state.isExtern = false;
  const space = SPACES[word];
  if (space !== undefined) {
    lex.next();
    const { scope } = state;
    parseVariables(p, space, isExtern, scope, (variable) => {
      scope.declare(variable.name, { kind: "variable", variable });
      state.variables.push({ variable, unit: state.units.length - 1, scope });
    });
    return;
  }
  switch (word) {
    case ".version":
      parseVersion(p, state);
      return;
    case ".target":
      parseTarget(p, state);
      return;
    case ".address_size":
      lex.next();
      if (lex.at(TOKEN.number)) state.unit.addressSize = Number.parseInt(lex.word, 10) === 32 ? 32 : 64;
      skipArguments(p);
      return;
    case ".entry":
    case ".func":
      lex.next();
      parseFunction(p, state, word === ".entry" ? "entry" : "func");
      return;
    case ".file":
      parseFile(p);
      return;
    case ".loc":
      parseLoc(p);
      return;
    case ".section":
      skipSection(p);
      return;
    case ".reg":
      lex.next();
      state.sharesRegisters = true;
      parseRegisters(p, state.scope);
      return;
    case ".pragma":
    case ".alias":
      lex.skipStatement();
      return;
    default:
      p.sink.report("PTX008", here(p), `unknown directive ${found(p)}`);
      lex.skipLine();
  }
}

function parseVersion(p: Parser, state: TextState): void {
  const { lex } = p;
  lex.next();
  const version = lex.at(TOKEN.number) ? lex.word : null;
  if (version === null) reportPlaceholder(p, "version");
  if (state.unit.version !== null || state.functions[state.functions.length - 1]?.unit === state.units.length - 1) {
    state.unit = { version, target: null, addressSize: 64 };
    state.units.push(state.unit);
    state.scope = new Scope(null);
  } else {
    state.unit.version = version;
  }
  skipArguments(p);
}

const ARCHITECTURE = /^(?:sm|compute)_\d+[a-z]?$/;
/** What `.target` may name in addition to an architecture. */
const TARGET_OPTIONS = new Set(["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"]);

/** `sm_90, debug`, on one line. */
function parseTarget(p: Parser, state: TextState): void {
  const { lex } = p;
  const { line } = lex;
  lex.next();
  while (lex.at(TOKEN.name) && lex.line === line) {
    if (ARCHITECTURE.test(lex.word)) state.unit.target ??= lex.word;
    else if (!TARGET_OPTIONS.has(lex.word)) break;
    lex.next();
    if (!accept(p, ",")) return;
  }
  reportPlaceholder(p, "target");
}

/** Templates have `SM_VERSION`, `<sm>`, `@ISA@` or nothing there: the directive's line is skipped. */
function reportPlaceholder(p: Parser, expected: "version" | "target"): void {
  const { lex } = p;
  const line = lex.fresh ? null : lex.line;
  const wrong = lex.fresh ? `there is no ${expected}` : `${found(p)} is not a ${expected}`;
  p.sink.report("PTX030", here(p), `${wrong}; the text is read as if it had none`);
  while (line !== null && lex.line === line && !lex.at(TOKEN.end)) lex.next();
}

/** Text between functions that is not a directive: listings' preambles in silence, anything else with a message. A stray brace is stepped over alone. */
function skipForeign(p: Parser): void {
  const { lex } = p;
  if (lex.is("}") || lex.is("{") || lex.is(";")) {
    if (!lex.is(";")) p.sink.report("PTX004", here(p), `${found(p)} outside a function`);
    lex.next();
    return;
  }
  const eol = lex.text.indexOf("\n", lex.start);
  const line = lex.text.slice(lex.start, eol < 0 ? undefined : Math.min(eol, lex.start + 80));
  if (!PREAMBLE.test(line)) p.sink.report("PTX018", here(p), `${found(p)} is not a directive; the line was skipped`);
  lex.skipLine();
}

function parseFunction(p: Parser, state: TextState, kind: "entry" | "func"): void {
  const { lex } = p;
  const errorsBefore = p.sink.errors;
  const scope = new Scope(state.scope);
  const returns = kind === "func" && lex.is("(") ? parseParams(p, scope) : [];
  const head: FunctionHead = { noreturn: false, blockSize: null };
  while (lex.at(TOKEN.dotted) && !TOP_LEVEL.has(lex.word)) parseAttribute(p, head);
  if (!lex.at(TOKEN.name)) {
    complain(p, `expected the name of ${kind === "entry" ? "a kernel" : "a function"}, found ${found(p)}`);
    lex.skipStatement();
    return;
  }
  const { line, column } = here(p);
  const name = lex.word;
  lex.next();
  const params = lex.is("(") ? parseParams(p, scope) : [];
  for (;;) {
    if (lex.at(TOKEN.dotted) && !TOP_LEVEL.has(lex.word)) {
      const isPragma = lex.word === ".pragma";
      parseAttribute(p, head);
      if (isPragma && lex.is(";") && lex.peek() === "{") lex.next();
    } else {
      break;
    }
  }
  let body: readonly Stmt[] | null = null;
  let variables: readonly VariableAst[] = [];
  if (accept(p, "{")) {
    const read = parseBody(p, scope);
    body = read.stmts;
    variables = read.variables;
  } else if (!accept(p, ";") && !lex.at(TOKEN.dotted) && !lex.at(TOKEN.end) && !lex.fresh) {
    complain(p, `expected '{' or ';' after the head of '${name}', found ${found(p)}`);
    lex.skipLine();
  } else if (lex.at(TOKEN.end)) {
    if (kind === "entry") complain(p, `the text ends before the body of '${name}'`);
  }
  const errors = p.sink.errors - errorsBefore;
  const unit = state.units.length - 1;
  state.functions.push({ kind, name, params, returns, ...head, body, scope, variables, line, column, errors, unit });
}

interface FunctionHead {
  noreturn: boolean;
  blockSize: BlockSize | null;
}

/** `.noreturn`, `.reqntid 64, 4`, `.maxntid 128, 1, 1`: one directive of a function's head. */
function parseAttribute(p: Parser, head: FunctionHead): void {
  const { lex } = p;
  const word = lex.word;
  head.noreturn ||= word === ".noreturn";
  lex.next();
  if (word === ".reqntid") head.blockSize = parseBlockSize(p);
  skipArguments(p);
}

/** Up to three numbers; null where they are not the size of a block, which the assembler would not take. */
function parseBlockSize(p: Parser): BlockSize | null {
  const { lex } = p;
  const sizes: number[] = [];
  while (lex.at(TOKEN.number) && sizes.length < 3) {
    sizes.push(Number.parseInt(lex.word, lex.word.startsWith("0x") ? 16 : 10));
    lex.next();
    if (!accept(p, ",")) break;
  }
  const [x = 1, y = 1, z = 1] = sizes;
  return sizes.length > 0 && sizes.every((size) => size >= 1) && x * y * z <= 1024 ? [x, y, z] : null;
}

/** `( .param .align 8 .b8 name[16], .param .u64 .ptr .global .align 4 x, .reg .b32 %r )` */
function parseParams(p: Parser, scope: Scope): ParamAst[] {
  const { lex } = p;
  const params: ParamAst[] = [];
  lex.next();
  while (!lex.is(")")) {
    if (!lex.at(TOKEN.dotted)) {
      complain(p, `expected '.param' or '.reg', found ${found(p)}`);
      break;
    }
    const isReg = lex.word === ".reg";
    const attributes = parseAttributes(p);
    const type = attributes.type ?? B8;
    const element = Math.max(1, type.bits >> 3) * attributes.vector;
    const { line, column } = here(p);
    let name = `_${params.length}`;
    if (lex.at(TOKEN.name)) {
      name = lex.word;
      lex.next();
    }
    const dimensions = parseDimensions(p);
    const param: ParamAst = {
      name,
      type,
      align: attributes.align > 0 ? attributes.align : element,
      size: element * (dimensions ?? 1),
      isArray: dimensions !== null || attributes.vector > 1,
      isReg,
      line,
    };
    params.push(param);
    if (isReg) {
      if (attributes.vector > 1) p.hasVectors = true;
      scope.declare(name, makeRegister(name, type, attributes.vector));
    } else if (name !== "_") {
      const variable: VariableAst = { ...param, space: "param", isExtern: false, init: null, addresses: [], column };
      scope.declare(name, { kind: "variable", variable });
    }
    if (!accept(p, ",")) break;
  }
  if (!expectChar(p, ")", "after the parameters")) {
    while (!lex.at(TOKEN.end) && !lex.is(")") && !lex.is("{") && !lex.is(";")) lex.next();
    accept(p, ")");
  }
  return params;
}
