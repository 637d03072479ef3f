/** Where `.param` names live: kernel aggregates in constant bank 0, everything else in registers. */

import { immOp, regOp } from "../../../ir/builder.ts";
import type { Reg } from "../../../ir/ids.ts";
import { regClass } from "../../../ir/reg.ts";
import type { OperandAst, VariableAst } from "../ast.ts";
import type { PtxType } from "../types.ts";
import type { Lowering } from "./context.ts";

/** Bytes of constant bank 0, from `offset` on. */
export interface BankHome {
  readonly kind: "bank";
  readonly offset: number;
}

/**
 * A scalar in one register (RD for 8 bytes, else R), or an aggregate in one R for each 4 bytes: caller and callee cut it alike. `pending` is a register
 * that a st.param meant to copy here; the call right after it takes that register itself.
 */
export interface SlotHome {
  readonly kind: "slot";
  readonly regs: readonly Reg[];
  readonly bytes: number;
  pending: Reg | null;
}

export type Home = BankHome | SlotHome;

/** Aggregates up to this many bytes are cut into registers; larger ones make their accesses opaque. */
const MAX_SLOT_BYTES = 256;

export function makeSlot(size: number, isArray: boolean, fresh: (cls: "R" | "RD") => Reg): SlotHome | null {
  if (!isArray && size <= 8) return { kind: "slot", regs: [fresh(size === 8 ? "RD" : "R")], bytes: size, pending: null };
  if (size === 0 || size > MAX_SLOT_BYTES) return null;
  return { kind: "slot", regs: Array.from({ length: Math.ceil(size / 4) }, () => fresh("R")), bytes: size, pending: null };
}

/** The home of a `.param` variable, made at its first use for those of a body. */
export function homeOf(c: Lowering, variable: VariableAst): Home | null {
  const known = c.homes.get(variable);
  if (known !== undefined) return known;
  const slot = makeSlot(variable.size, variable.isArray, (cls) => c.temp(cls));
  if (slot !== null) c.homes.set(variable, slot);
  return slot;
}

/** The slot of an undeclared `.param` name, until an access of a different width. */
export function inferSlot(c: Lowering, name: string, wide: boolean): SlotHome {
  const slot: SlotHome = { kind: "slot", regs: [c.temp(wide ? "RD" : "R")], bytes: wide ? 8 : 4, pending: null };
  c.inferredSlots.set(name, slot);
  return slot;
}

export function isWideSlot(slot: SlotHome): boolean {
  const first = slot.regs[0];
  return first !== undefined && regClass(first) === "RD";
}

/** ld.param from registers: `bytes` at `offset`, any alignment that stays within one register (or two words for 8 bytes). */
export function loadSlot(c: Lowering, slot: SlotHome, offset: number, type: PtxType, to: OperandAst) {
  const bytes = type.bits >> 3;
  const bit = (offset & 3) * 8;
  if (offset < 0 || offset + bytes > Math.max(slot.bytes, 4)) return c.fail();
  const first = slot.regs[0];
  if (first === undefined) return c.fail();
  if (isWideSlot(slot)) {
    const whole = regOp(first);
    if (bytes === 8) return offset === 0 ? c.emit("MOV", [c.def(to, type), whole], ["64"]) : c.fail();
    const which = offset < 4 ? "LO" : "HI";
    if (bytes === 4) return bit === 0 ? c.emit("UNPACK", [c.def(to, type), whole], [which]) : c.fail();
    if (bit + type.bits > 32) return c.fail();
    return field(c, c.value("R", "UNPACK", [whole], [which]), bit, type, to);
  }
  const word = slot.regs[offset >> 2];
  if (word === undefined) return c.fail();
  if (bytes === 8) {
    const next = slot.regs[(offset >> 2) + 1];
    if (bit !== 0 || next === undefined) return c.fail();
    return c.emit("PACK", [c.def(to, type), regOp(word), regOp(next)]);
  }
  if (bytes === 4) return bit === 0 ? c.emit("MOV", [c.def(to, type), regOp(word)]) : c.fail();
  if (bit + type.bits > 32) return c.fail();
  field(c, regOp(word), bit, type, to);
}

function field(c: Lowering, word: ReturnType<typeof regOp>, bit: number, type: PtxType, to: OperandAst) {
  const { d, sign } = c.defExtended(to, type);
  if (bit === 0) c.emit("I2I", [d, word], [`${sign}32`, `${sign}${type.bits}`]);
  else c.emit("BFE", [d, word, immOp(bit), immOp(type.bits)], sign === "U" ? ["U32"] : []);
}

/** st.param to registers. */
export function storeSlot(c: Lowering, slot: SlotHome, offset: number, type: PtxType, from: OperandAst) {
  const bytes = type.bits >> 3;
  const bit = (offset & 3) * 8;
  const first = slot.regs[0];
  if (first === undefined || offset < 0 || offset + bytes > Math.max(slot.bytes, 4)) return c.fail();
  if (isWideSlot(slot)) {
    const whole = regOp(first);
    if (bytes === 8) return offset === 0 ? c.emit("MOV", [whole, source(c, from, type)], ["64"]) : c.fail();
    if (bytes !== 4 || bit !== 0) return c.fail();
    const other = c.value("R", "UNPACK", [whole], [offset === 0 ? "HI" : "LO"]);
    const mine = source(c, from, type);
    return c.emit("PACK", offset === 0 ? [whole, mine, other] : [whole, other, mine]);
  }
  const word = slot.regs[offset >> 2];
  if (word === undefined) return c.fail();
  if (bytes === 8) {
    const next = slot.regs[(offset >> 2) + 1];
    if (bit !== 0 || next === undefined) return c.fail();
    const value = c.value("RD", "MOV", [source(c, from, type)], ["64"]);
    c.emit("UNPACK", [regOp(word), value], ["LO"]);
    return c.emit("UNPACK", [regOp(next), value], ["HI"]);
  }
  if (bytes === 4 || (slot.bytes === bytes && offset === 0))
    return bit === 0 ? c.emit("MOV", [regOp(word), source(c, from, type)]) : c.fail();
  if (bit + type.bits > 32) return c.fail();
  c.emit("BFI", [regOp(word), c.read(from, type), regOp(word), immOp(bit), immOp(type.bits)]);
}

function source(c: Lowering, o: OperandAst, type: PtxType): ReturnType<Lowering["read"]> {
  return type.kind === "f" && type.bits >= 32 && o.kind === "real" ? c.readFloat(o, type.bits) : c.read(o, type);
}
