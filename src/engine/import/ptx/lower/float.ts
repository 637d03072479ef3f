/** Floating point: single, double and half arithmetic, and the approximated functions. */

import { immOp, regOp } from "../../../ir/builder.ts";
import type { Opcode } from "../../../ir/opcodes.ts";
import { PT, RDZ, RZ } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import { BF16, type PtxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { floatMods, has, rounding, typeAt } from "./modifiers.ts";
import { pairOfSingles, throughSingles } from "./parts.ts";

const MINUS_ZERO = regOp(RZ, { neg: true });
const MINUS_ZERO_64 = regOp(RDZ, { neg: true });

/** True for a half or a pair of halves, which HADD2 and its like compute with; the upper half of a scalar is zero and stays zero. */
function isHalf(type: PtxType): boolean {
  return type.name === "f16" || type.name === "f16x2";
}

export function floatAdd(subtract: boolean): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    if (type.name === "f32") c.emit("FADD", [c.def(a[0], type), c.readFloat(a[1], 32), c.readFloat(a[2], 32, subtract)], floatMods(op));
    else if (type.name === "f64") c.emit("DADD", [c.def(a[0], type), c.readFloat(a[1], 64), c.readFloat(a[2], 64, subtract)], rounding(op));
    // A negated upper zero would be -0, and 0 + -0 is 0 again.
    else if (isHalf(type)) c.emit("HADD2", [c.def(a[0], type), c.readHalf(a[1]), c.readHalf(a[2], subtract)], halfMods(c, op));
    else if (type.name === "bf16") throughSingle(c, a, "FADD", subtract);
    else if (type.name === "bf16x2") c.emit("HADD2", [c.def(a[0], type), c.readHalf(a[1]), c.readHalf(a[2], subtract)], brainMods(c, op));
    else if (type.name === "f32x2") pairOfSingles(c, op, a, "FADD", subtract);
    else c.fail();
  };
}

/** bf16 by way of single: exact inputs, and a single's 24 bits are more than twice a bf16's 8 plus 2, so that rounding twice is rounding once. */
function throughSingle(c: Lowering, a: Parameters<Row>[2], name: "FADD" | "FMUL", subtract: boolean) {
  const [x, y] = [a[1], a[2]].map((o) => c.value("R", "F2F", [c.readHalf(o)], ["F32", "BF16"]));
  if (x?.kind !== "reg" || y?.kind !== "reg") return c.fail();
  const result = c.value("R", name, [x, subtract ? { ...y, neg: true } : y]);
  c.emit("F2F", [c.def(a[0], BF16, "dirty"), result], ["BF16", "F32"]);
}

function halfMods(c: Lowering, op: Parameters<Row>[1]): string[] {
  if (op.mods.some((m) => m !== "rn" && m !== "ftz" && m !== "sat")) c.fail();
  return floatMods(op);
}

/** Two bf16. */
function brainMods(c: Lowering, op: Parameters<Row>[1]): string[] {
  if (op.mods.some((m) => m !== "rn")) c.fail();
  return ["BF16_V2"];
}

export const floatMul: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  if (type.name === "f32") c.emit("FMUL", [c.def(a[0], type), c.readFloat(a[1], 32), c.readFloat(a[2], 32)], floatMods(op));
  else if (type.name === "f64") c.emit("DMUL", [c.def(a[0], type), c.readFloat(a[1], 64), c.readFloat(a[2], 64)], rounding(op));
  else if (isHalf(type)) c.emit("HMUL2", [c.def(a[0], type), c.readHalf(a[1]), c.readHalf(a[2])], halfMods(c, op));
  else if (type.name === "bf16") throughSingle(c, a, "FMUL", false);
  else if (type.name === "bf16x2") c.emit("HMUL2", [c.def(a[0], type), c.readHalf(a[1]), c.readHalf(a[2])], brainMods(c, op));
  else if (type.name === "f32x2") pairOfSingles(c, op, a, "FMUL");
  else c.fail();
};

export const floatFma: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  if (type.name === "f32") {
    c.emit("FFMA", [c.def(a[0], type), c.readFloat(a[1], 32), c.readFloat(a[2], 32), c.readFloat(a[3], 32)], floatMods(op));
  } else if (type.name === "f64") {
    c.emit("DFMA", [c.def(a[0], type), c.readFloat(a[1], 64), c.readFloat(a[2], 64), c.readFloat(a[3], 64)], rounding(op));
  } else if (isHalf(type)) {
    const relu = has(op, "relu");
    if (op.mods.some((m) => m !== "rn" && m !== "ftz" && m !== "sat" && m !== "relu")) return c.fail();
    c.emit(
      "HFMA2",
      [c.def(a[0], type), c.readHalf(a[1]), c.readHalf(a[2]), c.readHalf(a[3])],
      [...(relu ? ["RELU"] : []), ...floatMods(op)],
    );
  } else if (type.name === "bf16" || type.name === "bf16x2") {
    if (op.mods.some((m) => m !== "rn" && m !== "relu")) return c.fail();
    c.emit(
      "HFMA2",
      [c.def(a[0], type), c.readHalf(a[1]), c.readHalf(a[2]), c.readHalf(a[3])],
      ["BF16_V2", ...(has(op, "relu") ? ["RELU"] : [])],
    );
  } else if (type.name === "f32x2") {
    pairOfSingles(c, op, a, "FFMA");
  } else {
    c.fail();
  }
};

/** neg: -x + -0; abs: |x| + -0, as the hardware has it; halves by their sign bits. */
export function floatNegAbs(negate: boolean): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    switch (type.name) {
      case "f32": {
        const x = c.readFloat(a[1], 32);
        if (x.kind !== "reg") return c.fail();
        c.emit("FADD", [c.def(a[0], type), negate ? { ...x, neg: !x.neg } : { ...x, neg: false, abs: true }, MINUS_ZERO], floatMods(op));
        return;
      }
      case "f64": {
        const x = c.readFloat(a[1], 64);
        if (x.kind !== "reg") return c.fail();
        c.emit("DADD", [c.def(a[0], type), negate ? { ...x, neg: !x.neg } : { ...x, neg: false, abs: true }, MINUS_ZERO_64]);
        return;
      }
      case "f16":
      case "bf16":
        if (has(op, "ftz")) return c.fail();
        c.emit("LOP", [c.def(a[0], type), c.readHalf(a[1]), immOp(negate ? 0x8000 : 0x7fff)], [negate ? "XOR" : "AND"]);
        return;
      case "f16x2":
      case "bf16x2":
        if (has(op, "ftz")) return c.fail();
        c.emit("LOP", [c.def(a[0], type), c.readHalf(a[1]), immOp(negate ? 0x80008000 : 0x7fff7fff)], [negate ? "XOR" : "AND"]);
        return;
      default:
        c.fail();
    }
  };
}

export function floatMinMax(min: boolean): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    if (a.length !== 3 || (has(op, "ftz") && type.name !== "f32") || has(op, "xorsign") || has(op, "abs") || has(op, "relu"))
      return c.fail();
    const choose = regOp(PT, { neg: !min });
    if (type.name === "f32") {
      const mods = [...(has(op, "ftz") ? ["FTZ"] : []), ...(has(op, "NaN") ? ["NAN"] : [])];
      c.emit("FMNMX", [c.def(a[0], type), c.readFloat(a[1], 32), c.readFloat(a[2], 32), choose], mods);
    } else if (type.name === "f64") {
      c.emit("DMNMX", [c.def(a[0], type), c.readFloat(a[1], 64), c.readFloat(a[2], 64), choose]);
    } else if (type.kind === "f" || type.kind === "bf" || type.packed) {
      throughSingles(c, op, a, (parts) => c.value("R", "FMNMX", [...parts, choose], has(op, "NaN") ? ["NAN"] : []));
    } else {
      c.fail();
    }
  };
}

export const floatDiv: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  if (type.name === "f32") {
    const mods = [...rounding(op), ...(has(op, "ftz") ? ["FTZ"] : []), ...(has(op, "approx") || has(op, "full") ? ["APPROX"] : [])];
    c.emit("FDIV", [c.def(a[0], type), c.readFloat(a[1], 32), c.readFloat(a[2], 32)], mods);
  } else if (type.name === "f64") {
    c.emit("DDIV", [c.def(a[0], type), c.readFloat(a[1], 64), c.readFloat(a[2], 64)], rounding(op));
  } else {
    c.fail();
  }
};

/** `approx` forms go to the special function unit, rounded ones to their own opcodes. */
function unary(unit: string, rounded: Opcode | null, wide: Opcode | null): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    const ftz = has(op, "ftz") ? ["FTZ"] : [];
    if (type.name === "f64") {
      if (wide === null || has(op, "approx")) return c.fail();
      c.emit(wide, [c.def(a[0], type), c.readFloat(a[1], 64)], rounding(op));
      return;
    }
    if (type.name !== "f32" && (unit === "EX2" || unit === "TANH")) {
      return throughSingles(c, op, a, (parts) => c.value("R", "MUFU", parts, [unit]));
    }
    if (type.name !== "f32") return c.fail();
    const isRounded = rounded !== null && ["rn", "rz", "rm", "rp"].some((m) => has(op, m));
    if (isRounded) c.emit(rounded, [c.def(a[0], type), c.readFloat(a[1], 32)], [...rounding(op), ...ftz]);
    else c.emit("MUFU", [c.def(a[0], type), c.readFloat(a[1], 32)], [unit, ...ftz]);
  };
}

/** Of doubles only the approximation to all bits: the one with `.ftz` gives the upper half of a result. */
const rsqrt: Row = (c, op, a) => {
  if (typeAt(c, op, 0).name !== "f64") return unary("RSQ", null, null)(c, op, a);
  if (has(op, "ftz")) return c.fail();
  c.emit("DRSQ", [c.def(a[0], typeAt(c, op, 0)), c.readFloat(a[1], 64)]);
};

/** Sign of the first source, the rest of the second: one three-input logic operation. */
const copysign: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const SELECT = immOp(0xe2);
  if (type.name === "f32") {
    c.emit("LOP3", [c.def(a[0], type), c.read32(a[1]), immOp(0x80000000), c.read32(a[2]), SELECT]);
  } else if (type.name === "f64") {
    const d = c.def(a[0], type);
    const [sign, rest] = [c.read64(a[1]), c.read64(a[2])];
    const high = c.value("R", "LOP3", [half(c, sign, "HI"), immOp(0x80000000), half(c, rest, "HI"), SELECT]);
    c.emit("PACK", [d, half(c, rest, "LO"), high]);
  } else {
    c.fail();
  }
};

function half(c: Lowering, source: Operand, which: "LO" | "HI"): Operand {
  if (source.kind === "reg") return c.value("R", "UNPACK", [source], [which]);
  if (source.kind === "f64") return immOp(which === "LO" ? source.lo : source.hi);
  c.fail();
  return immOp(0);
}

/** testp.notanumber and its like as comparisons. */
const testp: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const wide = type.name === "f64";
  if (!wide && type.name !== "f32") return c.fail();
  const d = c.defPred(a[0]);
  const x = c.readFloat(a[1], wide ? 64 : 32);
  if (x.kind !== "reg") return c.fail();
  const magnitude: Operand = { ...x, neg: false, abs: true };
  const infinity: Operand = wide ? { kind: "f64", hi: 0x7ff00000, lo: 0 } : { kind: "f32", bits: 0x7f800000 };
  const compare = (relation: string, left: Operand, right: Operand): void => c.emit(wide ? "DSETP" : "FSETP", [d, left, right], [relation]);
  if (has(op, "notanumber")) compare("NAN", x, x);
  else if (has(op, "number")) compare("NUM", x, x);
  else if (has(op, "infinite")) compare("EQ", magnitude, infinity);
  else if (has(op, "finite")) compare("LT", magnitude, infinity);
  else c.fail();
};

export const FLOAT: Readonly<Record<string, Row>> = {
  rcp: unary("RCP", "FRCP", "DRCP"),
  sqrt: unary("SQRT", "FSQRT", "DSQRT"),
  rsqrt,
  sin: unary("SIN", null, null),
  cos: unary("COS", null, null),
  lg2: unary("LG2", null, null),
  ex2: unary("EX2", null, null),
  tanh: unary("TANH", null, null),
  copysign,
  testp,
};
