/** FNV-1a over the four bytes of a 32-bit index: the hash of every table here. */

import { FNV_OFFSET_BASIS, FNV_PRIME } from "../../base/hash.ts";
import type { Observation } from "./observe.ts";

/** The hash of a 32-bit key, lowest byte first, as an unsigned 32-bit number. A negative key is taken as its 32-bit pattern. */
export function fnv1a32(key: number): number {
  let h = Math.imul(FNV_OFFSET_BASIS ^ (key & 0xff), FNV_PRIME);
  h = Math.imul(h ^ ((key >>> 8) & 0xff), FNV_PRIME);
  h = Math.imul(h ^ ((key >>> 16) & 0xff), FNV_PRIME);
  h = Math.imul(h ^ (key >>> 24), FNV_PRIME);
  return h >>> 0;
}

/** One byte's share of the hash; all states are unsigned 32-bit numbers. */
export interface FnvStep {
  /** 0 (lowest byte) to 3. */
  readonly index: number;
  readonly byte: number;
  /** State before this byte, after the xor, and after the multiplication. */
  readonly before: number;
  readonly xored: number;
  readonly after: number;
}

/** The four steps of `fnv1a32(key)`; the last one's `after` is the hash. */
export function fnv1aSteps(key: number): readonly FnvStep[] {
  const steps: FnvStep[] = [];
  let before = FNV_OFFSET_BASIS;
  for (let index = 0; index < 4; index++) {
    const byte = (key >>> (8 * index)) & 0xff;
    const xored = (before ^ byte) >>> 0;
    const after = Math.imul(xored, FNV_PRIME) >>> 0;
    steps.push({ index, byte, before, xored, after });
    before = after;
  }
  return steps;
}

/** `fnv1a32` that reports each byte's xor and multiplication as `hash` events with `op = "fnv-byte"`. */
export function fnv1aObserved(key: number, obs: Observation): number {
  let hash = FNV_OFFSET_BASIS;
  for (const step of fnv1aSteps(key)) {
    hash = step.after;
    obs.emit(
      "hash",
      "FNV-1a of {key}: byte {index}, which is {byte}, is mixed into the hash",
      {
        op: "fnv-byte",
        key: key >>> 0,
        index: step.index,
        byte: step.byte,
        before: step.before,
        xored: step.xored,
        after: step.after,
        byteHex: hex(step.byte, 2),
        beforeHex: hex(step.before, 8),
        xoredHex: hex(step.xored, 8),
        afterHex: hex(step.after, 8),
      },
      [],
    );
  }
  return hash;
}

/** A recording writes millions of numbers, nearly all of one byte or four. */
const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, "0"));

/** `0x` and the digits of an unsigned 32-bit number, padded to `width`. */
export function hex(n: number, width: number): string {
  if (width === 8)
    return `0x${DIGITS[n >>> 24] ?? ""}${DIGITS[(n >>> 16) & 255] ?? ""}${DIGITS[(n >>> 8) & 255] ?? ""}${DIGITS[n & 255] ?? ""}`;
  if (width === 2 && n >>> 0 < 256) return `0x${DIGITS[n] ?? ""}`;
  return `0x${(n >>> 0).toString(16).toUpperCase().padStart(width, "0")}`;
}
