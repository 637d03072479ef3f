/** Accesses whose address is in a register pair or scaled: global loads and stores, reductions, atomics, shared and local memory. */

import type { Operand } from "../../../../engine/ir/types.ts";
import type { SassInst, SassOperand } from "../ast.ts";
import { dataRun, definition, isTrue, isZero } from "./operands.ts";
import type { Pieces } from "./pieces.ts";

type Row = (inst: SassInst, p: Pieces) => boolean;

const SIZES = ["U8", "S8", "U16", "S16", "32", "64", "128"];
/** Cache hints: no value depends on them. `SYS` alone, on sm_75, is an ordinary access; `STRONG` is not among them. */
const HINTS = ["E", "U", "SYS", "EF", "EL", "EU", "LU", "NA", "LTC64B", "LTC128B", "LTC256B"];

function bits(mods: readonly string[]): number {
  return mods.includes("128") ? 128 : mods.includes("64") ? 64 : 32;
}

/** Who sees a strong access in order. Ori's is seen by all. */
const VIEWS = ["SYS", "GPU", "CTA", "SM"];

/** The modifiers that Ori has, null when there is one that changes what is done. */
function accessMods(inst: SassInst, allowed: readonly string[]): readonly string[] | null {
  const strong = inst.mods.includes("STRONG");
  const mods = inst.mods.filter((m) => !HINTS.includes(m) && !(strong && VIEWS.includes(m)));
  return mods.every((m) => SIZES.includes(m) || allowed.includes(m)) ? mods : null;
}

/** Addresses of 64 bits are marked `.E`. */
const wideAddress = (inst: SassInst): boolean => inst.mods.includes("E");

const load =
  (op: "LDG" | "LD"): Row =>
  (inst, p) => {
    const [d, m] = inst.operands;
    const mods = accessMods(inst, op === "LDG" ? ["CONSTANT", "STRONG"] : ["STRONG"]);
    if (inst.operands.length !== 2 || mods === null || !wideAddress(inst)) return false;
    p.emit(op, [dataRun(d, bits(mods)), p.address(m)], mods);
    return true;
  };

const store =
  (op: "STG" | "ST"): Row =>
  (inst, p) => {
    const [m, v] = inst.operands;
    const mods = accessMods(inst, ["STRONG"]);
    if (inst.operands.length !== 2 || mods === null || !wideAddress(inst)) return false;
    p.emit(op, [p.address(m), dataRun(v, bits(mods))], mods);
    return true;
  };

const loadScaled =
  (op: "LDS" | "LDL"): Row =>
  (inst, p) => {
    const [d, m] = inst.operands;
    const mods = accessMods(inst, []);
    if (inst.operands.length !== 2 || mods === null) return false;
    p.emit(op, [dataRun(d, bits(mods)), p.scaledAddress(m)], mods);
    return true;
  };

const storeScaled =
  (op: "STS" | "STL"): Row =>
  (inst, p) => {
    const [m, v] = inst.operands;
    const mods = accessMods(inst, []);
    if (inst.operands.length !== 2 || mods === null) return false;
    p.emit(op, [p.scaledAddress(m), dataRun(v, bits(mods))], mods);
    return true;
  };

/** `LDGSTS.E.BYPASS.128 [R8], [R2.64]`: to shared from global memory. With a predicate that fills zeros it stays opaque. */
const copyAsync: Row = (inst, p) => {
  const [to, from, ...more] = inst.operands;
  const mods = inst.mods.filter((m) => !HINTS.includes(m) && m !== "BYPASS" && m !== "ACCESS");
  if (more.length > 0 || !wideAddress(inst) || mods.length > 1 || !["64", "128"].includes(mods[0] ?? "64")) return false;
  // Only the source may have a descriptor.
  if (to?.kind !== "mem" || to.desc.length > 0) return false;
  p.emit("LDGSTS", [p.scaledAddress(to), p.address(from)], [mods[0] ?? "32"]);
  return true;
};

const ATOMIC_TYPES = ["U32", "S32", "64", "F32"];
/** Ori's atomics are relaxed and seen by the whole device; sums of singles round to nearest and flush subnormals in hardware. */
const SCOPES = ["E", "STRONG", "GPU", "SYS", "CTA", "FTZ", "RN"];

/** Operation and type: null for a form that is not Ori's. */
function atomicMods(inst: SassInst): readonly string[] | null {
  const mods = inst.mods.filter((m) => !SCOPES.includes(m));
  const [, type, ...more] = mods;
  return more.length > 0 || (type !== undefined && !ATOMIC_TYPES.includes(type)) ? null : mods;
}

function atomicValue(p: Pieces, o: SassOperand | undefined, mods: readonly string[]): Operand | null {
  return mods.includes("64") ? p.pair(o) : dataRun(o, 32);
}

const reduction: Row = (inst, p) => {
  const [m, v] = inst.operands;
  const mods = atomicMods(inst);
  if (inst.operands.length !== 2 || mods === null || !wideAddress(inst)) return false;
  p.emit("RED", [p.address(m), atomicValue(p, v, mods)], mods);
  return true;
};

/** `ATOMG.E.ADD PT, R5, [R2.64], R7`; the predicate before the result must be PT. */
const atomic: Row = (inst, p) => {
  const [first, ...rest] = inst.operands;
  const mods = atomicMods(inst);
  if (mods === null || !wideAddress(inst) || !isTrue(first)) return false;
  const [d, m, v, w] = rest;
  if (rest.length !== (mods[0] === "CAS" ? 4 : 3)) return false;
  const address = p.address(m);
  const values = [v, ...(w === undefined ? [] : [w])].map((o) => atomicValue(p, o, mods));
  if (!mods.includes("64") || isZero(d)) p.emit("ATOM", [mods.includes("64") ? null : definition(d), address, ...values], mods);
  else p.unpack(d, p.temp("RD", "ATOM", [address, ...values], mods));
  return true;
};

/** `ATOMS.ADD RZ, [R2], R3`: shared memory, an address of 32 bits, no predicate before the result. */
const atomicShared: Row = (inst, p) => {
  const [d, m, ...values] = inst.operands;
  const mods = inst.mods.filter((x) => x !== "32");
  const [kind, type, ...more] = mods;
  if (kind === undefined || more.length > 0 || (type !== undefined && !["U32", "S32"].includes(type))) return false;
  if (values.length !== (kind === "CAS" ? 2 : 1)) return false;
  p.emit("ATOMS", [definition(d), p.scaledAddress(m), ...values.map((o) => dataRun(o, 32))], mods);
  return true;
};

export const MEMORY_ROWS: readonly (readonly [root: string, row: Row])[] = [
  ["LDG", load("LDG")],
  ["LD", load("LD")],
  ["LDS", loadScaled("LDS")],
  ["LDL", loadScaled("LDL")],
  ["STG", store("STG")],
  ["ST", store("ST")],
  ["STS", storeScaled("STS")],
  ["STL", storeScaled("STL")],
  ["LDGSTS", copyAsync],
  ["RED", reduction],
  ["REDG", reduction],
  ["ATOMG", atomic],
  ["ATOMS", atomicShared],
];
