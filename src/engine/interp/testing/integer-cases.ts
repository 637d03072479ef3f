/** Integer rows, each against big integers. */

import { big, bit, type Case, fromBits, int, M32, s32, s64, w32, w64 } from "./cases.ts";

const minSigned = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const maxSigned = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const trunc = (a: bigint, b: bigint): bigint => a / b;

function lut(table: number, a: bigint, b: bigint, c: bigint): bigint {
  return fromBits(32, (i) => ((table >> Number(bit(a, i) * 4n + bit(b, i) * 2n + bit(c, i))) & 1) === 1);
}

function leading(v: bigint, width: number): number {
  for (let i = width - 1; i >= 0; i--) if (bit(v, i) === 1n) return i;
  return -1;
}

function bfe(v: bigint, pos: number, len: number, width: number, signed: boolean): bigint {
  const [p, n] = [pos & 255, len & 255];
  const sign = signed && n > 0 ? bit(v, Math.min(p + n - 1, width - 1)) : 0n;
  return fromBits(width, (i) => (i < n && p + i < width ? bit(v, p + i) : sign));
}

function bfi(a: bigint, b: bigint, pos: number, len: number, width: number): bigint {
  const [p, n] = [pos & 255, len & 255];
  return fromBits(width, (i) => (i >= p && i < p + n ? bit(a, i - p) : bit(b, i)));
}

function prmt(a: number, selector: number, c: number): bigint {
  const bytes = (big(c) << 32n) | big(a);
  return fromBits(32, (i) => {
    const nibble = (selector >>> (4 * Math.floor(i / 8))) & 15;
    const from = 8 * (nibble & 7);
    return bit(bytes, from + ((nibble & 8) !== 0 ? 7 : i % 8));
  });
}

function convert(type: string, v: bigint, saturate = false): bigint {
  const width = BigInt(type.slice(1));
  const signed = type.startsWith("S");
  const low = signed ? -(1n << (width - 1n)) : 0n;
  const high = (signed ? 1n << (width - 1n) : 1n << width) - 1n;
  if (saturate) return v < low ? low : v > high ? high : v;
  return signed ? BigInt.asIntN(Number(width), v) : BigInt.asUintN(Number(width), v);
}

export const INTEGER_CASES = {
  IADD: [
    int("IADD R9, R0, R1", "R9", (l) => w32(big(l.a) + big(l.b))),
    int("IADD R9, -R0, ~R1", "R9", (l) => w32(-s32(l.a) + ~s32(l.b))),
    int("IADD R9, R0, -5", "R9", (l) => w32(big(l.a) - 5n)),
    int("IADD.64 RD9, RD0, RD1", "RD9", (l) => w64(l.x + l.y)),
    int("IADD.64 RD9, RD0, -RD1", "RD9", (l) => w64(l.x - l.y)),
    int("IADD.64 RD9, RD0, -7", "RD9", (l) => w64(l.x - 7n)),
    int("IADD RZ, R0, R1\nIADD R9, RZ, 3", "R9", () => 3),
  ],
  IADD3: [
    int("IADD3 R9, R0, -R1, R2", "R9", (l) => w32(big(l.a) - big(l.b) + big(l.c))),
    int("IADD3.64 RD9, RD0, RD1, RD2", "RD9", (l) => w64(l.x + l.y + l.z)),
  ],
  ISUB: [int("ISUB R9, R0, R1", "R9", (l) => w32(big(l.a) - big(l.b))), int("ISUB.64 RD9, RD0, RD1", "RD9", (l) => w64(l.x - l.y))],
  INEG: [int("INEG R9, R0", "R9", (l) => w32(-big(l.a))), int("INEG.64 RD9, RD0", "RD9", (l) => w64(-l.x))],
  IMUL: [
    int("IMUL R9, R0, R1", "R9", (l) => w32(big(l.a) * big(l.b))),
    int("IMUL.HI R9, R0, R1", "R9", (l) => w32((s32(l.a) * s32(l.b)) >> 32n)),
    int("IMUL.HI.U32 R9, R0, R1", "R9", (l) => w32((big(l.a) * big(l.b)) >> 32n)),
    int("IMUL.WIDE RD9, R0, R1", "RD9", (l) => w64(s32(l.a) * s32(l.b))),
    int("IMUL.WIDE.U32 RD9, R0, R1", "RD9", (l) => w64(big(l.a) * big(l.b))),
    int("IMUL.64 RD9, RD0, RD1", "RD9", (l) => w64(l.x * l.y)),
    int("IMUL.HI.64 RD9, RD0, RD1", "RD9", (l) => w64((s64(l.x) * s64(l.y)) >> 64n)),
    int("IMUL.HI.U32.64 RD9, RD0, RD1", "RD9", (l) => w64((l.x * l.y) >> 64n)),
  ],
  IMAD: [
    int("IMAD R9, R0, R1, R2", "R9", (l) => w32(big(l.a) * big(l.b) + big(l.c))),
    int("IMAD.HI R9, R0, R1, R2", "R9", (l) => w32(((s32(l.a) * s32(l.b)) >> 32n) + big(l.c))),
    int("IMAD.HI.U32 R9, R0, R1, R2", "R9", (l) => w32(((big(l.a) * big(l.b)) >> 32n) + big(l.c))),
    int("IMAD.WIDE RD9, R0, R1, RD2", "RD9", (l) => w64(s32(l.a) * s32(l.b) + l.z)),
    int("IMAD.WIDE.U32 RD9, R0, R1, RD2", "RD9", (l) => w64(big(l.a) * big(l.b) + l.z)),
    int("IMAD.64 RD9, RD0, RD1, RD2", "RD9", (l) => w64(l.x * l.y + l.z)),
  ],
  IDIV: [
    int("IDIV R9, R0, R1", "R9", (l) => (l.b === 0 ? 0xffffffff : w32(trunc(s32(l.a), s32(l.b))))),
    int("IDIV.U32 R9, R0, R1", "R9", (l) => (l.b === 0 ? 0xffffffff : w32(big(l.a) / big(l.b)))),
    int("IDIV.64 RD9, RD0, RD1", "RD9", (l) => (l.y === 0n ? w64(-1n) : w64(trunc(s64(l.x), s64(l.y))))),
    int("IDIV.U32.64 RD9, RD0, RD1", "RD9", (l) => (l.y === 0n ? w64(-1n) : l.x / l.y)),
  ],
  IREM: [
    int("IREM R9, R0, R1", "R9", (l) => (l.b === 0 ? l.a : w32(s32(l.a) % s32(l.b)))),
    int("IREM.U32 R9, R0, R1", "R9", (l) => (l.b === 0 ? l.a : w32(big(l.a) % big(l.b)))),
    int("IREM.64 RD9, RD0, RD1", "RD9", (l) => (l.y === 0n ? l.x : w64(s64(l.x) % s64(l.y)))),
    int("IREM.U32.64 RD9, RD0, RD1", "RD9", (l) => (l.y === 0n ? l.x : l.x % l.y)),
  ],
  IMNMX: [
    int("IMNMX R9, R0, R1, P0", "R9", (l) => w32((l.p ? minSigned : maxSigned)(s32(l.a), s32(l.b)))),
    int("IMNMX.U32 R9, R0, R1, !P0", "R9", (l) => w32((l.p ? maxSigned : minSigned)(big(l.a), big(l.b)))),
    int("IMNMX.64 RD9, RD0, RD1, P0", "RD9", (l) => w64((l.p ? minSigned : maxSigned)(s64(l.x), s64(l.y)))),
    int("IMNMX.U32.64 RD9, RD0, RD1, P0", "RD9", (l) => (l.p ? minSigned : maxSigned)(l.x, l.y)),
  ],
  IABS: [
    int("IABS R9, R0", "R9", (l) => w32(maxSigned(s32(l.a), -s32(l.a)))),
    int("IABS.64 RD9, RD0", "RD9", (l) => w64(maxSigned(s64(l.x), -s64(l.x)))),
  ],
  SHL: [
    int("SHL R9, R0, R1", "R9", (l) => (l.b >= 32 ? 0 : w32(big(l.a) << big(l.b)))),
    int("SHL R9, R0, 31", "R9", (l) => w32(big(l.a) << 31n)),
    int("SHL.64 RD9, RD0, R1", "RD9", (l) => (l.b >= 64 ? 0n : w64(l.x << big(l.b)))),
  ],
  SHR: [
    int("SHR R9, R0, R1", "R9", (l) => w32(s32(l.a) >> (l.b >= 32 ? 31n : big(l.b)))),
    int("SHR.U32 R9, R0, R1", "R9", (l) => (l.b >= 32 ? 0 : w32(big(l.a) >> big(l.b)))),
    int("SHR.64 RD9, RD0, R1", "RD9", (l) => w64(s64(l.x) >> (l.b >= 64 ? 63n : big(l.b)))),
    int("SHR.U32.64 RD9, RD0, R1", "RD9", (l) => (l.b >= 64 ? 0n : l.x >> big(l.b))),
  ],
  SHF: [
    int("SHF.L R9, R0, R1, R2", "R9", (l) => w32(((big(l.c) << 32n) | big(l.a)) << minSigned(big(l.b), 32n))),
    int("SHF.L.HI R9, R0, R1, R2", "R9", (l) => w32((((big(l.c) << 32n) | big(l.a)) << minSigned(big(l.b), 32n)) >> 32n)),
    int("SHF.R R9, R0, R1, R2", "R9", (l) => w32(((big(l.c) << 32n) | big(l.a)) >> minSigned(big(l.b), 32n))),
    int("SHF.R.W R9, R0, R1, R2", "R9", (l) => w32(((big(l.c) << 32n) | big(l.a)) >> (big(l.b) & 31n))),
    int("SHF.R.HI R9, R0, R1, R2", "R9", (l) => w32(((big(l.c) << 32n) >> minSigned(big(l.b), 32n)) >> 32n)),
    int("SHF.R.U32.HI R9, R0, R1, R2", "R9", (l) => w32(((big(l.c) << 32n) >> minSigned(big(l.b), 32n)) >> 32n)),
    int("SHF.R.S32.HI R9, R0, R1, R2", "R9", (l) => w32(((s32(l.c) << 32n) >> minSigned(big(l.b), 32n)) >> 32n)),
  ],
  LEA: [
    int("LEA R9, R0, R1, 3", "R9", (l) => w32((big(l.a) << 3n) + big(l.b))),
    int("LEA.64 RD9, RD0, RD1, 2", "RD9", (l) => w64((l.x << 2n) + l.y)),
  ],
  LOP3: [0, 1, 0x80, 0xc0, 0xfc, 0x3c, 0x96, 0xe8, 0xca, 0x1d, 0xff].map((table) =>
    int(`LOP3 R9, R0, R1, R2, ${table}`, "R9", (l) => w32(lut(table, big(l.a), big(l.b), big(l.c)))),
  ),
  LOP: [
    int("LOP.AND R9, R0, R1", "R9", (l) => w32(big(l.a) & big(l.b))),
    int("LOP.OR R9, R0, ~R1", "R9", (l) => w32(big(l.a) | (big(l.b) ^ M32))),
    int("LOP.XOR R9, R0, R1", "R9", (l) => w32(big(l.a) ^ big(l.b))),
    int("LOP.NOT R9, R0", "R9", (l) => w32(big(l.a) ^ M32)),
    int("LOP.AND.64 RD9, RD0, RD1", "RD9", (l) => l.x & l.y),
    int("LOP.OR.64 RD9, RD0, RD1", "RD9", (l) => l.x | l.y),
    int("LOP.XOR.64 RD9, RD0, -1", "RD9", (l) => w64(~l.x)),
    int("LOP.NOT.64 RD9, RD0", "RD9", (l) => w64(~l.x)),
  ],
  POPC: [
    int("POPC R9, R0", "R9", (l) => big(l.a).toString(2).replaceAll("0", "").length),
    int("POPC.64 R9, RD0", "R9", (l) => l.x.toString(2).replaceAll("0", "").length),
  ],
  FLO: [
    int("FLO.U32 R9, R0", "R9", (l) => leading(big(l.a), 32) >>> 0),
    int("FLO R9, R0", "R9", (l) => leading(s32(l.a) < 0n ? big(l.a) ^ M32 : big(l.a), 32) >>> 0),
    int("FLO.U32.SH R9, R0", "R9", (l) => (l.a === 0 ? 0xffffffff : 31 - leading(big(l.a), 32))),
    int("FLO.U32.64 R9, RD0", "R9", (l) => leading(l.x, 64) >>> 0),
  ],
  BMSK: [
    int("BMSK R9, R0, R1", "R9", (l) => w32(((1n << (l.b > 32 ? 32n : big(l.b))) - 1n) << (l.a > 32 ? 32n : big(l.a)))),
    int("BMSK.W R9, R0, R1", "R9", (l) => w32(((1n << BigInt(l.b & 31)) - 1n) << BigInt(l.a & 31))),
    int("BMSK R9, 4, 3", "R9", () => 0x70),
    int("BMSK R9, 30, 9", "R9", () => 0xc0000000),
    int("BMSK R9, 32, 1", "R9", () => 0),
    int("BMSK R9, 0, 32", "R9", () => 0xffffffff),
    int("BMSK.W R9, 33, 33", "R9", () => 2),
  ],
  BREV: [
    int("BREV R9, R0", "R9", (l) => w32(fromBits(32, (i) => bit(big(l.a), 31 - i)))),
    int("BREV.64 RD9, RD0", "RD9", (l) => fromBits(64, (i) => bit(l.x, 63 - i))),
  ],
  SEL: [
    int("SEL R9, R0, R1, P0", "R9", (l) => (l.p ? l.a : l.b)),
    int("SEL R9, R0, 7, !P0", "R9", (l) => (l.p ? 7 : l.a)),
    int("SEL.64 RD9, RD0, RD1, P0", "RD9", (l) => (l.p ? l.x : l.y)),
  ],
  MOV: [
    int("MOV R9, R0", "R9", (l) => l.a),
    int("MOV R9, -2147483648", "R9", () => 0x80000000),
    int("@P0 MOV R9, R0", "R9", (l) => (l.p ? l.a : 0xdeadbeef)),
    int("@!P0 MOV R9, R0", "R9", (l) => (l.p ? 0xdeadbeef : l.a)),
    int("MOV RD9, RD0", "RD9", (l) => l.x),
    int("MOV RD9, -3", "RD9", () => w64(-3n)),
    int("MOV UR3, 5\nMOV R9, UR3", "R9", () => 5),
  ],
  PACK: [int("PACK RD9, R0, R1", "RD9", (l) => (big(l.b) << 32n) | big(l.a))],
  UNPACK: [int("UNPACK.LO R9, RD0", "R9", (l) => w32(l.x)), int("UNPACK.HI R9, RD0", "R9", (l) => w32(l.x >> 32n))],
  I2I: [
    ...["S8", "U8", "S16", "U16"].flatMap((type) => [
      int(`I2I.${type}.S32 R9, R0`, "R9", (l) => w32(convert(type, s32(l.a)))),
      int(`I2I.${type}.S32.SAT R9, R0`, "R9", (l) => w32(convert(type, s32(l.a), true))),
      int(`I2I.S32.${type} R9, R0`, "R9", (l) => w32(convert(type, big(l.a)))),
    ]),
    int("I2I.S64.S32 RD9, R0", "RD9", (l) => w64(s32(l.a))),
    int("I2I.U64.U32 RD9, R0", "RD9", (l) => big(l.a)),
    int("I2I.S32.S64 R9, RD0", "R9", (l) => w32(l.x)),
    int("I2I.U32.S64.SAT R9, RD0", "R9", (l) => w32(convert("U32", s64(l.x), true))),
    int("I2I.S32.U64.SAT R9, RD0", "R9", (l) => w32(convert("S32", l.x, true))),
  ],
  PRMT: [int("PRMT R9, R0, R1, R2", "R9", (l) => w32(prmt(l.a, l.b, l.c)))],
  BFE: [
    int("BFE R9, R0, R1, R2", "R9", (l) => w32(bfe(big(l.a), l.b, l.c, 32, true))),
    int("BFE.U32 R9, R0, R2, R1", "R9", (l) => w32(bfe(big(l.a), l.c, l.b, 32, false))),
    int("BFE.64 RD9, RD0, R2, 9", "RD9", (l) => bfe(l.x, l.c, 9, 64, true)),
    int("BFE.U32.64 RD9, RD0, R2, 40", "RD9", (l) => bfe(l.x, l.c, 40, 64, false)),
  ],
  BFI: [
    int("BFI R9, R0, R1, R2, 7", "R9", (l) => w32(bfi(big(l.a), big(l.b), l.c, 7, 32))),
    int("BFI R9, R0, R1, 3, R2", "R9", (l) => w32(bfi(big(l.a), big(l.b), 3, l.c, 32))),
    int("BFI.64 RD9, RD0, RD1, R2, 33", "RD9", (l) => bfi(l.x, l.y, l.c, 33, 64)),
  ],
} satisfies Record<string, readonly Case[]>;

const COMPARES = {
  EQ: (a: bigint, b: bigint) => a === b,
  NE: (a: bigint, b: bigint) => a !== b,
  LT: (a: bigint, b: bigint) => a < b,
  LE: (a: bigint, b: bigint) => a <= b,
  GT: (a: bigint, b: bigint) => a > b,
  GE: (a: bigint, b: bigint) => a >= b,
};

export const PREDICATE_CASES = {
  QSPC: [
    int("QSPC.SHARED P9, R0", "P9", (l) => l.a < 0x0100_0000),
    int("QSPC.LOCAL P9, R0", "P9", (l) => l.a >= 0x0100_0000 && l.a < 0x0200_0000),
    int("QSPC.GLOBAL.64 P9, RD0", "P9", (l) => l.x >= 0x0200_0000n),
    int("QSPC.LOCAL.64 P9, RD0", "P9", (l) => l.x >= 0x0100_0000n && l.x < 0x0200_0000n),
    int("QSPC.LOCAL P9, 0x1000000", "P9", () => true),
    int("QSPC.LOCAL P9, 0x1ffffff", "P9", () => true),
    int("QSPC.SHARED P9, 0xffffff", "P9", () => true),
    int("QSPC.GLOBAL P9, 0x2000000", "P9", () => true),
  ],
  ISETP: [
    ...Object.entries(COMPARES).flatMap(([name, test]) => [
      int(`ISETP.${name} P9, R0, R1`, "P9", (l) => test(s32(l.a), s32(l.b))),
      int(`ISETP.${name}.U32 P9, R0, R1`, "P9", (l) => test(big(l.a), big(l.b))),
      int(`ISETP.${name}.64 P9, RD0, RD1`, "P9", (l) => test(s64(l.x), s64(l.y))),
      int(`ISETP.${name}.U32.64 P9, RD0, RD1`, "P9", (l) => test(l.x, l.y)),
    ]),
    int("ISETP.LT.AND P9, R0, R1, P0", "P9", (l) => s32(l.a) < s32(l.b) && l.p),
    int("ISETP.LT.OR P9, R0, R1, !P0", "P9", (l) => s32(l.a) < s32(l.b) || !l.p),
    int("ISETP.LT.XOR P9, R0, R1, P0", "P9", (l) => s32(l.a) < s32(l.b) !== l.p),
    int("@P1 ISETP.EQ P0, R0, R1", "P0", (l) => (l.q ? l.a === l.b : l.p)),
    int("ISETP.EQ PT, R0, R1\nPMOV P9, PT", "P9", () => true),
  ],
  PLOP3: Array.from({ length: 256 }, (_, table) =>
    int(`PLOP3 P9, P0, !P1, P2, ${table}`, "P9", (l) => ((table >> ((l.p ? 4 : 0) + (l.q ? 0 : 2) + (l.r ? 1 : 0))) & 1) === 1),
  ).filter((_, i) => i % 5 === 0),
  PMOV: [int("PMOV P9, !P0", "P9", (l) => !l.p), int("@P1 PMOV P0, P2", "P0", (l) => (l.q ? l.r : l.p))],
  R2P: [
    int("R2P {P4, P5, P6}, R0\nPMOV P9, P5", "P9", (l) => (l.a & 2) !== 0),
    int("R2P {P0, P1}, R0, 2\nPMOV P9, P0", "P9", (l) => l.p),
    int("R2P {P0, P1}, R0, 2\nPMOV P9, P1", "P9", (l) => (l.a & 2) !== 0),
  ],
  P2R: [
    int("P2R R9, {P0, P1, P2}", "R9", (l) => (l.p ? 1 : 0) + (l.q ? 2 : 0) + (l.r ? 4 : 0)),
    int("P2R R9, {P0, PT}, R0", "R9", (l) => w32((big(l.a) & ~3n) | (l.p ? 3n : 2n))),
  ],
} satisfies Record<string, readonly Case[]>;
