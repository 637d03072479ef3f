/** What becomes of carries, pairs and extended comparisons, run against big integers. */

import { describe, expect, it } from "vitest";
import { random } from "../ptx/testing/run-ptx.ts";
import { runSass } from "./testing/run-sass.ts";

/** R2:R3 is a, R4:R5 is b; the result is stored from R6:R7. */
function run(code: string, a: bigint, b: bigint): bigint {
  const out = new Uint32Array(2);
  const words = [a, b].flatMap((x) => [Number(x & 0xffffffffn) | 0, Number(x >> 32n) | 0]);
  const text = `
    LDC.64 R2, c[0x0][0x160] ;
    LDC.64 R4, c[0x0][0x168] ;
    IMAD.MOV.U32 R6, RZ, RZ, 0x0 ;
    IMAD.MOV.U32 R7, RZ, RZ, 0x0 ;
    ${code.split(";").join(" ;\n")} ;
    IMAD.MOV.U32 R8, RZ, RZ, c[0x0][0x170] ;
    IMAD.MOV.U32 R9, RZ, RZ, c[0x0][0x174] ;
    STG.E.64.SYS [R8], R6 ;
    EXIT ;`;
  const outcome = runSass(text, "sm_75", [...words, out], 1);
  expect([outcome.status, outcome.message]).toEqual(["ok", outcome.message]);
  return BigInt(out[0]!) | (BigInt(out[1]!) << 32n);
}

const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
const u32 = (x: bigint): bigint => BigInt.asUintN(32, x);
const s32 = (x: bigint): bigint => BigInt.asIntN(32, x);
const s64 = (x: bigint): bigint => BigInt.asIntN(64, x);
const low = (x: bigint): bigint => x & 0xffffffffn;
const high = (x: bigint): bigint => x >> 32n;
const truth = (x: boolean): bigint => (x ? 1n : 0n);

const CASES: readonly (readonly [code: string, expected: (a: bigint, b: bigint) => bigint])[] = [
  ["IADD3 R6, P0, R2, R4, RZ; IADD3.X R7, R3, R5, RZ, P0, !PT", (a, b) => u64(a + b)],
  ["IADD3 R2, P0, R2, R4, RZ; IADD3.X R7, R3, R5, RZ, P0, !PT; MOV R6, R2", (a, b) => u64(a + b)],
  ["IADD3 R6, P0, R2, -R4, RZ; IADD3.X R7, R3, ~R5, RZ, P0, !PT", (a, b) => u64(a - b)],
  ["IADD3 R4, P0, R2, -R4, RZ; IADD3.X R7, R3, ~R5, RZ, P0, !PT; MOV R6, R4", (a, b) => u64(a - b)],
  ["IADD3 R2, P0, R2, R2, RZ; IMAD.X R7, R3, 0x1, R3, P0; MOV R6, R2", (a) => u64(a + a)],
  ["IADD3 RZ, P0, R2, R4, RZ; IADD3.X R3, P1, R3, R5, RZ, P0, !PT; IADD3.X R6, RZ, RZ, RZ, P1, !PT", (a, b) => truth(u64(a + b) < a)],
  ["LEA R6, P0, R2, R4, 0x3; LEA.HI.X R7, R2, R5, R3, 0x3, P0", (a, b) => u64((a << 3n) + b)],
  ["LEA R6, P0, R2, R4, 0x1; LEA.HI.X.SX32 R7, R2, R5, 0x1, P0", (a, b) => u64((s32(a) << 1n) + b)],
  ["LEA.HI R6, R2, R4, R3, 0x5", (a, b) => u32((u64(a << 5n) >> 32n) + low(b))],
  ["LEA.HI.SX32 R6, R2, R4, 0x1f", (a, b) => u32((s32(a) >> 1n) + low(b))],
  ["IMAD.WIDE R6, R2, R3, R4", (a, b) => u64(s32(a) * s32(high(a)) + b)],
  ["IMAD.WIDE.U32 R6, R2, R3, R4", (a, b) => u64(low(a) * high(a) + b)],
  ["IMAD.HI.U32 R6, R2, R3, R4", (a, b) => high(u64(low(a) * high(a) + b))],
  ["IMAD.HI R6, R2, R3, RZ", (a) => u32((s32(a) * s32(high(a))) >> 32n)],
  ["SHF.L.U64.HI R7, R2, 0x7, R3; SHF.L.U32 R6, R2, 0x7, RZ", (a) => u64(a << 7n)],
  ["SHF.R.U64 R6, R2, 0x9, R3; SHF.R.U32.HI R7, RZ, 0x9, R3", (a) => a >> 9n],
  ...(["LT", "LE", "GT", "GE", "EQ", "NE"] as const).flatMap((relation) =>
    (["", ".U32"] as const).map((sign): (typeof CASES)[number] => [
      `ISETP.${relation}.U32.AND P0, PT, R2, R4, PT; ISETP.${relation}${sign}.AND.EX P1, PT, R3, R5, PT, P0; SEL R6, RZ, 0x1, !P1`,
      (a, b) => {
        const [x, y] = sign === "" ? [s64(a), s64(b)] : [a, b];
        return truth({ LT: x < y, LE: x <= y, GT: x > y, GE: x >= y, EQ: x === y, NE: x !== y }[relation]);
      },
    ]),
  ),
  ["LOP3.LUT P0, R7, R2, R4, RZ, 0xc0, !PT; SEL R6, RZ, 0x1, !P0", (a, b) => (low(a & b) << 32n) | truth(low(a & b) !== 0n)],
  ["VIADDMNMX.U32 R6, R2, R4, R3, PT", (a, b) => (u32(a + b) < high(a) ? u32(a + b) : high(a))],
];

const EDGES = [0n, 1n, 0xffffffffn, 0x100000000n, 0x7fffffffffffffffn, 0x8000000000000000n, 0xffffffffffffffffn, 0x80000000n];

describe("instructions of several pieces", () => {
  it.each(CASES)("%s", (code, expected) => {
    const rnd = random(5);
    const some = (): bigint => (rnd() % 3 === 0 ? EDGES[rnd() % EDGES.length]! : (BigInt(rnd()) << 32n) | BigInt(rnd()));
    for (let i = 0; i < 40; i++) {
      const a = some();
      const b = rnd() % 4 === 0 ? a : some();
      const text = `seed 5: ${code} of 0x${a.toString(16)}, 0x${b.toString(16)}`;
      expect(run(code, a, b), text).toBe(expected(a, b));
    }
  });
});
