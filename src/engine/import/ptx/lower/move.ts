/** mov: values, special registers, addresses, predicates, packing and unpacking. */

import { immOp } from "../../../ir/builder.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import { B8, B16, B32, type PtxType, ptxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { typeAt, wideMods } from "./modifiers.ts";

const mov: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const [to, from] = a;
  if (to === undefined || from === undefined || type.bits > 64) return c.fail();
  if (op.vector > 1) return moveVector(c, op.vector, to, from, type);
  if (from.kind === "vec") return pack(c, to, from.items, type);
  if (to.kind === "vec") return unpack(c, to.items, from, type);
  if (type.kind === "pred") return movePredicate(c, to, from);
  if (from.kind === "name") {
    const meaning = c.meaning(from.name, from.part);
    if (meaning.kind === "special" && meaning.special.bits === (type.bits === 64 ? 64 : 32)) {
      const source: Operand = { kind: "sreg", name: meaning.special.name };
      const d = c.def(to, type, "dirty");
      if (meaning.special.changes) c.emit("CS2R", [d, source], [type.bits === 64 ? "64" : "32"]);
      else c.emit("S2R", [d, source]);
      return;
    }
  }
  const isReal = type.kind === "f" && type.bits >= 32 && (from.kind === "real" || from.kind === "f32" || from.kind === "f64");
  c.emit("MOV", [c.def(to, type), isReal ? c.readFloat(from, type.bits) : c.read(from, type)], wideMods(type));
};

/** `mov.v4`: components, all read before any is written. */
function moveVector(c: Lowering, width: number, to: OperandAst, from: OperandAst, type: PtxType) {
  const parts =
    from.kind === "name" ? ["x", "y", "z", "w"].slice(0, width).map((part) => ({ ...from, part })) : from.kind === "vec" ? from.items : [];
  if (to.kind !== "vec" || to.items.length !== width || parts.length !== width) return c.fail();
  const wide = wideMods(type);
  const values = parts.map((part) => {
    // The fourth part of a special register is 0.
    if (from.kind === "name" && part.kind === "name" && part.part === "w") return immOp(0);
    const value = type.kind === "f" ? c.readFloat(part, type.bits) : c.read(part, type);
    return value.kind === "reg" ? c.value(type.bits === 64 ? "RD" : "R", "MOV", [value], wide) : value;
  });
  for (const [i, item] of to.items.entries()) {
    const value = values[i];
    if (item.kind !== "sink" && value !== undefined) c.emit("MOV", [c.def(item, type), value], wide);
  }
}

function movePredicate(c: Lowering, to: OperandAst, from: OperandAst) {
  const meaning = from.kind === "name" ? c.meaning(from.name, from.part) : null;
  if (meaning?.kind === "special") {
    const read = c.value("R", "S2R", [{ kind: "sreg", name: meaning.special.name }]);
    return c.emit("ISETP", [c.defPred(to), read, immOp(0)], ["NE"]);
  }
  c.emit("PMOV", [c.defPred(to), c.readPred(from)]);
}

/** mov.b64 d, {lo, hi} and the narrower forms; the first element is the lowest. */
function pack(c: Lowering, to: OperandAst, items: readonly OperandAst[], type: PtxType) {
  const each = type.bits / items.length;
  const d = c.def(to, type);
  if (type.bits === 64) {
    const words = each === 32 ? items.map((o) => c.read32(o)) : each === 16 ? pairs(items).map((two) => packHalves(c, two)) : null;
    const [low, high] = words ?? [];
    if (low === undefined || high === undefined) return c.fail();
    return c.emit("PACK", [d, low, high]);
  }
  if (type.bits === 32 && each === 16) return emitHalves(c, d, items);
  if (each !== 8) return c.fail();
  packBytes(c, d, items);
}

function pairs(items: readonly OperandAst[]): readonly (readonly OperandAst[])[] {
  return [items.slice(0, 2), items.slice(2, 4)];
}

function packHalves(c: Lowering, items: readonly OperandAst[]): Operand {
  const t: Operand = { kind: "reg", reg: c.temp("R"), neg: false, abs: false, not: false };
  emitHalves(c, t, items);
  return t;
}

/** d = high << 16 | low, as one byte permutation where both are registers. */
export function emitHalves(c: Lowering, d: Operand, items: readonly OperandAst[]) {
  const [low, high] = [c.read(items[0], B16), c.read(items[1], B16)];
  if (low.kind === "imm" && high.kind === "imm") c.emit("MOV", [d, immOp(((high.value << 16) | low.value) >>> 0)]);
  else if (low.kind === "imm" && low.value === 0) c.emit("SHL", [d, high, immOp(16)]);
  else c.emit("PRMT", [d, low, immOp(0x5410), high]);
}

/** Bytes inserted one after the other, lowest first. */
export function packBytes(c: Lowering, d: Operand, items: readonly OperandAst[]) {
  let sum = c.read(items[0], B8);
  for (let i = 1; i < items.length; i++) {
    const ops = [c.read(items[i], B8), sum, immOp(8 * i), immOp(8)];
    if (i === items.length - 1) c.emit("BFI", [d, ...ops]);
    else sum = c.value("R", "BFI", ops);
  }
}

function unpack(c: Lowering, items: readonly OperandAst[], from: OperandAst, type: PtxType) {
  const each = type.bits / items.length;
  if (type.bits === 64) {
    const source = c.read64(from);
    if (each === 32) {
      for (const [i, item] of items.entries()) {
        if (item.kind !== "sink") c.emit("UNPACK", [c.def(item, B32), source], [i === 0 ? "LO" : "HI"]);
      }
      return;
    }
    if (each !== 16 && each !== 8) return c.fail();
    const perWord = items.length / 2;
    for (const [w, which] of (["LO", "HI"] as const).entries()) {
      const part = items.slice(w * perWord, (w + 1) * perWord);
      if (part.some((item) => item.kind !== "sink")) spread(c, part, c.value("R", "UNPACK", [source], [which]), each, "U");
    }
    return;
  }
  if (each !== 16 && each !== 8) return c.fail();
  spread(c, items, type.bits === 16 ? c.read(from, type) : c.read32(from), each, "U");
}

/** Writes the fields of a word to the elements, lowest first; `S`: sign-extended. */
export function spread(c: Lowering, items: readonly OperandAst[], word: Operand, bits: number, sign: "S" | "U") {
  const type = ptxType(`${sign.toLowerCase()}${bits}`) ?? B16;
  for (const [i, item] of items.entries()) {
    if (item.kind === "sink") continue;
    const d = c.def(item, type, sign === "S" ? "extended" : "clean");
    if (i === 0) c.emit("I2I", [d, word], [`${sign}32`, `${sign}${bits}`]);
    else if (i * bits + bits === 32) c.emit("SHR", [d, word, immOp(i * bits)], sign === "U" ? ["U32"] : []);
    else c.emit("BFE", [d, word, immOp(i * bits), immOp(bits)], sign === "U" ? ["U32"] : []);
  }
}

const SPACES: Readonly<Record<string, string>> = { global: "GLOBAL", shared: "SHARED", "shared::cta": "SHARED", local: "LOCAL" };

/** Constants, parameters and the shared memory of other blocks have no place among the model's generic addresses. */
const isspacep: Row = (c, op, a) => {
  const space = op.mods.map((m) => SPACES[m]).find((m) => m !== undefined);
  const wide = (c.registerOf(a[1])?.type.bits ?? c.text.addressBits) === 64;
  if (space === undefined) return c.fail();
  c.emit("QSPC", [c.defPred(a[0]), wide ? c.read64(a[1]) : c.read32(a[1])], wide ? [space, "64"] : [space]);
};

export const MOVE: Readonly<Record<string, Row>> = { mov, isspacep };
