/** Gates of phases 29, 46, 65 and OriCopyProp that the pipeline does not try: they depend on the function and the backend's other slots. */

import type { BundleGate } from "../../analysis/copy-gates.ts";
import type { PassContext } from "../pass.ts";

/** In the order of the notes (general-optimize, Gate Conditions). Values of bytes that the notes do not give are chosen: docs/fidelity.md. */
export function gatesOf({ id, edit, level, target, policy }: PassContext): readonly BundleGate[] {
  const { capabilities, id: backend } = target.backend;
  const marking: BundleGate = {
    gate: "predicate-marking",
    ok: true,
    sentence: capabilities.archPred
      ? `${backend} slot +1312 is not zero: results may be marked under a predicate`
      : `${backend} slot +1312 is zero: nothing is marked under a predicate, and copies under a guard stay`,
  };
  const least = policy === "measured" ? 0 : 1;
  const high = level > least;
  const levelGate: BundleGate = {
    gate: "level",
    ok: high,
    sentence: `sub_7DDB50 gives ${level}, which is ${high ? "" : "not "}above ${least}`,
  };
  const work = hasWork(edit.func);
  const workGate: BundleGate = {
    gate: "function",
    ok: work,
    sentence: work ? `${edit.func.name} has instructions to look at` : `${edit.func.name} has nothing but terminators`,
  };
  switch (id) {
    case "general-optimize":
      return [
        { gate: "config+33192", ok: true, sentence: "config+33192 is 0: option 461 decides, and it lets the phase pass" },
        workGate,
        marking,
      ];
    case "general-optimize-mid2":
      return [workGate, marking];
    case "general-optimize-late2":
      return [levelGate, workGate, marking];
    default:
      return [workGate, marking];
  }
}

function hasWork(fn: PassContext["edit"]["func"]): boolean {
  return fn.layout.some((id) => (fn.blocks[id]?.insts ?? []).some((inst) => inst.op !== "EXIT" && inst.op !== "RET" && inst.op !== "NOP"));
}
