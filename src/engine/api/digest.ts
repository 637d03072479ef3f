/** A 64-bit digest of a text, for noticing that two engines disagree; not for security. */

/** Two FNV-1a style 32-bit hashes with different primes over UTF-16 code units, mixed at the end; 16 hex digits. */
export function digestOf(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
  }
  return hex(mix(a ^ text.length)) + hex(mix(b ^ (a >>> 7)));
}

function mix(word: number): number {
  let w = word;
  w = Math.imul(w ^ (w >>> 16), 0x85ebca6b);
  w = Math.imul(w ^ (w >>> 13), 0xc2b2ae35);
  return (w ^ (w >>> 16)) >>> 0;
}

const hex = (word: number): string => word.toString(16).padStart(8, "0");
