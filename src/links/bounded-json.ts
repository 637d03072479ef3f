/** Reads JSON of unknown origin: one scan measures it before anything is built, so that a short text cannot become gigabytes of objects. */

export interface JsonLimits {
  /** Lists and objects inside each other. */
  readonly depth: number;
  /** Values and keys altogether. */
  readonly values: number;
  /** Characters of everything but the value of the key that may be long. */
  readonly besides: number;
}

export type BoundedJson =
  | { readonly ok: true; readonly value: unknown }
  /** `long`: the value of the key that may be long, where it is a string that could be read. */
  | { readonly ok: false; readonly reason: "damaged" | "too much"; readonly long: string | null };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** `longKey` names the one field of the outermost object whose string does not count in `besides`. Linear in the text; never throws. */
export function parseBounded(text: string, longKey: string, limits: JsonLimits): BoundedJson {
  const { within, long } = measure(text, longKey, limits);
  if (!within) return { ok: false, reason: "too much", long: long === null ? null : stringIn(text, long) };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, reason: "damaged", long: long === null ? null : stringIn(text, long) };
  }
}

/** The string of a key of the outermost object, or the part of it that exists in a text cut anywhere; null if it has none. */
export function stringOfCut(text: string, key: string, limits: JsonLimits): string | null {
  const { long } = measure(text, key, limits);
  if (long === null) return null;
  const whole = stringIn(text, long);
  if (whole !== null) return whole;
  // Cut inside the string, perhaps inside an escape, which has at most six characters.
  for (let less = 0; less <= 6; less++) {
    const part = stringIn(`${text.slice(0, long.to - less)}"`, { from: long.from, to: long.to - less + 1 });
    if (part !== null) return part.replace(/[\ufffd\ud800-\udbff]$/, "");
  }
  return null;
}

/** Where a string is, quotes included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether a text is within the limits, JSON or not, and where the long string is. Continues beyond a limit only to find that. */
function measure(text: string, longKey: string, limits: JsonLimits): { readonly within: boolean; readonly long: Span | null } {
  let depth = 0;
  let values = 1;
  let within = true;
  let long: Span | null = null;
  /** The last string, and whether a colon of the outermost object followed it with nothing in between. */
  let last: Span | null = null;
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        const span = { from: at, to: end };
        if (isKey && last !== null && text.slice(last.from + 1, last.to - 1) === longKey) long ??= span;
        isKey = false;
        last = span;
        at = end - 1;
        break;
      }
      case COLON:
        isKey = depth === 1;
        values++;
        break;
      case COMMA:
        isKey = false;
        values++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        isKey = false;
        values++;
        depth++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
    if (depth > limits.depth || values > limits.values) {
      within = false;
      if (long !== null) break;
    }
  }
  const counted = long === null ? text.length : text.length - (long.to - long.from);
  return { within: within && counted <= limits.besides, long };
}

/** The position after a string's closing quote, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function stringIn(text: string, { from, to }: Span): string | null {
  try {
    const value: unknown = JSON.parse(text.slice(from, to));
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
