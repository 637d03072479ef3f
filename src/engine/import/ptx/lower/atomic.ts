/** Atomics: atom and red on global and shared memory, and on addresses that may be in either. */

import { regOp } from "../../../ir/builder.ts";
import { RDZ, RZ } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import type { OpSpelling } from "../spelling.ts";
import type { PtxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { accessOf, address } from "./memory.ts";
import { typeAt } from "./modifiers.ts";

const OPERATIONS = new Set(["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"]);

interface Form {
  readonly operation: string;
  /** Type modifier, where one is needed. */
  readonly type: readonly string[];
}

/** The Ori operation and type; null for what the table has no form of (halves, 128 bits, signed 64-bit minima). */
function formOf(op: OpSpelling, type: PtxType): Form | null {
  const operation = op.mods.find((m) => OPERATIONS.has(m));
  if (operation === undefined || type.packed || (type.bits !== 32 && type.bits !== 64) || op.vector !== 1) return null;
  const name = operation.toUpperCase();
  const ordered = operation === "min" || operation === "max";
  if (type.kind === "f") return operation === "add" ? { operation: name, type: [type.bits === 64 ? "F64" : "F32"] } : null;
  if (type.bits === 64) return ordered && type.kind === "s" ? null : { operation: name, type: ["64"] };
  return { operation: name, type: ordered ? [type.kind === "s" ? "S32" : "U32"] : [] };
}

function atomic(hasResult: boolean): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    const access = accessOf(op, OPERATIONS);
    const form = formOf(op, type);
    if (access === null || form === null || (access.space !== "global" && access.space !== "shared" && access.space !== "generic"))
      return c.fail();
    const [to, place] = hasResult ? a : [undefined, a[0]];
    const first = hasResult ? 2 : 1;
    const values = a.slice(first, first + (form.operation === "CAS" ? 2 : 1));
    if (values.length !== (form.operation === "CAS" ? 2 : 1)) return c.fail();
    if (access.release) c.emit("MEMBAR", [], ["ALL", access.scope]);
    const target = address(c, place, access.space);
    const sources = values.map((o) => operand(c, o, type));
    const mods = [form.operation, ...form.type, ...(access.space === "generic" ? ["GENERIC"] : [])];
    const sink = regOp(type.bits === 64 ? RDZ : RZ);
    if (hasResult) c.emit(access.space === "shared" ? "ATOMS" : "ATOM", [c.def(to, type), target, ...sources], mods);
    else if (access.space === "shared") c.emit("ATOMS", [sink, target, ...sources], mods);
    else c.emit("RED", [target, ...sources], mods);
    if (access.acquire) c.after.push(() => c.emit("MEMBAR", [], ["ALL", access.scope]));
  };
}

function operand(c: Lowering, o: OperandAst, type: PtxType): Operand {
  // Memory takes no sign on its data.
  if (o.kind === "neg") c.fail();
  return type.kind === "f" ? c.readFloat(o, type.bits) : c.read(o, type);
}

export const ATOMIC: Readonly<Record<string, Row>> = { atom: atomic(true), red: atomic(false) };
