/** Finds, backwards from memory operands, the parameters and constant-bank words that are addresses of global memory. */

import type { Reg } from "../ir/ids.ts";
import { opcodeInfo } from "../ir/opcodes.ts";
import { is64, isConstantReg } from "../ir/reg.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import { defsOf } from "../ir/visit.ts";

export interface PointerUse {
  /** Indices of parameters that contain addresses. */
  readonly params: ReadonlySet<number>;
  /** Constant-bank words that contain addresses, as `bank/offset`; the value says whether all 64 bits are read. */
  readonly bankWords: ReadonlyMap<string, boolean>;
}

/** Operands whose values may be the address that the instruction computes. Scaled and masked values are offsets and are not followed. */
function sourcesOf(inst: Inst): readonly Operand[] {
  switch (inst.op) {
    case "MOV":
    case "SEL":
    case "I2I":
    case "IADD":
    case "IADD3":
    case "PACK":
    case "UNPACK":
      return inst.ops.slice(1);
    case "ISUB":
      return inst.ops.slice(1, 2);
    case "PHI":
      return inst.ops.slice(1).map((o) => (o.kind === "phi" ? o.value : o));
    case "IMAD":
      return inst.ops.slice(3, 4);
    case "LEA":
      return inst.ops.slice(2, 3);
    case "IMNMX":
      return inst.ops.slice(1, 3);
    case "LDC":
      return inst.ops.slice(1, 2);
    case "LOP":
      // Aligning an address down keeps it one.
      return inst.mods.includes("AND") || inst.mods.includes("OR") ? inst.ops.slice(1, 2) : [];
    default:
      return [];
  }
}

export function inferPointers(fn: Func): PointerUse {
  const definitions = new Map<Reg, Inst[]>();
  const seen = new Set<Reg>();
  const work: Reg[] = [];
  const bankWords = new Map<string, boolean>();
  const add = (r: Reg | null): void => {
    if (r === null || isConstantReg(r) || seen.has(r)) return;
    seen.add(r);
    work.push(r);
  };
  for (const id of fn.layout) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      for (const r of defsOf(inst)) {
        const list = definitions.get(r);
        if (list === undefined) definitions.set(r, [inst]);
        else list.push(inst);
      }
      const { space, effect } = opcodeInfo(inst.op);
      const touchesGlobal = (space === "global" || space === "generic") && (effect === "load" || effect === "store" || effect === "atomic");
      if (touchesGlobal && inst.op !== "OPAQUE") {
        for (const operand of inst.ops) if (operand.kind === "mem") add(operand.base ?? operand.index);
      }
    }
  }
  for (let r = work.pop(); r !== undefined; r = work.pop()) {
    for (const inst of definitions.get(r) ?? []) {
      for (const operand of sourcesOf(inst)) {
        if (operand.kind === "reg") add(operand.reg);
        if (operand.kind === "cbank" && operand.base === null) bankWords.set(`${operand.bank}/${operand.offset}`, is64(r));
      }
    }
  }
  const found = fn.params.map((p, i) => ({ i, reg: p.reg })).filter(({ reg }) => seen.has(reg));
  // Where addresses are 64 bit, a 32-bit parameter that is added to one is an offset.
  const wide = found.filter(({ reg }) => is64(reg));
  return { params: new Set((wide.length > 0 || bankWords.size > 0 ? wide : found).map(({ i }) => i)), bankWords };
}

/** Constant-bank words that are read at a fixed offset: `bank/offset` and whether 64 bits are read. */
export function bankReads(fn: Func): ReadonlyMap<string, boolean> {
  const reads = new Map<string, boolean>();
  for (const id of fn.layout) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      const wide = inst.mods.includes("64") || defsOf(inst).some(is64);
      for (const operand of inst.ops) {
        if (operand.kind !== "cbank" || operand.base !== null) continue;
        const key = `${operand.bank}/${operand.offset}`;
        reads.set(key, (reads.get(key) ?? false) || wide);
      }
    }
  }
  return reads;
}
