/** A `main` that is called like any other function: its body becomes a separate function, which `main` calls. */

import { type BrilInst, type BrilItem, type BrilName, type BrilType, brilInst, madeName } from "./ast.ts";
import type { CheckedFunction, CheckedProgram } from "./check.ts";

export interface Entry extends CheckedProgram {
  /** The function that has the body of `main`; null: nothing calls `main`, which has its own. */
  readonly body: string | null;
}

/** The kernel ends the run where a function returns, so the two cannot be one. Linear in the program. */
export function separateEntry(program: CheckedProgram): Entry {
  const main = program.functions.find((fn) => fn.name.text === "main");
  const callsMain = (item: BrilItem): item is BrilInst => item.kind === "inst" && item.funcs.some((f) => f.text === "main");
  if (main === undefined || !program.functions.some((fn) => fn.items.some(callsMain))) return { ...program, body: null };
  const taken = new Set(program.functions.map((fn) => fn.name.text));
  let body = "main.1";
  for (let i = 2; taken.has(body); i++) body = `main.${i}`;
  const renamed = (name: BrilName): BrilName => (name.text === "main" ? { ...name, text: body } : name);
  const functions = program.functions.map((fn): CheckedFunction => {
    const items = fn.items.map((item) => (callsMain(item) ? { ...item, funcs: item.funcs.map(renamed) } : item));
    return { ...fn, name: renamed(fn.name), items };
  });
  return { functions: [entryOf(main, body), ...functions], body };
}

/** `main` with nothing in it but the call. */
function entryOf(main: CheckedFunction, body: string): CheckedFunction {
  const { at } = main.name;
  const types = new Map<string, BrilType>(main.params.map((p) => [p.name.text, p.type]));
  let result: BrilName | null = null;
  if (main.type !== null) {
    let text = "result";
    for (let i = 1; types.has(text); i++) text = `result.${i}`;
    types.set(text, main.type);
    result = madeName(text, at);
  }
  const args = main.params.map((p) => p.name);
  const call = brilInst("call", { dest: result, type: main.type, args, funcs: [madeName(body, at)], at });
  const leave = brilInst("ret", { args: result === null ? [] : [result], at });
  return { ...main, items: [call, leave], types, shadows: new Map() };
}
