/** Conversions: cvt between integers, floats and halves. */

import { immOp } from "../../../ir/builder.ts";
import type { Operand } from "../../../ir/types.ts";
import { LOCAL_WINDOW } from "../../address-map.ts";
import type { OperandAst } from "../ast.ts";
import type { OpSpelling } from "../spelling.ts";
import { F32, type PtxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { extendedState, has, rounding, typeAt } from "./modifiers.ts";
import { packSaturated } from "./parts.ts";

const TO_INTEGER: Readonly<Record<string, readonly string[]>> = { rni: [], rzi: ["TRUNC"], rmi: ["FLOOR"], rpi: ["CEIL"] };
/** Modifiers of cvt that the rows below take; any other makes the instruction opaque. */
const KNOWN = new Set(["rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "ftz", "sat"]);

const cvt: Row = (c, op, a) => {
  if (has(op, "pack")) return packSaturated(c, op, a);
  const to = typeAt(c, op, 0);
  const from = typeAt(c, op, 1);
  if (op.mods.some((m) => !KNOWN.has(m)) || op.vector !== 1) return c.fail();
  if (to.packed || from.packed) return packed(c, op, a, to, from);
  if (to.bits === 0 || from.bits === 0) return c.fail();
  const toFloat = to.kind === "f" || to.kind === "bf";
  const fromFloat = from.kind === "f" || from.kind === "bf";
  if (toFloat) return fromFloat ? floatToFloat(c, op, a, to, from) : intToFloat(c, op, a, to, from);
  return fromFloat ? floatToInt(c, op, a, to, from) : intToInt(c, op, a, to, from);
};

/** `S16`, `U64`, `F32`, `BF16`: a type as the conversion opcodes spell it. */
function nameOf(type: PtxType): string {
  if (type.kind === "f" || type.kind === "bf") return type.name.toUpperCase();
  return `${type.kind === "s" ? "S" : "U"}${type.bits}`;
}

/** The source in its own register class; a conversion reads only the low bits of its type. */
function source(c: Lowering, o: OperandAst | undefined, type: PtxType): Operand {
  if (type.kind === "f" && type.bits >= 32) return c.readFloat(o, type.bits);
  if (type.kind === "f" || type.kind === "bf") return c.readHalf(o);
  return type.bits === 64 ? c.read64(o) : c.read32(o);
}

function intToInt(c: Lowering, op: OpSpelling, a: readonly OperandAst[], to: PtxType, from: PtxType) {
  const sat = has(op, "sat");
  const x = source(c, a[1], from);
  const sameWidth = to.bits === from.bits && !sat;
  if (sameWidth && to.bits >= 32) return c.emit("MOV", [c.def(a[0], to), x], to.bits === 64 ? ["64"] : []);
  const declared = c.registerOf(a[0])?.type.bits ?? to.bits;
  if (to.kind === "s" && to.bits === declared && to.bits < 32 && !sat) {
    // Into a register of the type's own width only the bits count: the unsigned form leaves them clean.
    return c.emit("I2I", [c.def(a[0], to), x], [`U${to.bits}`, nameOf(from)]);
  }
  c.emit("I2I", [c.def(a[0], to, extendedState(to)), x], [nameOf(to), nameOf(from), ...(sat ? ["SAT"] : [])]);
}

function floatToInt(c: Lowering, op: OpSpelling, a: readonly OperandAst[], to: PtxType, from: PtxType) {
  const mode = op.mods.find((m) => TO_INTEGER[m] !== undefined);
  let x = source(c, a[1], from);
  let type = from;
  if (from.kind === "bf") {
    x = c.value("R", "F2F", [x], ["F32", "BF16"]);
    type = F32;
  }
  const mods = [nameOf(to), nameOf(type), ...(mode === undefined ? [] : (TO_INTEGER[mode] ?? [])), ...(has(op, "ftz") ? ["FTZ"] : [])];
  c.emit("F2I", [c.def(a[0], to, extendedState(to)), x], mods);
}

function intToFloat(c: Lowering, op: OpSpelling, a: readonly OperandAst[], to: PtxType, from: PtxType) {
  // To bf16 there is no single rounding by way of single.
  if (to.kind === "bf" || has(op, "sat")) return c.fail();
  c.emit("I2F", [c.def(a[0], to), source(c, a[1], from)], [nameOf(to), nameOf(from), ...rounding(op)]);
}

function floatToFloat(c: Lowering, op: OpSpelling, a: readonly OperandAst[], to: PtxType, from: PtxType) {
  const ftz = has(op, "ftz") ? ["FTZ"] : [];
  const sat = has(op, "sat") ? ["SAT"] : [];
  const x = source(c, a[1], from);
  const mode = op.mods.find((m) => TO_INTEGER[m] !== undefined);
  if (mode !== undefined) {
    if (to.name !== from.name || sat.length > 0) return c.fail();
    const mods = [...(to.bits === 64 ? ["64"] : []), ...(TO_INTEGER[mode] ?? []), ...ftz];
    if (to.bits >= 32) return c.emit("FRND", [c.def(a[0], to), x], mods);
    // A half's integers are all singles: nothing is rounded twice.
    const single = c.value("R", "F2F", [x], ["F32", nameOf(from)]);
    const rounded = c.value("R", "FRND", [single], mods);
    return c.emit("F2F", [c.def(a[0], to), rounded], [nameOf(to), "F32"]);
  }
  if (to.name === from.name && ftz.length + sat.length === 0) {
    return c.emit("MOV", [c.def(a[0], to), x], to.bits === 64 ? ["64"] : []);
  }
  c.emit("F2F", [c.def(a[0], to), x], [nameOf(to), nameOf(from), ...rounding(op), ...ftz, ...sat]);
}

/** cvt.rn.f16x2.f32 d, a, b: two conversions, `a` in the upper half. */
function packed(c: Lowering, op: OpSpelling, a: readonly OperandAst[], to: PtxType, from: PtxType) {
  const half = to.name === "f16x2" ? "F16" : to.name === "bf16x2" ? "BF16" : null;
  if (half === null || from.name !== "f32" || a.length !== 3) return c.fail();
  const mods = [half, "F32", ...rounding(op), ...(has(op, "ftz") ? ["FTZ"] : []), ...(has(op, "sat") ? ["SAT"] : [])];
  const high = c.value("R", "F2F", [c.readFloat(a[1], 32)], mods);
  const low = c.value("R", "F2F", [c.readFloat(a[2], 32)], mods);
  c.emit("PRMT", [c.def(a[0], to), low, immOp(0x5410), high]);
}

/**
 * cvta: generic addresses of shared and global memory are the same numbers, those of local memory begin at the window's base. A parameter's address has no
 * generic form.
 */
const cvta: Row = (c, op, a) => {
  if (has(op, "param") || has(op, "param::entry") || has(op, "shared::cluster")) return c.fail();
  const type = typeAt(c, op, 0);
  const wide = type.bits === 64 ? ["64"] : [];
  const source = c.read(a[1], type);
  if (!has(op, "local")) return c.emit("MOV", [c.def(a[0], type), source], wide);
  const base = has(op, "to") ? -LOCAL_WINDOW : LOCAL_WINDOW;
  // An addend is a register or a number: a symbol's address is moved to a register first.
  const address = source.kind === "reg" ? source : c.value(type.bits === 64 ? "RD" : "R", "MOV", [source], wide);
  c.emit("IADD", [c.def(a[0], type), address, immOp(base)], wide);
};

export const CONVERT: Readonly<Record<string, Row>> = { cvt, cvta };
