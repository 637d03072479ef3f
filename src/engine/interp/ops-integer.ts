/** Integer instructions, 32 and 64 bit. */

import { popcount } from "../../base/bitset.ts";
import type { Opcode } from "../ir/opcodes.ts";
import type { Inst } from "../ir/types.ts";
import { type Build, type Builder, copyRows, hasMod, modOf, Unsupported } from "./builder.ts";
import * as int from "./integer.ts";
import { lanes, lanesOf, type Rows } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";
import {
  addWords,
  bigWords,
  binary,
  bySign,
  choose,
  constantOperand,
  countOnes,
  eachWord,
  either,
  finish,
  isWide,
  lanesWhere,
  lessThan,
  narrow,
  pairs,
  rows,
  select,
  shift,
  subWords,
  ternary,
  unary,
  wideShape,
} from "./shapes.ts";

const subtract = (x: number, y: number): number => x - y;
const and = (x: number, y: number): number => x & y;
const or = (x: number, y: number): number => x | y;
const xor = (x: number, y: number): number => x ^ y;
const signed = (f: (x: bigint, y: bigint) => bigint) => bigWords((x, y) => f(int.signed64(x), int.signed64(y)));

// The most frequent instructions: by `words`, whose function V8 does not inline, they take twice as long.
const addRows: Rows =
  (d, x, y) =>
  ({ r }, mask) => {
    for (const l of lanesOf(mask)) r[d + l] = (r[x + l] as number) + (r[y + l] as number);
  };
const multiplyRows: Rows =
  (d, x, y, z) =>
  ({ r }, mask) => {
    for (const l of lanesOf(mask)) r[d + l] = Math.imul(r[x + l] as number, r[y + l] as number) + (r[z + l] as number);
  };

const LOGIC: Readonly<Record<"AND" | "OR" | "XOR" | "NOT", Build>> = {
  AND: binary(and, eachWord(and)),
  OR: binary(or, eachWord(or)),
  XOR: binary(xor, eachWord(xor)),
  NOT: unary(
    (x) => ~x,
    (x) => ~x,
  ),
};

export const INTEGER_OPS = {
  IADD: either(rows(2, addRows), pairs(addWords)),
  IADD3: ternary(
    (x, y, z) => x + y + z,
    (x, y, z) => x + y + z,
  ),
  ISUB: binary(subtract, subWords),
  INEG: unary(
    (x) => -x,
    (x) => -x,
  ),
  IMUL: (b, inst) => multiply(b, inst, false),
  IMAD: (b, inst) => multiply(b, inst, true),
  IDIV: bySign(binary(int.divU32, bigWords(int.divU64)), binary(int.divS32, signed(int.divS64))),
  IREM: bySign(binary(int.remU32, bigWords(int.remU64)), binary(int.remS32, signed(int.remS64))),
  IMNMX: (b, inst) => {
    const unsigned = hasMod(inst, "U32");
    if (isWide(inst, inst.ops[0])) {
      const less = lessThan(unsigned, true);
      return choose(b, inst, "int", (min, r, mask, x, y) => ~(min ^ lanesWhere(less, r, mask, x, y)));
    }
    const bias = unsigned ? 0 : 0x8000_0000;
    // By `lanesWhere` it takes 1.5 times as long.
    return choose(b, inst, "int", (min, r, mask, x, y) => {
      let less = 0;
      for (const l of lanesOf(mask)) if (((r[x + l] as number) ^ bias) >>> 0 < ((r[y + l] as number) ^ bias) >>> 0) less |= 1 << l;
      return ~(min ^ less);
    });
  },
  IABS: unary(
    (x) => Math.abs(x | 0),
    (x) => (int.signed64(x) < 0n ? -x : x),
  ),
  SHL: shift(int.shl32, (x, n) => (n >= 64 ? 0n : x << BigInt(n))),
  SHR: bySign(
    shift(int.shrU32, (x, n) => (n >= 64 ? 0n : x >> BigInt(n))),
    shift(int.shrS32, (x, n) => int.signed64(x) >> BigInt(Math.min(n, 63))),
  ),
  SHF: (b, inst) => {
    const left = hasMod(inst, "L");
    const wrap = hasMod(inst, "W");
    const isSigned = hasMod(inst, "S32");
    const high = hasMod(inst, "HI");
    return narrow(3, (lo, n, hi) => int.funnel(lo, wrap ? n & 31 : Math.min(n, 32), hi, left, isSigned, high))(b, inst);
  },
  LEA: (b, inst) => {
    const n = constantOperand(inst.ops[3]) & 63;
    const wide = bigWords((x, y) => (x << BigInt(n)) + y);
    return binary((x, y) => int.shl32(x, n) + y, wide)(b, inst);
  },
  LOP3: (b, inst) => narrow(3, int.lop3(constantOperand(inst.ops[4])))(b, inst),
  LOP: (b, inst) => {
    const kind = modOf(inst, ["AND", "OR", "XOR", "NOT"]);
    if (kind === null) throw new Unsupported("LOP needs .AND, .OR, .XOR or .NOT");
    return LOGIC[kind](b, inst);
  },
  POPC: (b, inst) => countOnes(b, inst, (lo, hi) => popcount(lo) + popcount(hi)),
  FLO: (b, inst) => {
    const wide = isWide(inst, inst.ops[1]);
    const isSigned = !hasMod(inst, "U32");
    const shifted = hasMod(inst, "SH");
    return countOnes(b, inst, (lo, hi) => int.findLeadingOne(lo, hi, wide, isSigned, shifted));
  },
  BMSK: (b, inst) => narrow(2, hasMod(inst, "W") ? (from, ones) => int.ones(from & 31, ones & 31) : int.ones)(b, inst),
  BREV: unary(int.reverse32, int.reverse64),
  SEL: select("int"),
  MOV: (b, inst) => {
    const wide = isWide(inst, inst.ops[0]);
    const x = b.src(inst.ops[1], wide);
    const { row, post } = b.dst(inst.ops[0], wide);
    return finish(b, copyRows(row, x, wide), post);
  },
  PRMT: narrow(3, int.permute),
  BFE: (b, inst) => {
    const isSigned = !hasMod(inst, "U32");
    if (isWide(inst, inst.ops[0])) {
      return wideShape(b, inst, [inst.ops[1]], [inst.ops[2], inst.ops[3]], ([x], [pos, len]) =>
        int.extract(x as bigint, pos as number, len as number, 64, isSigned),
      );
    }
    return narrow(3, (x, pos, len) => Number(BigInt.asIntN(32, int.extract(BigInt(x), pos, len, 32, isSigned))))(b, inst);
  },
  BFI: (b, inst) => {
    if (isWide(inst, inst.ops[0])) {
      return wideShape(b, inst, [inst.ops[1], inst.ops[2]], [inst.ops[3], inst.ops[4]], ([x, y], [pos, len]) =>
        int.insert(x as bigint, y as bigint, pos as number, len as number, 64),
      );
    }
    const d = b.dst32(inst.ops[0]);
    const [x, y, pos, len] = [1, 2, 3, 4].map((i) => b.src32(inst.ops[i])) as [number, number, number, number];
    const main = lanes((l, r) => {
      const value = int.insert(BigInt(r[x + l] as number), BigInt(r[y + l] as number), r[pos + l] as number, r[len + l] as number, 32);
      r[d + l] = Number(value);
    });
    return finish(b, main);
  },
  PACK: (b, inst) => {
    const [lo, hi] = [b.src32(inst.ops[1]), b.src32(inst.ops[2])];
    const { row: d, post } = b.dst64(inst.ops[0]);
    const main = lanes((l, r) => {
      const low = r[lo + l] as number;
      r[d + LANES + l] = r[hi + l] as number;
      r[d + l] = low;
    });
    return finish(b, main, post);
  },
  UNPACK: (b, inst) => {
    const x = b.src64(inst.ops[1]) + (hasMod(inst, "HI") ? LANES : 0);
    return finish(b, copyRows(b.dst32(inst.ops[0]), x));
  },
} satisfies Partial<Record<Opcode, Build>>;

/** IMUL and IMAD: low half, `.HI`, and `.WIDE` (32 x 32 + 64 to 64). */
function multiply(b: Builder, inst: Inst, accumulate: boolean): Exec {
  const unsigned = hasMod(inst, "U32");
  const [dst, x, y, z] = inst.ops;
  if (hasMod(inst, "WIDE")) {
    const [xs, ys] = [b.src32(x), b.src32(y)];
    const zs = accumulate ? b.src64(z) : b.constant(0, 0);
    const { row: d, post } = b.dst64(dst);
    // Address arithmetic: by `lanes` it takes 1.3 times as long.
    const main: Exec = ({ r }, mask) => {
      for (const l of lanesOf(mask)) {
        const u = r[xs + l] as number;
        const v = r[ys + l] as number;
        const high = unsigned ? int.mulHighU32(u, v) : int.mulHighS32(u, v);
        const low = (Math.imul(u, v) >>> 0) + (r[zs + l] as number);
        const top = high + (r[zs + LANES + l] as number) + (low > 0xffff_ffff ? 1 : 0);
        r[d + l] = low;
        r[d + LANES + l] = top;
      }
    };
    return finish(b, main, post);
  }
  const high = hasMod(inst, "HI");
  if (isWide(inst, dst)) {
    return wideShape(b, inst, accumulate ? [x, y, z] : [x, y], [], ([u, v, w]) => {
      const product = unsigned ? (u as bigint) * (v as bigint) : int.signed64(u as bigint) * int.signed64(v as bigint);
      return (high ? product >> 64n : product) + (w ?? 0n);
    });
  }
  if (!high) return rows(accumulate ? 3 : 2, (d, u, v, w) => multiplyRows(d, u, v, accumulate ? w : b.constant(0)))(b, inst);
  const mul = unsigned ? int.mulHighU32 : int.mulHighS32;
  return (accumulate ? narrow(3, (u, v, w) => mul(u, v) + w) : narrow(2, mul))(b, inst);
}
