/** Sets up the memory of a run: constant banks, declared symbols, and the rows of constant-bank operands. */

import { symbolAddress } from "../ir/symbol-address.ts";
import type { Module, ModuleSymbol } from "../ir/types.ts";
import { modifyWords } from "./builder.ts";
import type { Code } from "./code.ts";
import { LANES, type Machine } from "./machine.ts";
import { BANK_BYTES, BANK_COUNT, type Region, region } from "./memory.ts";
import type { RunInputs } from "./outcome.ts";
import type { Span } from "./stand-ins.ts";

/** All banks, with what was given and the module's constants (bank 3) in them. `begun` is called for each that is made, with which of its bytes have a value. */
export function constantBanks(
  module: Module,
  { constants: given, paramBytes = [] }: Pick<RunInputs, "constants" | "paramBytes">,
  begun: (bank: Region, known: readonly Span[]) => void,
): ReadonlyMap<number, Region> {
  const declared = (number: number): readonly Span[] => {
    if (number === 3) return declaredIn(module, "const");
    return number === 0 ? paramBytes.map(({ offset, bytes }) => [offset, offset + bytes.length]) : [];
  };
  const banks = new LazyBanks((number, bank) => begun(bank, [[0, given?.get(number)?.length ?? 0], ...declared(number)]));
  for (const [number, bytes] of given ?? []) banks.get(number)?.bytes.set(bytes.subarray(0, BANK_BYTES));
  for (const { offset, bytes } of paramBytes) banks.get(0)?.bytes.set(bytes.subarray(0, Math.max(0, BANK_BYTES - offset)), offset);
  for (const symbol of module.symbols) {
    if (symbol.space === "const" && hasContents(symbol)) putContents(banks.get(3), symbol, module);
  }
  return banks;
}

/** Banks are made on first use: most runs need none. */
class LazyBanks extends Map<number, Region> {
  private readonly begun: (number: number, bank: Region) => void;

  constructor(begun: (number: number, bank: Region) => void) {
    super();
    this.begun = begun;
  }

  override get(number: number): Region | undefined {
    if (!(number >= 0 && number < BANK_COUNT)) return undefined;
    let bank = super.get(number);
    if (bank === undefined) {
      bank = region(BANK_BYTES);
      this.set(number, bank);
      this.begun(number, bank);
    }
    return bank;
  }
}

export function symbolMemory(module: Module, space: "global" | "shared", least: number): Region | null {
  let end = least;
  let any = least > 0;
  for (const symbol of module.symbols) {
    if (symbol.space !== space) continue;
    any = true;
    end = Math.max(end, symbol.offset + symbol.size);
  }
  if (!any) return null;
  const memory = region(Math.ceil(end / 16) * 16);
  for (const symbol of module.symbols) if (symbol.space === space) putContents(memory, symbol, module);
  return memory;
}

/** Bytes of shared memory that symbols give contents. */
export const initialised = (module: Module): readonly Span[] =>
  module.symbols.flatMap(({ space, offset, init }) =>
    space === "shared" && init !== null ? [[offset, offset + Math.ceil(init.length / 2)] as const] : [],
  );

/** Bytes of declared symbols, which are zero where they have no contents. What only a use names is in no declaration. */
export const declaredIn = (module: Module, space: "global" | "const"): readonly Span[] =>
  module.symbols.flatMap(({ space: own, offset, size, inferred }) =>
    own === space && inferred !== true ? [[offset, offset + size] as const] : [],
  );

const hasContents = ({ init, addresses = [] }: ModuleSymbol): boolean => init !== null || addresses.length > 0;

function putContents(memory: Region | undefined, { offset, init, addresses = [] }: ModuleSymbol, { symbols }: Module): void {
  if (memory === undefined) return;
  if (init !== null) putHex(memory.bytes, offset, init);
  for (const { at, bytes, name, offset: plus } of addresses) {
    const symbol = symbols.find((s) => s.name === name);
    if (symbol === undefined || offset + at + bytes > memory.bytes.length) continue;
    const address = symbolAddress(symbol) + plus;
    memory.view.setUint32(offset + at, address, true);
    if (bytes === 8) memory.view.setUint32(offset + at + 4, Math.floor(address / 2 ** 32), true);
  }
}

function putHex(bytes: Uint8Array, at: number, hex: string): void {
  for (let i = 0; i * 2 + 1 < hex.length && at + i < bytes.length; i++) bytes[at + i] = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16);
}

/** Fills the rows of constant-bank operands: their values are known once the banks are. */
export function fillBankWords(code: Code, r: Uint32Array, machine: Machine): void {
  for (const { row, bank, offset, wide, mods } of code.bankWords) {
    const view = machine.bank(bank)?.view;
    let lo = view === undefined ? 0 : view.getUint32(offset, true);
    let hi = 0;
    if (wide) {
      hi = view === undefined ? 0 : view.getUint32(offset + 4, true);
      [lo, hi] = modifyWords(lo, hi, mods, mods.reading);
      r.fill(hi, row + LANES, row + 2 * LANES);
    } else {
      lo = modifyWord(lo, mods);
    }
    r.fill(lo, row, row + LANES);
  }
}

function modifyWord(value: number, mods: Code["bankWords"][number]["mods"]): number {
  const { neg, abs, reading } = mods;
  if (reading === "f32" || reading === "f16x2") {
    const sign = reading === "f32" ? 0x8000_0000 : 0x8000_8000;
    return ((abs ? value & ~sign : value) ^ (neg ? sign : 0)) >>> 0;
  }
  const magnitude = abs ? Math.abs(value | 0) : value;
  return (neg ? -magnitude : magnitude) >>> 0;
}
