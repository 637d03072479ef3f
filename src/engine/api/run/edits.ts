/** Programs put into the middle of a run. */

import type { Func, Module } from "../../ir/types.ts";
import { type Intervention, interventionText } from "../../pipeline/intervention.ts";
import { parseModule } from "../../text/parser.ts";
import { verifyFunc } from "../../verify/verify.ts";
import type { Diagnostic } from "../types.ts";

/** The programs that interventions put in, by their index, or located messages about their texts. */
export function readEdits(
  interventions: readonly Intervention[],
  module: Module,
  input: Func,
): { readonly edits: ReadonlyMap<number, Func>; readonly diagnostics: readonly Diagnostic[] } {
  const edits = new Map<number, Func>();
  const diagnostics: Diagnostic[] = [];
  interventions.forEach((intervention, index) => {
    if (intervention.kind !== "edit") return;
    const { fn, problems } = readEdit(intervention.text, module, input);
    const place = interventionText(intervention);
    diagnostics.push(...problems.map((d) => ({ ...d, message: `${place}, line ${d.line}: ${d.message}`, line: 0, column: 0, length: 0 })));
    if (fn !== null) edits.set(index, fn);
  });
  return { edits, diagnostics };
}

/** A text that may replace `input` from some run on: one body of the same name and signature, without errors. Places are in the text. */
export function readEdit(
  text: string,
  module: Module,
  input: Func,
): { readonly fn: Func | null; readonly problems: readonly Diagnostic[] } {
  const { module: own, diagnostics } = parseModule(text);
  const errors = diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) return { fn: null, problems: errors };
  const refuse = (message: string, line: number): { fn: null; problems: Diagnostic[] } => ({
    fn: null,
    problems: [{ line, column: 1, length: 0, severity: "error", code: "PIPE012", message, suggestion: null }],
  });
  const fn = own.funcs.find((one) => one.name === input.name);
  const [first] = own.funcs;
  if (first === undefined) return refuse(`the body of ${input.name} is missing`, 1);
  if (fn === undefined) return refuse(`the edited program is of the kernel ${first.name}, not of ${input.name}`, first.line);
  if (own.funcs.length > 1) return refuse(`only ${input.name} can be edited here`, own.funcs.find((one) => one !== fn)?.line ?? 1);
  const signature = (one: Func): string =>
    JSON.stringify([one.kind, one.params.map(({ name, reg }) => [name, reg]), one.returns, one.blockSize]);
  if (signature(fn) !== signature(input))
    return refuse(`the parameters, results or block size of ${input.name} differ from before`, fn.line);
  const found = verifyFunc(fn, module).filter((d) => d.severity === "error");
  return found.length > 0 ? { fn: null, problems: found } : { fn, problems: [] };
}
