/** What a search of the palette finds, the best first. Pure. */

interface Searched {
  readonly group: string;
  readonly title: string;
  readonly found?: string;
}

/** All words must be there; titles that begin with the search come first, then what has a word that does. Otherwise the order of the list stays. */
export function ranked<T extends Searched>(entries: readonly T[], query: string): readonly T[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return entries;
  const scored = entries.flatMap((entry) => {
    const title = entry.title.toLowerCase();
    const all = `${entry.group} ${title} ${entry.found ?? ""}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [{ entry, rank: title.startsWith(text) ? 0 : hasWord(all, text) ? 1 : 2 }];
  });
  return scored.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

const hasWord = (text: string, start: string): boolean => text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start));
