/** The translation of carries, pairs and extended comparisons, executed and compared with big integers. */

import { describe, expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import { runSass } from "./testing/run-sass.ts";

/** R2:R3 is a, R4:R5 is b; the result is stored from R6:R7. */
function run(code: string, a: bigint, b: bigint): bigint {
  const out = new Uint32Array(2);
  const words = [a, b].flatMap((x) => [Number(x & 0xffffffffn) | 0, Number(x >> 32n) | 0]);
  const text = `
    LDC.64 R2, c[0x0][0x160] ;
    LDC.64 R4, c[0x0][0x168] ;
    MOV R6, RZ ;
    MOV R7, RZ ;
    MOV R8, c[0x0][0x170] ;
    MOV R9, c[0x0][0x174] ;
    ${code.split(";").join(" ;\n")} ;
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

const half = (x: bigint, upper: boolean): bigint => (upper ? (x >> 16n) & 0xffffn : x & 0xffffn);
/** The three products of which sm_50 to sm_62 make one of 32 bits. */
const XMADS = "XMAD.MRG R10, R2, R4.H1, RZ; XMAD R11, R2, R4, R3; XMAD.PSL.CBCC R6, R2.H1, R10.H1, R11";

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
  ["IADD3 R6, P0, PT, R2, R4, RZ; IADD3.X R7, PT, PT, R3, R5, RZ, P0, !PT", (a, b) => u64(a + b)],
  ["IADD3 R6, PT, PT, R2, 0x20, R4", (a, b) => u32(a + b + 32n)],
  ["VIADD R6, R2, -0x1", (a) => u32(a - 1n)],
  ["VIMNMX.U32 R6, PT, PT, R2, R4, PT", (a, b) => (low(a) < low(b) ? low(a) : low(b))],
  ["VIMNMX3 R6, R2, R4, -0x5, PT", (a, b) => u32([s32(a), s32(b), -5n].reduce((x, y) => (x < y ? x : y)))],
  ["VIMNMX3.U32 R6, R2, 0x7, R4, !PT", (a, b) => [low(a), 7n, low(b)].reduce((x, y) => (x > y ? x : y))],
  ["VIMNMX R6, PT, PT, R2, R4, !PT", (a, b) => u32(s32(a) > s32(b) ? s32(a) : s32(b))],
  ["IADD.64 R6, R2, -R4", (a, b) => u64(a - b)],
  ["IADD.64 R6, R2, 0x10", (a) => u64(a + 16n)],
  ["IADD.64 R6, -R2, -0x10", (a) => u64(-a - 16n)],
  ["UIADD3.64 UR4, UPT, UPT, R2, 0x7fffffff, RZ; MOV.64 R6, UR4", (a) => u64(a + 0x7fffffffn)],
  ["UMOV.64 UR4, R4; MOV.64 R6, UR4", (_, b) => b],
  ["UIADD3.64 UR4, UPT, UPT, R2, -R4, RZ; MOV.64 R6, UR4", (a, b) => u64(a - b)],
  ["MOV.64 R6, R4", (_, b) => b],
  ["MOV.64 R6, -0x2", () => u64(-2n)],
  ["IADD R6, R2, R4", (a, b) => u32(a + b)],
  ["IADD R6, -R2, 0x7", (a) => u32(7n - a)],
  ["ISETP.GT.AND P0, PT, R2, R4, PT; SEL.64 R6, R2, -0x1, P0", (a, b) => (s32(a) > s32(b) ? a : u64(-1n))],
  ["VIMNMX.U64 R6, R2, R4, PT", (a, b) => (a < b ? a : b)],
  ["VIMNMX.S64 R6, R2, R4, !PT", (a, b) => (s64(a) > s64(b) ? a : b)],
  ...(["LT", "LE", "GT", "GE", "EQ", "NE"] as const).flatMap((relation) =>
    (["S64", "U64"] as const).map((type): (typeof CASES)[number] => [
      `ISETP.${relation}.${type}.AND P0, PT, R2, R4, PT; SEL R6, RZ, 0x1, !P0`,
      (a, b) => {
        const [x, y] = type === "S64" ? [s64(a), s64(b)] : [a, b];
        return truth({ LT: x < y, LE: x <= y, GT: x > y, GE: x >= y, EQ: x === y, NE: x !== y }[relation]);
      },
    ]),
  ),
  ["UI2FP.F32.U32 UR4, R2; F2I.U32.TRUNC R6, UR4", (a) => BigInt(Math.min(0xffffffff, Math.fround(Number(low(a)))))],
  ["BMSK R6, R2, 0x5", (a) => (low(a) > 31n ? 0n : u32(0x1fn << low(a)))],
  [XMADS, (a, b) => u32(low(a) * low(b) + high(a))],
  ["XMAD R6, R2.H1, R4, R5", (a, b) => u32(half(a, true) * half(b, false) + high(b))],
  ["XMAD.S16.S16 R6, R2, R4.H1, RZ", (a, b) => u32(BigInt.asIntN(16, a) * BigInt.asIntN(16, low(b) >> 16n))],
  ["XMAD.PSL R6, R2, R4, R5", (a, b) => u32(((half(a, false) * half(b, false)) << 16n) + high(b))],
  ["XMAD.CHI R6, R2, R4, R5", (a, b) => u32(half(a, false) * half(b, false) + half(high(b), true))],
  ["XMAD.CLO R6, R2, R4, R5", (a, b) => u32(half(a, false) * half(b, false) + half(high(b), false))],
  ["XMAD.MRG R6, R2, R4, R5", (a, b) => (half(b, false) << 16n) | half(half(a, false) * half(b, false) + high(b), false)],
  ["XMAD R6, R2, 0x64, RZ", (a) => u32(half(a, false) * 100n)],
  ["ISCADD R6, R2, R4, 0x3", (a, b) => u32((low(a) << 3n) + b)],
  ["LOP32I.XOR R6, R2, 0x7fffffff", (a) => low(a) ^ 0x7fffffffn],
  ["LOP.PASS_B R6, RZ, ~R2", (a) => u32(~a)],
  ["SHR R6, R2, 0x1e", (a) => u32(s32(a) >> 30n)],
  ["BFE R6, R2, 0x503", (a) => u32(BigInt.asIntN(5, low(a) >> 3n))],
  ["BFI R6, R2, 0x804, R4", (a, b) => (low(b) & ~0xff0n) | ((low(a) & 0xffn) << 4n)],
  ["IMUL32I R6, R2, 0x10001", (a) => u32(a * 0x10001n)],
  ["IMUL32I.U32.U32.HI R6, R2, 0x10001", (a) => (low(a) * 0x10001n) >> 32n],
  ["SGXT R6, R2, 0x9", (a) => u32(BigInt.asIntN(9, a))],
  ["SGXT.U32 R6, R2, 0x1f", (a) => BigInt.asUintN(31, a)],
  ["R2UR UR4, R2; MOV.SPILL R6, UR4", (a) => low(a)],
  ["CREDUX.MAX.S32 UR4, R2; MOV R6, UR4", (a) => low(a)],
  ["ST.E.64 [R8+0x0], R2; LD.E.64 R6, [R8]", (a) => a],
  ["STG.E.64.STRONG.GPU [R8], R2; LDG.E.64.STRONG.SYS R6, [R8]", (a) => a],
  ["STS [RZ], R2; ATOMS.ADD R7, [RZ], R3; LDS R6, [RZ]", (a) => (low(a) << 32n) | u32(a + high(a))],
  ["STS [RZ], R2; ATOMS.MAX.S32 RZ, [RZ], R4; LDS R6, [RZ]", (a, b) => u32(s32(a) > s32(b) ? s32(a) : s32(b))],
  ["STS [RZ], R2; ATOMS.CAS R7, [RZ], R3, R4; LDS R6, [RZ]", (a, b) => (low(a) << 32n) | (low(a) === high(a) ? low(b) : low(a))],
  // Nothing is stored: the threads that exit leave zero.
  [
    "ISETP.NE.AND P0, PT, R2, RZ, PT; ISETP.NE.AND P1, PT, R4, RZ, PT; @P0 EXIT P1; MOV R6, 0x1",
    (a, b) => truth(!(low(a) !== 0n && low(b) !== 0n)),
  ],
  ["ISETP.NE.AND P1, PT, R4, RZ, PT; EXIT !P1; MOV R6, 0x1", (_, b) => truth(low(b) !== 0n)],
  ["VIADDMNMX.U32 R6, R2, R4, R3, PT", (a, b) => (u32(a + b) < high(a) ? u32(a + b) : high(a))],
];

/** With the carry flag of targets before sm_70; the listing shows which by one of their opcodes. */
const FLAGGED: readonly (readonly [code: string, expected: (a: bigint, b: bigint) => bigint])[] = [
  ["IADD R6.CC, R2, R4; IADD.X R7, R3, R5", (a, b) => u64(a + b)],
  ["IADD R2.CC, R2, R4; IADD.X R7, R3, R5; MOV R6, R2", (a, b) => u64(a + b)],
  ["IADD R6.CC, R2, -R4; IADD.X R7, R3, ~R5", (a, b) => u64(a - b)],
  ["IADD32I R6.CC, R2, 0x7; IADD.X R7, R3, RZ", (a) => u64(a + 7n)],
  ["ISCADD R6.CC, R2, R4, 0x2; IADD.X R7, RZ, R5", (a, b) => u64(u32(low(a) << 2n) + b)],
  ["IADD R6.CC, R2, R4; IADD.X R7.CC, R3, R5; IADD.X R6, RZ, RZ; MOV R7, RZ", (a, b) => truth(a + b > 0xffffffffffffffffn)],
];

const bitsOf = (x: number): bigint => new BigUint64Array(Float64Array.of(x).buffer)[0]!;
const singleBits = (x: number): bigint => BigInt(new Uint32Array(Float32Array.of(x).buffer)[0]!);

/** Doubles, singles and halves: what comes out by JavaScript's own arithmetic, or by the definition of the format. */
const FLOATS: readonly (readonly [code: string, expected: (a: number, b: number) => bigint])[] = [
  ["DFMA R6, R2, 2, 0.5", (a) => bitsOf(a * 2 + 0.5)],
  ["DMUL R6, R2, -0.25", (a) => bitsOf(a * -0.25)],
  ["DADD R6, -R2, |R4|", (a, b) => bitsOf(-a + Math.abs(b))],
  ["DSETP.GT.AND P0, PT, |R2|, R4, PT; SEL R6, RZ, 0x1, !P0", (a, b) => truth(Math.abs(a) > b)],
  ["DSETP.LEU.OR P0, PT, R2, 5, !PT; SEL R6, RZ, 0x1, !P0", (a) => truth(!(a > 5))],
  ["F2F.F32.F64 R2, R2; FRND.FLOOR R6, R2", (a) => singleBits(Math.floor(Math.fround(a)))],
  ["F2F.F32.F64 R2, R2; FRND.TRUNC R6, R2", (a) => singleBits(Math.trunc(Math.fround(a)))],
];
const HALVES: readonly (readonly [half: number, value: number])[] = [
  [0x3c00, 1],
  [0xc000, -2],
  [0x0001, 2 ** -24],
  [0x03ff, 1023 * 2 ** -24],
  [0x7bff, 65504],
  [0x3555, 0x555 * 2 ** -12],
];

const EDGES = [0n, 1n, 0xffffffffn, 0x100000000n, 0x7fffffffffffffffn, 0x8000000000000000n, 0xffffffffffffffffn, 0x80000000n];

describe("instructions of several pieces", () => {
  it.each(CASES)("%s", (code, expected) => {
    const rnd = createPrng(5).u32;
    const some = (): bigint => (rnd() % 3 === 0 ? EDGES[rnd() % EDGES.length]! : (BigInt(rnd()) << 32n) | BigInt(rnd()));
    for (let i = 0; i < 40; i++) {
      const a = some();
      const b = rnd() % 4 === 0 ? a : some();
      const text = `seed 5: ${code} of 0x${a.toString(16)}, 0x${b.toString(16)}`;
      expect(run(code, a, b), text).toBe(expected(a, b));
    }
  });

  it.each(FLAGGED)("%s", (code, expected) => {
    const rnd = createPrng(6).u32;
    for (let i = 0; i < 40; i++) {
      const [a, b] = [
        EDGES[rnd() % EDGES.length]!,
        rnd() % 2 === 0 ? EDGES[rnd() % EDGES.length]! : (BigInt(rnd()) << 32n) | BigInt(rnd()),
      ];
      expect(run(`MOV32I R12, 0x1; ${code}`, a, b), `${code} of 0x${a.toString(16)}, 0x${b.toString(16)}`).toBe(expected(a, b));
    }
  });

  it.each(FLOATS)("%s", (code, expected) => {
    const values = [0, -0, 1.5, -2.75, 1e300, 5, -5, 3.999, Number.POSITIVE_INFINITY];
    for (const a of values) for (const b of values) expect(run(code, bitsOf(a), bitsOf(b)), `${code} of ${a}, ${b}`).toBe(expected(a, b));
  });

  it("halves of a register are read, written and packed", () => {
    for (const [half, value] of HALVES) {
      const [bits, h] = [singleBits(value), BigInt(half)];
      expect(run("HADD2.F32 R6, -RZ, R2.H0_H0", h | 0xabcd0000n, 0n)).toBe(bits);
      expect(run("HADD2.F32 R6, -RZ, R2.H1_H1", (h << 16n) | 0xabcdn, 0n)).toBe(bits);
      expect(run("F2F.F16.F32 R6, R2", bits, 0n)).toBe(h);
      expect(run("F2FP.F16.F32.PACK_AB R6, R2, R4", bits, singleBits(1))).toBe((h << 16n) | 0x3c00n);
      expect(run("F2FP.PACK_AB R6, RZ, R4", 0n, bits)).toBe(h);
    }
    expect(run("HADD2.BF16_V2 R6, R2, R4", 0x3f80c000n, 0x4000bf80n)).toBe(0x4040c040n);
    expect(run("F2FP.BF16.F32.PACK_AB R6, R2, R4", 0x3f800000n, 0xc0490000n)).toBe(0x3f80c049n);
  });
});
