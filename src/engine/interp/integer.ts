/** The meaning of integer operations on one lane's values. The code that stores a 32-bit result takes it modulo 2^32. */

const INT_TYPES = ["S8", "U8", "S16", "U16", "S32", "U32", "S64", "U64"] as const;
export type IntType = (typeof INT_TYPES)[number];

export function isIntType(text: string | undefined): text is IntType {
  return (INT_TYPES as readonly (string | undefined)[]).includes(text);
}

export function mulHighU32(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const mid = ah * bl + ((al * bl) >>> 16);
  const mid2 = al * bh + (mid % 0x1_0000);
  return ah * bh + Math.floor(mid / 0x1_0000) + Math.floor(mid2 / 0x1_0000);
}

export function mulHighS32(a: number, b: number): number {
  let high = mulHighU32(a >>> 0, b >>> 0);
  if ((a | 0) < 0) high -= b >>> 0;
  if ((b | 0) < 0) high -= a >>> 0;
  return high >>> 0;
}

export function divU32(a: number, b: number): number {
  return b === 0 ? 0xffff_ffff : Math.floor((a >>> 0) / (b >>> 0));
}

export function remU32(a: number, b: number): number {
  return b === 0 ? a : (a >>> 0) % (b >>> 0);
}

export function divS32(a: number, b: number): number {
  return b === 0 ? 0xffff_ffff : Math.trunc((a | 0) / (b | 0));
}

export function remS32(a: number, b: number): number {
  return b === 0 ? a : (a | 0) % (b | 0);
}

const ONES = 0xffff_ffff_ffff_ffffn;

export function divU64(a: bigint, b: bigint): bigint {
  return b === 0n ? ONES : a / b;
}

export function remU64(a: bigint, b: bigint): bigint {
  return b === 0n ? a : a % b;
}

export function divS64(a: bigint, b: bigint): bigint {
  return b === 0n ? ONES : a / b;
}

export function remS64(a: bigint, b: bigint): bigint {
  return b === 0n ? a : a % b;
}

export function shl32(a: number, n: number): number {
  return n >= 32 ? 0 : a << n;
}

export function shrU32(a: number, n: number): number {
  return n >= 32 ? 0 : a >>> n;
}

export function shrS32(a: number, n: number): number {
  return (a | 0) >> Math.min(n, 31);
}

/** Shift of the pair {hi:lo} by 0 to 32, low or high word of the result. */
export function funnel(lo: number, n: number, hi: number, left: boolean, signed: boolean, high: boolean): number {
  if (left) {
    if (!high) return shl32(lo, n);
    return n === 0 ? hi : shl32(hi, n) | (lo >>> (32 - n));
  }
  if (high) return signed ? shrS32(hi, n) : shrU32(hi, n);
  return n === 0 ? lo : n === 32 ? hi : (lo >>> n) | (hi << (32 - n));
}

/** The three-input logic function of an 8-bit truth table; bit i of the table is the result for a = i>>2 & 1, b = i>>1 & 1, c = i & 1. */
export function lop3(lut: number): (a: number, b: number, c: number) => number {
  switch (lut & 0xff) {
    case 0xc0:
      return (a, b) => a & b;
    case 0xfc:
      return (a, b) => a | b;
    case 0x3c:
      return (a, b) => a ^ b;
    case 0x96:
      return (a, b, c) => a ^ b ^ c;
    default:
      return (a, b, c) => {
        let result = 0;
        for (let i = 0; i < 8; i++) {
          if (((lut >>> i) & 1) === 0) continue;
          result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        }
        return result;
      };
  }
}

export function findLeadingOne(lo: number, hi: number, wide: boolean, signed: boolean, shifted: boolean): number {
  const width = wide ? 64 : 32;
  const flip = signed && ((wide ? hi : lo) | 0) < 0 ? -1 : 0;
  const h = (hi ^ flip) >>> 0;
  const l = (lo ^ flip) >>> 0;
  const position = wide && h !== 0 ? 63 - Math.clz32(h) : l === 0 ? -1 : 31 - Math.clz32(l);
  if (position < 0) return 0xffff_ffff;
  return shifted ? width - 1 - position : position;
}

export function reverse32(a: number): number {
  let v = a;
  v = ((v >>> 1) & 0x55555555) | ((v & 0x55555555) << 1);
  v = ((v >>> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >>> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  v = ((v >>> 8) & 0x00ff00ff) | ((v & 0x00ff00ff) << 8);
  return (v >>> 16) | (v << 16);
}

export function reverse64(a: bigint): bigint {
  const lo = reverse32(Number(a & 0xffff_ffffn)) >>> 0;
  const hi = reverse32(Number((a >> 32n) & 0xffff_ffffn)) >>> 0;
  return (BigInt(lo) << 32n) | BigInt(hi);
}

/** Byte i of the result is byte (selector nibble i, low three bits) of {c:a}; the nibble's top bit replicates that byte's sign. */
export function permute(a: number, selector: number, c: number): number {
  let result = 0;
  for (let i = 0; i < 4; i++) {
    const nibble = (selector >>> (4 * i)) & 15;
    const index = nibble & 7;
    let byte = ((index < 4 ? a : c) >>> (8 * (index & 3))) & 0xff;
    if ((nibble & 8) !== 0) byte = (byte & 0x80) !== 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/** Bits [pos, pos + len) of `a`; positions and lengths count modulo 256, and bits above the width read as the field's sign (or 0). */
export function extract(a: bigint, position: number, length: number, width: number, signed: boolean): bigint {
  const pos = position & 0xff;
  const len = length & 0xff;
  if (len === 0) return 0n;
  const top = Math.min(pos + len - 1, width - 1);
  const sign = signed && ((a >> BigInt(top)) & 1n) === 1n;
  // Bits above the register's top bit, and the result's bits above the field, are the sign.
  const source = sign ? a | (-1n << BigInt(top + 1)) : a & ((1n << BigInt(top + 1)) - 1n);
  return source >> BigInt(pos);
}

/** `a`'s low `length` bits put into `b` at `position`, both modulo 256, cut off at the width. */
export function insert(a: bigint, b: bigint, position: number, length: number, width: number): bigint {
  const pos = position & 0xff;
  const len = Math.min(length & 0xff, width - pos);
  if (len <= 0) return b;
  const mask = ((1n << BigInt(len)) - 1n) << BigInt(pos);
  return (b & ~mask) | ((a << BigInt(pos)) & mask);
}

export function toLong(lo: number, hi: number): bigint {
  return (BigInt(hi) << 32n) | BigInt(lo);
}

export function signed64(a: bigint): bigint {
  return BigInt.asIntN(64, a);
}

/** Compares two row pairs of a register file at word offsets. */
export function less64(r: Uint32Array, x: number, y: number, unsigned: boolean): boolean {
  const bias = unsigned ? 0 : 0x8000_0000;
  const xh = ((r[x + 32] as number) ^ bias) >>> 0;
  const yh = ((r[y + 32] as number) ^ bias) >>> 0;
  return xh < yh || (xh === yh && (r[x] as number) < (r[y] as number));
}

const widthOf = (type: IntType): number => Number(type.slice(1));

/** The integer that a register (pair) holds, read as a type. */
export function readInt(type: IntType, lo: number, hi: number): bigint {
  const width = widthOf(type);
  const raw = width === 64 ? toLong(lo, hi) : BigInt(lo);
  return wrapInt(type, raw);
}

export function wrapInt(type: IntType, value: bigint): bigint {
  const width = widthOf(type);
  return type.startsWith("S") ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
}

export function clampInt(type: IntType, value: bigint): bigint {
  const width = BigInt(widthOf(type));
  const low = type.startsWith("S") ? -(1n << (width - 1n)) : 0n;
  const high = type.startsWith("S") ? (1n << (width - 1n)) - 1n : (1n << width) - 1n;
  return value < low ? low : value > high ? high : value;
}

/** `count` ones from bit `from` on, of 32; both unsigned. */
export function ones(from: number, count: number): number {
  if (from > 31 || count === 0) return 0;
  const low = count > 31 ? -1 : (1 << count) - 1;
  return (low << from) >>> 0;
}
