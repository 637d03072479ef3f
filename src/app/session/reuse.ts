/** Reuses the old objects where a new answer equals them, so that React does not render them again. */

type Fields = Record<string, unknown>;

/** `after`, with each part that equals the part at its place in `before` replaced by that; `before` itself where all of it is equal. `after` is plain data without other references to it. */
export function reuse<T>(before: unknown, after: T): T {
  return equalParts(before, after) ? (before as T) : after;
}

function equalParts(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (!isPlain(before) || !isPlain(after) || Array.isArray(before) !== Array.isArray(after)) return false;
  const keys = Object.keys(after);
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    if (key in before && equalParts(before[key], after[key])) after[key] = before[key];
    else same = false;
  }
  return same;
}

function isPlain(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
}
