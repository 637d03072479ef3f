/** Whether a program can make a stand-in at all: most cannot, and their runs follow none. */

import { liveness } from "../analysis/liveness.ts";
import type { Func, Inst, Module } from "../ir/types.ts";
import type { RunInputs } from "./outcome.ts";
import { hasModel } from "./special-registers.ts";

export function canMakeUp(module: Module, fn: Func, inputs: Pick<RunInputs, "args">): boolean {
  if (fn.params.some((_, i) => inputs.args[i] === undefined) || module.symbols.some((s) => s.inferred === true)) return true;
  const reached = module.funcs.filter((f) => f.kind === "func" && f.name !== fn.name);
  return [fn, ...reached].some((f) => readsUnwritten(f) || instsOf(f).some(isSource));
}

const instsOf = (fn: Func): readonly Inst[] => fn.layout.flatMap((id) => fn.blocks[id]?.insts ?? []);

function isSource(inst: Inst): boolean {
  switch (inst.op) {
    case "OPAQUE":
    case "TEX":
    case "TLD":
    case "SHFL":
    // What nothing has written may be read from shared and local memory.
    case "LDS":
    case "LDL":
    case "LD":
    case "ATOMS":
    case "ATOM":
    case "SYNCS":
    case "PHASECHK":
      return true;
    default:
      return inst.ops.some((o) => o.kind === "cbank" || (o.kind === "sreg" && !hasModel(o.name)));
  }
}

function readsUnwritten(fn: Func): boolean {
  const [entry] = fn.layout;
  return (
    entry !== undefined &&
    liveness(fn)
      .liveIn(entry)
      .some((r) => fn.params.every((p) => p.reg !== r))
  );
}
