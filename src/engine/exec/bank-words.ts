/** Fills the rows of constant-bank operands: their values are known once the banks are. */

import { modifyWords } from "./builder.ts";
import type { Code } from "./code.ts";
import { LANES, type Machine } from "./machine.ts";

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
