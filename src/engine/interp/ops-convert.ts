/** Conversions between integers and floats, and between float formats. */

import type { Opcode } from "../ir/opcodes.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { type Build, type Builder, hasMod, Unsupported } from "./builder.ts";
import {
  BF16,
  bf16FromBits,
  bf16ToBits,
  F16,
  f16FromBits,
  f16ToBits,
  f32ToBits,
  flushF32,
  type Rounding,
  roundF32,
  roundTo,
  saturate,
} from "./float-bits.ts";
import { clampInt, type IntType, isIntType, readInt, wrapInt } from "./integer.ts";
import { lanes } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";
import { integral, rounding } from "./ops-float.ts";
import { doubleAt, finish, isPair, putDouble, putLong, singleAt } from "./shapes.ts";
import { fromBigInt } from "./soft-double.ts";

const FLOAT_TYPES = ["F16", "BF16", "F32", "F64"] as const;
type FloatType = (typeof FLOAT_TYPES)[number];

function isFloatType(text: string | undefined): text is FloatType {
  return (FLOAT_TYPES as readonly (string | undefined)[]).includes(text);
}

export const CONVERT_OPS = {
  I2I: (b, inst) => convert(b, inst),
  F2I: (b, inst) => {
    const [to, from] = inst.mods;
    if (!isIntType(to) || !isFloatType(from)) throw new Unsupported("F2I needs a destination and a source type");
    const how = integral(inst);
    const ftz = hasMod(inst, "FTZ") && from === "F32" ? flushF32 : same;
    const read = floatSource(b, inst.ops[1], from);
    const store = intStore(b, inst.ops[0], to);
    const main = lanes((l, r) => {
      const value = how(ftz(read(r, l)));
      // The widest type needs 64 bits; 2^70 represents anything above.
      const whole = Number.isNaN(value) ? 0n : BigInt(Math.max(-(2 ** 70), Math.min(2 ** 70, value)));
      store.put(r, l, clampInt(to, whole));
    });
    return finish(b, main, store.post);
  },
  I2F: (b, inst) => {
    const [to, from] = inst.mods;
    if (!isFloatType(to) || !isIntType(from)) throw new Unsupported("I2F needs a destination and a source type");
    const mode = rounding(inst);
    const read = intSource(b, inst.ops[1], from);
    const store = floatStore(b, inst.ops[0], to);
    const main = lanes((l, r) => {
      store.put(r, l, to === "F64" ? fromBigInt(read(r, l), mode) : narrow(to, fromBigInt(read(r, l), "odd"), mode));
    });
    return finish(b, main, store.post);
  },
  F2F: (b, inst) => {
    const [to, from] = inst.mods;
    if (!isFloatType(to) || !isFloatType(from)) throw new Unsupported("F2F needs a destination and a source type");
    const mode = rounding(inst);
    const ftz = hasMod(inst, "FTZ");
    const sat = hasMod(inst, "SAT") ? saturate : same;
    const read = floatSource(b, inst.ops[1], from);
    const store = floatStore(b, inst.ops[0], to);
    const main = lanes((l, r) => {
      const x = read(r, l);
      const value = narrow(to, ftz && from === "F32" ? flushF32(x) : x, mode);
      store.put(r, l, sat(ftz && to === "F32" ? flushF32(value) : value));
    });
    return finish(b, main, store.post);
  },
} satisfies Partial<Record<Opcode, Build>>;

const same = (v: number): number => v;

function narrow(to: FloatType, value: number, mode: Rounding): number {
  switch (to) {
    case "F64":
      return value;
    case "F32":
      return roundF32(value, mode);
    case "F16":
      return roundTo(value, F16, mode);
    case "BF16":
      return roundTo(value, BF16, mode);
  }
}

function floatSource(b: Builder, operand: Operand | undefined, type: FloatType): (r: Uint32Array, lane: number) => number {
  switch (type) {
    case "F64": {
      const x = b.src64(operand, "f64");
      return (r, l) => doubleAt(r, x + l);
    }
    case "F32": {
      const x = b.src32(operand, "f32");
      return (r, l) => singleAt(r, x + l);
    }
    case "F16": {
      const x = b.src32(operand, "f16x2");
      return (r, l) => f16FromBits((r[x + l] as number) & 0xffff);
    }
    case "BF16": {
      const x = b.src32(operand, "f16x2");
      return (r, l) => bf16FromBits(r[x + l] as number);
    }
  }
}

/** Writes floats of a type; a half leaves the upper half of the register zero. */
function floatStore(
  b: Builder,
  operand: Operand | undefined,
  type: FloatType,
): { readonly put: (r: Uint32Array, lane: number, value: number) => void; readonly post: Exec | null } {
  if (type === "F64") {
    const { row: d, post } = b.dst64(operand);
    return {
      put: (r, l, value) => putDouble(r, d + l, value),
      post,
    };
  }
  const encode = type === "F32" ? f32ToBits : type === "F16" ? f16ToBits : bf16ToBits;
  const wide = isPair(operand);
  const d = wide ? b.dst64(operand).row : b.dst32(operand);
  return {
    put: (r, l, value) => {
      r[d + l] = encode(value);
      if (wide) r[d + LANES + l] = 0;
    },
    post: null,
  };
}

function convert(b: Builder, inst: Inst): Exec {
  const [to, from] = inst.mods;
  if (!isIntType(to) || !isIntType(from)) throw new Unsupported("I2I needs a destination and a source type");
  const read = intSource(b, inst.ops[1], from);
  const store = intStore(b, inst.ops[0], to);
  const into = hasMod(inst, "SAT") ? clampInt : wrapInt;
  const main = lanes((l, r) => store.put(r, l, into(to, read(r, l))));
  return finish(b, main, store.post);
}

function intSource(b: Builder, operand: Operand | undefined, type: IntType): (r: Uint32Array, lane: number) => bigint {
  const wide = type.endsWith("64");
  const x = b.src(operand, wide);
  return (r, l) => readInt(type, r[x + l] as number, wide ? (r[x + LANES + l] as number) : 0);
}

/** Writes integers of a type: narrow ones are extended to the register by their sign. */
function intStore(
  b: Builder,
  operand: Operand | undefined,
  type: IntType,
): { readonly put: (r: Uint32Array, lane: number, value: bigint) => void; readonly post: Exec | null } {
  const wide = type.endsWith("64") || isPair(operand);
  if (!wide) {
    const d = b.dst32(operand);
    return {
      put: (r, l, value) => {
        r[d + l] = Number(BigInt.asUintN(32, value));
      },
      post: null,
    };
  }
  const { row: d, post } = b.dst64(operand);
  return { put: (r, l, value) => putLong(r, d + l, value), post };
}
