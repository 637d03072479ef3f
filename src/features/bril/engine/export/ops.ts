/** One Ori instruction that is not a branch, as Bril. */

import type { Reg } from "../../../../engine/ir/ids.ts";
import { is64, isConstantReg, isPredicateReg } from "../../../../engine/ir/reg.ts";
import type { Inst, Operand } from "../../../../engine/ir/types.ts";
import { type BrilType, brilInst, isPointer, madeName } from "../ast.ts";
import type { BrilNames } from "../names.ts";
import { CELL } from "../runtime.ts";
import { callShape } from "./calls.ts";
import { logic } from "./logic.ts";
import { printedOp } from "./printed.ts";
import { castOp, NoForm, type Writer, wordOf } from "./writer.ts";

type Write = (w: Writer, inst: Inst, names: BrilNames) => void;

const COMPARE: Readonly<Record<string, string>> = { EQ: "eq", LT: "lt", LE: "le", GT: "gt", GE: "ge" };

export function writeInst(w: Writer, inst: Inst, names: BrilNames): void {
  const write = WRITERS.get(inst.op);
  if (write === undefined) throw new NoForm(`${printedOp(inst)} has no form in Bril`);
  write(w, inst, names);
}

/** Ends the run: Bril stops with an error at a division by 0. */
export function writeTrap(w: Writer): void {
  w.value("div", "int", [w.int(1), w.int(0)]);
}

const destOf = (inst: Inst): Reg => {
  const [first] = inst.ops;
  if (first?.kind !== "reg") throw new NoForm(`${printedOp(inst)} without a register to write`);
  return first.reg;
};

function wide(inst: Inst): void {
  if (!inst.mods.includes("64") || inst.mods.includes("WIDE") || inst.mods.includes("HI"))
    throw new NoForm(`${printedOp(inst)}: Bril's integers have 64 bits`);
}

/** An integer result of two operands, or a pointer where one of a sum is one. */
const add: Write = (w, inst) => {
  wide(inst);
  const dest = destOf(inst);
  const sources = inst.ops.slice(1);
  const base = sources.findIndex((o) => o.kind === "reg" && !isConstantReg(o.reg) && !o.neg && !o.not && isPointer(w.kinds(o.reg)));
  const first = sources[base];
  if (first?.kind === "reg") {
    const rest = sources.filter((_, i) => i !== base);
    pointerSum(w, dest, first.reg, () => sum(w, rest));
    return;
  }
  const [a, b, c] = sources;
  const negated = b?.kind === "reg" && b.neg && !b.not && !isConstantReg(b.reg) ? b : null;
  if (negated !== null && c === undefined)
    w.assign(dest, "int", (d) => w.emit("sub", d, "int", [w.read(a, "int"), w.readReg(negated.reg, "int")]));
  else if (c === undefined) w.assign(dest, "int", (d) => w.emit("add", d, "int", [w.read(a, "int"), w.read(b, "int")]));
  else w.assign(dest, "int", (d) => w.emit("add", d, "int", [sum(w, [a, b]), w.read(c, "int")]));
};

function sum(w: Writer, operands: readonly (Operand | undefined)[]): string {
  const names = operands.map((o) => w.read(o, "int"));
  return names.reduce((a, b) => w.value("add", "int", [a, b]));
}

/** `dest = base + bytes`: cells are 8 bytes apart. */
function pointerSum(w: Writer, dest: Reg, base: Reg, bytes: () => string): void {
  const type = w.kinds(base);
  const cells = w.value("div", "int", [bytes(), w.int(CELL)]);
  w.assign(dest, type, (d) => w.emit("ptradd", d, type, [w.variable(base), cells]));
}

const subtract: Write = (w, inst) => {
  wide(inst);
  const [, a, b] = inst.ops;
  if (a?.kind === "reg" && !isConstantReg(a.reg) && isPointer(w.kinds(a.reg)))
    pointerSum(w, destOf(inst), a.reg, () => w.value("sub", "int", [w.int(0), w.read(b, "int")]));
  else w.assign(destOf(inst), "int", (d) => w.emit("sub", d, "int", [w.read(a, "int"), w.read(b, "int")]));
};

const multiply: Write = (w, inst) => {
  wide(inst);
  const [, a, b, c] = inst.ops;
  const dest = destOf(inst);
  if (c === undefined) {
    w.assign(dest, "int", (d) => w.emit("mul", d, "int", [w.read(a, "int"), w.read(b, "int")]));
    return;
  }
  const product = (): string => w.value("mul", "int", [w.read(a, "int"), w.read(b, "int")]);
  if (c.kind === "reg" && !isConstantReg(c.reg) && isPointer(w.kinds(c.reg))) pointerSum(w, dest, c.reg, product);
  else w.assign(dest, "int", (d) => w.emit("add", d, "int", [product(), w.read(c, "int")]));
};

/** Where the check for 0 is not right before it: the quotient by 0 is all ones here, and Bril must not stop at it. */
const divide: Write = (w, inst) => {
  wide(inst);
  if (inst.mods.includes("U32")) throw new NoForm(`${printedOp(inst)}: Bril's integers have a sign`);
  const [, a, b] = inst.ops;
  const [x, y] = [w.read(a, "int"), w.read(b, "int")];
  const isZero = w.value("eq", "bool", [y, w.int(0)]);
  const [result, quotient] = [w.fresh(), w.fresh()];
  const [zero, some, end] = [w.freshLabel("zero"), w.freshLabel("some"), w.freshLabel("end")];
  w.effect("br", [isZero], [zero, some]);
  w.label(zero);
  if (inst.op === "IREM") w.emit("id", result, "int", [x]);
  else w.define(result, { kind: "int", value: -1n });
  w.effect("jmp", [], [end]);
  w.label(some);
  w.emit("div", quotient, "int", [x, y]);
  if (inst.op === "IREM") w.emit("sub", result, "int", [x, w.value("mul", "int", [quotient, y])]);
  else w.emit("id", result, "int", [quotient]);
  w.label(end);
  w.assign(destOf(inst), "int", (d) => w.emit("id", d, "int", [result]));
};

const shiftLeft: Write = (w, inst) => {
  wide(inst);
  const [, a, n] = inst.ops;
  const count = n === undefined ? null : wordOf(n);
  if (count === null) throw new NoForm(`${printedOp(inst)} by a variable number of places`);
  const factor = count >= 0n && count < 64n ? 1n << count : 0n;
  w.assign(destOf(inst), "int", (d) => w.emit("mul", d, "int", [w.read(a, "int"), w.int(factor)]));
};

/** Rounds down, where a division rounds towards zero. */
const shiftRight: Write = (w, inst) => {
  wide(inst);
  const [, a, n] = inst.ops;
  const count = n === undefined ? null : wordOf(n);
  if (count === null || count < 0n || count > 62n || inst.mods.includes("U32")) throw new NoForm(`${printedOp(inst)} with these operands`);
  const [x, divisor] = [w.read(a, "int"), w.int(1n << count)];
  const quotient = w.value("div", "int", [x, divisor]);
  const back = w.value("mul", "int", [quotient, divisor]);
  const below = w.value("lt", "bool", [x, back]);
  const less = w.value("sub", "int", [quotient, w.int(1)]);
  w.assign(destOf(inst), "int", (d) => w.select(d, "int", below, less, quotient));
};

const scaledAdd: Write = (w, inst) => {
  wide(inst);
  const [, a, b, n] = inst.ops;
  const dest = destOf(inst);
  const count = n === undefined ? null : wordOf(n);
  if (count === null || count < 0n || count > 63n) throw new NoForm(`${printedOp(inst)} with these operands`);
  const scaled = (): string => w.value("mul", "int", [w.read(a, "int"), w.int(1n << count)]);
  if (b?.kind !== "reg" || isConstantReg(b.reg) || !isPointer(w.kinds(b.reg)))
    w.assign(dest, "int", (d) => w.emit("add", d, "int", [scaled(), w.read(b, "int")]));
  else if (1 << Number(count) === CELL) {
    const type = w.kinds(b.reg);
    w.assign(dest, type, (d) => w.emit("ptradd", d, type, [w.variable(b.reg), w.read(a, "int")]));
  } else pointerSum(w, dest, b.reg, scaled);
};

const minMax: Write = (w, inst) => {
  wide(inst);
  if (inst.mods.includes("U32")) throw new NoForm(`${printedOp(inst)}: Bril's integers have a sign`);
  const [, a, b, p] = inst.ops;
  const [x, y] = [w.read(a, "int"), w.read(b, "int")];
  const less = w.value("lt", "bool", [x, y]);
  const isMin = w.read(p, "bool");
  // The first one if it is the smaller one and the operation is the minimum, or neither.
  const both = w.value("and", "bool", [less, isMin]);
  const neither = w.not(w.value("or", "bool", [less, isMin]));
  const first = w.value("or", "bool", [both, neither]);
  w.assign(destOf(inst), "int", (d) => w.select(d, "int", first, x, y));
};

const move: Write = (w, inst) => {
  const dest = destOf(inst);
  const [, from] = inst.ops;
  if (isConstantReg(dest)) return;
  const type = w.kinds(dest);
  if (from?.kind === "reg" && !isConstantReg(from.reg)) {
    const source = w.kinds(from.reg);
    const casts = type !== source && typeof type === "string" && typeof source === "string";
    if (casts && !from.neg && !from.not) w.emit(castOp(type), w.variable(dest), type, [w.variable(from.reg)]);
    else w.emit("id", w.variable(dest), type, [w.read(from, type)]);
    return;
  }
  // A constant is written directly to its destination, without its own name.
  const before = w.items.length;
  const made = w.read(from, type);
  const last = w.items.at(-1);
  if (w.items.length > before && last?.kind === "inst" && last.dest?.text === made) {
    w.items.pop();
    w.push({ ...last, dest: madeName(w.variable(dest)) });
  } else w.emit("id", w.variable(dest), type, [made]);
};

const movePredicate: Write = (w, inst) => {
  const dest = destOf(inst);
  const [, from] = inst.ops;
  if (from?.kind !== "reg") throw new NoForm(`${printedOp(inst)} with these operands`);
  w.assign(dest, "bool", (d) => {
    if (isConstantReg(from.reg)) w.define(d, { kind: "bool", value: !from.neg });
    else w.emit(from.neg ? "not" : "id", d, "bool", [w.readReg(from.reg, "bool")]);
  });
};

const compare: Write = (w, inst) => {
  const [, a, b, combine] = inst.ops;
  const dest = destOf(inst);
  const [cmp = ""] = inst.mods;
  const cells = [a, b].find((o) => o?.kind === "reg" && !is64(o.reg) && !isConstantReg(o.reg) && w.kinds(o.reg) === "bool");
  const result = (d: string): void => {
    if (cells !== undefined) {
      const other = cells === a ? b : a;
      if ((cmp !== "EQ" && cmp !== "NE") || other === undefined || wordOf(other) !== 0n) throw new NoForm(`${printedOp(inst)} of a bool`);
      w.emit(cmp === "NE" ? "id" : "not", d, "bool", [w.read(cells, "bool")]);
      return;
    }
    const isChar = !inst.mods.includes("64");
    if (isChar && !inst.mods.includes("U32") && cmp !== "EQ" && cmp !== "NE")
      throw new NoForm(`${printedOp(inst)}: Bril's integers have 64 bits`);
    const type: BrilType = isChar ? "char" : "int";
    const values = [w.read(a, type), w.read(b, type)];
    if (!isChar && inst.mods.includes("U32") && cmp !== "EQ" && cmp !== "NE") {
      unsigned(w, d, cmp, values);
      return;
    }
    const op = (isChar ? "c" : "") + (COMPARE[cmp] ?? "eq");
    if (cmp === "NE") w.emit("not", d, "bool", [w.value(op, "bool", values)]);
    else w.emit(op, d, "bool", values);
  };
  combined(w, inst, dest, combine, result);
};

/** Signs decide where they differ: a negative number is the larger one then. */
function unsigned(w: Writer, dest: string, cmp: string, values: readonly string[]): void {
  const zero = w.int(0);
  const [x = "", y = ""] = values;
  const signed = w.value(COMPARE[cmp] ?? "lt", "bool", [x, y]);
  const [nx, ny] = [w.value("lt", "bool", [x, zero]), w.value("lt", "bool", [y, zero])];
  const differ = exclusive(w, nx, ny);
  w.emit("id", dest, "bool", [exclusive(w, signed, differ)]);
}

function exclusive(w: Writer, a: string, b: string): string {
  const either = w.value("or", "bool", [a, b]);
  return w.value("and", "bool", [either, w.not(w.value("and", "bool", [a, b]))]);
}

const compareFloats: Write = (w, inst) => {
  const [, a, b, combine] = inst.ops;
  const [cmp = ""] = inst.mods;
  combined(w, inst, destOf(inst), combine, (d) => {
    const values = [w.read(a, "float"), w.read(b, "float")];
    const [x = "", y = ""] = values;
    const plain = COMPARE[cmp];
    // Unordered: true unless the opposite holds.
    const opposite = { NEU: "feq", LTU: "fge", LEU: "fgt", GTU: "fle", GEU: "flt" }[cmp];
    if (plain !== undefined) w.emit(`f${plain}`, d, "bool", values);
    else if (opposite !== undefined) w.emit("not", d, "bool", [w.value(opposite, "bool", values)]);
    else if (cmp === "NE") w.emit("or", d, "bool", [w.value("flt", "bool", values), w.value("fgt", "bool", values)]);
    else if (cmp === "EQU")
      w.emit("not", d, "bool", [w.value("or", "bool", [w.value("flt", "bool", values), w.value("fgt", "bool", values)])]);
    else {
      const numbers = w.value("and", "bool", [w.value("feq", "bool", [x, x]), w.value("feq", "bool", [y, y])]);
      w.emit(cmp === "NUM" ? "id" : "not", d, "bool", [numbers]);
    }
  });
};

/** `p = result [bool q]`. */
function combined(w: Writer, inst: Inst, dest: Reg, combine: Operand | undefined, result: (dest: string) => void): void {
  const bool = inst.mods.find((m) => m === "AND" || m === "OR" || m === "XOR");
  if (combine === undefined || bool === undefined) {
    w.assign(dest, "bool", result);
    return;
  }
  const made = w.fresh();
  result(made);
  const other = w.read(combine, "bool");
  w.assign(dest, "bool", (d) => {
    if (bool === "XOR") w.emit("id", d, "bool", [exclusive(w, made, other)]);
    else w.emit(bool.toLowerCase(), d, "bool", [made, other]);
  });
}

const select: Write = (w, inst) => {
  const [, a, b, p] = inst.ops;
  const dest = destOf(inst);
  const type = isConstantReg(dest) ? "int" : w.kinds(dest);
  const words = [a, b].map((o) => (o === undefined ? null : wordOf(o)));
  if (type === "bool" && p?.kind === "reg" && (words[0] === 1n || words[1] === 1n) && words.includes(0n)) {
    // A predicate that is moved into a cell.
    const neg = p.neg !== (words[0] === 0n);
    w.emit(neg ? "not" : "id", w.variable(dest), "bool", [w.readReg(p.reg, "bool")]);
    return;
  }
  const [yes, no, condition] = [w.read(a, type), w.read(b, type), w.read(p, "bool")];
  w.assign(dest, type, (d) => w.select(d, type, condition, yes, no));
};

const float =
  (op: string): Write =>
  (w, inst) => {
    if (inst.mods.some((m) => m !== "RN")) throw new NoForm(`${printedOp(inst)}: Bril rounds to nearest`);
    const [, a, b] = inst.ops;
    const subtracts = op === "fadd" && b?.kind === "reg" && b.neg && !b.abs;
    w.assign(destOf(inst), "float", (d) => {
      if (subtracts) w.emit("fsub", d, "float", [w.read(a, "float"), w.readReg(b.reg, "float")]);
      else w.emit(op, d, "float", [w.read(a, "float"), w.read(b, "float")]);
    });
  };

const load: Write = (w, inst) => {
  const [, from] = inst.ops;
  const [address, type] = cellOf(w, from, inst);
  w.assign(destOf(inst), type, (d) => w.emit("load", d, type, [address]));
};

const store: Write = (w, inst) => {
  const [to, value] = inst.ops;
  const [address, type] = cellOf(w, to, inst);
  w.effect("store", [address, w.read(value, type)]);
};

function cellOf(w: Writer, operand: Operand | undefined, inst: Inst): readonly [address: string, type: BrilType] {
  if (operand?.kind !== "mem" || operand.base === null || operand.index !== null) throw new NoForm(`${printedOp(inst)} at this address`);
  const type = w.kinds(operand.base);
  if (!isPointer(type)) throw new NoForm(`${printedOp(inst)} at an address that is not a Bril pointer`);
  const narrow = type.ptr === "bool" || type.ptr === "char";
  if (inst.mods.includes("64") === narrow) throw new NoForm(`${printedOp(inst)} of a part of a cell`);
  return [w.pointerAt(operand.base, operand.offset), type.ptr];
}

const convert: Write = (w, inst) => {
  const [to, from] = inst.mods;
  const [, source] = inst.ops;
  if (to === "U64" && from === "U32") w.assign(destOf(inst), "int", (d) => w.emit("char2int", d, "int", [w.read(source, "char")]));
  else if (to === "U32" && from === "U64") w.assign(destOf(inst), "char", (d) => w.emit("int2char", d, "char", [w.read(source, "int")]));
  else throw new NoForm(`${printedOp(inst)} has no form in Bril`);
};

const call: Write = (w, inst, names) => {
  const shape = callShape(inst, names);
  if (shape === null) throw new NoForm("a call of a function that is not in the program");
  const args = shape.args.map((reg, i) => madeName(w.readReg(reg, shape.params[i] ?? w.kinds(reg))));
  const funcs = shape.func === null ? [] : [madeName(shape.func)];
  const [result] = shape.results;
  if (result === undefined || shape.type === null) {
    w.push(brilInst(shape.op, { args, funcs }));
    return;
  }
  const { type } = shape;
  w.assign(result, type, (d) => w.push(brilInst(shape.op, { dest: madeName(d), type, args, funcs })));
};

const opaque: Write = (w, inst) => {
  const [results, args, text] = inst.ops;
  if (results?.kind !== "list" || args?.kind !== "list" || text?.kind !== "text") throw new NoForm("an opaque instruction");
  const [op = "", ...funcs] = text.text.split(" ");
  const parts = { args: args.regs.map((reg) => madeName(w.variable(reg))), funcs: funcs.map((f) => madeName(f.replace(/^@/, ""))) };
  const [result] = results.regs;
  w.push(brilInst(op, result === undefined ? parts : { ...parts, dest: madeName(w.variable(result)), type: w.kinds(result) }));
};

const bitwise: Write = (w, inst) => {
  wide(inst);
  if (!inst.mods.includes("NOT")) throw new NoForm(`${printedOp(inst)} has no form in Bril`);
  w.assign(destOf(inst), "int", (d) => w.emit("sub", d, "int", [w.int(-1), w.read(inst.ops[1], "int")]));
};

const absolute: Write = (w, inst) => {
  wide(inst);
  const x = w.read(inst.ops[1], "int");
  const zero = w.int(0);
  const negative = w.value("lt", "bool", [x, zero]);
  const opposite = w.value("sub", "int", [zero, x]);
  w.assign(destOf(inst), "int", (d) => w.select(d, "int", negative, opposite, x));
};

const truthTable: Write = (w, inst) => {
  const [, a, b, c, lut] = inst.ops;
  const table = lut === undefined ? null : wordOf(lut);
  const dest = destOf(inst);
  if (table === null || !isPredicateReg(dest)) throw new NoForm(`${printedOp(inst)} with these operands`);
  const inputs = [a, b, c].map((o) => {
    if (o?.kind !== "reg") throw new NoForm(`${printedOp(inst)} with these operands`);
    return isConstantReg(o.reg) ? { name: null, neg: o.neg } : { name: w.readReg(o.reg, "bool"), neg: o.neg };
  });
  w.assign(dest, "bool", (d) => logic(w, d, Number(table), inputs));
};

const nothing: Write = () => undefined;

const WRITERS: ReadonlyMap<string, Write> = new Map<string, Write>([
  ["MOV", move],
  ["PMOV", movePredicate],
  ["IADD", add],
  ["IADD3", add],
  ["ISUB", subtract],
  [
    "INEG",
    (w, inst) => {
      wide(inst);
      w.assign(destOf(inst), "int", (d) => w.emit("sub", d, "int", [w.int(0), w.read(inst.ops[1], "int")]));
    },
  ],
  ["IMUL", multiply],
  ["IMAD", multiply],
  ["IDIV", divide],
  ["IREM", divide],
  ["IMNMX", minMax],
  ["IABS", absolute],
  ["SHL", shiftLeft],
  ["SHR", shiftRight],
  ["LEA", scaledAdd],
  ["LOP", bitwise],
  ["SEL", select],
  ["ISETP", compare],
  ["DSETP", compareFloats],
  ["PLOP3", truthTable],
  ["DADD", float("fadd")],
  ["DMUL", float("fmul")],
  ["DDIV", float("fdiv")],
  ["LDG", load],
  ["STG", store],
  ["I2I", convert],
  ["CALL", call],
  ["OPAQUE", opaque],
  ["BPT", writeTrap],
  ["NOP", (w) => w.effect("nop", [])],
  // One thread never diverges.
  ["BSSY", nothing],
  ["BSYNC", nothing],
  ["BREAK", nothing],
  ["WARPSYNC", nothing],
]);
