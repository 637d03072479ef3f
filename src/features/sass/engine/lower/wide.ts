/** Opcodes of listings that take several Ori instructions: values in register pairs, carries, second results. What a row refuses stays opaque. */

import { regOp } from "../../../../engine/ir/builder.ts";
import { isConstantReg } from "../../../../engine/ir/reg.ts";
import type { Operand } from "../../../../engine/ir/types.ts";
import type { SassInst, SassOperand } from "../ast.ts";
import { isPlainPredicate } from "../registers.ts";
import { flagSum, OLDER_ROWS } from "./older.ts";
import { definition, floatSource, intSource, isFalse, isTrue, isZero, predSource } from "./operands.ts";
import { bareSource, type Fresh, halves, Pieces, ZERO } from "./pieces.ts";
import type { OriForm } from "./rows.ts";
import { MEMORY_ROWS } from "./wide-memory.ts";
import { add3Wide, compare64, counter64, minMax64, move64, select64 } from "./wide-values.ts";

/**
 * The instructions in order, or null. Each may have the guard of the instruction that they replace: a predicate is defined by the last alone, and no register of
 * the listing is written before its last reading.
 */
export function wideForms(inst: SassInst, fresh: Fresh): readonly OriForm[] | null {
  const row = ROWS.get(inst.root) ?? ROWS.get(inst.root.replace(/^U(?=[A-Z])/, ""));
  if (row === undefined) return null;
  const pieces = new Pieces(fresh);
  return row(inst, pieces) && pieces.forms.length > 0 ? pieces.forms : null;
}

/** False when it does not know the form; what it emitted by then is dropped. */
type WideRow = (inst: SassInst, p: Pieces) => boolean;

const imm = (value: number): Operand => ({ kind: "imm", value });
const LESS = ["LT", "U32"];

function only(inst: SassInst, allowed: readonly string[]): boolean {
  return inst.mods.every((m) => allowed.includes(m));
}

/** IMAD with an addend of 64 bits (`.WIDE`; `.HI`, whose result is the upper half of the same sum), or with a carry in. */
const multiplyAdd: WideRow = (inst, p) => {
  const [d, a, b, c, carry] = inst.operands;
  const [kind] = inst.mods;
  if (kind === "X") {
    if (inst.operands.length !== 5 || !only(inst, ["X", "U32"])) return false;
    const bit = p.bit(predSource(carry));
    const product = isZero(a) || isZero(b) ? null : p.temp("R", "IMUL", [intSource(a), intSource(b)]);
    if (product === null) p.emit("IADD", [definition(d), intSource(c), bit]);
    else p.emit("IADD3", [definition(d), product, intSource(c), bit]);
    return true;
  }
  if ((kind !== "WIDE" && kind !== "HI") || inst.operands.length !== 4 || !only(inst, [kind, "U32"])) return false;
  const sign = inst.mods.includes("U32") ? ["U32"] : [];
  const factors = [bareSource(a), bareSource(b)];
  if (kind === "HI" && isZero(c)) {
    p.emit("IMUL", [definition(d), ...factors], ["HI", ...sign]);
    return true;
  }
  const addend = isZero(c) ? null : p.pair(c, "neg");
  if (addend === null && !isZero(c)) return false;
  const sum =
    addend === null ? p.temp("RD", "IMUL", factors, ["WIDE", ...sign]) : p.temp("RD", "IMAD", [...factors, addend], ["WIDE", ...sign]);
  if (kind === "WIDE") p.unpack(d, sum);
  else p.emit("UNPACK", [definition(d), sum], ["HI"]);
  return true;
};

/** Sums of up to three with a carry out, in, or both. A carry out of three addends needs two predicates and is not read. */
const add3: WideRow = (inst, p) => {
  const [d, ...rest] = inst.operands;
  const carries = rest.findIndex((o) => !isPlainPredicate(o));
  const [out] = rest;
  const extended = inst.mods.includes("X");
  if (carries > 1 || carries < 0 || !only(inst, ["X"])) return false;
  const [a, b, c, ...ins] = rest.slice(carries);
  if (ins.length > 2 || (!extended && ins.length > 0) || c === undefined) return false;
  const all = [a, b, c];
  const isNegative = (o: SassOperand | undefined): boolean => o !== undefined && "neg" in o && o.neg;
  // With a carry in, `~x` is written where `-x` is meant; a negated zero would carry.
  if (all.some((o) => isNegative(o) && (extended || isZero(o)))) return false;
  const terms = all.filter((o) => !isZero(o));
  const bits = ins.filter((o) => !isFalse(o)).map((o) => p.bit(predSource(o)));
  const dest = definition(d);
  const carry = carries === 1 ? definition(out) : null;
  if (carry === null) {
    const [x = ZERO, y = ZERO, ...more] = [...terms.map(intSource), ...bits];
    const first = more.length > 1 ? p.temp("R", "IADD", [x, y]) : null;
    if (first !== null) {
      const [u = ZERO, v = ZERO, w] = more;
      p.emit("IADD3", [dest, w === undefined ? first : p.temp("R", "IADD", [first, w]), u, v]);
    } else if (more[0] !== undefined) p.emit("IADD3", [dest, x, y, more[0]]);
    else p.emit("IADD", [dest, x, y]);
    return true;
  }
  if (terms.length > 2 || bits.length > 1 || terms.every(isNegative) !== (terms.length === 0)) return false;
  if (terms.some(isNegative)) {
    // a + ~b + 1 carries when there is no borrow.
    const negative = terms.find(isNegative);
    const x = terms.find((o) => !isNegative(o));
    if (negative?.kind !== "reg" && negative?.kind !== "cbank") return false;
    const y = intSource({ ...negative, neg: false });
    const difference = p.temp("R", "IADD", [intSource(x), intSource(negative)]);
    return finishCarry(p, dest, difference, carry, [intSource(x), y], ["GE", "U32"]);
  }
  const [x = ZERO, y = ZERO] = terms.map(intSource);
  const [bit] = bits;
  if (bit === undefined) return sumWithCarry(p, dest, x, y, carry);
  const sum = p.temp("R", "IADD", [x, y]);
  const once = p.temp("P", "ISETP", [sum, x], LESS);
  const total = p.temp("R", "IADD", [sum, bit]);
  return finishCarry(p, dest, total, carry, [total, sum, once], [...LESS, "OR"]);
};

/** A sum carries when it is below either addend: below one that it does not overwrite. */
function sumWithCarry(p: Pieces, dest: Operand | null, x: Operand | null, y: Operand | null, carry: Operand | null): boolean {
  if (dest?.kind !== "reg") return false;
  const kept = [x, y].find((o) => o?.kind !== "reg" || o.reg !== dest.reg);
  if (kept === undefined || isConstantReg(dest.reg)) {
    const sum = p.temp("R", "IADD", [x, y]);
    return finishCarry(p, dest, sum, carry, [sum, x], LESS);
  }
  p.emit("IADD", [dest, x, y]);
  p.emit("ISETP", [carry, dest, kept], LESS);
  return true;
}

/** Writes a computed value and the carry, which a comparison finds; what the comparison reads may be in the destination. */
function finishCarry(
  p: Pieces,
  dest: Operand | null,
  value: Operand,
  carry: Operand | null,
  compared: readonly (Operand | null)[],
  mods: readonly string[],
): boolean {
  if (dest?.kind !== "reg") return false;
  if (isConstantReg(dest.reg)) p.emit("ISETP", [carry, ...compared], mods);
  else if (compared.some((o) => o?.kind === "reg" && o.reg === dest.reg)) {
    const flag = p.temp("P", "ISETP", compared, mods);
    p.emit("MOV", [dest, value]);
    p.emit("PMOV", [carry, flag]);
  } else {
    p.emit("MOV", [dest, value]);
    p.emit("ISETP", [carry, ...compared], mods);
  }
  return true;
}

/** Three-input logic whose result is also, or only, a predicate: not equal to zero, or'ed (`.PAND`: and'ed) with the last operand. */
const logic: WideRow = (inst, p) => {
  const [out, d, a, b, c, lut, q] = inst.operands;
  if (!isPlainPredicate(out) || inst.operands.length !== 7 || lut?.kind !== "num" || !only(inst, ["LUT", "PAND"])) return false;
  const ops = [intSource(a), intSource(b), intSource(c)];
  const table = isZero(c) ? { 192: "AND", 252: "OR", 60: "XOR" }[lut.value] : undefined;
  const dest = definition(d);
  if (dest?.kind !== "reg") return false;
  const value = isConstantReg(dest.reg) ? p.own("R") : dest;
  if (table === undefined) p.emit("LOP3", [value, ...ops, imm(lut.value)]);
  else p.emit("LOP", [value, intSource(a), intSource(b)], [table]);
  const and = inst.mods.includes("PAND");
  if (and ? isTrue(q) : isFalse(q)) p.emit("ISETP", [definition(out), value, ZERO], ["NE"]);
  else p.emit("ISETP", [definition(out), value, ZERO, predSource(q)], ["NE", and ? "AND" : "OR"]);
  return true;
};

/**
 * LEA with a carry out; `.HI`: the upper word of {c:a} << n, plus b; `.SX32`: a with its sign instead of the pair; `.X`: plus a carry.
 */
const lea: WideRow = (inst, p) => {
  const { operands } = inst;
  const [d, second] = operands;
  const high = inst.mods.includes("HI");
  if (!high) {
    const [, , a, b, n] = operands;
    if (operands.length !== 5 || inst.mods.length > 0 || !isPlainPredicate(second) || n?.kind !== "num") return false;
    const shifted = p.temp("R", "SHL", [bareSource(a), imm(n.value)]);
    return sumWithCarry(p, definition(d), shifted, bareSource(b), definition(second));
  }
  const extended = inst.mods.includes("X");
  const signed = inst.mods.includes("SX32");
  if (isPlainPredicate(second) || !only(inst, ["HI", "X", "SX32"])) return false;
  if (operands.length !== 4 + (signed ? 0 : 1) + (extended ? 1 : 0)) return false;
  const [, a, b] = operands;
  const n = operands[signed ? 3 : 4];
  if (n?.kind !== "num" || n.value < 0 || n.value > 31) return false;
  const upper = signed
    ? p.temp("R", "SHR", [bareSource(a), imm(32 - n.value)], ["S32"])
    : p.temp("R", "SHF", [bareSource(a), imm(n.value), bareSource(operands[3])], ["L", "U32", "HI"]);
  if (extended) p.emit("IADD3", [definition(d), upper, intSource(b), p.bit(predSource(operands.at(-1)))]);
  else p.emit("IADD", [definition(d), upper, intSource(b)]);
  return true;
};

/** Funnel shifts of a 64-bit value by a constant of less than a word are those of Ori. */
const funnel: WideRow = (inst, p) => {
  const [d, a, n, c] = inst.operands;
  const key = inst.mods.join(".");
  if (inst.operands.length !== 4 || n?.kind !== "num" || n.value < 0 || n.value > 31) return false;
  const mods = { "L.U64.HI": ["L", "U32", "HI"], "R.U64": ["R", "U32"], "R.S64": ["R", "U32"] }[key];
  if (mods === undefined) return false;
  p.emit("SHF", [definition(d), bareSource(a), imm(n.value), bareSource(c)], mods);
  return true;
};

const STRICT: Readonly<Record<string, string>> = { LT: "LT", LE: "LT", GT: "GT", GE: "GT" };

/** The upper words of a 64-bit comparison; the last operand is the comparison of the lower ones. */
const compareExtended: WideRow = (inst, p) => {
  const [d, second, a, b, q, low] = inst.operands;
  if (inst.operands.length !== 6 || !inst.mods.includes("EX") || !isTrue(second)) return false;
  const [relation = ""] = inst.mods;
  const bool = inst.mods.find((m) => m === "OR" || m === "XOR") ?? "AND";
  if (!only(inst, [relation, "U32", bool, "EX"])) return false;
  const sources = [intSource(a), intSource(b)];
  const plain = isTrue(q) && bool === "AND";
  const result = (ops: readonly (Operand | null)[], mods: readonly string[]): void => {
    if (plain) p.emit("ISETP", [definition(d), ...ops], mods);
    else {
      const flag = p.temp("P", "ISETP", ops, mods);
      p.emit("PLOP3", [definition(d), flag, predSource(q), predSource(second), imm({ AND: 0xc0, OR: 0xfc, XOR: 0x3c }[bool])]);
    }
  };
  const strict = STRICT[relation];
  if (strict !== undefined) {
    const equal = p.temp("P", "ISETP", [...sources, predSource(low)], ["EQ", "AND"]);
    result([...sources, equal], [strict, ...(inst.mods.includes("U32") ? ["U32"] : []), "OR"]);
  } else if (relation === "EQ" || relation === "NE") result([...sources, predSource(low)], [relation, relation === "EQ" ? "AND" : "OR"]);
  else return false;
  return true;
};

/** min or max of a sum and a bound; the sum wraps. */
const addMinMax: WideRow = (inst, p) => {
  const [d, a, b, c, q] = inst.operands;
  if (inst.operands.length !== 5 || !only(inst, ["U32", "S32"])) return false;
  p.emit("IMNMX", [definition(d), p.temp("R", "IADD", [intSource(a), intSource(b)]), intSource(c), predSource(q)], inst.mods);
  return true;
};

/** Smallest or largest of three. */
const minMaxOfThree =
  (op: "IMNMX" | "FMNMX", allowed: readonly string[], source: (o: SassOperand | undefined) => Operand | null): WideRow =>
  (inst, p) => {
    const [d, a, b, c, q] = inst.operands;
    if (inst.operands.length !== 5 || !only(inst, allowed)) return false;
    p.emit(op, [definition(d), p.temp("R", op, [source(a), source(b), predSource(q)], inst.mods), source(c), predSource(q)], inst.mods);
    return true;
  };

/** A pair of zeros. */
const zeroPair: WideRow = ({ operands: [d, s, ...more], mods }, p) => {
  const dest = definition(d);
  if (more.length > 0 || mods.some((m) => m !== "64") || s?.kind !== "word" || s.text !== "SRZ" || dest?.kind !== "reg") return false;
  const regs = halves(dest.reg);
  if (regs === null || isConstantReg(dest.reg)) return false;
  for (const r of regs) p.emit("MOV", [regOp(r), imm(0)]);
  return true;
};

/** Cleared into RZ, a barrier's value is dropped; the next BSSY sets it again. */
const clearBarrier: WideRow = ({ operands: [d, b], mods }, p) => {
  if (!isZero(d) || b?.kind !== "reg" || mods.join(".") !== "32.CLEAR") return false;
  p.emit("NOP", []);
  return true;
};

const doubles =
  (op: "DADD" | "DMUL" | "DFMA", sources: number): WideRow =>
  (inst, p) => {
    const [d, ...rest] = inst.operands;
    if (rest.length !== sources || !only(inst, ["RN", "RZ", "RM", "RP"])) return false;
    p.unpack(
      d,
      p.temp(
        "RD",
        op,
        rest.map((o) => p.pair(o, "float")),
        inst.mods,
      ),
    );
    return true;
  };

const DOUBLE_COMPARES = ["EQ", "NE", "LT", "LE", "GT", "GE", "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "NUM", "NAN"];

/** `DSETP.GT.AND P0, PT, R2, R4, P1`, its operands pairs; a second result stays opaque. */
const compareDoubles: WideRow = (inst, p) => {
  const [d, second, a, b, q] = inst.operands;
  const bool = inst.mods.find((m) => m === "OR" || m === "XOR") ?? "AND";
  if (inst.operands.length !== 5 || !isTrue(second) || !only(inst, [...DOUBLE_COMPARES, "AND", "OR", "XOR"])) return false;
  const relation = inst.mods.filter((m) => DOUBLE_COMPARES.includes(m));
  const ops = [definition(d), p.pair(a, "float"), p.pair(b, "float")];
  if (isTrue(q) && bool === "AND") p.emit("DSETP", ops, relation);
  else p.emit("DSETP", [...ops, predSource(q)], [...relation, bool]);
  return true;
};

/** `HADD2.F32 R2, -RZ, R3.H0_H0` makes a single of one half of a register. */
const halfToSingle: WideRow = (inst, p) => {
  const [d, zero, a] = inst.operands;
  if (inst.mods.join() !== "F32" || inst.operands.length !== 3 || !isZero(zero) || a?.kind !== "reg" || a.neg || a.abs) return false;
  const [half = ""] = a.suffix;
  if (a.suffix.length !== 1 || (half !== "H0_H0" && half !== "H1_H1")) return false;
  const word = bareSource({ ...a, suffix: [] });
  const bits = half === "H0_H0" ? p.temp("R", "LOP", [word, imm(0xffff)], ["AND"]) : p.temp("R", "SHR", [word, imm(16)], ["U32"]);
  p.emit("F2F", [definition(d), bits], ["F32", "F16"]);
  return true;
};

/** `F2FP.BF16.F32.PACK_AB R2, R3, R4`: two singles as halves of a register, the first one above. */
const packHalves: WideRow = (inst, p) => {
  const [d, a, b] = inst.operands;
  const mods = inst.mods.filter((m) => m !== "PACK_AB" && m !== "F32");
  const [type = "F16", ...more] = mods.filter((m) => m === "F16" || m === "BF16");
  if (inst.operands.length !== 3 || !inst.mods.includes("PACK_AB") || more.length > 0) return false;
  const how = [type, "F32", ...mods.filter((m) => m !== type)];
  const low = p.temp("R", "F2F", [floatSource(b)], how);
  const high = isZero(a) ? ZERO : p.temp("R", "F2F", [floatSource(a)], how);
  p.emit("PRMT", [definition(d), low, imm(0x5410), high]);
  return true;
};

/** `SGXT R2, R3, 0x8`: the low bits, with the sign of the highest of them or (`.U32`) without. */
const lowBits: WideRow = (inst, p) => {
  const [d, a, n] = inst.operands;
  if (inst.operands.length !== 3 || n?.kind !== "num" || n.value < 1 || n.value > 31 || !only(inst, ["U32"])) return false;
  p.emit("BFE", [definition(d), bareSource(a), imm(0), imm(n.value)], [inst.mods.includes("U32") ? "U32" : "S32"]);
  return true;
};

/** Values of 64 bits with their own opcodes. */
const sum64: WideRow = (inst, p) => {
  const [d, a, b] = inst.operands;
  if (inst.mods.join() !== "64" || inst.operands.length !== 3) return false;
  p.unpack(d, p.temp("RD", "IADD", [p.pair(a, "neg"), p.pairOrNumber(b, "neg")], ["64"]));
  return true;
};

const TYPE = /^(?:[SU](?:8|16|32|64)|F(?:16|32|64))$/;

/** The machine's sine and cosine take turns, Ori's radians. */
const turns: WideRow = (inst, p) => {
  const [kind = ""] = inst.mods;
  const [d, a, ...more] = inst.operands;
  if ((kind !== "SIN" && kind !== "COS") || inst.mods.length > 1 || more.length > 0) return false;
  const radians = p.temp("R", "FMUL", [floatSource(a), { kind: "f32", bits: TWO_PI }]);
  p.emit("MUFU", [definition(d), radians], [kind]);
  return true;
};

const TWO_PI = 0x40c90fdb;

/** Conversions from or to 64 bits: `.DST.SRC`, an integer of 32 bits by default. */
const convert =
  (op: "F2I" | "I2F" | "F2F"): WideRow =>
  (inst, p) => {
    const [d, a] = inst.operands;
    const types = inst.mods.filter((m) => TYPE.test(m));
    const float = types.find((m) => m.startsWith("F")) ?? "F32";
    const integer = types.find((m) => !m.startsWith("F")) ?? "S32";
    const [to = "", from = ""] = op === "F2F" ? types : op === "F2I" ? [integer, float] : [float, integer];
    if (inst.operands.length !== 2 || !(to.endsWith("64") || from.endsWith("64")) || (op === "F2F" && types.length !== 2)) return false;
    const source = from.endsWith("64") ? p.pair(a, from === "F64" ? "float" : "none") : bareSource(a);
    const mods = [to, from, ...inst.mods.filter((m) => !TYPE.test(m) && m !== "NTZ")];
    if (to.endsWith("64")) p.unpack(d, p.temp("RD", op, [source], mods));
    else p.emit(op, [definition(d), source], mods);
    return true;
  };

const ROWS: ReadonlyMap<string, WideRow> = new Map<string, WideRow>([
  ["IMAD", multiplyAdd],
  ["IADD3", (i, p) => add3Wide(i, p) || add3(i, p)],
  ["LOP3", logic],
  ["LEA", lea],
  ["SHF", funnel],
  ["ISETP", (i, p) => compare64(i, p) || compareExtended(i, p)],
  ["VIADDMNMX", addMinMax],
  ["CS2R", (i, p) => zeroPair(i, p) || counter64(i, p)],
  ["MOV", move64],
  ["SEL", select64],
  ["IMNMX", minMax64],
  ["VIMNMX", minMax64],
  ["VIMNMX3", minMaxOfThree("IMNMX", ["U32", "S32"], intSource)],
  ["FMNMX3", minMaxOfThree("FMNMX", ["FTZ", "NAN"], floatSource)],
  ["MUFU", turns],
  ["BMOV", clearBarrier],
  ["SGXT", lowBits],
  ["HADD2", halfToSingle],
  ["F2FP", packHalves],
  ["IADD", (i, p) => sum64(i, p) || flagSum(i, p)],
  ["DSETP", compareDoubles],
  ["DADD", doubles("DADD", 2)],
  ["DMUL", doubles("DMUL", 2)],
  ["DFMA", doubles("DFMA", 3)],
  ["F2I", convert("F2I")],
  ["I2F", convert("I2F")],
  ["F2F", convert("F2F")],
  ...OLDER_ROWS,
  ...MEMORY_ROWS,
]);
