/** Read-modify-write steps on memory, one lane after the other. */

import { f32FromBits, f32ToBits, f64FromBits, f64HighBits, f64LowBits } from "./float-bits.ts";
import { signed64, toLong } from "./integer.ts";

export type AtomicKind = "ADD" | "MIN" | "MAX" | "AND" | "OR" | "XOR" | "EXCH" | "CAS" | "INC" | "DEC";
export type AtomicType = "U32" | "S32" | "64" | "F32" | "F64";

/** Changes the bytes at `at`: x is the operand (for CAS the value to compare with), y the value that CAS stores; as low and high words. */
export type AtomicStep = (view: DataView, at: number, xl: number, xh: number, yl: number, yh: number) => void;

export function atomicStep(kind: AtomicKind, type: AtomicType): AtomicStep {
  switch (type) {
    case "U32":
    case "S32": {
      const f = onWords(kind, type === "S32");
      return (view, at, xl, _xh, yl) => view.setUint32(at, f(view.getUint32(at, true), xl, yl), true);
    }
    case "F32": {
      const f = onFloats(kind);
      if (f === null) {
        const bits = onWords(kind, false);
        return (view, at, xl, _xh, yl) => view.setUint32(at, bits(view.getUint32(at, true), xl, yl), true);
      }
      return (view, at, xl) => view.setUint32(at, f32ToBits(Math.fround(f(f32FromBits(view.getUint32(at, true)), f32FromBits(xl)))), true);
    }
    case "64":
      return longStep(kind);
    case "F64": {
      const f = onFloats(kind);
      if (f === null) return longStep(kind);
      return (view, at, xl, xh) => {
        const value = f(f64FromBits(view.getUint32(at + 4, true), view.getUint32(at, true)), f64FromBits(xh, xl));
        view.setUint32(at, f64LowBits(value), true);
        view.setUint32(at + 4, f64HighBits(value), true);
      };
    }
  }
}

function longStep(kind: AtomicKind): AtomicStep {
  const f = onLongs(kind);
  return (view, at, xl, xh, yl, yh) => {
    view.setBigUint64(at, BigInt.asUintN(64, f(view.getBigUint64(at, true), toLong(xl, xh), toLong(yl, yh))), true);
  };
}

function onWords(kind: AtomicKind, signed: boolean): (old: number, x: number, y: number) => number {
  const bias = signed ? 0x8000_0000 : 0;
  const less = (a: number, b: number): boolean => (a ^ bias) >>> 0 < (b ^ bias) >>> 0;
  switch (kind) {
    case "ADD":
      return (old, x) => old + x;
    case "MIN":
      return (old, x) => (less(x, old) ? x : old);
    case "MAX":
      return (old, x) => (less(old, x) ? x : old);
    case "AND":
      return (old, x) => old & x;
    case "OR":
      return (old, x) => old | x;
    case "XOR":
      return (old, x) => old ^ x;
    case "EXCH":
      return (_old, x) => x;
    case "CAS":
      return (old, x, y) => (old === x ? y : old);
    case "INC":
      return (old, x) => (old >= x ? 0 : old + 1);
    case "DEC":
      return (old, x) => (old === 0 || old > x ? x : old - 1);
  }
}

function onLongs(kind: AtomicKind): (old: bigint, x: bigint, y: bigint) => bigint {
  switch (kind) {
    case "ADD":
      return (old, x) => old + x;
    case "MIN":
      return (old, x) => (x < old ? x : old);
    case "MAX":
      return (old, x) => (x > old ? x : old);
    case "AND":
      return (old, x) => old & x;
    case "OR":
      return (old, x) => old | x;
    case "XOR":
      return (old, x) => old ^ x;
    case "EXCH":
      return (_old, x) => x;
    case "CAS":
      return (old, x, y) => (old === x ? y : old);
    case "INC":
      return (old, x) => (old >= x ? 0n : old + 1n);
    case "DEC":
      return (old, x) => (old === 0n || old > x ? x : signed64(old - 1n));
  }
}

/** null: the operation does not care for the type. */
function onFloats(kind: AtomicKind): ((old: number, x: number) => number) | null {
  switch (kind) {
    case "ADD":
      return (old, x) => old + x;
    case "MIN":
      return (old, x) => (Number.isNaN(old) ? x : Number.isNaN(x) ? old : Math.min(old, x));
    case "MAX":
      return (old, x) => (Number.isNaN(old) ? x : Number.isNaN(x) ? old : Math.max(old, x));
    default:
      return null;
  }
}
