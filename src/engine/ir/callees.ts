/** The functions that a function calls, and those that these call. */

import type { Func, Module, ModuleSymbol } from "./types.ts";

/** In the module's order, without the function itself; a name that is not in the module is left out. */
export function calleesOf(fn: Func, module: Module): readonly Func[] {
  const found = new Set([fn]);
  // A set's iteration also visits what is added meanwhile.
  for (const caller of found) {
    for (const name of calledBy(caller, module.symbols)) {
      const callee = module.funcs.find((f) => f.name === name);
      if (callee !== undefined) found.add(callee);
    }
  }
  found.delete(fn);
  return module.funcs.filter((f) => found.has(f));
}

/** The names that a function calls, each as often as it does. A call by address may lead to those that it lists, else to every function whose address is taken. */
export function* calledBy({ layout, blocks }: Func, symbols: readonly ModuleSymbol[]): Generator<string> {
  for (const id of layout) {
    for (const { op, ops } of blocks[id]?.insts ?? []) {
      if (op !== "CALL") continue;
      const [target, , , listed] = ops;
      if (target?.kind === "sym") yield target.name;
      else if (listed?.kind === "text") yield* listed.text.split(", ");
      else for (const { space, name } of symbols) if (space === "func") yield name;
    }
  }
}
