/** PTX's fundamental types. */

export type TypeKind = "u" | "s" | "b" | "f" | "bf" | "pred" | "other";

export interface PtxType {
  readonly name: string;
  readonly kind: TypeKind;
  /** Width in bits; a packed type counts whole (f16x2: 32); 1 for a predicate; 0 for texture handles and narrow formats. */
  readonly bits: number;
  /** Two or four values packed. */
  readonly packed: boolean;
}

const TYPES = new Map<string, PtxType>();

function add(name: string, kind: TypeKind, bits: number, packed = false): PtxType {
  const type = { name, kind, bits, packed };
  TYPES.set(name, type);
  return type;
}

export const B8 = add("b8", "b", 8);
export const B16 = add("b16", "b", 16);
export const B32 = add("b32", "b", 32);
export const B64 = add("b64", "b", 64);
export const PRED = add("pred", "pred", 1);
export const S32 = add("s32", "s", 32);
export const F32 = add("f32", "f", 32);
export const BF16 = add("bf16", "bf", 16);
for (const bits of [8, 16, 32, 64]) add(`u${bits}`, "u", bits);
for (const bits of [8, 16, 64]) add(`s${bits}`, "s", bits);
add("b128", "b", 128);
add("f16", "f", 16);
add("f64", "f", 64);
for (const name of ["u16x2", "s16x2", "f16x2", "bf16x2"]) add(name, "other", 32, true);
for (const name of ["f32x2"]) add(name, "other", 64, true);
for (const name of ["u8x4", "s8x4"]) add(name, "other", 32, true);
for (const name of [
  "tf32",
  "e4m3",
  "e5m2",
  "e4m3x2",
  "e5m2x2",
  "e2m1x2",
  "e2m3x2",
  "e3m2x2",
  "ue8m0x2",
  "s4",
  "u4",
  "b1",
  "b4",
  "b6",
  "e2m1",
  "e2m3",
  "e3m2",
]) {
  add(name, "other", 0, true);
}
for (const name of ["texref", "samplerref", "surfref"]) add(name, "other", 64);

/** The type of a dotted word without its dot; undefined when it is none. */
export function ptxType(name: string): PtxType | undefined {
  return TYPES.get(name);
}
