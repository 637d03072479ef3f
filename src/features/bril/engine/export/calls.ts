/** What a CALL is in Bril. */

import type { Reg } from "../../../../engine/ir/ids.ts";
import type { Inst } from "../../../../engine/ir/types.ts";
import type { BrilType } from "../ast.ts";
import type { BrilNames } from "../names.ts";

export interface CallShape {
  readonly op: "call" | "print" | "alloc" | "free";
  /** Of `call`. */
  readonly func: string | null;
  readonly type: BrilType | null;
  readonly params: readonly BrilType[];
  readonly results: readonly Reg[];
  readonly args: readonly Reg[];
}

export function callShape(inst: Inst, names: BrilNames): CallShape | null {
  const [callee, results, args] = inst.ops;
  if (callee?.kind !== "sym" || results?.kind !== "list" || args?.kind !== "list") return null;
  const lists = { results: results.regs, args: args.regs };
  const known = names.functions.get(callee.name);
  if (known !== undefined) return { op: "call", func: known.name, type: known.type, params: known.params.map((p) => p.type), ...lists };
  const runtime = names.runtime.get(callee.name);
  switch (runtime?.kind) {
    case "print":
      return { op: "print", func: null, type: null, params: runtime.types, ...lists };
    case "alloc":
      return { op: "alloc", func: null, type: { ptr: runtime.cell }, params: ["int"], ...lists };
    case "free":
      return { op: "free", func: null, type: null, params: [], ...lists };
    default:
      return null;
  }
}
