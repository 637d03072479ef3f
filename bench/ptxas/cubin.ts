/**
 * The machine code of a kernel in a cubin, as far as it can be read without a disassembler: instructions are 16 bytes, and what an opcode is called is public for those
 * that are asked about here.
 */

/** One instruction of 128 bits. */
export interface Word {
  /** Opcode with the form of its operands: the lowest 12 bits. */
  readonly code: number;
  /** Opcode alone: the lowest 9 bits. */
  readonly op: number;
  /** Guard: a predicate's number, 7 for PT. */
  readonly guard: number;
  readonly guardNegated: boolean;
  /** N bits from bit `at` on, as an unsigned number; N at most 32. */
  readonly bits: (at: number, n: number) => number;
}

export interface CubinKernel {
  readonly name: string;
  /** Without the branch to itself and the NOPs that fill the section. */
  readonly words: readonly Word[];
  /** Words of constant bank 2, which holds the jump tables. */
  readonly tableWords: readonly number[];
}

/** Opcodes of Volta and later, by their lowest 9 bits. */
export const OP = {
  BREAK: 0x142,
  CALL_ABS: 0x143,
  CALL_REL: 0x144,
  BSSY: 0x145,
  BRA: 0x147,
  WARPSYNC: 0x148,
  BRX: 0x149,
  EXIT: 0x14d,
  RET: 0x150,
  BSYNC: 0x141,
  FSETP: 0x00b,
  ISETP: 0x00c,
  UISETP: 0x08c,
  LOP3: 0x012,
  PLOP3: 0x01c,
  MUFU: 0x108,
  POPC: 0x109,
  LDG: 0x181,
  LDS: 0x184,
  LDL: 0x183,
  STG: 0x186,
  ATOMG: 0x1a8,
  LDC: 0x182,
  FFMA: 0x023,
  NOP: 0x118,
} as const;

interface Section {
  readonly name: string;
  readonly bytes: DataView;
}

/** The sections of a 64-bit ELF file. */
function sections(file: Uint8Array): Section[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 64 || view.getUint32(0, false) !== 0x7f454c46 || view.getUint8(4) !== 2) throw new Error("not a 64-bit ELF file");
  const offset = Number(view.getBigUint64(0x28, true));
  const size = view.getUint16(0x3a, true);
  const count = view.getUint16(0x3c, true);
  const header = (i: number): DataView => new DataView(view.buffer, view.byteOffset + offset + i * size, size);
  const place = (of: DataView): readonly [number, number] => [Number(of.getBigUint64(0x18, true)), Number(of.getBigUint64(0x20, true))];
  const [namesAt] = place(header(view.getUint16(0x3e, true)));
  const name = (at: number): string => {
    let end = namesAt + at;
    while (file[end] !== 0) end++;
    return new TextDecoder().decode(file.subarray(namesAt + at, end));
  };
  return Array.from({ length: count }, (_, i) => {
    const of = header(i);
    const [at, length] = place(of);
    // A section of type NOBITS takes no room in the file.
    const there = of.getUint32(4, true) === 8 ? 0 : length;
    return { name: name(of.getUint32(0, true)), bytes: new DataView(view.buffer, view.byteOffset + at, there) };
  });
}

function wordAt(bytes: DataView, at: number): Word {
  const bits = (from: number, n: number): number => {
    let value = 0n;
    for (let i = 0; i < 2; i++) value |= bytes.getBigUint64(at + 8 * i, true) << BigInt(64 * i);
    return Number((value >> BigInt(from)) & ((1n << BigInt(n)) - 1n));
  };
  return { code: bits(0, 12), op: bits(0, 9), guard: bits(12, 3), guardNegated: bits(15, 1) === 1, bits };
}

/** Every function of a cubin that has code. */
export function readCubin(file: Uint8Array): CubinKernel[] {
  const all = sections(file);
  return all
    .filter(({ name }) => name.startsWith(".text."))
    .map(({ name: section, bytes }) => {
      const name = section.slice(".text.".length);
      const words = Array.from({ length: Math.floor(bytes.byteLength / 16) }, (_, i) => wordAt(bytes, 16 * i));
      while (words.at(-1)?.op === OP.NOP) words.pop();
      if (words.at(-1)?.op === OP.BRA && words.at(-1)?.guard === 7) words.pop();
      const table = all.find((s) => s.name === `.nv.constant2.${name}`)?.bytes;
      const tableWords = Array.from({ length: Math.floor((table?.byteLength ?? 0) / 4) }, (_, i) => table?.getUint32(4 * i, true) ?? 0);
      return { name, words, tableWords };
    });
}
