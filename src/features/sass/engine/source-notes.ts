/** What is at a place of a SASS listing: the instruction, and the register or label with its definitions and uses, wide operands counted whole. */

import { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import { plainText } from "../../../engine/import/guard-text.ts";
import { type SourceName, type SourceReader, type Word, wordAround } from "../../../engine/import/source-note.ts";
import type { Reg } from "../../../engine/ir/ids.ts";
import { isConstantReg, parseReg, regClass } from "../../../engine/ir/reg.ts";
import type { SassFunction, SassInst } from "./ast.ts";
import { SASS_CODES, type SassCode } from "./codes.ts";
import { isControl, Places, splitSections, targetOperand } from "./functions.ts";
import { readListing } from "./lines.ts";
import { sassMeaning } from "./meanings.ts";
import { accessesOf } from "./registers.ts";

const WORD = /[A-Za-z_.$][\w.$]*|0x[0-9a-fA-F]+/g;
const WIDTH: Readonly<Record<string, string>> = {
  R: "32 bits",
  P: "predicate",
  UR: "32 bits, uniform",
  UP: "uniform predicate",
  B: "convergence barrier",
};

/** Parses once; every question is linear in the function it falls in. */
export function readSassSource(raw: string): SourceReader {
  const text = plainText(raw);
  const sink = new DiagnosticSink<SassCode>(SASS_CODES, "SASS099", 1);
  const functions = splitSections(readListing(text, sink).sections);
  const lines = text.split("\n");
  const byLine = new Map<number, { readonly fn: SassFunction; readonly inst: SassInst }>();
  for (const fn of functions) for (const inst of fn.insts) if (!byLine.has(inst.line)) byLine.set(inst.line, { fn, inst });
  return {
    noteAt(line, column) {
      const content = lines[line - 1];
      if (content === undefined) return null;
      const found = byLine.get(line) ?? null;
      const fn = found?.fn ?? functions.findLast((f) => f.line <= line && (f.insts.at(-1)?.line ?? 0) >= line) ?? null;
      if (fn === null) return null;
      const word = wordAround(content, column, WORD);
      const name = word === null ? null : nameNote(fn, found?.inst ?? null, word);
      if (found === null && name === null) return null;
      const { inst } = found ?? {};
      return {
        func: fn.name,
        instruction:
          inst === undefined ? null : { line, endLine: line, opcode: [inst.root, ...inst.mods].join("."), meaning: sassMeaning(inst.root) },
        name,
      };
    },
  };
}

function nameNote(fn: SassFunction, at: SassInst | null, word: Word): SourceName | null {
  const place = { column: word.column, endColumn: word.column + word.text.length };
  if (word.text.startsWith("SR_")) {
    const uses = fn.insts.filter((i) => i.operands.some((o) => o.kind === "word" && o.text === word.text)).map((i) => i.line);
    return { kind: "special", name: word.text, about: "special register", ...place, definitions: [], uses };
  }
  const name = /^(?:U?R\d+|U?P\d+|B\d+)(?=\.|$)/.exec(word.text)?.[0];
  const r = name === undefined ? null : parseReg(name);
  if (name !== undefined && r !== null && !isConstantReg(r))
    return registerNote(fn, r, { ...place, endColumn: word.column + name.length }, name);
  return labelNote(fn, at, word, place);
}

function registerNote(fn: SassFunction, r: Reg, place: { column: number; endColumn: number }, name: string): SourceName {
  const definitions: number[] = [];
  const uses: number[] = [];
  for (const inst of fn.insts) {
    const access = accessesOf(inst);
    if (access.defs.includes(r)) definitions.push(inst.line);
    if (access.uses.includes(r)) uses.push(inst.line);
  }
  return { kind: "register", name, about: WIDTH[regClass(r)] ?? "", ...place, definitions, uses };
}

/** A label by its name, or, where the listing prints addresses, the target of a branch. */
function labelNote(
  fn: SassFunction,
  at: SassInst | null,
  word: Word,
  place: { readonly column: number; readonly endColumn: number },
): SourceName | null {
  const places = new Places(fn.insts, fn.labels);
  const target = at === null ? null : targetOf(at);
  const isTarget = target !== null && ("address" in target ? Number(word.text) === target.address : target.name === word.text);
  const index = fn.labels.get(word.text) ?? (isTarget ? places.find(target) : null);
  if (index === null || index === undefined) return null;
  const uses = fn.insts.filter((inst) => {
    const to = targetOf(inst);
    return (to !== null && places.find(to) === index) || inst.targets?.some((name) => fn.labels.get(name) === index) === true;
  });
  const definition = fn.insts[index]?.line;
  return {
    kind: "label",
    name: word.text,
    about: "",
    ...place,
    definitions: definition === undefined ? [] : [definition],
    uses: uses.map((i) => i.line),
  };
}

function targetOf(inst: SassInst): ReturnType<typeof targetOperand> {
  return isControl(inst) || inst.root === "BSSY" || inst.root === "WARPSYNC" || inst.root === "CALL" ? targetOperand(inst) : null;
}
