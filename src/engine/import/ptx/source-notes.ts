/** What is at a place of a PTX text: the statement, and the name with its definitions and uses as PTX's scopes and operand rule have them. */

import { DiagnosticSink } from "../diagnostics.ts";
import { plainText } from "../guard-text.ts";
import {
  lineOfOffset,
  lineStarts,
  type SourceInstruction,
  type SourceName,
  type SourceNote,
  type SourceReader,
  type Word,
  wordAround,
} from "../source-note.ts";
import type { FunctionAst, InstStmt } from "./ast.ts";
import { operandNames } from "./cfg.ts";
import { PTX_CODES, type PtxCode } from "./codes.ts";
import { visitNames } from "./defs-uses.ts";
import { instructionOf } from "./forms.ts";
import { Lexer } from "./lexer.ts";
import { LocTable } from "./line-map.ts";
import { parseText } from "./parse-text.ts";
import type { Named } from "./scopes.ts";
import type { OpSpelling } from "./spelling.ts";
import { isSpecialName } from "./sregs.ts";

interface Placed {
  readonly fn: FunctionAst;
  readonly stmt: InstStmt;
}

const NAME = /[%$A-Za-z_][\w$]*(?:\.[xyzw]\b)?/g;

/** Parses once; every question is linear in the function it falls in. */
export function readPtxSource(raw: string): SourceReader {
  const text = plainText(raw);
  const sink = new DiagnosticSink<PtxCode>(PTX_CODES, "PTX099", 1);
  const ast = parseText({ lex: new Lexer(text), sink, locs: new LocTable(), spellings: new Map(), hasVectors: false });
  const starts = lineStarts(text);
  const bodies = ast.functions.filter((fn) => fn.body !== null);
  const placed: Placed[] = bodies.flatMap((fn) => (fn.body ?? []).flatMap((stmt) => (stmt.kind === "inst" ? [{ fn, stmt }] : [])));
  return {
    noteAt(line, column) {
      const start = starts[line - 1];
      if (start === undefined) return null;
      const end = starts[line] ?? text.length + 1;
      const content = text.slice(start, end - 1);
      const code = content.replace(/\/\/.*/, "");
      if (column > code.length + 1) return null;
      const found = statementAt(placed, start + column - 1, line);
      const fn = found?.fn ?? bodies.findLast((f) => f.line <= line) ?? null;
      const word = wordAround(code, column, NAME);
      const name = fn === null || word === null || isOpcode(found, word, line) ? null : nameNote(fn, found?.stmt ?? null, word, line);
      if (found === null && name === null) return null;
      return {
        func: fn?.name ?? null,
        instruction: found === null ? null : instructionNote(found.stmt, starts),
        name,
      } satisfies SourceNote;
    },
  };
}

/** The statement around an offset, its guard included, or the one before it on the same line. */
function statementAt(placed: readonly Placed[], offset: number, line: number): Placed | null {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if ((placed[mid]?.stmt.end ?? 0) < offset) low = mid + 1;
    else high = mid;
  }
  const at = placed[low];
  if (at !== undefined && (at.stmt.start <= offset || at.stmt.line === line)) return at;
  const before = placed[low - 1];
  return before?.stmt.line === line ? before : null;
}

function isOpcode(found: Placed | null, word: Word, line: number): boolean {
  if (found === null || found.stmt.line !== line || word.text.startsWith("%")) return false;
  return word.column >= found.stmt.column && word.column < found.stmt.column + found.stmt.op.text.length;
}

function instructionNote(stmt: InstStmt, starts: readonly number[]): SourceInstruction {
  const { op, line, end } = stmt;
  return { line, endLine: Math.max(line, lineOfOffset(starts, Math.max(stmt.start, end - 1))), opcode: op.text, meaning: ptxMeaning(op) };
}

function nameNote(fn: FunctionAst, at: InstStmt | null, word: Word, line: number): SourceName | null {
  const name = word.text.replace(/\.[xyzw]$/, "");
  const place = { column: word.column, endColumn: word.column + word.text.length };
  if (isSpecialName(name)) {
    const part = word.text.slice(name.length + 1);
    return { kind: "special", name: word.text, about: "special register", ...place, definitions: [], uses: linesNaming(fn, name, part) };
  }
  const scope = at?.scope ?? fn.scope;
  const meaning = scope.find(name);
  if (meaning !== null || name.startsWith("%")) return valueNote(fn, name, meaning, place);
  const label = scope.findLabel(name) ?? labelOn(fn, name, line);
  if (label === null) return null;
  const uses: number[] = [];
  for (const stmt of fn.body ?? []) {
    if (stmt.kind !== "inst") continue;
    let names = false;
    for (const operand of stmt.operands) {
      operandNames(operand, (n) => {
        if (n === name) names = true;
        else if (stmt.scope.findTargets(n)?.list.labels.includes(name) === true) names = true;
      });
    }
    if (names) uses.push(stmt.line);
  }
  return { kind: "label", name, about: "", ...place, definitions: [label.line], uses };
}

function labelOn(fn: FunctionAst, name: string, line: number): { readonly line: number } | null {
  for (const stmt of fn.body ?? []) if (stmt.kind === "label" && stmt.name === name && stmt.line === line) return stmt;
  return null;
}

function valueNote(fn: FunctionAst, name: string, meaning: Named | null, place: { column: number; endColumn: number }): SourceName {
  const definitions: number[] = [];
  const uses: number[] = [];
  const add = (list: number[], line: number): void => {
    if (list[list.length - 1] !== line) list.push(line);
  };
  const isParam = meaning?.kind === "variable";
  if (meaning?.kind === "variable") definitions.push(meaning.variable.line);
  for (const stmt of fn.body ?? []) {
    if (stmt.kind !== "inst") continue;
    // The same name in a different `{ }` is a different register.
    if (stmt.guard?.name === name && stmt.scope.find(name) === meaning) add(uses, stmt.line);
    visitNames(stmt, (n, _part, isDef) => {
      if (n === name && stmt.scope.find(name) === meaning) add(isDef && !isParam ? definitions : uses, stmt.line);
    });
  }
  return { kind: isParam ? "variable" : "register", name, about: aboutValue(meaning), ...place, definitions, uses };
}

function aboutValue(meaning: Named | null): string {
  switch (meaning?.kind) {
    case "register":
      return `.${meaning.type.name}`;
    case "variable":
      return `.${meaning.variable.space} .${meaning.variable.type.name}, ${meaning.variable.size} bytes`;
    case undefined:
      return "not declared";
  }
}

function linesNaming(fn: FunctionAst, name: string, part: string): readonly number[] {
  const lines = new Set<number>();
  for (const stmt of fn.body ?? []) {
    if (stmt.kind !== "inst") continue;
    visitNames(stmt, (n, p) => {
      if (n === name && p === part) lines.add(stmt.line);
    });
  }
  return [...lines];
}

/** Words that change the meaning of the root. */
const FORMS: Readonly<Record<string, string>> = {
  "mul.hi": "high half of a * b",
  "mul.lo": "low half of a * b",
  "mul.wide": "a * b, twice as wide",
  "mad.hi": "high half of a * b, plus c",
  "mad.lo": "low half of a * b, plus c",
  "mad.wide": "a * b, twice as wide, plus c",
  "ld.param": "load of a parameter",
  "st.param": "store of an argument or a result",
  "cvta.to": "generic address to an address of the space",
  "vote.ballot": "mask of the lanes whose predicate holds",
  "bar.warp": "waits for lanes of the warp",
  "bra.uni": "branch that all lanes take together",
};

/** What an instruction does, in a few words; null for a root that no PTX version has. */
function ptxMeaning(op: OpSpelling): string | null {
  for (const mod of op.mods) {
    const form = FORMS[`${op.root}.${mod}`];
    if (form !== undefined) return form;
  }
  return instructionOf(op.root)?.meaning ?? null;
}
