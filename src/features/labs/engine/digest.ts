/** Digests and seeds: the same text and the same student give the same number everywhere. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Seeds } from "./lab.ts";

/** First 16 hexadecimal digits of the SHA-256 of a lab's text; line ends, a byte-order mark and blanks at line ends and at the end do not count. */
export function labDigest(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  const plain = lines.join("\n");
  return bytesToHex(sha256(utf8ToBytes(plain))).slice(0, 16);
}

/** A 32-bit number made from words; no words that differ run into each other. */
export function seedFrom(...words: readonly (string | number)[]): number {
  const bytes = sha256(utf8ToBytes(JSON.stringify(words)));
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}

/** The seed of a student's lab, or of an attempt by its number. `variants`: so many different ones there are. */
export function studentSeed(
  lab: { readonly id: string; readonly version: number; readonly seed: Seeds; readonly variants: number | null },
  student: string,
  classKey: string,
): number {
  if (lab.seed === "fixed") return 0;
  const seed = seedFrom(lab.id, lab.version, classKey, student.trim().toLowerCase());
  return lab.variants === null ? seed : 1 + (seed % lab.variants);
}
