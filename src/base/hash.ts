/** Hashes of words and of texts; none of them is for security. */

/** Initial state of FNV-1a over 32 bits. Source: copy-propagation-and-cse, "Hash function" and "Hash Infrastructure". */
export const FNV_OFFSET_BASIS = 0x811c9dc5;
/** Multiplier of each byte, 16777619. Same source. */
export const FNV_PRIME = 0x01000193;

/** FNV-1a over UTF-16 code units, as a signed number. */
export function fnvOfText(text: string): number {
  let hash = FNV_OFFSET_BASIS;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

/** Murmur-style mixing of two words, as digests of effects are formed. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ Math.imul(b, 0xcc9e2d51), 0x1b873593);
  h = (h << 13) | (h >>> 19);
  h = Math.imul(h, 5) + 0xe6546b64;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** A 64-bit digest of a text: two 32-bit hashes with different primes over UTF-16 code units, mixed at the end; 16 hex digits. */
export function digestOf(text: string): string {
  let a = FNV_OFFSET_BASIS;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, FNV_PRIME);
    b = Math.imul(b ^ unit, 0x5bd1e995);
  }
  return hex(finish(a ^ text.length)) + hex(finish(b ^ (a >>> 7)));
}

/** Murmur's last steps: every bit of the word counts in every bit of the hash. */
function finish(word: number): number {
  let w = word;
  w = Math.imul(w ^ (w >>> 16), 0x85ebca6b);
  w = Math.imul(w ^ (w >>> 13), 0xc2b2ae35);
  return (w ^ (w >>> 16)) >>> 0;
}

const hex = (word: number): string => word.toString(16).padStart(8, "0");
