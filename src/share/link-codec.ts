/** Links: all state of the explorer in the part of an address behind `#`, compressed, versioned and capped. */

import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { deflate, inflate } from "./deflate.ts";
import { checkLinkData, EMPTY_LINK, LINK_VERSION, type LinkData, MAX_LINK_TEXT } from "./link-data.ts";

/** Longest fragment that is looked at, and the most bytes it may inflate to. */
export const MAX_FRAGMENT = 1_000_000;
const MAX_INFLATED = 2 * MAX_LINK_TEXT + 1_000_000;

/** From this length on an address is likely to be cut on its way: offer a file instead. */
export const LONG_LINK = 8000;

export type DecodedLink =
  | { readonly ok: true; readonly data: LinkData; readonly version: number }
  /** `source`: the program's text, when at least that could be read. */
  | { readonly ok: false; readonly message: string; readonly source: string | null };

/** The fragment (without `#`) that holds the data: `v1.` and base64url. Fields with their default value are left out. */
export async function encodeLink(data: LinkData): Promise<string> {
  const fields = Object.entries(data).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(EMPTY_LINK[key as keyof LinkData]));
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(fields)));
  return `v${LINK_VERSION}.${toBase64Url(await deflate(bytes))}`;
}

/** Reads a whole address, a fragment with or without `#`. Never rejects, whatever the text is. */
export async function decodeLink(text: string): Promise<DecodedLink> {
  const fragment = text.slice(text.indexOf("#") + 1).trim();
  if (fragment.length > MAX_FRAGMENT) return refused(`The link has ${fragment.length} characters; at most ${MAX_FRAGMENT} are read.`);
  const match = /^v(\d{1,4})\.([\s\S]*)$/.exec(fragment);
  if (match === null) return refused("This is not a link of this program: it does not begin with a version.");
  const version = Number(match[1]);
  if (version < 1 || version > LINK_VERSION) {
    return refused(`The link is of version ${version}; this program reads versions up to ${LINK_VERSION}.`);
  }
  const packed = fromBase64Url(match[2] ?? "");
  if (packed === null) return refused("The link holds characters that no link has; it was probably changed on its way.");
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await inflate(packed, MAX_INFLATED);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
  if (bytes === null) return refused("The link is cut or damaged, or holds too much.");
  const fields = parseJson(new TextDecoder().decode(bytes));
  if (fields === undefined) return refused("The link is damaged: what it holds cannot be read.");
  const checked = checkLinkData(version, fields);
  return checked.ok ? { ...checked, version } : checked;
}

const refused = (message: string): DecodedLink => ({ ok: false, message, source: null });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
