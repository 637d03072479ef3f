/** Links that contain a whole lab: `lab=v1.` and its text, compressed, with the key of a class after `&class=`. */

import { messageOf } from "../../../base/errors.ts";
import { fromBase64Url, toBase64Url } from "../../../links/base64url.ts";
import { deflate, inflate } from "../../../links/deflate.ts";

const PREFIX = "lab=v1.";
/** Bytes that a lab may have: as much as one that is read from a file. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_FRAGMENT = 200_000;

export type LabLink =
  | { readonly ok: true; readonly text: string; readonly classKey: string }
  | { readonly ok: false; readonly message: string };

export const isLabFragment = (fragment: string): boolean => fragment.replace(/^#/, "").startsWith("lab=");

/** The fragment (without `#`) that contains a lab. */
export async function encodeLab(text: string, classKey = ""): Promise<string> {
  const bytes = new TextEncoder().encode(text.replace(/\r\n?/g, "\n").trimEnd());
  const tail = classKey === "" ? "" : `&class=${encodeURIComponent(classKey)}`;
  return `${PREFIX}${toBase64Url(await deflate(bytes))}${tail}`;
}

/** Never rejects, for any text. */
export async function decodeLab(fragment: string): Promise<LabLink> {
  const refused = (message: string): LabLink => ({ ok: false, message });
  const plain = fragment.replace(/^#/, "");
  if (plain.length > MOST_FRAGMENT) return refused(`The link has ${plain.length} characters; at most ${MOST_FRAGMENT} are read.`);
  if (!plain.startsWith(PREFIX)) return refused("This link to a lab has another version.");
  const [body = "", ...rest] = plain.slice(PREFIX.length).split("&");
  const packed = fromBase64Url(body);
  if (packed === null) return refused("The link to a lab is truncated or damaged.");
  try {
    const bytes = await inflate(packed, MOST_BYTES);
    if (bytes === "large") return refused("The link contains more text than a lab may have.");
    if (bytes === "damaged") return refused("The link to a lab is truncated or damaged.");
    return { ok: true, text: new TextDecoder().decode(bytes), classKey: classOf(rest) };
  } catch (error) {
    return refused(messageOf(error));
  }
}

function classOf(parts: readonly string[]): string {
  const value = parts.find((part) => part.startsWith("class="))?.slice("class=".length) ?? "";
  try {
    return decodeURIComponent(value).slice(0, 200);
  } catch {
    return "";
  }
}
