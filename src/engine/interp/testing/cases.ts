/** What an opcode row's test is: lines to run, where the result is, and what it must be. */

import type { Lane } from "./eval.ts";

export interface Case {
  readonly kind: "int" | "float" | "half";
  /** One or more lines of Ori text; reads R0 R1 R2 RD0 RD1 RD2 P0 P1 P2. */
  readonly line: string;
  readonly out: string;
  readonly want: (lane: Lane, index: number) => number | bigint | boolean;
}

export const M32 = 0xffffffffn;

export const big = (v: number): bigint => BigInt(v >>> 0);
export const s32 = (v: number): bigint => BigInt.asIntN(32, BigInt(v));
export const s64 = (v: bigint): bigint => BigInt.asIntN(64, v);
export const w32 = (v: bigint): number => Number(BigInt.asUintN(32, v));
export const w64 = (v: bigint): bigint => BigInt.asUintN(64, v);

export const int = (line: string, out: string, want: Case["want"]): Case => ({ kind: "int", line, out, want });
export const float = (line: string, out: string, want: Case["want"]): Case => ({ kind: "float", line, out, want });
export const half = (line: string, out: string, want: Case["want"]): Case => ({ kind: "half", line, out, want });

/** Bit i of `v`. */
export const bit = (v: bigint, i: bigint | number): bigint => (v >> BigInt(i)) & 1n;

/** The integer whose bits are given by a function of their position. */
export function fromBits(width: number, f: (i: number) => bigint | boolean): bigint {
  let v = 0n;
  for (let i = 0; i < width; i++) {
    const b = f(i);
    if (b === true || b === 1n) v |= 1n << BigInt(i);
  }
  return v;
}
