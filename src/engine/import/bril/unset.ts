/** Reads that no value reaches, reported with the names of the program: what the verifier would say of the registers that its variables became. */

import type { Func } from "../../ir/types.ts";
import { defsOf } from "../../ir/visit.ts";
import { undefinedReads } from "../../verify/undefined-reads.ts";
import type { DiagnosticSink } from "../diagnostics.ts";
import type { CheckedFunction } from "./check.ts";
import type { BrilCode } from "./codes.ts";
import type { BrilFunctionNames } from "./names.ts";

/** `fn`: what `func` was made of; `called`: variables that calls give a value, which the callee checks. Variables without any definition were reported when the program was checked. */
export function tellUnset(
  func: Func,
  names: BrilFunctionNames,
  fn: CheckedFunction,
  called: ReadonlySet<string>,
  sink: DiagnosticSink<BrilCode>,
): void {
  const returns = fn.items.some((item) => item.kind === "inst" && item.op === "ret" && item.args.length === 0);
  for (const { reg, inst } of undefinedReads(func)) {
    const at = inst.line > 0 ? { line: inst.line, column: 1, length: 0 } : fn.name.at;
    const name = names.variables.get(reg)?.name ?? null;
    // Of a body that was put in its caller's place, `f.1.x` is its own `x`.
    const own = name?.replace(/^.*\.\d+\./, "") ?? "";
    if (name !== null) {
      if (fn.types.has(name) && !called.has(own))
        sink.report("BRIL025", at, `nothing gives ${own} a value before it is read here: it is 0`);
    } else if (func.returns.includes(reg)) {
      // A `ret` without a value is reported elsewhere.
      if (!returns) sink.report("BRIL025", { ...at, line: fn.endLine }, `@${fn.name.text} may end here without a value: it gives 0`);
    } else {
      const got = defsOf(inst).flatMap((r) => names.variables.get(r)?.name ?? [])[0];
      if (got !== undefined) sink.report("BRIL025", at, `nothing is set for ${got} before it is got here: it is 0`);
    }
  }
}
