/** What is at a place of a Bril text: the instruction, and the variable or label with its definitions and uses. */

import { DEFAULT_MAX_CHARS } from "../../../engine/import/guard-text.ts";
import type { SourceName, SourceReader } from "../../../engine/import/source-note.ts";
import { type BrilFunction, type BrilInst, type BrilName, showType } from "./ast.ts";
import { BrilSink, readBril } from "./import.ts";
import { brilOp } from "./ops.ts";

interface Found {
  readonly kind: "variable" | "label" | "function";
  readonly name: BrilName;
}

/** Parses once; every question is linear in the function it falls in. */
export function readBrilSource(raw: string): SourceReader {
  const program = readBril(raw, new BrilSink(1), DEFAULT_MAX_CHARS);
  const byLine = new Map<number, { readonly fn: BrilFunction; readonly insts: BrilInst[] }>();
  for (const fn of program.functions) {
    for (const item of fn.items) {
      if (item.kind !== "inst") continue;
      const { line } = item.at;
      const known = byLine.get(line);
      if (known === undefined) byLine.set(line, { fn, insts: [item] });
      else known.insts.push(item);
    }
  }
  return {
    noteAt(line, column) {
      const fn = program.functions.findLast((f) => f.name.at.line <= line && line <= f.endLine);
      if (fn === undefined) return null;
      const insts = byLine.get(line)?.fn === fn ? (byLine.get(line)?.insts ?? []) : [];
      // Of several on a line the last one that begins before the position; the operation comes after its result.
      const inst = insts.findLast((i) => startOf(i) <= column) ?? insts[0] ?? null;
      const found = namesOf(fn).find(
        ({ name }) => name.at.line === line && name.at.column <= column && column <= name.at.column + name.at.length,
      );
      const name = found === undefined ? null : nameNote(program.functions, fn, found);
      if (inst === null && name === null) return null;
      const meaning = inst === null ? null : (brilOp(inst.op)?.meaning ?? null);
      return {
        func: fn.name.text,
        instruction: inst === null ? null : { line, endLine: line, opcode: inst.op, meaning },
        name,
      };
    },
  };
}

const startOf = (inst: BrilInst): number => Math.min(inst.at.column, inst.dest?.at.column ?? inst.at.column);

function namesOf(fn: BrilFunction): readonly Found[] {
  const found: Found[] = [{ kind: "function", name: fn.name }];
  for (const { name } of fn.params) found.push({ kind: "variable", name });
  for (const item of fn.items) {
    if (item.kind === "label") {
      found.push({ kind: "label", name: item.name });
      continue;
    }
    if (item.dest !== null) found.push({ kind: "variable", name: item.dest });
    for (const name of item.args) found.push({ kind: "variable", name });
    for (const name of item.labels) found.push({ kind: "label", name });
    for (const name of item.funcs) found.push({ kind: "function", name });
  }
  return found;
}

function nameNote(functions: readonly BrilFunction[], fn: BrilFunction, { kind, name }: Found): SourceName {
  const place = { column: name.at.column, endColumn: name.at.column + name.at.length };
  const insts = fn.items.filter((i) => i.kind === "inst");
  const linesOf = (of: readonly BrilInst[], names: (i: BrilInst) => readonly BrilName[]): number[] => [
    ...new Set(of.filter((i) => names(i).some((n) => n.text === name.text)).map((i) => i.at.line)),
  ];
  if (kind === "function") {
    const callee = functions.find((f) => f.name.text === name.text);
    const all = functions.flatMap((f) => f.items.filter((i) => i.kind === "inst"));
    const about = callee === undefined ? "" : signature(callee);
    const definitions = callee === undefined ? [] : [callee.name.at.line];
    return { kind: "label", name: `@${name.text}`, about, ...place, definitions, uses: linesOf(all, (i) => i.funcs) };
  }
  if (kind === "label") {
    const label = fn.items.find((i) => i.kind === "label" && i.name.text === name.text);
    const definitions = label?.kind === "label" ? [label.name.at.line] : [];
    return { kind: "label", name: `.${name.text}`, about: "", ...place, definitions, uses: linesOf(insts, (i) => i.labels) };
  }
  const param = fn.params.find((p) => p.name.text === name.text);
  const type = param?.type ?? insts.find((i) => i.dest?.text === name.text && i.type !== null)?.type ?? null;
  const definitions = linesOf(insts, (i) => (i.dest === null ? [] : [i.dest]));
  return {
    kind: "register",
    name: name.text,
    about: type === null ? "" : showType(type),
    ...place,
    definitions: param === undefined ? definitions : [param.name.at.line, ...definitions],
    uses: linesOf(insts, (i) => i.args),
  };
}

const signature = ({ params, type }: BrilFunction): string =>
  `(${params.map((p) => `${p.name.text}: ${showType(p.type)}`).join(", ")})${type === null ? "" : `: ${showType(type)}`}`;
