/** Loads and stores: ld, ldu, st in every space, vectors, parameters, the orders of the memory model. */

import { memOp, regOp } from "../../../ir/builder.ts";
import type { Reg } from "../../../ir/ids.ts";
import type { Opcode } from "../../../ir/opcodes.ts";
import { RDZ, RZ } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import type { OpSpelling } from "../spelling.ts";
import type { PtxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { homeOf, inferSlot, loadSlot, type SlotHome, storeSlot } from "./homes.ts";
import { has, typeAt } from "./modifiers.ts";
import { emitHalves, packBytes, spread } from "./move.ts";
import { classOf } from "./names.ts";

export type AccessSpace = "global" | "shared" | "local" | "const" | "param" | "generic";

const SPACE_WORDS: Readonly<Record<string, AccessSpace>> = {
  global: "global",
  shared: "shared",
  "shared::cta": "shared",
  local: "local",
  const: "const",
  param: "param",
  "param::entry": "param",
  "param::func": "param",
};

/** Words that change nothing the model knows of: caching, eviction, prefetch sizes, the weak order. */
const HINTS = new Set(["weak", "ca", "cg", "cs", "lu", "wb", "wt", "nc", "unified"]);
const SCOPES: Readonly<Record<string, string>> = { cta: "CTA", cluster: "GPU", gpu: "GPU", gl: "GPU", sys: "SYS" };
const ORDERS = new Set(["volatile", "relaxed", "acquire", "release", "acq_rel", "mmio", "cv"]);

export interface Access {
  readonly space: AccessSpace;
  /** `VOLATILE`, `STRONG`, `CONSTANT` or nothing. */
  readonly cache: readonly string[];
  readonly acquire: boolean;
  readonly release: boolean;
  readonly scope: string;
}

/** What an access's modifiers mean; null when one of them is beyond the model (`.shared::cluster`, `.multimem`). `extra`: words the row knows itself. */
export function accessOf(op: OpSpelling, extra: ReadonlySet<string> = new Set()): Access | null {
  let space: AccessSpace = "generic";
  let scope = "GPU";
  for (const mod of op.mods) {
    const word = SPACE_WORDS[mod];
    const named = SCOPES[mod];
    if (word !== undefined) space = word;
    else if (named !== undefined) scope = named;
    else if (!HINTS.has(mod) && !ORDERS.has(mod) && !extra.has(mod) && !/^(?:L1|L2|level)::/.test(mod)) return null;
  }
  const volatile = has(op, "volatile") || has(op, "mmio") || has(op, "cv");
  const strong = has(op, "relaxed") || has(op, "acquire") || has(op, "release") || has(op, "acq_rel");
  return {
    space,
    cache: volatile ? ["VOLATILE"] : strong ? ["STRONG"] : has(op, "nc") ? ["CONSTANT"] : [],
    acquire: has(op, "acquire") || has(op, "acq_rel"),
    release: has(op, "release") || has(op, "acq_rel"),
    scope,
  };
}

/**
 * The Ori address of `[base+offset]`. Symbols of shared and local memory are offsets in their space; a global one is an address that only the run knows,
 * so it is moved to a register first. Constants are bank 3.
 */
export function address(c: Lowering, o: OperandAst | undefined, space: AccessSpace): Operand {
  if (o?.kind !== "mem" || o.coords.length > 0) {
    c.fail();
    return memOp(null, 0);
  }
  const at = (base: Reg | null, offset: number): Operand =>
    space === "const" ? { kind: "cbank", bank: 3, base, offset, neg: false, abs: false } : memOp(base, offset);
  if (o.base === null) return at(null, o.offset);
  const meaning = c.meaningOf(o);
  switch (meaning.kind) {
    case "register":
      if (classOf(meaning.register.type) === "P") break;
      return at(c.reg(meaning.register), o.offset);
    case "variable": {
      const symbol = c.text.layout.symbolOf(meaning.variable);
      if (symbol === undefined) break;
      if (symbol.space === space && space !== "global") return at(null, symbol.offset + o.offset);
      return at(moveAddress(c, symbol.name), o.offset);
    }
    case "unknown": {
      const symbol = c.inferSymbol(o.base, space === "generic" || space === "param" ? "global" : space);
      if (symbol.space === space && space !== "global") return at(null, symbol.offset + o.offset);
      return at(moveAddress(c, symbol.name), o.offset);
    }
    case "function":
    case "special":
      break;
  }
  c.fail();
  return memOp(null, 0);
}

function moveAddress(c: Lowering, symbol: string): Reg {
  const wide = c.text.addressBits === 64;
  const r = c.temp(wide ? "RD" : "R");
  c.emit("MOV", [regOp(r), { kind: "sym", name: symbol, offset: 0 }], wide ? ["64"] : []);
  return r;
}

const LOADS: Readonly<Record<Exclude<AccessSpace, "param">, Opcode>> = {
  global: "LDG",
  shared: "LDS",
  local: "LDL",
  const: "LDC",
  generic: "LD",
};
const STORES: Readonly<Record<Exclude<AccessSpace, "param" | "const">, Opcode>> = {
  global: "STG",
  shared: "STS",
  local: "STL",
  generic: "ST",
};

const ld: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const access = accessOf(op);
  const [to, from] = a;
  if (access === null || to === undefined || from === undefined || type.bits > 64 || type.bits === 0) return c.fail();
  if (access.space === "param") return loadParam(c, op, to, from, type);
  if (c.failed) return;
  const source = address(c, from, access.space);
  load(c, LOADS[access.space], to, source, type, op.vector, access.space === "const" ? [] : access.cache);
  if (access.acquire) c.after.push(() => c.emit("MEMBAR", [], ["ALL", access.scope]));
};

/** One load, whatever its width: narrow elements come as words and are taken apart. */
function load(c: Lowering, opcode: Opcode, to: OperandAst, source: Operand, type: PtxType, vector: number, cache: readonly string[]) {
  const bits = type.bits;
  if (vector === 1 && to.kind !== "vec") {
    if (bits >= 32) return c.emit(opcode, [c.def(to, type), source], [...(bits === 64 ? ["64"] : []), ...cache]);
    const { d, sign } = c.defExtended(to, type);
    return c.emit(opcode, [d, source], [`${sign}${bits}`, ...cache]);
  }
  if (to.kind !== "vec") return c.fail();
  const items = to.items;
  const total = bits * items.length;
  if (total === 256) return loadTwice(c, opcode, items, source, type, vector, cache);
  if (total > 128 || (total & (total - 1)) !== 0) return c.fail();
  if (bits >= 32) {
    const regs = items.map((item) => registerIn(c.def(item, type), bits === 64));
    const size = total === 128 ? ["128"] : total === 64 ? ["64"] : [];
    const data: Operand = regs.length === 1 && regs[0] !== undefined ? regOp(regs[0]) : { kind: "vec", regs };
    return c.emit(opcode, [data, source], [...size, ...cache]);
  }
  const words = Array.from({ length: Math.max(1, total / 32) }, () => c.temp("R"));
  const data: Operand = words.length === 1 && words[0] !== undefined ? regOp(words[0]) : { kind: "vec", regs: words };
  const size = total === 16 ? ["U16"] : total === 64 ? ["64"] : total === 128 ? ["128"] : [];
  c.emit(opcode, [data, source], [...size, ...cache]);
  const perWord = 32 / bits;
  for (const [w, word] of words.entries()) {
    spread(c, items.slice(w * perWord, (w + 1) * perWord), regOp(word), bits, type.kind === "s" ? "S" : "U");
  }
}

/** 256 bits are two accesses of 128; the one that writes the address's register comes last. */
function loadTwice(
  c: Lowering,
  opcode: Opcode,
  items: readonly OperandAst[],
  source: Operand,
  type: PtxType,
  vector: number,
  cache: readonly string[],
) {
  const half = items.length >> 1;
  const base = source.kind === "mem" || source.kind === "cbank" ? source.base : null;
  const writesBase = items.slice(0, half).some((item) => {
    const register = c.registerOf(item);
    return register !== null && c.reg(register) === base;
  });
  for (const from of writesBase ? [half, 0] : [0, half]) {
    const part: OperandAst = { kind: "vec", items: items.slice(from, from + half) };
    load(c, opcode, part, from === 0 ? source : later(source, 16), type, vector, cache);
  }
}

/** An address some bytes further on. */
function later(at: Operand, bytes: number): Operand {
  return at.kind === "mem" || at.kind === "cbank" ? { ...at, offset: at.offset + bytes } : at;
}

function registerIn(operand: Operand, wide: boolean): Reg {
  return operand.kind === "reg" ? operand.reg : wide ? RDZ : RZ;
}

const st: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const access = accessOf(op);
  const [to, from] = a;
  if (access === null || to === undefined || from === undefined || type.bits > 64 || type.bits === 0) return c.fail();
  if (access.space === "param") return storeParam(c, to, from, type);
  if (c.failed || access.space === "const") return c.fail();
  if (access.release) c.emit("MEMBAR", [], ["ALL", access.scope]);
  const target = address(c, to, access.space);
  store(c, STORES[access.space], target, from, type, access.cache);
};

function store(c: Lowering, opcode: Opcode, target: Operand, from: OperandAst, type: PtxType, cache: readonly string[]) {
  const bits = type.bits;
  if (from.kind !== "vec") {
    const size = bits === 64 ? ["64"] : bits < 32 ? [`U${bits}`] : [];
    return c.emit(opcode, [target, storedValue(c, from, type)], [...size, ...cache]);
  }
  const items = from.items;
  const total = bits * items.length;
  if (total === 256) {
    const half = items.length >> 1;
    store(c, opcode, target, { kind: "vec", items: items.slice(0, half) }, type, cache);
    return store(c, opcode, later(target, 16), { kind: "vec", items: items.slice(half) }, type, cache);
  }
  if (total > 128 || (total & (total - 1)) !== 0) return c.fail();
  const size = total === 16 ? ["U16"] : total === 64 ? ["64"] : total === 128 ? ["128"] : [];
  if (bits >= 32) {
    const regs = items.map((item) => asRegister(c, storedValue(c, item, type), bits === 64));
    const data: Operand = regs.length === 1 && regs[0] !== undefined ? regOp(regs[0]) : { kind: "vec", regs };
    return c.emit(opcode, [target, data], [...size, ...cache]);
  }
  const perWord = Math.min(items.length, 32 / bits);
  const words: Reg[] = [];
  for (let i = 0; i < items.length; i += perWord) {
    const word = c.temp("R");
    const part = items.slice(i, i + perWord);
    if (bits === 16) emitHalves(c, regOp(word), part);
    else packBytes(c, regOp(word), part);
    words.push(word);
  }
  const [first] = words;
  if (first === undefined) return c.fail();
  c.emit(opcode, [target, words.length === 1 ? regOp(first) : { kind: "vec", regs: words }], [...size, ...cache]);
}

/** A store truncates its value, so that a narrow type can use the unchanged register. */
function storedValue(c: Lowering, o: OperandAst, type: PtxType): Operand {
  if (type.kind === "f" && type.bits >= 32 && o.kind === "real") return c.readFloat(o, type.bits);
  return type.bits < 32 && o.kind === "name" ? c.read32(o) : c.read(o, type);
}

/** Vectors contain only registers: anything else is moved to one first. */
function asRegister(c: Lowering, value: Operand, wide: boolean): Reg {
  if (value.kind === "reg" && !value.neg) return value.reg;
  return registerIn(c.value(wide ? "RD" : "R", "MOV", [value], wide ? ["64"] : []), wide);
}

// --- parameters ------------------------------------------------------------------------------------------------------------

function loadParam(c: Lowering, op: OpSpelling, to: OperandAst, from: OperandAst, type: PtxType) {
  if (from.kind !== "mem") return c.fail();
  const items = to.kind === "vec" ? to.items : [to];
  const step = type.bits >> 3;
  if (from.base !== null) {
    const meaning = c.meaning(from.base, from.part);
    if (meaning.kind === "register") {
      // The address of an aggregate was taken: it is an offset in the bank.
      const source: Operand = { kind: "cbank", bank: 0, base: c.reg(meaning.register), offset: from.offset, neg: false, abs: false };
      return c.fn.kind === "entry" && classOf(meaning.register.type) !== "P" ? load(c, "LDC", to, source, type, op.vector, []) : c.fail();
    }
    const home = meaning.kind === "variable" ? homeOf(c, meaning.variable) : inferredSlot(c, from.base, type, from.offset);
    if (home?.kind === "slot") {
      for (const [i, item] of items.entries()) if (item.kind !== "sink") loadSlot(c, home, from.offset + i * step, type, item);
      return;
    }
    if (home?.kind === "bank") {
      const source: Operand = { kind: "cbank", bank: 0, base: null, offset: home.offset + from.offset, neg: false, abs: false };
      return load(c, "LDC", to, source, type, op.vector, []);
    }
  }
  c.fail();
}

function storeParam(c: Lowering, to: OperandAst, from: OperandAst, type: PtxType) {
  if (to.kind !== "mem" || to.base === null) return c.fail();
  const meaning = c.meaning(to.base, to.part);
  const home = meaning.kind === "variable" ? homeOf(c, meaning.variable) : inferredSlot(c, to.base, type, to.offset);
  if (home?.kind !== "slot") return c.fail();
  if (deferStore(c, home, to.offset, from, type)) return;
  const items = from.kind === "vec" ? from.items : [from];
  for (const [i, item] of items.entries()) storeSlot(c, home, to.offset + i * (type.bits >> 3), type, item);
}

/** A whole register stored to a whole slot may be the call's argument itself: the copy waits for what comes next. */
function deferStore(c: Lowering, slot: SlotHome, offset: number, from: OperandAst, type: PtxType): boolean {
  if (c.guard !== null || offset !== 0 || slot.regs.length !== 1 || slot.bytes * 8 !== type.bits || type.bits < 32) return false;
  const register = c.registerOf(from);
  if (register === null || register.type.bits !== type.bits || (from.kind === "name" && from.offset !== 0)) return false;
  if (slot.pending !== null) return false;
  slot.pending = c.reg(register);
  c.pending.push(slot);
  return true;
}

/** A `.param` name without a declaration (filtered listings): a slot of the width of its first access. */
function inferredSlot(c: Lowering, name: string, type: PtxType, offset: number): SlotHome | null {
  if (offset !== 0 || type.bits < 8) return null;
  const known = c.inferredSlots.get(name);
  const wide = type.bits === 64;
  // The same names recur in every call: a different width belongs to a different call.
  if (known !== undefined && (known.bytes === 8) === wide) return known;
  return inferSlot(c, name, wide);
}

export const MEMORY: Readonly<Record<string, Row>> = { ld, ldu: ld, st };
