/** What a search of the palette finds, the best first. Pure. */

interface Searched {
  readonly group: string;
  readonly title: string;
  /** What it is called, where the title says more. */
  readonly name?: string;
  /** Words and phrases, with commas between them. */
  readonly found?: string;
  readonly enabled?: boolean;
}

/** Programs have titles of all kinds: where they begin as a search does, that says less. */
const PROGRAMS: ReadonlySet<string> = new Set(["Example", "Block", "Kernel"]);

/**
 * All words must be there. First what the search names exactly, then titles that begin with it, and all of a group that is called so; then those
 * with a word that begins with it, in the title or elsewhere. What cannot be chosen now is last among equals. Otherwise the order of the list stays.
 */
export function ranked<T extends Searched>(entries: readonly T[], query: string): readonly T[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return entries;
  const scored = entries.flatMap((entry) => {
    const all = `${entry.group} ${entry.title} ${entry.found ?? ""}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [{ entry, rank: 2 * rankOf(entry, text) + (entry.enabled === false ? 1 : 0) }];
  });
  return scored.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

function rankOf({ group, title, name = title, found = "" }: Searched, text: string): number {
  const shown = title.toLowerCase();
  const phrases = found.toLowerCase().split(/,\s*/);
  if (name.toLowerCase() === text) return 0;
  if (phrases.includes(text)) return 1;
  if (isCalled(group, text) || (shown.startsWith(text) && !PROGRAMS.has(group))) return 2;
  if (hasWord(shown, text)) return 3;
  return hasWord(found.toLowerCase(), text) ? 4 : 5;
}

/** In the singular or the plural. */
const isCalled = (group: string, text: string): boolean => text === group.toLowerCase() || text === `${group.toLowerCase()}s`;

const hasWord = (text: string, start: string): boolean =>
  text.startsWith(start) || text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start));
