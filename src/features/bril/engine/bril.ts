/** Bril as a language that is read, and written again. */

import type { Reader, SourceProgram } from "../../../engine/import/reader.ts";
import { HEAP_SYMBOL, OUTPUT_SYMBOL } from "../../../engine/ir/one-thread.ts";
import type { Func, Module, ModuleSymbol } from "../../../engine/ir/types.ts";
import { toBril } from "./export/program.ts";
import { importBril } from "./import.ts";
import type { BrilNames } from "./names.ts";
import { brilOutput } from "./output.ts";
import { readBrilSource } from "./source-notes.ts";
import { testPrograms } from "./test-programs.ts";

export const BRIL: Reader = {
  read: (text) => {
    const { module, diagnostics, oriNames, names } = importBril(text);
    return { module, diagnostics, oriNames, reported: ["VER019"], program: brilProgram(names) };
  },
  source: readBrilSource,
  // Several threads would print into one buffer.
  input: { threads: 1, inOrder: true },
  output: brilOutput,
  forms: { bril: testPrograms("text"), "bril-json": testPrograms("json") },
};

/** Calls that call themselves are what many a first program is about. */
const CALL_DEPTH = 4000;

/** What a run may print. The program's text reserves less, which would do for a GPU's memory. */
const PRINTED_BYTES = 4 * 1024 * 1024;

/** A program that was read: its types, how it is run, and how it is written again. */
function brilProgram(names: BrilNames): SourceProgram {
  return {
    functions: [...names.functions.keys()],
    types: (func) => names.functions.get(func)?.params.map(({ type }) => (typeof type === "string" ? type : null)) ?? [],
    argument: (text, fn) => typedArgument(text, fn, names),
    roomy: withRoom,
    callDepth: CALL_DEPTH,
    trap: (func, symbols) => fullWords(names.runtime.get(func)?.kind, symbols),
    write: (funcs) => toBril(funcs, names),
  };
}

/** The output is the last of a program's variables, so that nothing moves when it grows. */
function withRoom(module: Module): Module {
  const symbols = module.symbols.map((s) => (s.name === OUTPUT_SYMBOL ? { ...s, size: Math.max(s.size, PRINTED_BYTES) } : s));
  return { ...module, symbols };
}

function fullWords(kind: string | undefined, symbols: readonly ModuleSymbol[]): string | null {
  const size = (name: string): string => `${Math.floor((symbols.find((s) => s.name === name)?.size ?? 0) / 1024)} KiB`;
  if (kind === "print") return `the program's output exceeds the ${size(OUTPUT_SYMBOL)} reserved for it`;
  if (kind === "alloc") return `an allocation of no cells, or of more than are left of the ${size(HEAP_SYMBOL)} heap`;
  return null;
}

/** `x=1.5` for a float and `c='a'` for a character, as the parameter's type says. */
function typedArgument(text: string, fn: Func, names: BrilNames): string {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const index = fn.params.findIndex((p) => p.name === name.trim());
  const type = names.functions.get(fn.name)?.params[index]?.type;
  const bare = value.trim();
  if (type === "float" && !bare.includes(":")) return `${name}=f64:${bare}`;
  const char = /^(?:'(.)'|([^\d]))$/su.exec(bare);
  return type === "char" && char !== null ? `${name}=${(char[1] ?? char[2] ?? "").codePointAt(0)}` : text;
}
