/** Links: all state of the explorer in the part of an address after `#`, compressed, versioned and capped. */

import { messageOf } from "../base/errors.ts";
import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { parseBounded, stringOfCut } from "./bounded-json.ts";
import { deflate, inflate, inflateStart } from "./deflate.ts";
import { checkLinkData, EMPTY_LINK, LINK_VERSION, type LinkData, MAX_LINK_TEXT } from "./link-data.ts";

/** Longest fragment that is looked at, and the most bytes it may inflate to. */
export const MAX_FRAGMENT = 1_000_000;
const MAX_INFLATED = 2 * MAX_LINK_TEXT + 1_000_000;

/** Bytes that are read directly, in any environment: a few milliseconds. */
export const SMALL = 256_000;

/** A program may be long; the rest is always small. */
const PROGRAM_KEY = "source";
const LIMITS = { depth: 12, values: 20_000, besides: MAX_LINK_TEXT } as const;
const TOO_MUCH = "contains far more data than any link made by Oriscope; it was not read.";

/** From this length on an address is likely to be cut on its way: offer a file instead. */
export const LONG_LINK = 8000;

export type DecodedLink =
  | { readonly ok: true; readonly data: LinkData; readonly version: number }
  /** `source`: the program's text, when at least that could be read. */
  | { readonly ok: false; readonly message: string; readonly source: string | null };

/** The fragment (without `#`) that contains the data: `v1.` and base64url. Fields with their default value are left out. */
export async function encodeLink(data: LinkData): Promise<string> {
  const fields = Object.entries(data).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(EMPTY_LINK[key as keyof LinkData]));
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(fields)));
  return `v${LINK_VERSION}.${toBase64Url(await deflate(bytes))}`;
}

/** Reads a whole address, a fragment with or without `#`. Never rejects, for any text. */
export async function decodeLink(text: string): Promise<DecodedLink> {
  const decoded = await decodeWithin(text, MAX_INFLATED);
  if (decoded !== "large") return decoded;
  return refused(`The link unpacks to more than ${Math.round(MAX_INFLATED / 1_000_000)} MB, the limit.`);
}

/** As `decodeLink`, for a link so small that reading it takes no time that could be felt; "large" for any other. */
export async function decodeSmallLink(text: string): Promise<DecodedLink | "large"> {
  return decodeWithin(text, SMALL);
}

async function decodeWithin(text: string, most: number): Promise<DecodedLink | "large"> {
  const fragment = text.slice(text.indexOf("#") + 1).trim();
  if (fragment.length > MAX_FRAGMENT) return refused(`The link has ${fragment.length} characters; at most ${MAX_FRAGMENT} are read.`);
  const match = /^v(\d{1,4})\.([\s\S]*)$/.exec(fragment);
  if (match === null) return refused("This is not an Oriscope link: it does not begin with a version.");
  const version = Number(match[1]);
  if (version < 1 || version > LINK_VERSION) {
    return refused(`The link has version ${version}; this page reads versions up to ${LINK_VERSION}.`);
  }
  const body = match[2] ?? "";
  // No bytes have this length as text: the last character is half of a pair.
  const isCut = body.length % 4 === 1;
  const packed = fromBase64Url(isCut ? body.slice(0, -1) : body);
  if (packed === null) return refused("The link contains characters that no link has; it was probably changed in transit.");
  let bytes: Awaited<ReturnType<typeof inflate>>;
  try {
    bytes = isCut ? "damaged" : await inflate(packed, most);
  } catch (error) {
    return refused(messageOf(error));
  }
  if (bytes === "large") return "large";
  if (bytes === "damaged") {
    const start = new TextDecoder().decode(await inflateStart(packed, most));
    const source = stringOfCut(start, PROGRAM_KEY, LIMITS);
    if (source === null || !/\S/.test(source)) return refused("The link is truncated or damaged.");
    return { ok: false, message: `The link is truncated or damaged. The first ${lines(source)} of its program could be read.`, source };
  }
  const read = parseBounded(new TextDecoder().decode(bytes), PROGRAM_KEY, LIMITS);
  if (!read.ok) {
    const why = read.reason === "damaged" ? "The link is damaged: its contents cannot be read." : `The link ${TOO_MUCH}`;
    return { ok: false, message: why, source: read.long };
  }
  const checked = checkLinkData(version, read.value);
  return checked.ok ? { ...checked, version } : checked;
}

const lines = (text: string): string => {
  const count = text.split("\n").length;
  return count === 1 ? "line" : `${count.toLocaleString("en")} lines`;
};

const refused = (message: string): DecodedLink => ({ ok: false, message, source: null });

/** Reads a case as it was saved to a file of this name. Never throws. */
export function decodeCase(text: string, file: string): DecodedLink {
  const read = parseBounded(text, PROGRAM_KEY, LIMITS);
  if (!read.ok && read.reason === "too much") return { ok: false, message: `${file} ${TOO_MUCH}`, source: read.long };
  if (!read.ok) return refused(`${file} is not JSON. To open its text as a program, rename it to .ori or .ptx.`);
  const { value } = read;
  const version = typeof value === "object" && value !== null && "oriscope" in value ? Number(value.oriscope) : Number.NaN;
  if (!(version >= 1 && version <= LINK_VERSION)) return refused(`${file} was not saved by Oriscope, or was saved by a newer version.`);
  const checked = checkLinkData(version, value);
  return checked.ok ? { ...checked, version } : { ...checked, message: `${file}: ${checked.message}` };
}
