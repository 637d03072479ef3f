/** Integer instructions, 32 and 64 bit. */

import { popcount } from "../../base/bitset.ts";
import type { Opcode } from "../ir/opcodes.ts";
import type { Inst } from "../ir/types.ts";
import { type Builder, copyRow, hasMod, modOf, Unsupported } from "./builder.ts";
import * as int from "./integer.ts";
import { lanesOf } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";
import {
  add32,
  addWords,
  bigWords,
  binary,
  constantOperand,
  countOnes,
  eachWord,
  finish,
  isWide,
  loop2,
  select,
  shift,
  subWords,
  ternary,
  ternary32,
  unary,
  wideShape,
} from "./shapes.ts";

type Build = (b: Builder, inst: Inst) => Exec;

export const INTEGER_OPS = {
  IADD: (b, inst) => binary(b, inst, add32, addWords),
  IADD3: (b, inst) =>
    ternary(
      b,
      inst,
      (x, y, z) => x + y + z,
      (x, y, z) => x + y + z,
    ),
  ISUB: (b, inst) =>
    binary(
      b,
      inst,
      loop2((x, y) => x - y),
      subWords,
    ),
  INEG: (b, inst) =>
    unary(
      b,
      inst,
      (x) => -x,
      (x) => -x,
    ),
  IMUL: (b, inst) => multiply(b, inst, false),
  IMAD: (b, inst) => multiply(b, inst, true),
  IDIV: (b, inst) =>
    hasMod(inst, "U32")
      ? binary(b, inst, loop2(int.divU32), bigWords(int.divU64))
      : binary(
          b,
          inst,
          loop2(int.divS32),
          bigWords((x, y) => int.divS64(int.signed64(x), int.signed64(y))),
        ),
  IREM: (b, inst) =>
    hasMod(inst, "U32")
      ? binary(b, inst, loop2(int.remU32), bigWords(int.remU64))
      : binary(
          b,
          inst,
          loop2(int.remS32),
          bigWords((x, y) => int.remS64(int.signed64(x), int.signed64(y))),
        ),
  IMNMX: (b, inst) => minMax(b, inst),
  IABS: (b, inst) =>
    unary(
      b,
      inst,
      (x) => Math.abs(x | 0),
      (x) => (int.signed64(x) < 0n ? -x : x),
    ),
  SHL: (b, inst) => shift(b, inst, int.shl32, (x, n) => (n >= 64 ? 0n : x << BigInt(n))),
  SHR: (b, inst) =>
    hasMod(inst, "U32")
      ? shift(b, inst, int.shrU32, (x, n) => (n >= 64 ? 0n : x >> BigInt(n)))
      : shift(b, inst, int.shrS32, (x, n) => int.signed64(x) >> BigInt(Math.min(n, 63))),
  SHF: (b, inst) => {
    const left = hasMod(inst, "L");
    const wrap = hasMod(inst, "W");
    const isSigned = hasMod(inst, "S32");
    const high = hasMod(inst, "HI");
    return ternary32(b, inst, (lo, n, hi) => int.funnel(lo, wrap ? n & 31 : Math.min(n, 32), hi, left, isSigned, high));
  },
  LEA: (b, inst) => {
    const n = constantOperand(inst.ops[3]) & 63;
    return binary(
      b,
      inst,
      loop2((x, y) => int.shl32(x, n) + y),
      bigWords((x, y) => (x << BigInt(n)) + y),
    );
  },
  LOP3: (b, inst) => {
    const lut = constantOperand(inst.ops[4]);
    return ternary32(b, inst, int.lop3(lut));
  },
  LOP: (b, inst) => {
    switch (modOf(inst, ["AND", "OR", "XOR", "NOT"])) {
      case "AND":
        return binary(
          b,
          inst,
          loop2((x, y) => x & y),
          eachWord((x, y) => x & y),
        );
      case "OR":
        return binary(
          b,
          inst,
          loop2((x, y) => x | y),
          eachWord((x, y) => x | y),
        );
      case "XOR":
        return binary(
          b,
          inst,
          loop2((x, y) => x ^ y),
          eachWord((x, y) => x ^ y),
        );
      case "NOT":
        return unary(
          b,
          inst,
          (x) => ~x,
          (x) => ~x,
        );
      default:
        throw new Unsupported("LOP needs .AND, .OR, .XOR or .NOT");
    }
  },
  POPC: (b, inst) => countOnes(b, inst, (lo, hi) => popcount(lo) + popcount(hi)),
  FLO: (b, inst) => {
    const wide = isWide(inst, inst.ops[1]);
    const isSigned = !hasMod(inst, "U32");
    const shifted = hasMod(inst, "SH");
    return countOnes(b, inst, (lo, hi) => int.findLeadingOne(lo, hi, wide, isSigned, shifted));
  },
  BMSK: (b, inst) => {
    const mask = hasMod(inst, "W") ? (from: number, ones: number) => int.ones(from & 31, ones & 31) : int.ones;
    return finish(b, loop2(mask)(b.dst32(inst.ops[0]), b.src32(inst.ops[1]), b.src32(inst.ops[2])));
  },
  BREV: (b, inst) => unary(b, inst, int.reverse32, int.reverse64),
  SEL: (b, inst) => select(b, inst, "int"),
  MOV: (b, inst) => move(b, inst),
  PRMT: (b, inst) => ternary32(b, inst, int.permute),
  BFE: (b, inst) => {
    const isSigned = !hasMod(inst, "U32");
    if (isWide(inst, inst.ops[0])) {
      return wideShape(b, inst, [inst.ops[1]], [inst.ops[2], inst.ops[3]], ([x], [pos, len]) =>
        int.extract(x as bigint, pos as number, len as number, 64, isSigned),
      );
    }
    return ternary32(b, inst, (x, pos, len) => Number(BigInt.asIntN(32, int.extract(BigInt(x), pos, len, 32, isSigned))));
  },
  BFI: (b, inst) => {
    if (isWide(inst, inst.ops[0])) {
      return wideShape(b, inst, [inst.ops[1], inst.ops[2]], [inst.ops[3], inst.ops[4]], ([x, y], [pos, len]) =>
        int.insert(x as bigint, y as bigint, pos as number, len as number, 64),
      );
    }
    const d = b.dst32(inst.ops[0]);
    const [x, y, pos, len] = [1, 2, 3, 4].map((i) => b.src32(inst.ops[i])) as [number, number, number, number];
    return finish(b, (s, mask) => {
      const r = s.r;
      for (const l of lanesOf(mask)) {
        const value = int.insert(BigInt(r[x + l] as number), BigInt(r[y + l] as number), r[pos + l] as number, r[len + l] as number, 32);
        r[d + l] = Number(value);
      }
    });
  },
  PACK: (b, inst) => {
    const [lo, hi] = [b.src32(inst.ops[1]), b.src32(inst.ops[2])];
    const { row: d, post } = b.dst64(inst.ops[0]);
    return finish(
      b,
      (s, mask) => {
        const r = s.r;
        for (const l of lanesOf(mask)) {
          const low = r[lo + l] as number;
          r[d + LANES + l] = r[hi + l] as number;
          r[d + l] = low;
        }
      },
      post,
    );
  },
  UNPACK: (b, inst) => {
    const x = b.src64(inst.ops[1]) + (hasMod(inst, "HI") ? LANES : 0);
    return finish(b, copyRow(b.dst32(inst.ops[0]), x));
  },
} satisfies Partial<Record<Opcode, Build>>;

function minMax(b: Builder, inst: Inst): Exec {
  const unsigned = hasMod(inst, "U32");
  const [dst, x, y, q] = inst.ops;
  const p = b.srcP(q);
  if (isWide(inst, dst)) {
    const [xs, ys] = [b.src64(x), b.src64(y)];
    const { row: d, post } = b.dst64(dst);
    return finish(
      b,
      (s, mask) => {
        const r = s.r;
        const min = (s.p[p.p] as number) ^ p.x;
        for (const l of lanesOf(mask)) {
          const less = int.less64(r, xs + l, ys + l, unsigned);
          const from = (((min >>> l) & 1) !== 0) === less ? xs : ys;
          r[d + l] = r[from + l] as number;
          r[d + LANES + l] = r[from + LANES + l] as number;
        }
      },
      post,
    );
  }
  const [d, xs, ys] = [b.dst32(dst), b.src32(x), b.src32(y)];
  const bias = unsigned ? 0 : 0x8000_0000;
  return finish(b, (s, mask) => {
    const r = s.r;
    const min = (s.p[p.p] as number) ^ p.x;
    for (const l of lanesOf(mask)) {
      const less = ((r[xs + l] as number) ^ bias) >>> 0 < ((r[ys + l] as number) ^ bias) >>> 0;
      r[d + l] = r[((((min >>> l) & 1) !== 0) === less ? xs : ys) + l] as number;
    }
  });
}

/** IMUL and IMAD: low half, `.HI`, and `.WIDE` (32 x 32 + 64 to 64). */
function multiply(b: Builder, inst: Inst, accumulate: boolean): Exec {
  const unsigned = hasMod(inst, "U32");
  const [dst, x, y, z] = inst.ops;
  if (hasMod(inst, "WIDE")) {
    const [xs, ys] = [b.src32(x), b.src32(y)];
    const zs = accumulate ? b.src64(z) : b.constant(0, 0);
    const { row: d, post } = b.dst64(dst);
    return finish(
      b,
      (s, mask) => {
        const r = s.r;
        for (const l of lanesOf(mask)) {
          const u = r[xs + l] as number;
          const v = r[ys + l] as number;
          const high = unsigned ? int.mulHighU32(u, v) : int.mulHighS32(u, v);
          const low = (Math.imul(u, v) >>> 0) + (r[zs + l] as number);
          const top = high + (r[zs + LANES + l] as number) + (low > 0xffff_ffff ? 1 : 0);
          r[d + l] = low;
          r[d + LANES + l] = top;
        }
      },
      post,
    );
  }
  const high = hasMod(inst, "HI");
  if (isWide(inst, dst)) {
    return wideShape(b, inst, accumulate ? [x, y, z] : [x, y], [], ([u, v, w]) => {
      const product = unsigned ? (u as bigint) * (v as bigint) : int.signed64(u as bigint) * int.signed64(v as bigint);
      return (high ? product >> 64n : product) + (w ?? 0n);
    });
  }
  const [d, xs, ys] = [b.dst32(dst), b.src32(x), b.src32(y)];
  const zs = accumulate ? b.src32(z) : b.constant(0);
  if (!high) {
    return finish(b, (s, mask) => {
      const r = s.r;
      for (const l of lanesOf(mask)) {
        r[d + l] = Math.imul(r[xs + l] as number, r[ys + l] as number) + (r[zs + l] as number);
      }
    });
  }
  const mul = unsigned ? int.mulHighU32 : int.mulHighS32;
  return finish(b, (s, mask) => {
    const r = s.r;
    for (const l of lanesOf(mask)) {
      r[d + l] = mul(r[xs + l] as number, r[ys + l] as number) + (r[zs + l] as number);
    }
  });
}

function move(b: Builder, inst: Inst): Exec {
  const [dst, src] = inst.ops;
  if (isWide(inst, dst)) {
    const x = b.src64(src);
    const { row: d, post } = b.dst64(dst);
    return finish(
      b,
      (s, mask) => {
        const r = s.r;
        for (const l of lanesOf(mask)) {
          r[d + l] = r[x + l] as number;
          r[d + LANES + l] = r[x + LANES + l] as number;
        }
      },
      post,
    );
  }
  const d = b.dst32(dst);
  const x = b.src32(src);
  return finish(b, (s, mask) => {
    const r = s.r;
    if (mask === -1) {
      r.copyWithin(d, x, x + LANES);
      return;
    }
    for (const l of lanesOf(mask)) {
      r[d + l] = r[x + l] as number;
    }
  });
}
