/** A hand-in as a course system stores it: `o1.` and its JSON, compressed. If it does not fit, its log is removed; it is never cut. */

import { deflateSync, Inflate } from "fflate";
import { fromBase64Url, toBase64Url } from "../../../links/base64url.ts";

const PREFIX = "o1.";
/** Bytes that a state may inflate to: as much as a hand-in's file has. */
const MOST_BYTES = 4 * 1024 * 1024;
const LEVEL = 9;

export interface KeptState {
  readonly text: string;
  /** What of the hand-in is in it. */
  readonly holds: "all" | "without log";
}

/** null: it does not fit into this many characters, even shortened. */
export function encodeState(handIn: Readonly<Record<string, unknown>>, limit: number): KeptState | null {
  const whole = packed(handIn);
  if (whole.length <= limit) return { text: whole, holds: "all" };
  const less = packed({ ...handIn, log: [] });
  return less.length <= limit ? { text: less, holds: "without log" } : null;
}

const packed = (value: unknown): string =>
  PREFIX + toBase64Url(deflateSync(new TextEncoder().encode(JSON.stringify(value)), { level: LEVEL }));

export type DecodedState = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

export const isState = (text: string): boolean => /^o\d{1,3}\./.test(text);

/** The hand-in's JSON text. Never throws, for any text. */
export function decodeState(text: string): DecodedState {
  const refused = (message: string): DecodedState => ({ ok: false, message });
  if (!text.startsWith(PREFIX)) return refused(isState(text) ? "it was written by a later version" : "it is not the state of a lab");
  const bytes = fromBase64Url(text.slice(PREFIX.length).trim());
  if (bytes === null) return refused("it is truncated or damaged");
  const chunks: Uint8Array[] = [];
  let total = 0;
  let ended = false;
  try {
    const inflate = new Inflate((chunk, last) => {
      total += chunk.length;
      if (total > MOST_BYTES) throw new RangeError("large");
      chunks.push(chunk);
      ended = last;
    });
    // In pieces, so that a text that inflates to far too much is noticed early.
    for (let at = 0; at < bytes.length; at += PIECE) inflate.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  } catch (error) {
    return refused(error instanceof RangeError ? "it contains more than a hand-in" : "it is truncated or damaged");
  }
  if (!ended) return refused("it is truncated or damaged");
  const all = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return { ok: true, text: new TextDecoder().decode(all) };
}

const PIECE = 4096;
