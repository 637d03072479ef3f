/** Instructions on parts of words: dot products of bytes, pairs of 16-bit integers and of singles, packing with saturation, byte picking by a mode. */

import { immOp, regOp } from "../../../ir/builder.ts";
import type { Opcode } from "../../../ir/opcodes.ts";
import { PT } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import type { OpSpelling } from "../spelling.ts";
import { B32, B64, type PtxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { floatMods, has, typeAt } from "./modifiers.ts";

const MIN = regOp(PT);
const MAX = regOp(PT, { neg: true });

/** The low halves of two words in one. */
function halves(c: Lowering, d: Operand, low: Operand, high: Operand) {
  c.emit("PRMT", [d, low, immOp(0x5410), high]);
}

function field(c: Lowering, word: Operand, position: number, bits: number, type: PtxType): Operand {
  return c.value("R", "BFE", [word, immOp(position), immOp(bits)], type.kind === "s" ? [] : ["U32"]);
}

/** `parts` products of a field of `a` and a byte of `b`, from `first` on, added to `c`. */
function dotProduct(c: Lowering, op: OpSpelling, a: readonly OperandAst[], parts: number, first: number) {
  const [left, right] = [typeAt(c, op, 0), typeAt(c, op, 1)];
  const bits = 32 / parts;
  const [x, y] = [c.read32(a[1]), c.read32(a[2])];
  let sum = c.read32(a[3]);
  for (let i = 0; i < parts; i++) {
    const ops = [field(c, x, i * bits, bits, left), field(c, y, (first + i) * 8, 8, right), sum];
    if (i === parts - 1) c.emit("IMAD", [c.def(a[0], B32), ...ops]);
    else sum = c.value("R", "IMAD", ops);
  }
}

const dp4a: Row = (c, op, a) => dotProduct(c, op, a, 4, 0);
const dp2a: Row = (c, op, a) => dotProduct(c, op, a, 2, has(op, "hi") ? 2 : 0);

/** By mode: the selector for each value of the lowest two bits. */
const SELECTORS: Readonly<Record<string, readonly number[]>> = {
  f4e: [0x3210, 0x4321, 0x5432, 0x6543],
  b4e: [0x5670, 0x6701, 0x7012, 0x0123],
  rc8: [0x0000, 0x1111, 0x2222, 0x3333],
  ecl: [0x3210, 0x3211, 0x3222, 0x3333],
  ecr: [0x0000, 0x1110, 0x2210, 0x3210],
  rc16: [0x1010, 0x3232, 0x1010, 0x3232],
};

const prmt: Row = (c, op, a) => {
  const [mode] = op.mods;
  const [, x, y, control] = a;
  const selector = mode === undefined ? c.read32(control) : selectorOf(c, SELECTORS[mode] ?? [], control);
  c.emit("PRMT", [c.def(a[0], B32), c.read32(x), selector, c.read32(y)]);
};

/** One of four selectors of 16 bits, shifted out of a word of 64. */
function selectorOf(c: Lowering, selectors: readonly number[], control: OperandAst | undefined): Operand {
  if (control?.kind === "int") return immOp(selectors[Number(BigInt.asUintN(2, BigInt(control.value)))] ?? 0);
  const all = selectors.reduceRight((sum, selector) => (sum << 16n) | BigInt(selector), 0n);
  const index = c.value("R", "LOP", [c.read32(control), immOp(3)], ["AND"]);
  const amount = c.value("R", "SHL", [index, immOp(4)]);
  const table = c.value("RD", "MOV", [{ kind: "imm64", value: all }], ["64"]);
  return c.value("R", "UNPACK", [c.value("RD", "SHR", [table, amount], ["U32", "64"])], ["LO"]);
}

/** The lowest N bits, extended: N at most 32, or modulo 32. */
const szext: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const wrap = has(op, "wrap");
  const bits = a[2];
  const x = c.read32(a[1]);
  const count =
    bits?.kind === "int"
      ? immOp(Number(wrap ? BigInt.asUintN(5, BigInt(bits.value)) : least(BigInt.asUintN(32, BigInt(bits.value)), 32n)))
      : wrap
        ? c.value("R", "LOP", [c.read32(bits), immOp(31)], ["AND"])
        : c.value("R", "IMNMX", [c.read32(bits), immOp(32), MIN], ["U32"]);
  c.emit("BFE", [c.def(a[0], B32), x, immOp(0), count], type.kind === "s" ? [] : ["U32"]);
};

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Both halves of a word, as 32-bit integers. */
function bothHalves(c: Lowering, o: OperandAst | undefined, type: PtxType): readonly [Operand, Operand] {
  const word = c.read32(o);
  const signed = type.name.startsWith("s");
  const low = c.value("R", "I2I", [word], signed ? ["S32", "S16"] : ["U32", "U16"]);
  return [low, c.value("R", "SHR", [word, immOp(16)], signed ? [] : ["U32"])];
}

/** `add.u16x2`, `min.s16x2.relu` and their like. */
export function pairOfIntegers(c: Lowering, op: OpSpelling, a: readonly OperandAst[], make: (x: Operand, y: Operand) => Operand) {
  const type = typeAt(c, op, 0);
  const [x, y] = [bothHalves(c, a[1], type), bothHalves(c, a[2], type)];
  const [low, high] = [make(x[0], y[0]), make(x[1], y[1])];
  halves(c, c.def(a[0], B32), low, high);
}

export function isPairOfIntegers(type: PtxType): boolean {
  return type.name === "u16x2" || type.name === "s16x2";
}

/** Smaller or larger of two 32-bit integers; `.relu`: of that and 0 the larger. */
export function minMaxValue(c: Lowering, op: OpSpelling, min: boolean, unsigned: boolean): (x: Operand, y: Operand) => Operand {
  const mods = unsigned ? ["U32"] : [];
  return (x, y) => {
    const chosen = c.value("R", "IMNMX", [x, y, min ? MIN : MAX], mods);
    return has(op, "relu") ? c.value("R", "IMNMX", [chosen, immOp(0), MAX]) : chosen;
  };
}

/** `add.f32x2` and its like: two singles in 64 bits. */
export function pairOfSingles(c: Lowering, op: OpSpelling, a: readonly OperandAst[], opcode: Opcode, negateLast = false) {
  const [to, ...from] = a;
  const words = from.map((o) => c.read64(o));
  const results = (["LO", "HI"] as const).map((which) => {
    const parts = words.map((word, i) => {
      const part = c.value("R", "UNPACK", [word], [which]);
      return negateLast && i === words.length - 1 && part.kind === "reg" ? { ...part, neg: true } : part;
    });
    return c.value("R", opcode, parts, floatMods(op));
  });
  c.emit("PACK", [c.def(to, B64), ...results]);
}

/** cvt.pack: two integers saturated; bytes are next to the lower half of a third one. */
export function packSaturated(c: Lowering, op: OpSpelling, a: readonly OperandAst[]) {
  const narrow = ["u4", "s4"].find((name) => op.types[0]?.name === name) ?? ["u2", "s2"].find((name) => has(op, name));
  if (narrow !== undefined) return packNarrow(c, a, Number(narrow.slice(1)), narrow.startsWith("s"));
  const [to, from] = [typeAt(c, op, 0), typeAt(c, op, 1)];
  if (from.name !== "s32" || (to.bits !== 16 && to.bits !== 8)) return c.fail();
  const mods = [to.name.toUpperCase(), "S32", "SAT"];
  const [upper, lower] = [a[1], a[2]].map((o) => c.value("R", "I2I", [c.read32(o)], mods));
  if (upper === undefined || lower === undefined) return c.fail();
  if (to.bits === 16) return halves(c, c.def(a[0], B32), lower, upper);
  const bytes = c.value("R", "PRMT", [lower, immOp(0x0040), upper]);
  halves(c, c.def(a[0], B32), bytes, c.read32(a[3]));
}

/** Saturated to two or four bits each, next to the rest of a third one after a shift. */
function packNarrow(c: Lowering, a: readonly OperandAst[], bits: number, signed: boolean) {
  const [least, most] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const mask = immOp(2 ** bits - 1);
  const [upper, lower] = [a[1], a[2]].map((o) => {
    const above = c.value("R", "IMNMX", [c.read32(o), immOp(least), MAX]);
    return c.value("R", "LOP", [c.value("R", "IMNMX", [above, immOp(most), MIN]), mask], ["AND"]);
  });
  if (upper === undefined || lower === undefined) return c.fail();
  const both = c.value("R", "LOP", [c.value("R", "SHL", [upper, immOp(bits)]), lower], ["OR"]);
  c.emit("LOP", [c.def(a[0], B32), c.value("R", "SHL", [c.read32(a[3]), immOp(2 * bits)]), both], ["OR"]);
}

/** A function of halves, each by way of single. */
export function throughSingles(c: Lowering, op: OpSpelling, a: readonly OperandAst[], make: (parts: readonly Operand[]) => Operand) {
  const type = typeAt(c, op, 0);
  const name = type.name.startsWith("bf16") ? "BF16" : "F16";
  const [to, ...from] = a;
  const words = from.map((o) => c.readHalf(o));
  const part = (high: boolean): Operand => {
    const singles = words.map((word) => {
      const half = high ? c.value("R", "SHR", [word, immOp(16)], ["U32"]) : word;
      return c.value("R", "F2F", [half], ["F32", name]);
    });
    return c.value("R", "F2F", [make(singles)], [name, "F32"]);
  };
  if (!type.packed) return c.emit("LOP", [c.def(to, type), part(false), immOp(0xffff)], ["AND"]);
  const [low, high] = [part(false), part(true)];
  halves(c, c.def(to, B32), low, high);
}

export const PARTS: Readonly<Record<string, Row>> = { dp4a, dp2a, prmt, szext };
