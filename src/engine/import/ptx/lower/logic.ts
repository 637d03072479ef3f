/** Bits and predicates: logic, shifts, fields, counts, permutation. */

import { immOp, regOp } from "../../../ir/builder.ts";
import { PT } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import { B32, type PtxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { extendedState, has, intMods, typeAt, wideMods } from "./modifiers.ts";

function logic(name: "AND" | "OR" | "XOR", lut: number): Row {
  return (c, op, a) => {
    const type = typeAt(c, op, 0);
    if (type.kind === "pred") {
      c.emit("PLOP3", [c.defPred(a[0]), c.readPred(a[1]), c.readPred(a[2]), regOp(PT), immOp(lut)]);
      return;
    }
    c.emit("LOP", [c.def(a[0], type), c.read(a[1], type), c.read(a[2], type)], [name, ...wideMods(type)]);
  };
}

const not: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  if (type.kind === "pred") c.emit("PMOV", [c.defPred(a[0]), c.readPred(a[1], true)]);
  // The bits above a narrow value stay zero.
  else if (type.bits === 16) c.emit("LOP", [c.def(a[0], type), c.read(a[1], type), immOp(0xffff)], ["XOR"]);
  else c.emit("LOP", [c.def(a[0], type), c.read(a[1], type)], ["NOT", ...wideMods(type)]);
};

/** cnot: 1 when the source is zero. */
const cnot: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const wide = wideMods(type);
  const isZero = c.value("P", "ISETP", [c.read(a[1], type), immOp(0)], ["EQ", ...wide]);
  c.emit("SEL", [c.def(a[0], type), immOp(1), immOp(0), isZero], wide);
};

const shl: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  c.emit("SHL", [c.def(a[0], type, "dirty"), c.read(a[1], type), c.read32(a[2])], wideMods(type));
};

const shr: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  c.emit("SHR", [c.def(a[0], type, extendedState(type)), c.readExtended(a[1], type), c.read32(a[2])], intMods(type));
};

/** shf.l gives the high word of {b:a} << n, shf.r the low word of {b:a} >> n. */
const shf: Row = (c, op, a) => {
  const left = has(op, "l");
  const mods = [left ? "L" : "R", ...(has(op, "wrap") ? ["W"] : []), "U32", ...(left ? ["HI"] : [])];
  c.emit("SHF", [c.def(a[0], B32), c.read32(a[1]), c.read32(a[3]), c.read32(a[2])], mods);
};

const lop3: Row = (c, op, a) => {
  const lut = a[4];
  if (op.mods.length > 0 || lut?.kind !== "int") return c.fail();
  c.emit("LOP3", [c.def(a[0], B32), c.read32(a[1]), c.read32(a[2]), c.read32(a[3]), immOp(Number(lut.value) & 0xff)]);
};

const bfe: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  c.emit("BFE", [c.def(a[0], type), c.read(a[1], type), c.read32(a[2]), c.read32(a[3])], intMods(type));
};

const bfi: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  c.emit("BFI", [c.def(a[0], type), c.read(a[1], type), c.read(a[2], type), c.read32(a[3]), c.read32(a[4])], wideMods(type));
};

/** `.clamp`: bits beyond the word are cut off; `.wrap`: both numbers modulo 32. */
const bmsk: Row = (c, op, a) => c.emit("BMSK", [c.def(a[0], B32), c.read32(a[1]), c.read32(a[2])], has(op, "wrap") ? ["W"] : []);

const popc: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  c.emit("POPC", [c.def(a[0], B32), c.read(a[1], type)], wideMods(type));
};

const brev: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  c.emit("BREV", [c.def(a[0], type), c.read(a[1], type)], wideMods(type));
};

/** Leading zeros are width - 1 - position of the highest one; none gives -1, and the width comes out. */
const clz: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const position = c.value("R", "FLO", [c.read(a[1], type)], ["U32", ...wideMods(type)]);
  c.emit("ISUB", [c.def(a[0], B32), immOp(type.bits - 1), position]);
};

const bfind: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const mods = intMods(type);
  if (has(op, "shiftamt")) mods.splice(type.kind === "s" ? 0 : 1, 0, "SH");
  c.emit("FLO", [c.def(a[0], B32), c.read(a[1], type)], mods);
};

const selp: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const p = c.readPred(a[3]);
  if (type.name === "f32") {
    c.emit("FSEL", [c.def(a[0], type), c.readFloat(a[1], 32), c.readFloat(a[2], 32), p]);
    return;
  }
  c.emit("SEL", [c.def(a[0], type), bits(c, a[1], type), bits(c, a[2], type), p], wideMods(type));
};

/** A source whose bits are moved, whatever they mean: decimal numbers of f64 become doubles. */
function bits(c: Lowering, o: OperandAst | undefined, type: PtxType): Operand {
  return type.kind === "f" && type.bits >= 32 && o?.kind === "real" ? c.readFloat(o, type.bits) : c.read(o, type);
}

export const LOGIC: Readonly<Record<string, Row>> = {
  and: logic("AND", 0xc0),
  or: logic("OR", 0xfc),
  xor: logic("XOR", 0x3c),
  not,
  cnot,
  shl,
  shr,
  shf,
  lop3,
  bfe,
  bfi,
  bmsk,
  popc,
  brev,
  clz,
  bfind,
  selp,
};
