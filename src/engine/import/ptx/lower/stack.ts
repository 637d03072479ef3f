/**
 * Memory on the stack (PTX ISA 9.7.21): a register of a kernel contains where free local memory begins. A `.func` has none: its stack begins where its
 * caller's ends, so there these instructions stay opaque.
 */

import { immOp, regOp } from "../../../ir/builder.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import type { OpSpelling } from "../spelling.ts";
import type { Lowering, Row } from "./context.ts";
import { typeAt } from "./modifiers.ts";

const ROOTS: ReadonlySet<string> = new Set(["alloca", "stacksave", "stackrestore"]);
/** Bytes, where an allocation names no alignment. */
const USUAL_ALIGNMENT = 8;
const LARGEST_ALIGNMENT = 2 ** 30;

/** Gives a kernel that allocates its stack pointer. Call it while the entry block is selected and contains only parameters. */
export function placeStack(c: Lowering): void {
  const allocates = c.fn.body?.some((stmt) => stmt.kind === "inst" && ROOTS.has(stmt.op.root)) ?? false;
  if (c.fn.kind !== "entry" || !allocates) return;
  c.stack = c.temp("R");
  c.out.emit("MOV", [regOp(c.stack), { kind: "sym", name: c.text.layout.stack().name, offset: 0 }], [], null, c.fn.line);
}

/** alloca d, size {, alignment}. The size may be in the register that is written, so the pointer is advanced first. */
const alloca: Row = (c, op, a) => {
  const { stack } = c;
  const align = a[2] === undefined ? USUAL_ALIGNMENT : a[2].kind === "int" ? Number(a[2].value) : 0;
  const isPower = align >= 1 && align <= LARGEST_ALIGNMENT && (align & (align - 1)) === 0;
  if (stack === null || !isPower) return c.fail();
  const above = c.value("R", "IADD", [regOp(stack), immOp(align - 1)]);
  const start = c.value("R", "LOP", [above, immOp(-align)], ["AND"]);
  c.emit("IADD", [regOp(stack), start, c.read32(a[1])]);
  give(c, op, a[0], start);
};

const stacksave: Row = (c, op, a) => {
  if (c.stack === null) return c.fail();
  give(c, op, a[0], regOp(c.stack));
};

const stackrestore: Row = (c, _, a) => {
  if (c.stack === null || a[0]?.kind !== "name") return c.fail();
  c.emit("MOV", [regOp(c.stack), c.read32(a[0])]);
};

/** Offsets in local memory have 32 bits, whatever the size of an address. */
function give(c: Lowering, op: OpSpelling, to: OperandAst | undefined, offset: Operand): void {
  const type = typeAt(c, op, 0);
  if (type.bits === 64) c.emit("I2I", [c.def(to, type), offset], ["U64", "U32"]);
  else c.emit("MOV", [c.def(to, type), offset]);
}

export const STACK: Readonly<Record<string, Row>> = { alloca, stacksave, stackrestore };
