/** Loads, stores and atomics of all address spaces. */

import { plural } from "../../base/plural.ts";
import type { Opcode, Space } from "../ir/opcodes.ts";
import { opcodeInfo } from "../ir/opcodes.ts";
import { isConstantReg, regClass } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { isNonCoherent, isVolatileAccess, spaceOf } from "../ir/visit.ts";
import { type AtomicType, atomicStep } from "./atomics.ts";
import { type Build, type Builder, modOf, Unsupported } from "./builder.ts";
import { lanes, lanesOf } from "./lanes.ts";
import { LANES, type Machine } from "./machine.ts";
import { genericSpace, LOCAL_BASE } from "./memory.ts";
import { constantOperand, finish } from "./shapes.ts";

const load: Build = (b, inst) => {
  const space = opcodeInfo(inst.op).space ?? "generic";
  const elements = dataElements(b, inst.ops[0], inst, true);
  const at = isNonCoherent(inst) ? launchedAddress(b, inst.ops[1]) : addressOf(b, inst.ops[1], space);
  const size = elements.bytes;
  const { rows, each, read } = elements;
  const text = isVolatileAccess(inst) ? volatileText(inst) : null;
  return finish(b, (s, mask, machine) => {
    machine.loads++;
    const r = s.r;
    for (const l of lanesOf(mask)) {
      const view = at(machine, r, l, size);
      if (view === null) return;
      for (let i = 0; i < rows.length; i++) read(r, (rows[i] as number) + l, view, place + i * each);
      if (text !== null) machine.access(text, l, view, place, 0);
    }
  });
};

const store: Build = (b, inst) => {
  const space = opcodeInfo(inst.op).space ?? "generic";
  const elements = dataElements(b, inst.ops[1], inst, false);
  const at = addressOf(b, inst.ops[0], space);
  const size = elements.bytes;
  const { rows, each, write } = elements;
  // Local memory is the lane's own; nothing else can see it change.
  const visible = space !== "local";
  const text = isVolatileAccess(inst) ? volatileText(inst) : null;
  return finish(b, (s, mask, machine) => {
    machine.stores++;
    const r = s.r;
    for (const l of lanesOf(mask)) {
      const view = at(machine, r, l, size);
      if (view === null) return;
      for (let i = 0; i < rows.length; i++) write(r, (rows[i] as number) + l, view, place + i * each);
      if (text !== null) machine.access(text, l, view, place, size);
      if (visible) machine.stored?.note(machine.thread(l), view, place, size);
    }
  });
};

/** That a volatile access happens, where, and in which order can be seen from outside. */
const volatileText = (inst: Inst): string => [inst.op, ...inst.mods].join(".");

const atomic: Build = (b, inst) => {
  const space = spaceOf(inst) ?? "generic";
  const result = inst.op !== "RED";
  const ops = result ? inst.ops.slice(1) : inst.ops;
  const kind = modOf(inst, ["ADD", "MIN", "MAX", "AND", "OR", "XOR", "EXCH", "CAS", "INC", "DEC"]);
  if (kind === null) throw new Unsupported(`${inst.op} needs an operation`);
  const type: AtomicType = modOf(inst, ["U32", "S32", "64", "F32", "F64"]) ?? "U32";
  const wide = type === "64" || type === "F64";
  const size = wide ? 8 : 4;
  const at = addressOf(b, ops[0], space);
  const x = b.src(ops[1], wide);
  const y = ops[2] === undefined ? x : b.src(ops[2], wide);
  if (kind === "CAS" && ops[2] === undefined) throw new Unsupported("CAS needs a value to compare and a value to store");
  const step = atomicStep(kind, type);
  const d = result ? b.dst(inst.ops[0], wide) : null;
  return finish(
    b,
    (s, mask, machine) => {
      machine.loads++;
      machine.stores++;
      const r = s.r;
      for (const l of lanesOf(mask)) {
        const view = at(machine, r, l, size);
        if (view === null) return;
        const xl = r[x + l] as number;
        const yl = r[y + l] as number;
        const xh = wide ? (r[x + LANES + l] as number) : 0;
        const yh = wide ? (r[y + LANES + l] as number) : 0;
        const oldLow = view.getUint32(place, true);
        const oldHigh = wide ? view.getUint32(place + 4, true) : 0;
        step(view, place, xl, xh, yl, yh);
        if (d !== null) {
          r[d.row + l] = oldLow;
          if (wide) r[d.row + LANES + l] = oldHigh;
        }
      }
      machine.touch(mask);
    },
    d?.post ?? null,
  );
};

export const COPY_BYTES = { "32": 4, "64": 8, "128": 16 } as const;

/** What is copied is read at once and written when the thread waits for it: neither what is stored to the source nor what is read of the target before that may move. */
const copyAsync: Build = (b, inst) => {
  const size = COPY_BYTES[modOf(inst, ["32", "64", "128"]) ?? "32"];
  const to = addressOf(b, inst.ops[0], "shared");
  const from = addressOf(b, inst.ops[1], "global");
  const count = inst.ops[2] === undefined ? null : b.src32(inst.ops[2]);
  return finish(b, (s, mask, machine) => {
    machine.loads++;
    machine.stores++;
    for (const l of lanesOf(mask)) {
      const target = to(machine, s.r, l, size);
      if (target === null) return;
      const at = place;
      // A list: an endless loop begins millions of copies, and a typed array takes several times as long to make.
      const bytes: number[] = [];
      const wanted = count === null ? size : Math.min(size, s.r[count + l] as number);
      // Nothing is read where nothing is wanted: the address need not be one.
      const source = wanted === 0 ? null : from(machine, s.r, l, size);
      if (machine.fault !== null) return;
      for (let i = 0; i < size; i++) bytes.push(source !== null && i < wanted ? source.getUint8(place + i) : 0);
      machine.copies.begin(machine.thread(l), () => {
        for (let i = 0; i < size; i++) target.setUint8(at + i, bytes[i] as number);
      });
    }
    machine.touch(mask);
  });
};

/** A group of copies is closed, or all but the last `open` groups are waited for. */
const closeGroup: Build = (b) =>
  finish(
    b,
    lanes((l, _r, _s, machine) => machine.copies.close(machine.thread(l))),
  );

const waitForGroups: Build = (b, inst) => {
  const open = constantOperand(inst.ops[0]);
  return finish(b, (_s, mask, machine) => {
    for (const l of lanesOf(mask)) machine.copies.wait(machine.thread(l), open);
    machine.touch(mask);
  });
};

export const MEMORY_OPS = {
  LDG: load,
  STG: store,
  LDS: load,
  STS: store,
  LDL: load,
  STL: store,
  LDC: load,
  LD: load,
  ST: store,
  ATOM: atomic,
  ATOMS: atomic,
  RED: atomic,
  LDGSTS: copyAsync,
  LDGDEPBAR: closeGroup,
  DEPBAR: waitForGroups,
} satisfies Partial<Record<Opcode, Build>>;

// --- data ----------------------------------------------------------------------------------------------------------------

interface Elements {
  /** Bytes of the whole access. */
  readonly bytes: number;
  /** Bytes from one element to the next. */
  readonly each: number;
  /** First word of each element's row. */
  readonly rows: readonly number[];
  readonly read: (r: Uint32Array, at: number, view: DataView, offset: number) => void;
  readonly write: (r: Uint32Array, at: number, view: DataView, offset: number) => void;
}

const ACCESS_BYTES = { U8: 1, S8: 1, U16: 2, S16: 2, "32": 4, "64": 8, "128": 16 } as const;

/** Splits an access into its registers: one of the access's size, or several that share it evenly. Without a size, the registers give it. */
export function elementsOf(operand: Operand | undefined, inst: Inst) {
  const named = modOf(inst, ["U8", "S8", "U16", "S16", "32", "64", "128"]);
  const regs = operand?.kind === "vec" ? operand.regs : operand?.kind === "reg" ? [operand.reg] : [];
  const wide = regs.some((r) => !isConstantReg(r) && regClass(r) === "RD");
  const count = Math.max(1, regs.length);
  const bytes = named === null ? count * (wide ? 8 : 4) : ACCESS_BYTES[named];
  return { named, regs, wide, bytes, each: bytes / count };
}

function dataElements(b: Builder, operand: Operand | undefined, inst: Inst, defines: boolean): Elements {
  const { named, wide, bytes, each } = elementsOf(operand, inst);
  if (operand?.kind === "vec") {
    if (each !== 4 && each !== 8) throw new Unsupported("a vector's registers must be 32 or 64 bit");
    if (wide !== (each === 8)) throw new Unsupported("the vector does not fit the size of the access");
    return { bytes, each, rows: operand.regs.map((r) => (defines ? b.dstReg(r) : b.row(r))), ...(wide ? LONG : WORD) };
  }
  if (bytes === 16) throw new Unsupported("a 128-bit access needs a vector of registers");
  const longRow = (): number => (defines ? wideDefinition(b, operand) : b.src64(operand));
  if (bytes === 8) return { bytes, each, rows: [longRow()], ...LONG };
  const narrow = NARROW[named === "U8" || named === "S8" || named === "U16" || named === "S16" ? named : "32"];
  if (wide) {
    // A narrow access of a 64-bit register: its low word, extended when it is loaded.
    const signed = named === "S8" || named === "S16";
    return {
      bytes,
      each,
      rows: [longRow()],
      write: narrow.write,
      read: (r, at, view, offset) => {
        narrow.read(r, at, view, offset);
        r[at + LANES] = signed ? (r[at] as number) >> 31 : 0;
      },
    };
  }
  return { bytes, each, rows: [defines ? b.dst32(operand) : b.src32(operand)], ...narrow };
}

function wideDefinition(b: Builder, operand: Operand | undefined): number {
  const { row, post } = b.dst64(operand);
  if (post !== null) throw new Unsupported("a 64-bit access needs a 64-bit register or a vector");
  return row;
}

type Access = Pick<Elements, "read" | "write">;

const WORD: Access = {
  read: (r, at, view, offset) => {
    r[at] = view.getUint32(offset, true);
  },
  write: (r, at, view, offset) => view.setUint32(offset, r[at] as number, true),
};

const LONG: Access = {
  read: (r, at, view, offset) => {
    r[at] = view.getUint32(offset, true);
    r[at + LANES] = view.getUint32(offset + 4, true);
  },
  write: (r, at, view, offset) => {
    view.setUint32(offset, r[at] as number, true);
    view.setUint32(offset + 4, r[at + LANES] as number, true);
  },
};

const BYTE_WRITE: Access["write"] = (r, at, view, offset) => view.setUint8(offset, r[at] as number);
const HALF_WRITE: Access["write"] = (r, at, view, offset) => view.setUint16(offset, r[at] as number, true);

const NARROW: Readonly<Record<"U8" | "S8" | "U16" | "S16" | "32", Access>> = {
  U8: {
    read: (r, at, view, offset) => {
      r[at] = view.getUint8(offset);
    },
    write: BYTE_WRITE,
  },
  S8: {
    read: (r, at, view, offset) => {
      r[at] = view.getInt8(offset);
    },
    write: BYTE_WRITE,
  },
  U16: {
    read: (r, at, view, offset) => {
      r[at] = view.getUint16(offset, true);
    },
    write: HALF_WRITE,
  },
  S16: {
    read: (r, at, view, offset) => {
      r[at] = view.getInt16(offset, true);
    },
    write: HALF_WRITE,
  },
  "32": WORD,
};

// --- addresses -----------------------------------------------------------------------------------------------------------

/** Where in the view the last located access starts. */
let place = 0;

/** That place, for instructions implemented elsewhere. */
export const lastPlace = (): number => place;

/** Finds the bytes of an access of `size` bytes by a lane; null after a trap. */
type Locate = (machine: Machine, r: Uint32Array, lane: number, size: number) => DataView | null;

export function addressOf(b: Builder, operand: Operand | undefined, space: Space): Locate {
  const compute = effectiveAddress(b, operand);
  switch (space) {
    case "global":
      return (machine, r, l, size) => inGlobal(machine, compute(r, l), l, size);
    case "shared":
      return (machine, r, l, size) => inShared(machine, compute(r, l), l, size);
    case "local":
      return (machine, r, l, size) => inLocal(machine, compute(r, l), l, size);
    case "const": {
      // `c[4][R2+8]`; a plain address reads bank 3, where an importer's `.const` variables are.
      const bank = operand?.kind === "cbank" ? operand.bank : 3;
      return (machine, r, l, size) => inBank(machine, bank, compute(r, l), l, size);
    }
    case "generic":
      return (machine, r, l, size) => {
        const address = compute(r, l);
        switch (genericSpace(address)) {
          case "SHARED":
            return inShared(machine, address, l, size);
          case "LOCAL":
            return inLocal(machine, address - LOCAL_BASE, l, size);
          case "GLOBAL":
            return inGlobal(machine, address, l, size);
        }
      };
  }
}

/** In global memory as the run found it. */
function launchedAddress(b: Builder, operand: Operand | undefined): Locate {
  b.readsLaunched = true;
  const compute = effectiveAddress(b, operand);
  return (machine, r, l, size) => inGlobal(machine, compute(r, l), l, size, machine.launched);
}

/** What is below 0 wraps at 2^32, as an address that is formed from registers does. */
const unsigned = (address: number): number => (address < 0 ? address + 2 ** 32 : address);

/** The address a lane forms: 32-bit bases wrap at 2^32, a 64-bit base at 2^64. Addresses of 2^32 and above are in no buffer. */
function effectiveAddress(b: Builder, operand: Operand | undefined): (r: Uint32Array, lane: number) => number {
  if (operand?.kind === "sym") {
    const fixed = unsigned(b.symbolAddress(operand.name) + operand.offset);
    return () => fixed;
  }
  if (operand?.kind !== "mem" && operand?.kind !== "cbank") throw new Unsupported("a memory operand was expected");
  const { base, offset } = operand;
  const index = operand.kind === "mem" ? operand.index : null;
  if (base === null && index === null) {
    const fixed = unsigned(offset);
    return () => fixed;
  }
  const rowOf = (r: typeof base): number => (r === null ? -1 : b.row(r));
  const isWide = (r: typeof base): boolean => r !== null && regClass(r) === "RD";
  if (!isWide(base) && !isWide(index)) {
    const [x, y] = [rowOf(base), rowOf(index)];
    if (y < 0) return (r, l) => ((r[x + l] as number) + offset) >>> 0;
    if (x < 0) return (r, l) => ((r[y + l] as number) + offset) >>> 0;
    return (r, l) => ((r[x + l] as number) + (r[y + l] as number) + offset) >>> 0;
  }
  const parts = [base, index].filter((r) => r !== null).map((r) => ({ row: b.row(r), wide: regClass(r) === "RD" }));
  return (r, l) => {
    let low = offset;
    let high = 0;
    for (const { row, wide } of parts) {
      low += r[row + l] as number;
      if (wide) high += r[row + LANES + l] as number;
    }
    const carry = Math.floor(low / 0x1_0000_0000);
    return ((high + carry) >>> 0) * 0x1_0000_0000 + (low - carry * 0x1_0000_0000);
  };
}

const hex = (address: number): string => `0x${address.toString(16)}`;

function bad(machine: Machine, what: string, address: number, lane: number, size: number): null {
  const detail = address % size === 0 ? what : `misaligned access of ${plural(size, "byte")}`;
  machine.trap(`${detail} at ${hex(address)}`, lane, address);
  return null;
}

function inGlobal(machine: Machine, address: number, lane: number, size: number, memory = machine.global): DataView | null {
  const buffer = memory.find(address, size);
  if (buffer === null || address % size !== 0)
    return bad(machine, `access of ${plural(size, "byte")} outside of every buffer`, address, lane, size);
  place = address - buffer.base;
  return buffer.view;
}

function inShared(machine: Machine, address: number, lane: number, size: number): DataView | null {
  if (address + size > machine.shared.bytes.length || address % size !== 0) {
    return bad(machine, `access of ${plural(size, "byte")} outside of shared memory`, address, lane, size);
  }
  place = address;
  return machine.shared.view;
}

function inLocal(machine: Machine, address: number, lane: number, size: number): DataView | null {
  if (address + size > machine.localBytes || address % size !== 0) {
    return bad(machine, `access of ${plural(size, "byte")} outside of local memory`, address, lane, size);
  }
  place = lane * machine.localBytes + address;
  return machine.local().view;
}

function inBank(machine: Machine, bank: number, address: number, lane: number, size: number): DataView | null {
  const source = machine.bank(bank);
  if (source === null || address + size > source.bytes.length || address % size !== 0) {
    return bad(machine, `access of ${plural(size, "byte")} outside of constant bank ${bank}`, address, lane, size);
  }
  place = address;
  return source.view;
}
