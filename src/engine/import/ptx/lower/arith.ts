/** Integer arithmetic: add sub mul mad div rem abs neg min max, 24-bit products, saturation, carry chains. */

import { immOp, regOp } from "../../../ir/builder.ts";
import type { Opcode } from "../../../ir/opcodes.ts";
import { PT } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import type { OpSpelling } from "../spelling.ts";
import { B64, type PtxType, S32 } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { floatAdd, floatDiv, floatFma, floatMinMax, floatMul, floatNegAbs } from "./float.ts";
import { extendedState, has, intMods, typeAt, wideMods } from "./modifiers.ts";
import { isPairOfIntegers, minMaxValue, pairOfIntegers } from "./parts.ts";

const TRUE = regOp(PT);
const FALSE = regOp(PT, { neg: true });

/** Rows of roots that exist for integers and floats hand the float types on. */
function intOr(int: (c: Lowering, op: OpSpelling, a: readonly OperandAst[], type: PtxType) => void, float: Row): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    if (type.kind === "f" || type.kind === "bf" || (type.packed && !isPairOfIntegers(type))) float(c, op, a);
    else int(c, op, a, type);
  };
}

function addSub(subtract: boolean): Row {
  return intOr((c, op, a, type) => {
    if (has(op, "cc")) return addCarry(c, a, type, subtract, false, true);
    if (has(op, "sat")) return saturated(c, a, subtract);
    if (isPairOfIntegers(type)) return pairOfIntegers(c, op, a, (p, q) => c.value("R", subtract ? "ISUB" : "IADD", [p, q]));
    c.emit(subtract ? "ISUB" : "IADD", [c.def(a[0], type, "dirty"), c.readLoose(a[1], type), c.readLoose(a[2], type)], wideMods(type));
  }, floatAdd(subtract));
}

/** add.sat.s32: computed in 64 bits and clamped. */
function saturated(c: Lowering, a: readonly OperandAst[], subtract: boolean) {
  const d = c.def(a[0], S32);
  const [x, y] = [a[1], a[2]].map((o) => c.value("RD", "I2I", [c.read32(o)], ["S64", "S32"]));
  if (x === undefined || y === undefined) return c.fail();
  const sum = c.value("RD", subtract ? "ISUB" : "IADD", [x, y], ["64"]);
  c.emit("I2I", [d, sum], ["S32", "S64", "SAT"]);
}

/**
 * Carry as a predicate: for an addition it is `sum <u operand`, for a subtraction the borrow `a <u b`; with a carry in, either of the two steps may
 * carry. The sum is written to a temporary when its register is an operand.
 */
function addCarry(c: Lowering, a: readonly OperandAst[], type: PtxType, subtract: boolean, carryIn: boolean, carryOut: boolean) {
  sumWithCarry(c, c.def(a[0], type), c.read(a[1], type), c.read(a[2], type), type, subtract, carryIn, carryOut);
}

function sumWithCarry(
  c: Lowering,
  d: Operand,
  x: Operand,
  y: Operand,
  type: PtxType,
  subtract: boolean,
  carryIn: boolean,
  carryOut: boolean,
) {
  const wide = wideMods(type);
  const cls = type.bits === 64 ? "RD" : "R";
  const flag = c.carryFlag;
  const less = ["LT", "U32", ...wide];
  if (!carryIn) {
    const sum = c.value(cls, subtract ? "ISUB" : "IADD", [x, y], wide);
    if (carryOut) c.emit("ISETP", subtract ? [regOp(flag), x, y] : [regOp(flag), sum, x], less);
    c.emit("MOV", [d, sum], wide);
    return;
  }
  const one = c.value(cls, "SEL", [immOp(1), immOp(0), regOp(flag)], wide);
  const first = c.value(cls, subtract ? "ISUB" : "IADD", [x, y], wide);
  const sum = c.value(cls, subtract ? "ISUB" : "IADD", [first, one], wide);
  if (carryOut) {
    const carry1 = c.value("P", "ISETP", subtract ? [x, y] : [first, x], less);
    c.emit("ISETP", subtract ? [regOp(flag), first, one, carry1] : [regOp(flag), sum, first, carry1], [...less, "OR"]);
  }
  c.emit("MOV", [d, sum], wide);
}

function withCarry(subtract: boolean): Row {
  return (c, op, a) => addCarry(c, a, typeAt(c, op, 0), subtract, true, has(op, "cc"));
}

const mul: Row = intOr((c, op, a, type) => product(c, op, a, type, false), floatMul);

const mad: Row = intOr((c, op, a, type) => {
  if (has(op, "cc")) return madCarry(c, op, a, type, false);
  if (has(op, "sat")) return c.fail();
  product(c, op, a, type, true);
}, floatFma);

function product(c: Lowering, op: OpSpelling, a: readonly OperandAst[], type: PtxType, add: boolean) {
  const name: Opcode = add ? "IMAD" : "IMUL";
  const unsigned = type.kind === "s" ? [] : ["U32"];
  if (has(op, "wide")) {
    if (type.bits === 16) {
      // 16 x 16 fits 32 bits: the plain product of extended values.
      const ops = [c.def(a[0], S32), c.readExtended(a[1], type), c.readExtended(a[2], type)];
      c.emit(name, add ? [...ops, c.read32(a[3])] : ops);
      return;
    }
    if (type.bits !== 32) return c.fail();
    const ops = [c.def(a[0], B64), c.read32(a[1]), c.read32(a[2])];
    c.emit(name, add ? [...ops, c.read64(a[3])] : ops, ["WIDE", ...unsigned]);
    return;
  }
  if (has(op, "hi")) {
    if (type.bits === 16) {
      const full = c.value("R", "IMUL", [c.readExtended(a[1], type), c.readExtended(a[2], type)]);
      if (!add) return c.emit("SHR", [c.def(a[0], type), full, immOp(16)], ["U32"]);
      const high = c.value("R", "SHR", [full, immOp(16)], ["U32"]);
      return c.emit("IADD", [c.def(a[0], type, "dirty"), high, c.read(a[3], type)]);
    }
    const ops = [c.def(a[0], type), c.read(a[1], type), c.read(a[2], type)];
    c.emit(name, add ? [...ops, c.read(a[3], type)] : ops, ["HI", ...intMods(type)]);
    return;
  }
  const ops = [c.def(a[0], type, "dirty"), c.readLoose(a[1], type), c.readLoose(a[2], type)];
  c.emit(name, add ? [...ops, c.readLoose(a[3], type)] : ops, wideMods(type));
}

/** mad.lo.cc, madc.hi.cc, …: a product, then a sum with carry. */
function madCarry(c: Lowering, op: OpSpelling, a: readonly OperandAst[], type: PtxType, carryIn: boolean) {
  const wide = wideMods(type);
  const mods = has(op, "hi") ? ["HI", ...intMods(type)] : wide;
  const factor = c.value(type.bits === 64 ? "RD" : "R", "IMUL", [c.read(a[1], type), c.read(a[2], type)], mods);
  sumWithCarry(c, c.def(a[0], type), factor, c.read(a[3], type), type, false, carryIn, has(op, "cc"));
}

/** mul24, mad24: the low 24 bits of each factor, extended. */
function mul24(add: boolean): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    if (has(op, "sat")) return c.fail();
    const sign = type.kind === "s" ? [] : ["U32"];
    const [x, y] = [a[1], a[2]].map((o) => c.value("R", "BFE", [c.read32(o), immOp(0), immOp(24)], sign));
    if (x === undefined || y === undefined) return c.fail();
    const d = c.def(a[0], type);
    if (!has(op, "hi")) return c.emit(add ? "IMAD" : "IMUL", add ? [d, x, y, c.read32(a[3])] : [d, x, y]);
    const full = c.value("RD", "IMUL", [x, y], ["WIDE", ...sign]);
    const high = c.value("RD", "SHR", [full, immOp(16)], [...sign, "64"]);
    if (!add) return c.emit("UNPACK", [d, high], ["LO"]);
    const low = c.value("R", "UNPACK", [high], ["LO"]);
    c.emit("IADD", [d, low, c.read32(a[3])]);
  };
}

const div: Row = intOr((c, _op, a, type) => quotient(c, "IDIV", a, type), floatDiv);
const rem: Row = (c, op, a) => quotient(c, "IREM", a, typeAt(c, op, 0));

function quotient(c: Lowering, name: "IDIV" | "IREM", a: readonly OperandAst[], type: PtxType) {
  c.emit(name, [c.def(a[0], type, extendedState(type)), c.readExtended(a[1], type), c.readExtended(a[2], type)], intMods(type));
}

const abs: Row = intOr((c, _op, a, type) => {
  c.emit("IABS", [c.def(a[0], type, "dirty"), c.readExtended(a[1], type)], wideMods(type));
}, floatNegAbs(false));

const neg: Row = intOr((c, _op, a, type) => {
  c.emit("INEG", [c.def(a[0], type, "dirty"), c.read(a[1], type)], wideMods(type));
}, floatNegAbs(true));

function minMax(min: boolean): Row {
  return intOr((c, op, a, type) => {
    if (isPairOfIntegers(type)) return pairOfIntegers(c, op, a, minMaxValue(c, op, min, type.name === "u16x2"));
    if (has(op, "relu")) {
      const chosen = c.value("R", "IMNMX", [c.read32(a[1]), c.read32(a[2]), min ? TRUE : FALSE]);
      return c.emit("IMNMX", [c.def(a[0], type), chosen, immOp(0), FALSE]);
    }
    const ops = [c.def(a[0], type, extendedState(type)), c.readExtended(a[1], type), c.readExtended(a[2], type), min ? TRUE : FALSE];
    c.emit("IMNMX", ops, intMods(type));
  }, floatMinMax(min));
}

/** sad: |a - b| + c as max - min, which does not overflow. */
const sad: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const cls = type.bits === 64 ? "RD" : "R";
  const [x, y] = [c.readExtended(a[1], type), c.readExtended(a[2], type)];
  const mods = intMods(type);
  const high = c.value(cls, "IMNMX", [x, y, FALSE], mods);
  const low = c.value(cls, "IMNMX", [x, y, TRUE], mods);
  const distance = c.value(cls, "ISUB", [high, low], wideMods(type));
  c.emit("IADD", [c.def(a[0], type, "dirty"), distance, c.read(a[3], type)], wideMods(type));
};

export const ARITHMETIC: Readonly<Record<string, Row>> = {
  add: addSub(false),
  sub: addSub(true),
  addc: withCarry(false),
  subc: withCarry(true),
  mul,
  mad,
  fma: floatFma,
  madc: (c, op, a) => madCarry(c, op, a, typeAt(c, op, 0), true),
  mul24: mul24(false),
  mad24: mul24(true),
  div,
  rem,
  abs,
  neg,
  min: minMax(true),
  max: minMax(false),
  sad,
};
