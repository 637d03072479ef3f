/** Gates of phases 29, 46, 65 and OriCopyProp that the pipeline does not try: they depend on the function and the backend's other slots. */

import type { Func } from "../../ir/types.ts";
import type { PassContext } from "../pass.ts";
import { RULES } from "./rules.ts";

/**
 * The sentence of the first gate that is shut, in the order of the reference (general-optimize, Gate Conditions); null when all are open. Values of bytes that the
 * notes do not give are chosen: docs/fidelity.md.
 */
export function closedGate({ id, edit, remark, level, target, policy }: PassContext): string | null {
  const least = policy === "measured" ? 0 : 1;
  const own =
    id === "general-optimize"
      ? remark.closed(RULES.gates, "config+33192", true)
      : id === "general-optimize-late2"
        ? remark.closed(RULES.gates, "level", level > least, { level, least })
        : null;
  const closed = own ?? remark.closed(RULES.gates, "function", hasWork(edit.func), { func: edit.func.name });
  if (closed !== null) return closed;
  const { capabilities, id: backend } = target.backend;
  remark.step(RULES.gates, capabilities.archPred ? "marking" : "no-marking", { backend, also: { gate: "predicate-marking", ok: true } });
  return null;
}

function hasWork(fn: Func): boolean {
  return fn.layout.some((id) => (fn.blocks[id]?.insts ?? []).some((inst) => inst.op !== "EXIT" && inst.op !== "RET" && inst.op !== "NOP"));
}
