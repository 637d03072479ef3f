/** Opcodes of listings whose 32-bit forms are Ori opcodes: one row each. What a row refuses stays opaque. */

import type { Opcode } from "../../../../engine/ir/opcodes.ts";
import { isCounter, SPECIAL_REGISTERS } from "../../../../engine/ir/special-registers.ts";
import type { Operand } from "../../../../engine/ir/types.ts";
import type { SassInst, SassOperand } from "../ast.ts";
import { bankOperand, dataRun, definition, floatSource, intSource, isFalse, isTrue, isZero, predSource, shortAddress } from "./operands.ts";

/** An instruction of Ori to be; modifiers still in the listing's order. */
export interface OriForm {
  readonly op: Opcode;
  readonly mods: readonly string[];
  readonly ops: readonly (Operand | null)[];
}

type Row = (inst: SassInst) => OriForm | null;

const form = (op: Opcode, ops: readonly (Operand | null)[], mods: readonly string[] = []): OriForm => ({ op, mods, ops });

/** The row of an opcode; uniform opcodes share those of the others. */
export function rowOf(root: string): Row | undefined {
  return ROWS.get(root) ?? ROWS.get(UNIFORM.get(root) ?? "");
}

const UNIFORM = new Map(
  "UIADD3 UIMAD UIMNMX UIABS ULEA ULOP3 USHF UPOPC UFLO UBREV USEL UMOV UPRMT UISETP UPLOP3 UVIADD UVIMNMX UFADD UFMUL UFFMA UFSETP UFSEL UFMNMX UI2F UI2FP UF2I UFRND UBMSK"
    .split(" ")
    .map((name) => [name, name.slice(1)]),
);

/** Every modifier must be one of these. */
function only(inst: SassInst, allowed: readonly string[]): boolean {
  return inst.mods.every((m) => allowed.includes(m));
}

const COMPARES = ["EQ", "NE", "LT", "LE", "GT", "GE"];
const FLOAT_COMPARES = [...COMPARES, "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "NUM", "NAN"];
const BOOLEANS = ["AND", "OR", "XOR"];
const ROUNDINGS = ["RN", "RZ", "RM", "RP"];

/** `ISETP.GE.AND P0, PT, a, b, P1`: the second predicate must be PT; AND with PT is left out. */
function compare(
  op: Opcode,
  compares: readonly string[],
  extra: readonly string[],
  source: (o: SassOperand | undefined) => Operand | null,
): Row {
  return (inst) => {
    const [d, second, a, b, q] = inst.operands;
    if (inst.operands.length !== 5 || !isTrue(second) || !only(inst, [...compares, ...BOOLEANS, ...extra])) return null;
    const ops = [definition(d), source(a), source(b)];
    const bool = inst.mods.find((m) => BOOLEANS.includes(m)) ?? "AND";
    const rest = inst.mods.filter((m) => !BOOLEANS.includes(m));
    if (isTrue(q) && bool === "AND") return form(op, ops, rest);
    return form(op, [...ops, predSource(q)], [...rest, bool]);
  };
}

function float(op: Opcode, sources: number, extra: readonly string[] = []): Row {
  return (inst) => {
    if (inst.operands.length !== sources + 1 || !only(inst, [...ROUNDINGS, "FTZ", "SAT", ...extra])) return null;
    const [d, ...rest] = inst.operands;
    return form(op, [definition(d), ...rest.map(floatSource)], inst.mods);
  };
}

function minMax(op: Opcode, allowed: readonly string[], source: (o: SassOperand | undefined) => Operand | null): Row {
  return (inst) => {
    const [d, a, b, p] = inst.operands;
    if (inst.operands.length !== 4 || !only(inst, allowed)) return null;
    return form(op, [definition(d), source(a), source(b), predSource(p)], inst.mods);
  };
}

/** `OP d, a` on integers. */
function unary(op: Opcode, allowed: readonly string[] = []): Row {
  return (inst) => {
    const [d, a] = inst.operands;
    return inst.operands.length === 2 && only(inst, allowed) ? form(op, [definition(d), intSource(a)], inst.mods) : null;
  };
}

const move: Row = ({ operands: [d, a, ...more], mods }) => {
  // A spill to the other file of registers is a copy.
  if (more.length > 0 || mods.some((m) => m !== "U32" && m !== "SPILL")) return null;
  return form("MOV", [definition(d), intSource(a)]);
};

/** Sums of up to three: no carry in or out. Zeros are removed, down to the two-input form. */
const add3: Row = (inst) => {
  const [d, ...terms] = inst.operands;
  // What compilers put between matrix products.
  if (inst.operands.every((o) => isZero(o) || isTrue(o)) && inst.mods.length === 0) return form("NOP", []);
  if (terms.length !== 3 || inst.mods.length > 0) return null;
  const [a, b, c] = terms;
  if (isZero(c)) return form("IADD", [definition(d), intSource(a), intSource(b)]);
  return form("IADD3", [definition(d), intSource(a), intSource(b), intSource(c)]);
};

/** IMAD and the moves, sums and shifts that are written as one. */
const multiplyAdd: Row = (inst) => {
  const [d, a, b, c] = inst.operands;
  if (inst.operands.length !== 4) return null;
  const dest = definition(d);
  const [kind] = inst.mods;
  switch (kind) {
    case "MOV":
      if (!isZero(a) || !isZero(b) || !only(inst, ["MOV", "U32"])) return null;
      if (c?.kind === "reg" && c.neg && !c.not) return form("INEG", [dest, intSource({ ...c, neg: false })]);
      return form("MOV", [dest, intSource(c)]);
    case "IADD":
      if (b?.kind !== "num" || inst.mods.length > 1) return null;
      if (b.value === 1) return form("IADD", [dest, intSource(a), intSource(c)]);
      return b.value === -1 ? form("IADD", [dest, negated(a), intSource(c)]) : null;
    case "SHL": {
      const n = b?.kind === "num" ? Math.log2(b.value) : Number.NaN;
      if (!isZero(c) || !Number.isInteger(n) || !only(inst, ["SHL", "U32"])) return null;
      return form("SHL", [dest, intSource(a), { kind: "imm", value: n }]);
    }
    default:
      // .HI and .WIDE have operands of 64 bits, .X a carry.
      if (!only(inst, ["U32"])) return null;
      if (isZero(c)) return form("IMUL", [dest, intSource(a), intSource(b)]);
      return form("IMAD", [dest, intSource(a), intSource(b), intSource(c)]);
  }
};

function negated(o: SassOperand | undefined): Operand | null {
  return o?.kind === "reg" ? intSource({ ...o, neg: !o.neg }) : null;
}

/** Three-input logic; with one input RZ the two-input form of the same table. The result as a predicate stays opaque. */
const logic: Row = (inst) => {
  const [d, a, b, c, lut, q] = inst.operands;
  if (!only(inst, ["LUT"]) || lut?.kind !== "num" || inst.operands.length > 6 || (q !== undefined && !isFalse(q))) return null;
  const dest = definition(d);
  if (isZero(c)) {
    if (lut.value === 0xc0) return form("LOP", [dest, intSource(a), intSource(b)], ["AND"]);
    if (lut.value === 0xfc) return form("LOP", [dest, intSource(a), intSource(b)], ["OR"]);
    if (lut.value === 0x3c) return form("LOP", [dest, intSource(a), intSource(b)], ["XOR"]);
    if (lut.value === 0x33 && isZero(a)) return form("LOP", [dest, intSource(b)], ["NOT"]);
  }
  return form("LOP3", [dest, intSource(a), intSource(b), intSource(c), { kind: "imm", value: lut.value }]);
};

/** Funnel shifts with an empty half are the plain shifts. */
const funnel: Row = (inst) => {
  const [d, a, n, c] = inst.operands;
  if (inst.operands.length !== 4) return null;
  const dest = definition(d);
  const key = inst.mods.join(".");
  if (key === "L.U32" && isZero(c)) return form("SHL", [dest, intSource(a), intSource(n)]);
  if (key === "R.U32.HI" && isZero(a)) return form("SHR", [dest, intSource(c), intSource(n)], ["U32"]);
  if (key === "R.S32.HI" && isZero(a)) return form("SHR", [dest, intSource(c), intSource(n)], ["S32"]);
  return only(inst, ["L", "R", "W", "U32", "S32", "HI"]) ? form("SHF", [dest, intSource(a), intSource(n), intSource(c)], inst.mods) : null;
};

const predicateLogic: Row = (inst) => {
  const [d, second, a, b, c, lut] = inst.operands;
  if (inst.operands.length !== 7 || !isTrue(second) || lut?.kind !== "num") return null;
  return form("PLOP3", [definition(d), predSource(a), predSource(b), predSource(c), { kind: "imm", value: lut.value }]);
};

const select =
  (op: Opcode, source: (o: SassOperand | undefined) => Operand | null): Row =>
  (inst) => {
    const [d, a, b, p] = inst.operands;
    if (inst.operands.length !== 4 || inst.mods.length > 0) return null;
    return form(op, [definition(d), source(a), source(b), predSource(p)]);
  };

const TYPE = /^(?:[SU](?:8|16|32)|F(?:16|32))$/;

/** F2I, I2F: one or two types, 32 bits by default; anything of 64 bits is in a pair and stays opaque. */
const convert =
  (op: "F2I" | "I2F"): Row =>
  (inst) => {
    const [d, a] = inst.operands;
    if (inst.operands.length !== 2 || inst.mods.some((m) => m.endsWith("64"))) return null;
    const types = inst.mods.filter((m) => TYPE.test(m));
    const int = types.find((m) => !m.startsWith("F")) ?? "S32";
    const flt = types.find((m) => m.startsWith("F")) ?? "F32";
    const rest = inst.mods.filter((m) => !TYPE.test(m) && m !== "NTZ");
    if (op === "F2I") return form(op, [definition(d), flt === "F32" ? floatSource(a) : null], [int, flt, ...rest]);
    return form(op, [definition(d), intSource(a)], [flt, int, ...rest]);
  };

/** Single to half and back, in the low half of the register. */
const halfFloat: Row = (inst) => {
  const [d, a] = inst.operands;
  const [to, from, ...more] = inst.mods;
  if (inst.operands.length !== 2 || !((to === "F16" && from === "F32") || (to === "F32" && from === "F16"))) return null;
  const source = to === "F16" ? floatSource(a) : null;
  return form("F2F", [definition(d), source], [to, from, ...more]);
};

const WIDTHS: Readonly<Record<string, number>> = { "64": 64, "128": 128 };
const SIZES = ["U8", "S8", "U16", "S16", "32", "64", "128"];

function accessBits(inst: SassInst): number {
  for (const m of inst.mods) if (WIDTHS[m] !== undefined) return WIDTHS[m];
  return 32;
}

/** `.U` before a width defines how the address is formed, not what is loaded. */
const sizeMods = (inst: SassInst): string[] => inst.mods.filter((m) => m !== "U" && m !== "E");

const loadShort =
  (op: "LDS" | "LDL"): Row =>
  (inst) => {
    const [d, m] = inst.operands;
    if (inst.operands.length !== 2 || !sizeMods(inst).every((s) => SIZES.includes(s))) return null;
    return form(op, [dataRun(d, accessBits(inst)), shortAddress(m)], sizeMods(inst));
  };

const storeShort =
  (op: "STS" | "STL"): Row =>
  (inst) => {
    const [m, v] = inst.operands;
    if (inst.operands.length !== 2 || !sizeMods(inst).every((s) => SIZES.includes(s))) return null;
    return form(op, [shortAddress(m), dataRun(v, accessBits(inst))], sizeMods(inst));
  };

const loadConstant: Row = (inst) => {
  const [d, c] = inst.operands;
  if (inst.operands.length !== 2 || c?.kind !== "cbank" || !inst.mods.every((s) => SIZES.includes(s))) return null;
  return form("LDC", [dataRun(d, accessBits(inst)), bankOperand(c)], inst.mods);
};

const special: Row = (inst) => {
  const [d, s] = inst.operands;
  if (s?.kind === "reg" || s?.kind !== "word" || !SPECIAL_REGISTERS.has(s.text)) return null;
  if (isCounter(s.text)) return form("CS2R", [definition(d), { kind: "sreg", name: s.text }], ["32"]);
  return form("S2R", [definition(d), { kind: "sreg", name: s.text }]);
};

const counter: Row = (inst) => {
  const [d, s] = inst.operands;
  if (s?.kind !== "word" || !inst.mods.includes("32")) return null;
  if (s.text === "SRZ") return form("MOV", [definition(d), { kind: "imm", value: 0 }]);
  return SPECIAL_REGISTERS.has(s.text) ? form("CS2R", [definition(d), { kind: "sreg", name: s.text }], ["32"]) : null;
};

/** `VOTE.ANY R0, PT, P1` is the ballot, `VOTE.ANY RZ, P0, P1` and `VOTE.ANY P0, P1` the vote; both results at once stay opaque. */
const vote: Row = (inst) => {
  const [mode] = inst.mods;
  if (inst.mods.length !== 1 || (mode !== "ANY" && mode !== "ALL")) return null;
  const [d, second, p] = inst.operands;
  if (inst.operands.length === 2) return form("VOTE", [definition(d), predSource(second)], [mode]);
  if (inst.operands.length !== 3) return null;
  if (isZero(d)) return form("VOTE", [definition(second), predSource(p)], [mode]);
  return isTrue(second) && mode === "ANY" ? form("VOTE", [definition(d), predSource(p)], ["BALLOT"]) : null;
};

const shuffle: Row = (inst) => {
  const [p, d, a, b, c] = inst.operands;
  if (inst.operands.length !== 5) return null;
  const rest = [definition(d), intSource(a), intSource(b), intSource(c)];
  return form("SHFL", isTrue(p) ? rest : [definition(p), ...rest], inst.mods);
};

const barrier: Row = (inst) => {
  if (inst.mods[0] !== "SYNC" || inst.operands.length > 2 || inst.operands.length === 0) return null;
  return form("BAR", inst.operands.map(intSource), ["SYNC"]);
};

const warpSync: Row = (inst) => {
  if (inst.mods.length === 1 && inst.mods[0] === "ALL" && inst.operands.length === 0) return form("WARPSYNC", [{ kind: "imm", value: -1 }]);
  return inst.mods.length === 0 && inst.operands.length === 1 ? form("WARPSYNC", [intSource(inst.operands[0])]) : null;
};

const reduce: Row = (inst) => {
  const [d, a] = inst.operands;
  return inst.operands.length === 2
    ? form(
        "REDUX",
        [definition(d), intSource(a)],
        inst.mods.map((m) => (m === "SUM" ? "ADD" : m)),
      )
    : null;
};

/** A constant written as a product of zeros plus two halves. */
const halfConstant: Row = (inst) => {
  const [d, a, b, hi, lo] = inst.operands;
  if (inst.operands.length !== 5 || !isZero(a) || !isZero(b) || hi?.kind !== "num" || lo?.kind !== "num" || hi.hex || lo.hex) return null;
  if (!only(inst, ["MMA", "V2"])) return null;
  return form("MOV", [definition(d), { kind: "imm", value: halfBits(hi.value) * 0x10000 + halfBits(lo.value) }]);
};

/** IEEE-754 half bits of a number that is one (listings print them exactly). */
export function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const x = Math.abs(value);
  if (Number.isNaN(value)) return 0x7fff;
  if (x === 0) return sign;
  if (x >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(x)));
  const units = Math.round((x / 2 ** exponent) * 1024);
  // Subnormals have no hidden one; a carry out of the fraction moves into the exponent by itself.
  return sign | (units < 1024 ? units : (exponent + 14) * 1024 + units);
}

/** Two halves at once, in whole registers. */
const halves =
  (op: Opcode, sources: number): Row =>
  (inst) => {
    const [d, ...rest] = inst.operands;
    if (rest.length !== sources || !rest.every((o) => o.kind === "reg") || !only(inst, ["MMA", "BF16_V2", "FTZ", "SAT", "RELU"]))
      return null;
    return form(
      op,
      [definition(d), ...rest.map(floatSource)],
      inst.mods.filter((m) => m !== "MMA"),
    );
  };

/** `DEPBAR.LE SB0, 0x1`: copies report to scoreboard 0. With a list of more scoreboards it stays opaque. */
const waitForCopies: Row = (inst) => {
  const [board, n, ...more] = inst.operands;
  if (inst.mods.join() !== "LE" || board?.kind !== "word" || board.text !== "SB0" || n?.kind !== "num" || more.length > 0) return null;
  return form("DEPBAR", [{ kind: "imm", value: n.value }]);
};

const lea: Row = (inst) => {
  const [d, a, b, n] = inst.operands;
  if (inst.operands.length !== 4 || inst.mods.length > 0) return null;
  return form("LEA", [definition(d), intSource(a), intSource(b), intSource(n)]);
};

const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["MOV", move],
  ["IADD3", add3],
  [
    "VIADD",
    (i) =>
      i.operands.length === 3 && i.mods.length === 0
        ? form("IADD", [definition(i.operands[0]), intSource(i.operands[1]), intSource(i.operands[2])])
        : null,
  ],
  ["IMAD", multiplyAdd],
  ["LOP3", logic],
  ["SHF", funnel],
  ["LEA", lea],
  ["SEL", select("SEL", intSource)],
  ["FSEL", select("FSEL", floatSource)],
  ["IMNMX", minMax("IMNMX", ["U32", "S32"], intSource)],
  ["VIMNMX", minMax("IMNMX", ["U32", "S32"], intSource)],
  ["FMNMX", minMax("FMNMX", ["FTZ", "NAN"], floatSource)],
  ["IABS", unary("IABS")],
  ["POPC", unary("POPC")],
  ["BREV", unary("BREV")],
  ["FLO", unary("FLO", ["U32", "SH"])],
  [
    "PRMT",
    (i) =>
      i.operands.length === 4 && i.mods.length === 0
        ? form("PRMT", [definition(i.operands[0]), ...i.operands.slice(1).map(intSource)])
        : null,
  ],
  ["ISETP", compare("ISETP", COMPARES, ["U32"], intSource)],
  ["FSETP", compare("FSETP", FLOAT_COMPARES, ["FTZ"], floatSource)],
  ["PLOP3", predicateLogic],
  ["FADD", float("FADD", 2)],
  ["FMUL", float("FMUL", 2)],
  ["FFMA", float("FFMA", 3)],
  ["MUFU", float("MUFU", 1, ["RCP", "RSQ", "SQRT", "LG2", "EX2", "TANH"])],
  ["F2I", convert("F2I")],
  ["I2F", convert("I2F")],
  ["I2FP", convert("I2F")],
  ["F2F", halfFloat],
  ["FRND", float("FRND", 1, ["TRUNC", "FLOOR", "CEIL"])],
  // Compilers use it only where all lanes have the same value.
  ["R2UR", (i) => (i.operands.length === 2 && i.mods.length === 0 ? move(i) : null)],
  ["HFMA2", (i) => halfConstant(i) ?? halves("HFMA2", 3)(i)],
  ["HADD2", halves("HADD2", 2)],
  ["HMUL2", halves("HMUL2", 2)],
  [
    "BMSK",
    (i) =>
      i.operands.length === 3 && only(i, ["W"])
        ? form("BMSK", [definition(i.operands[0]), ...i.operands.slice(1).map(intSource)], i.mods)
        : null,
  ],
  ["NANOSLEEP", (i) => (i.operands.length === 1 && i.mods.length === 0 ? form("NANOSLEEP", [intSource(i.operands[0])]) : null)],
  ["LDGDEPBAR", (i) => (i.operands.length === 0 && i.mods.length === 0 ? form("LDGDEPBAR", []) : null)],
  ["DEPBAR", waitForCopies],
  ["YIELD", (i) => (i.operands.length === 0 ? form("NOP", []) : null)],
  ["LDS", loadShort("LDS")],
  ["LDL", loadShort("LDL")],
  ["STS", storeShort("STS")],
  ["STL", storeShort("STL")],
  ["LDC", loadConstant],
  ["LDCU", loadConstant],
  ["ULDC", loadConstant],
  ["S2R", special],
  ["S2UR", special],
  ["CS2R", counter],
  ["VOTE", vote],
  ["VOTEU", vote],
  ["SHFL", shuffle],
  ["REDUX", reduce],
  ["CREDUX", reduce],
  [
    "MATCH",
    (i) =>
      i.operands.length === 2 && i.mods.length === 1 ? form("MATCH", [definition(i.operands[0]), intSource(i.operands[1])], i.mods) : null,
  ],
  ["BAR", barrier],
  ["WARPSYNC", warpSync],
  ["MEMBAR", (i) => (i.operands.length === 0 ? form("MEMBAR", [], i.mods) : null)],
  ["BSYNC", (i) => (i.operands.length === 1 ? form("BSYNC", [definition(i.operands[0])]) : null)],
  ["BREAK", (i) => (i.operands.length === 1 ? form("BREAK", [definition(i.operands[0])]) : null)],
  ["NOP", () => form("NOP", [])],
  ["BPT", (i) => (i.mods.includes("TRAP") ? form("BPT", [], ["TRAP"]) : null)],
]);
