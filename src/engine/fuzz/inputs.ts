/** Inputs that a program is tried on: boundary values and random ones, buffers for its pointers, values that differ by thread where that is sound. */

import { plural } from "../../base/plural.ts";
import { createPrng, type Prng } from "../../base/prng.ts";
import { f32ToBits } from "../interp/float-bits.ts";
import { LANES } from "../interp/machine.ts";
import { BANK_BYTES, placeBuffers } from "../interp/memory.ts";
import type { ParamValue, RunInputs } from "../interp/outcome.ts";
import { is64, isPredicateReg, isUniformReg } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { effectOf, waitsForBlock } from "../ir/visit.ts";
import { bankReads, inferPointers } from "./pointers.ts";

/** One input as plain data. Buffers are numbered; several parameters may point to the same one. */
export interface InputSpec {
  readonly threads: number;
  readonly params: readonly ParamSpec[];
  readonly buffers: readonly Uint8Array[];
  /** For each buffer: the parameter that contains its address, or the place in a constant bank. */
  readonly names: readonly string[];
  /** Words put into constant banks. */
  readonly bankWords: readonly BankValue[];
}

export type ParamSpec =
  | { readonly kind: "value"; readonly value: ParamValue }
  | { readonly kind: "each"; readonly values: readonly ParamValue[] }
  | { readonly kind: "buffer"; readonly buffer: number };

export interface BankValue {
  readonly bank: number;
  readonly offset: number;
  readonly value:
    | { readonly kind: "word"; readonly lo: number; readonly hi: number }
    | { readonly kind: "buffer"; readonly buffer: number };
}

/** What a program's inputs depend on; computed once. */
export interface InputShape {
  readonly params: readonly {
    readonly name: string;
    readonly wide: boolean;
    readonly predicate: boolean;
    readonly pointer: boolean;
    readonly uniform: boolean;
  }[];
  readonly bankWords: readonly { readonly bank: number; readonly offset: number; readonly wide: boolean; readonly pointer: boolean }[];
  readonly constants: readonly number[];
  readonly bufferBytes: number;
  /** Results may depend on which lanes run together. */
  readonly watchesConvergence: boolean;
}

const BOUNDARY = [0, 1, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 0x8000_0001, 2, 31, 32, 33];
const FLOATS = [0, -0, 1, -1, 0.5, 1e30, -1e-30, Number.POSITIVE_INFINITY, Number.NaN, 3.25];
/** Offsets and strides above these do not make buffers larger. */
const MAX_OFFSET = 0x1_0000;
const MAX_STRIDE = 1024;
/** A buffer's contents repeat after this many bytes. */
const CONTENT_BYTES = 4096;
/** Further constants are ignored. */
const MAX_CONSTANTS = 4096;

/** `threads` is the largest number of threads that inputs will have. */
export function inputShape(fn: Func, threads: number): InputShape {
  const pointers = inferPointers(fn);
  const watches = watchesConvergence(fn);
  return {
    params: fn.params.map(({ name, reg }, i) => ({
      name,
      wide: is64(reg),
      predicate: isPredicateReg(reg),
      pointer: pointers.params.has(i),
      uniform: isUniformReg(reg) || watches,
    })),
    bankWords: [...bankReads(fn)].map(([key, wide]) => {
      const [bank, offset] = key.split("/").map(Number) as [number, number];
      const address = pointers.bankWords.get(key);
      return { bank, offset, wide: wide || address === true, pointer: address !== undefined };
    }),
    constants: constantsOf(fn),
    bufferBytes: bufferBytes(fn, threads),
    watchesConvergence: watches,
  };
}

/** The size of buffers: what all threads reach by the program's largest stride, after its largest constant offset, within limits. */
function bufferBytes(fn: Func, threads: number): number {
  let stride = 64;
  let offset = 0;
  for (const id of fn.layout) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      const scales = inst.mods.includes("WIDE");
      for (const operand of inst.ops) {
        if (operand.kind === "mem" && operand.offset <= MAX_OFFSET) offset = Math.max(offset, operand.offset);
        if (operand.kind === "imm" && scales && operand.value <= MAX_STRIDE) stride = Math.max(stride, operand.value);
      }
    }
  }
  return Math.max(1024, Math.ceil((stride * threads + offset + 16) / 256) * 256);
}

/** True when results may depend on which lanes run together, so that parameters must be the same for all threads, as a launch has them. */
function watchesConvergence(fn: Func): boolean {
  for (const id of fn.layout) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      const effect = effectOf(inst);
      if (effect === "warp" || waitsForBlock(inst)) return true;
    }
  }
  return false;
}

/** Every integer constant of the program, and its neighbours. */
function constantsOf(fn: Func): number[] {
  const found = new Set<number>();
  const add = (value: number): void => {
    if (found.size >= MAX_CONSTANTS) return;
    found.add((value - 1) >>> 0);
    found.add(value >>> 0);
    found.add((value + 1) >>> 0);
  };
  for (const id of fn.layout) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      for (const operand of inst.ops) {
        if (operand.kind === "imm") add(operand.value);
        else if (operand.kind === "f32") found.add(operand.bits >>> 0);
        else if (operand.kind === "phi" && operand.value.kind === "imm") add(operand.value.value);
      }
    }
  }
  return [...found];
}

/**
 * Input number `index` of a seed. The first ones give every parameter the same boundary value in turn; then values are drawn: small ones
 * most often, since they serve as counts and indexes, then constants of the program, boundary values, floats and anything. `spread`: thread
 * counts vary up to `threads`, and data words are in turn small, of the full range, and drawn like parameters.
 */
export function makeInput(shape: InputShape, seed: number, index: number, threads: number, spread = false): InputSpec {
  const rng = createPrng(Math.imul(seed, 0x9e3779b1) + index);
  const fixed = index < 4 ? [0, 1, 0xffff_ffff, 0x8000_0000][index] : undefined;
  // Now and then a single thread, and then two pointers may share a buffer: with more threads that could be a race.
  const alone = index % 8 === 7;
  const count = alone ? 1 : spread ? spreadThreads(rng, index, threads) : usualThreads(rng, index, threads);
  const buffers: Uint8Array[] = [];
  const names: string[] = [];
  const pointer = (name: string): { kind: "buffer"; buffer: number } => {
    if (alone && buffers.length > 0 && rng.chance(0.5)) return { kind: "buffer", buffer: rng.below(buffers.length) };
    buffers.push(contents(shape, rng, index, spread));
    names.push(name);
    return { kind: "buffer", buffer: buffers.length - 1 };
  };
  const params = shape.params.map((param): ParamSpec => {
    if (param.pointer) return pointer(param.name);
    const one = (): ParamValue => value(shape, rng, param, fixed);
    if (param.uniform || fixed !== undefined || rng.chance(0.3)) return { kind: "value", value: one() };
    return { kind: "each", values: Array.from({ length: count }, one) };
  });
  const bankWords = shape.bankWords.map(({ bank, offset, wide, pointer: address }): BankValue => {
    if (address) return { bank, offset, value: pointer(`c[${bank}][0x${offset.toString(16)}]`) };
    const drawn = value(shape, rng, { wide, predicate: false }, fixed);
    const [lo, hi] = typeof drawn === "number" ? [drawn, 0] : drawn;
    return { bank, offset, value: { kind: "word", lo, hi } };
  });
  return { threads: count, params, buffers, names, bankWords };
}

function usualThreads(rng: Prng, index: number, threads: number): number {
  return index % 5 === 4 ? Math.max(1, threads - rng.below(Math.min(threads, LANES))) : threads;
}

/** One full warp, all threads, or any number of them. */
function spreadThreads(rng: Prng, index: number, threads: number): number {
  switch (index % 4) {
    case 0:
      return Math.min(LANES, threads);
    case 1:
      return threads;
    case 2:
      return 1 + rng.below(threads);
    default:
      return 1 + rng.below(Math.min(LANES, threads));
  }
}

function value(
  shape: InputShape,
  rng: Prng,
  param: { readonly wide: boolean; readonly predicate: boolean },
  fixed: number | undefined,
): ParamValue {
  if (param.predicate) return fixed === undefined ? rng.below(2) : fixed & 1;
  const lo = fixed ?? word(shape, rng);
  if (!param.wide) return lo;
  if (fixed !== undefined) return [lo, fixed >= 0x8000_0000 ? 0xffff_ffff : 0];
  return rng.chance(0.5) ? [lo, lo >>> 31 ? 0xffff_ffff : 0] : [lo, word(shape, rng)];
}

function word(shape: InputShape, rng: Prng): number {
  const roll = rng.below(100);
  if (roll < 45) return rng.below(24);
  if (roll < 65 && shape.constants.length > 0) return rng.pick(shape.constants);
  if (roll < 80) return rng.pick(BOUNDARY);
  if (roll < 86) return f32ToBits(Math.fround(rng.pick(FLOATS)));
  return rng.u32();
}

/** A buffer: small numbers, words as for parameters, all zero, or random. */
function contents(shape: InputShape, rng: Prng, index: number, spread: boolean): Uint8Array {
  const bytes = new Uint8Array(shape.bufferBytes);
  if (index === 0) return bytes;
  const view = new DataView(bytes.buffer);
  // In turn, so that a few inputs cover all styles.
  const style = spread ? (index + 1) % 3 : rng.below(4);
  const end = Math.min(bytes.length, CONTENT_BYTES);
  for (let at = 0; at < end; at += 4) {
    view.setUint32(at, style === 0 ? rng.below(8) : style === 1 ? rng.u32() : word(shape, rng), true);
  }
  for (let at = end; at < bytes.length; at += end) bytes.copyWithin(at, 0, Math.min(end, bytes.length - at));
  return bytes;
}

/** Fresh memory and arguments for one run. */
export function toRunInputs(spec: InputSpec, fuel: number): RunInputs {
  const buffers = placeBuffers(spec.buffers.map((bytes, i) => ({ name: spec.names[i] ?? "", size: bytes.length })));
  spec.buffers.forEach((bytes, i) => {
    buffers[i]?.bytes.set(bytes);
  });
  const address = (buffer: number): ParamValue => [buffers[buffer]?.base ?? 0, 0];
  const args = spec.params.map((param) => {
    if (param.kind === "buffer") return address(param.buffer);
    return param.kind === "value" ? param.value : (thread: number): ParamValue => param.values[thread] ?? 0;
  });
  const constants = new Map<number, Uint8Array>();
  for (const { bank, offset, value } of spec.bankWords) {
    let bytes = constants.get(bank);
    if (bytes === undefined) {
      bytes = new Uint8Array(BANK_BYTES);
      constants.set(bank, bytes);
    }
    if (offset < 0 || offset + 8 > BANK_BYTES) continue;
    const view = new DataView(bytes.buffer);
    const [lo, hi] = value.kind === "word" ? [value.lo, value.hi] : (address(value.buffer) as readonly [number, number]);
    view.setUint32(offset, lo, true);
    if (value.kind === "buffer" || hi !== 0) view.setUint32(offset + 4, hi, true);
  }
  return { threads: spec.threads, fuel, args, buffers, constants };
}

/** Describes the input, for a person who repeats it. */
export function describeInput(fn: Func, spec: InputSpec): string {
  const show = (v: ParamValue): string => (typeof v === "number" ? String(v) : `u64:${((BigInt(v[1]) << 32n) | BigInt(v[0])).toString()}`);
  const parts = [`--threads ${spec.threads}`];
  const used = new Set<number>();
  fn.params.forEach(({ name }, i) => {
    const param = spec.params[i];
    if (param === undefined) return;
    switch (param.kind) {
      case "value":
        parts.push(`--arg ${name}=${show(param.value)}`);
        return;
      case "each":
        parts.push(`${name} by thread: ${param.values.map(show).join(" ")}`);
        return;
      case "buffer": {
        const bytes = spec.buffers[param.buffer] ?? new Uint8Array();
        const same = used.has(param.buffer) ? " (same memory as before)" : "";
        used.add(param.buffer);
        parts.push(`--mem ${name}=${shortBuffer(bytes)}${same}`);
      }
    }
  });
  for (const { bank, offset, value: v } of spec.bankWords) {
    const text = v.kind === "word" ? `0x${v.lo.toString(16)}${v.hi === 0 ? "" : ` 0x${v.hi.toString(16)}`}` : `buffer ${v.buffer}`;
    parts.push(`c[${bank}][0x${offset.toString(16)}] = ${text}`);
  }
  return parts.join("\n");
}

function shortBuffer(bytes: Uint8Array): string {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  if (end === 0) return String(bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = Array.from({ length: Math.ceil(end / 4) }, (_, i) => view.getUint32(4 * i, true));
  const shown = words.length > 1024 ? words.slice(0, 1024) : words;
  const rest = bytes.length - 4 * shown.length;
  return `u32:${shown.join(",")}${rest > 0 ? ` and ${plural(rest, "more byte")}` : ""}`;
}
