/** Opcodes of targets before sm_70: products of halves, sums with a carry flag, immediates of 32 bits, shifts and fields. */

import type { Operand } from "../../../../engine/ir/types.ts";
import type { SassInst, SassOperand } from "../ast.ts";
import { definition, floatSource, intSource, isZero } from "./operands.ts";
import { bareSource, type Pieces, ZERO } from "./pieces.ts";

type Row = (inst: SassInst, p: Pieces) => boolean;

/** Sets or reads the carry flag, which its text names (`R2.CC`) or not (`IADD.X`, CSET). */
export function carryOf({ root, mods, operands: [d] }: SassInst): { readonly sets: boolean; readonly reads: boolean } {
  const reads = mods.includes("X") || root === "CSET" || root === "CSETP";
  return { sets: d?.kind === "reg" && d.suffix.includes("CC"), reads };
}

const imm = (value: number): Operand => ({ kind: "imm", value });

/** The destination without the word for also setting the flag. */
function destination(o: SassOperand | undefined): Operand | null {
  return definition(o?.kind === "reg" && o.suffix.join() === "CC" ? { ...o, suffix: [] } : o);
}

const isNegative = (o: SassOperand | undefined): boolean => o !== undefined && "neg" in o && o.neg;

/** `IADD R2.CC, R4, R6`, `IADD.X R3, R5, R7`: a sum, the carry out and the carry in. Of a difference only what it is without them. */
const sum: Row = (inst, p) => {
  const [d, a, b] = inst.operands;
  const { sets, reads } = carryOf(inst);
  if (inst.operands.length !== 3 || inst.mods.some((m) => m !== "X")) return false;
  return flagged(p, destination(d), a, intSource(a), intSource(b), sets, reads, isNegative(a) || isNegative(b));
};

function flagged(
  p: Pieces,
  dest: Operand | null,
  first: SassOperand | undefined,
  x: Operand | null,
  y: Operand | null,
  sets: boolean,
  reads: boolean,
  negative: boolean,
): boolean {
  if (!sets && !reads) p.emit("IADD", [dest, x, y]);
  else if (!sets) {
    if (negative) return false;
    p.emit("IADD3", [dest, x, y, p.bit(p.flag)]);
  } else if (reads) {
    if (negative) return false;
    const once = p.temp("R", "IADD", [x, y]);
    const over = p.temp("P", "ISETP", [once, x], ["LT", "U32"]);
    const all = p.temp("R", "IADD", [once, p.bit(p.flag)]);
    const again = p.temp("P", "ISETP", [all, once, over], ["LT", "U32", "OR"]);
    p.emit("MOV", [dest, all]);
    p.emit("PMOV", [p.flag, again]);
  } else if (negative) {
    // a + -b: the flag means that there was no borrow. For `-a + b` nothing is known here.
    if (isNegative(first) || y?.kind !== "reg") return false;
    const difference = p.temp("R", "IADD", [x, y]);
    const enough = p.temp("P", "ISETP", [x, { ...y, neg: false }], ["GE", "U32"]);
    p.emit("MOV", [dest, difference]);
    p.emit("PMOV", [p.flag, enough]);
  } else {
    const total = p.temp("R", "IADD", [x, y]);
    const over = p.temp("P", "ISETP", [total, x], ["LT", "U32"]);
    p.emit("MOV", [dest, total]);
    p.emit("PMOV", [p.flag, over]);
  }
  return true;
}

/** `ISCADD R2.CC, R2, c[0x0][0x140], 0x2`: (a << n) + b. */
const scaledSum: Row = (inst, p) => {
  const [d, a, b, n] = inst.operands;
  const { sets } = carryOf(inst);
  if (inst.operands.length !== 4 || inst.mods.length > 0 || n?.kind !== "num" || n.value < 0 || n.value > 31) return false;
  if (isNegative(a) || isNegative(b)) return false;
  if (!sets) p.emit("LEA", [definition(d), bareSource(a), intSource(b), imm(n.value)]);
  else return flagged(p, destination(d), a, p.temp("R", "SHL", [bareSource(a), imm(n.value)]), intSource(b), true, false, false);
  return true;
};

/** One half of a register or constant, `R2.H1`, extended to a word. */
function half(p: Pieces, o: SassOperand | undefined, signed: boolean): Operand | null {
  if (isZero(o)) return ZERO;
  if (o?.kind === "num") return o.integer && o.value >= 0 && o.value <= (signed ? 0x7fff : 0xffff) ? imm(o.value) : null;
  if (o?.kind !== "reg" && o?.kind !== "cbank") return null;
  const [which = "H0"] = o.suffix;
  if (o.suffix.length > 1 || (which !== "H0" && which !== "H1")) return null;
  const word = bareSource({ ...o, suffix: [] });
  if (which === "H1") return p.temp("R", "SHR", [word, imm(16)], [signed ? "S32" : "U32"]);
  return signed ? p.temp("R", "I2I", [word], ["S32", "S16"]) : p.temp("R", "LOP", [word, imm(0xffff)], ["AND"]);
}

const whole = (o: SassOperand | undefined): SassOperand | undefined =>
  o?.kind === "reg" || o?.kind === "cbank" ? { ...o, suffix: [] } : o;

/**
 * A product of two halves and an addend. `.PSL`: the product is shifted to the upper half. `.CLO`, `.CHI`: of the addend a half; `.CBCC`: the addend plus the
 * lower half of b, shifted to the upper one. `.MRG`: the upper half of the result is the lower half of b. After the descriptions of public emulators and assemblers.
 */
const halfProduct: Row = (inst, p) => {
  const [d, a, b, c] = inst.operands;
  const types = inst.mods.filter((m) => m === "U16" || m === "S16");
  const rest = inst.mods.filter((m) => m !== "U16" && m !== "S16");
  if (inst.operands.length !== 4 || (types.length !== 0 && types.length !== 2)) return false;
  if (!rest.every((m) => ["PSL", "MRG", "CLO", "CHI", "CBCC"].includes(m))) return false;
  const [x, y] = [half(p, a, types[0] === "S16"), half(p, b, types[1] === "S16")];
  const product = p.temp("R", "IMUL", [x, y]);
  const shifted = rest.includes("PSL") ? p.temp("R", "SHL", [product, imm(16)]) : product;
  const select = rest.find((m) => m.startsWith("C"));
  let addend = bareSource(c);
  if (select === "CLO") addend = p.temp("R", "LOP", [addend, imm(0xffff)], ["AND"]);
  if (select === "CHI") addend = p.temp("R", "SHR", [addend, imm(16)], ["U32"]);
  if (select === "CBCC") addend = p.temp("R", "IADD", [p.temp("R", "SHL", [bareSource(whole(b)), imm(16)]), addend]);
  if (!rest.includes("MRG")) p.emit("IADD", [definition(d), shifted, addend]);
  else p.emit("BFI", [definition(d), bareSource(whole(b)), p.temp("R", "IADD", [shifted, addend]), imm(16), imm(16)]);
  return true;
};

/** `LOP.AND R0, R1, ~R2`, `LOP32I.XOR R0, R1, 0xff`. */
const logic: Row = ({ mods, operands: [d, a, b, ...more] }, p) => {
  const [kind = ""] = mods;
  if (mods.length !== 1 || b === undefined || more.length > 0) return false;
  if (kind === "PASS_B") p.emit("MOV", [definition(d), intSource(b)]);
  else if (["AND", "OR", "XOR"].includes(kind)) p.emit("LOP", [definition(d), intSource(a), intSource(b)], [kind]);
  else return false;
  return true;
};

/** Counts beyond the word shift everything out; `.W` takes them modulo 32 and stays opaque. */
const shift =
  (op: "SHL" | "SHR"): Row =>
  ({ mods, operands: [d, a, n, ...more] }, p) => {
    const sign = mods[0] ?? "S32";
    if (mods.length > 1 || n === undefined || more.length > 0) return false;
    if (op === "SHL" ? mods.length > 0 : sign !== "U32" && sign !== "S32") return false;
    p.emit(op, [definition(d), bareSource(a), bareSource(n)], op === "SHR" ? [sign] : []);
    return true;
  };

/** Position in the low byte, length in the next one. */
function field(o: SassOperand | undefined): readonly Operand[] | null {
  return o?.kind === "num" && o.integer ? [imm(o.value & 0xff), imm((o.value >> 8) & 0xff)] : null;
}

const extract: Row = ({ mods, operands: [d, a, b, ...more] }, p) => {
  const place = field(b);
  if (place === null || more.length > 0 || mods.length > 1 || (mods.length === 1 && mods[0] !== "U32" && mods[0] !== "S32")) return false;
  p.emit("BFE", [definition(d), bareSource(a), ...place], [mods[0] ?? "S32"]);
  return true;
};

const insert: Row = ({ mods, operands: [d, a, b, c, ...more] }, p) => {
  const place = field(b);
  if (place === null || c === undefined || more.length > 0 || mods.length > 0) return false;
  p.emit("BFI", [definition(d), bareSource(a), bareSource(c), ...place]);
  return true;
};

/** `MOV32I R0, 0x3f800000`, with or without the lanes of the word that it writes: all of them. */
const moveImmediate: Row = ({ mods, operands: [d, a, mask, ...more] }, p) => {
  if (mods.length > 0 || more.length > 0 || (mask !== undefined && !(mask.kind === "num" && mask.value === 0xf))) return false;
  // A decimal number is a single.
  p.emit("MOV", [definition(d), a?.kind === "num" && !a.integer ? floatSource(a) : intSource(a)]);
  return true;
};

const product: Row = ({ mods, operands: [d, a, b, ...more] }, p) => {
  const high = mods.includes("HI");
  const signs = mods.filter((m) => m !== "HI");
  const unsigned = signs.every((m) => m === "U32");
  if (more.length > 0 || b === undefined || !(unsigned || signs.every((m) => m === "S32"))) return false;
  p.emit("IMUL", [definition(d), bareSource(a), bareSource(b)], high ? ["HI", ...(unsigned && signs.length > 0 ? ["U32"] : [])] : []);
  return true;
};

const productAndSum: Row = ({ mods, operands: [d, a, b, c, ...more] }, p) => {
  if (mods.length > 0 || more.length > 0 || c === undefined) return false;
  p.emit("IMAD", [definition(d), bareSource(a), bareSource(b), intSource(c)]);
  return true;
};

const float =
  (op: "FADD" | "FMUL" | "FFMA", sources: number): Row =>
  ({ mods, operands: [d, ...rest] }, p) => {
    if (rest.length !== sources || !mods.every((m) => m === "FTZ" || m === "SAT")) return false;
    p.emit(op, [definition(d), ...rest.map(floatSource)], mods);
    return true;
  };

export const OLDER_ROWS: readonly (readonly [root: string, row: Row])[] = [
  ["IADD32I", sum],
  ["ISCADD", scaledSum],
  ["ISCADD32I", scaledSum],
  ["XMAD", halfProduct],
  ["LOP", logic],
  ["LOP32I", logic],
  ["SHL", shift("SHL")],
  ["SHR", shift("SHR")],
  ["BFE", extract],
  ["BFI", insert],
  ["MOV32I", moveImmediate],
  ["IMUL32I", product],
  ["IMAD32I", productAndSum],
  ["FADD32I", float("FADD", 2)],
  ["FMUL32I", float("FMUL", 2)],
  ["FFMA32I", float("FFMA", 3)],
];

export { sum as flagSum };
