/** What a run has printed: the records of the output buffer as lines of text, spelt as Bril's own interpreter spells them. */

import { OUTPUT_SYMBOL } from "../../../engine/ir/one-thread.ts";
import type { ModuleSymbol } from "../../../engine/ir/types.ts";
import { CELL, MORE, NOTHING, VALUE_CODES } from "./runtime.ts";
import { LAST_CHAR } from "./values.ts";

/** Null: the program has no output buffer. `memory` contains the declared global variables. */
export function brilOutput(symbols: readonly ModuleSymbol[], memory: Uint8Array | null): readonly string[] | null {
  const symbol = symbols.find((s) => s.space === "global" && s.name === OUTPUT_SYMBOL);
  if (symbol === undefined || memory === null) return null;
  const view = new DataView(memory.buffer, memory.byteOffset + symbol.offset, symbol.size);
  const end = Math.min(symbol.size, CELL + view.getUint32(0, true));
  const lines: string[] = [];
  let words: string[] = [];
  for (let at = CELL; at + CELL <= end; ) {
    let digits = Number(view.getBigUint64(at, true));
    at += CELL;
    let more = false;
    for (; digits > 0; digits = Math.floor(digits / 16)) {
      const code = digits % 16;
      if (code === MORE) more = true;
      if (code === MORE || code === NOTHING || at + CELL > end) continue;
      words.push(word(code, view, at));
      at += CELL;
    }
    if (more) continue;
    lines.push(words.join(" "));
    words = [];
  }
  return lines;
}

function word(code: number, view: DataView, at: number): string {
  switch (code) {
    case VALUE_CODES.bool:
      return String(view.getUint32(at, true) !== 0);
    case VALUE_CODES.float:
      return floatWord(view.getFloat64(at, true));
    case VALUE_CODES.char:
      return charOf(view.getUint32(at, true));
    case VALUE_CODES.ptr:
      return `0x${view.getBigUint64(at, true).toString(16)}`;
    default:
      return view.getBigInt64(at, true).toString();
  }
}

/** Memory that a program wrote as a number may contain an invalid character. */
const charOf = (code: number): string => (code <= LAST_CHAR ? String.fromCodePoint(code) : "\ufffd");

/** 17 digits after the point; from 10^10 up and 10^-10 down with an exponent. */
export function floatWord(value: number): string {
  if (Object.is(value, -0)) return "-0.00000000000000000";
  const plain = value === 0 || Math.abs(Math.log10(Math.abs(value))) < 10;
  return plain ? value.toFixed(17) : value.toExponential(17);
}
