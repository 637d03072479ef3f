/** How answers become shares of the points: by their shape, never negative. */

/** Points are rounded to hundredths, halves away from zero. */
export function roundPoints(points: number): number {
  const rounded = Math.round(Math.abs(points) * 100 + 1e-9) / 100;
  return points < 0 ? -rounded : rounded;
}

export interface Credit {
  readonly share: number;
  /** What the difference is; null: there is none. */
  readonly said: string | null;
}

/** (right − spurious) ÷ n. */
export function ofSets(right: Iterable<string>, given: Iterable<string>, show: (item: string) => string = (item) => item): Credit {
  const wanted = new Set(right);
  const found = new Set(given);
  const missing = [...wanted].filter((item) => !found.has(item));
  const spurious = [...found].filter((item) => !wanted.has(item));
  if (missing.length === 0 && spurious.length === 0) return { share: 1, said: null };
  const share = wanted.size === 0 ? 0 : Math.max(0, (wanted.size - missing.length - spurious.length) / wanted.size);
  const parts = [
    ...(missing.length === 0 ? [] : [`missing: ${list(missing.map(show))}`]),
    ...(spurious.length === 0 ? [] : [`${list(spurious.map(show))} ${spurious.length === 1 ? "does" : "do"} not belong`]),
  ];
  return { share, said: parts.join("; ") };
}

/** right ÷ n over keys; keys that the task does not have count against it. */
export function ofMaps(
  right: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
  ignore: (key: string, value: string) => boolean = () => false,
): Credit {
  const wrong = [...right].filter(([key, value]) => given.get(key) !== value);
  const spurious = [...given].filter(([key, value]) => !right.has(key) && !ignore(key, value));
  if (wrong.length === 0 && spurious.length === 0) return { share: 1, said: null };
  const share = right.size === 0 ? 0 : Math.max(0, (right.size - wrong.length - spurious.length) / right.size);
  const said = [
    ...wrong.map(([key, value]) => `${key} is ${value}${given.has(key) ? `, not ${given.get(key)}` : ", which is missing"}`),
    ...spurious.map(([key]) => `${key} is not part of the question`),
  ];
  return { share, said: list(said, "; ") };
}

/** Length of the longest common subsequence ÷ n; extra entries count against it. */
export function ofSequences(right: readonly string[], given: readonly string[]): Credit {
  if (right.length === given.length && right.every((item, i) => item === given[i])) return { share: 1, said: null };
  const common = commonLength(right, given);
  const extra = Math.max(0, given.length - right.length);
  const first = right.findIndex((item, i) => item !== given[i]);
  const said = first < 0 ? "there are more lines than needed" : `place ${first + 1} differs`;
  // A wrong order is never worth all points.
  const share = right.length === 0 ? 0 : Math.max(0, Math.min(right.length - 1, common - extra) / right.length);
  return { share, said };
}

/** Time grows with the product of the lengths, which the schema of answers bounds. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const item of a) {
    const next = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) next[j] = item === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    row = next;
  }
  return row[b.length] ?? 0;
}

const MOST_SAID = 6;

/** The first few of a list, and how many more there are. */
export function list(items: readonly string[], between = ", "): string {
  const shown = items.slice(0, MOST_SAID).join(between);
  return items.length > MOST_SAID ? `${shown}${between}and ${items.length - MOST_SAID} more` : shown;
}
