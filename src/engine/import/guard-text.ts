/** What any importer refuses before it reads: too much text, or something that is not a text at all. */

/** Largest text an importer accepts, in characters: it needs some 20 bytes for each, which must fit into a browser tab. */
export const DEFAULT_MAX_CHARS = 32_000_000;

export type Refusal = { readonly reason: "size"; readonly limit: number } | { readonly reason: "binary"; readonly what: string };

/** Characters examined for the binary test: enough for any header, bounded for any size. */
const SAMPLE = 65_536;

/** Null when the text may be read. Linear in the sample, not in the text. */
export function refuseText(text: string, maxChars: number): Refusal | null {
  if (text.length > maxChars) return { reason: "size", limit: maxChars };
  if (text.startsWith("\u007fELF")) return { reason: "binary", what: "an ELF file (a cubin or an object)" };
  let control = 0;
  const end = Math.min(text.length, SAMPLE);
  for (let i = 0; i < end; i++) {
    const c = text.charCodeAt(i);
    // A replacement character is what decoding leaves of bytes that are no UTF-8.
    if (c === 0 || c === 0xfffd || (c < 0x20 && c !== 9 && c !== 10 && c !== 13 && c !== 12)) control++;
  }
  return control > 0 && control * 50 > end ? { reason: "binary", what: "binary data" } : null;
}

/** Without a byte order mark, and with a lone carriage return as a line end; lines keep their numbers and columns. */
export function plainText(text: string): string {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return /\r(?!\n)/.test(bare) ? bare.replace(/\r(?!\n)/g, "\n") : bare;
}
