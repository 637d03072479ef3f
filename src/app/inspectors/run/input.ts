/** First guesses for a program's input, and its output as numbers. */

import type { ExecReport, KernelInfo } from "../../../engine/api/types.ts";

type Params = KernelInfo["params"];

/** Values of parameters as the engine takes them: addresses are buffers, but a parameter with its own type is a value. */
export function execInput(params: Params, inputOf: (param: Params[number]) => string): { readonly args: string[]; readonly mem: string[] } {
  const isBuffer = (p: Params[number]): boolean => p.type === undefined && p.reg.startsWith("RD");
  const list = (wanted: boolean): string[] => params.filter((p) => isBuffer(p) === wanted).map((p) => `${p.name}=${inputOf(p)}`);
  return { args: list(false), mem: list(true) };
}

/** The default value of a parameter: small numbers, buffers large enough for 1,024 threads. `first`: of a typed one, by its type. */
export function guessInput(name: string, reg: string, type?: string, first: Readonly<Record<string, string>> = {}): string {
  if (type !== undefined) return first[type] ?? "0";
  if (!reg.startsWith("RD")) return /^(n|m|len|size|count|limit)/i.test(name) ? "16" : "7";
  return /^(out|dst|res|b$|c$)/i.test(name) ? "4096" : `i32:${Array.from({ length: 64 }, (_, i) => ((i * 7 + 3) % 23) - 6).join(",")}`;
}

export interface MemoryRow {
  readonly offset: number;
  readonly words: readonly MemoryWord[];
}

export interface MemoryWord {
  readonly offset: number;
  readonly value: number;
  /** The source of a stand-in, an index; null: the value is real. */
  readonly source: number | null;
}

type StandInRanges = NonNullable<ExecReport["standIns"]>["memory"][string];

const PER_ROW = 8;
const MAX_ROWS = 32;

/** Hex text of a buffer as rows of little-endian signed 32-bit numbers; trailing rows of zeros are left out. */
export function memoryRows(hex: string, standIns: StandInRanges = []): readonly MemoryRow[] {
  const sourceAt = (at: number): number | null => standIns.find(({ from, to }) => from < at + 4 && to > at)?.source ?? null;
  const words: number[] = [];
  for (let i = 0; i + 8 <= hex.length; i += 8) {
    let word = 0;
    for (let byte = 3; byte >= 0; byte--) word = (word << 8) | Number.parseInt(hex.slice(i + byte * 2, i + byte * 2 + 2), 16);
    words.push(word | 0);
  }
  let end = words.length;
  while (end > PER_ROW && words[end - 1] === 0) end--;
  const rows: MemoryRow[] = [];
  for (let i = 0; i < end && rows.length < MAX_ROWS; i += PER_ROW)
    rows.push({
      offset: i * 4,
      words: words.slice(i, Math.min(end, i + PER_ROW)).map((value, j) => ({ offset: (i + j) * 4, value, source: sourceAt((i + j) * 4) })),
    });
  return rows;
}
