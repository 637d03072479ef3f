/** Functions of the pipeline as a Bril program, in text and JSON. */

import type { WrittenProgram } from "../../../../engine/import/reader.ts";
import type { Func } from "../../../../engine/ir/types.ts";
import type { BrilFunction } from "../ast.ts";
import type { BrilNames } from "../names.ts";
import { printBrilJson, printBrilText, textProblem } from "../print.ts";
import { brilFunction } from "./function.ts";

/** Functions without a name in Bril, such as those that print and allocate, are left out. */
export function toBril(funcs: readonly Func[], names: BrilNames): WrittenProgram {
  const functions: BrilFunction[] = [];
  const problems: string[] = [];
  for (const fn of funcs) {
    const own = names.functions.get(fn.name);
    if (own === undefined) continue;
    const written = brilFunction(fn, own, names);
    functions.push(written.fn);
    problems.push(...written.problems);
  }
  if (problems.length > 0) return { text: "", json: "", problems };
  const program = { functions };
  const spelling = functions.flatMap((fn) => textProblem(fn) ?? []);
  return { text: spelling.length > 0 ? "" : printBrilText(program), json: printBrilJson(program), problems: spelling };
}
