/** What is kept of a program in the browser, and what follows from a list of such records. Pure: where they are kept is said elsewhere. */

/** What is known of a kept work without its text. */
export interface Summary {
  readonly id: string;
  readonly title: string;
  /** The first lines of the text that say something. */
  readonly lines: readonly string[];
  /** When the text was opened or changed last, in milliseconds. */
  readonly changed: number;
  /** Grows with each save. A save that knows of an older one only is refused: it would replace what it never saw. */
  readonly version: number;
  /** Differs for each save: two with the same are one, however often it was carried to the database. */
  readonly stamp: string;
  /** Typed, or opened from a file; else only looked at. */
  readonly own: boolean;
  /** Stays among the recent ones, however many follow. */
  readonly pinned: boolean;
  /** Its text is in the browser's database alone, which does not answer. Not stored. */
  readonly absent?: boolean;
}

/** A work: what is known of it, and what a link would hold of it. `data` is checked when it is opened. */
export interface Kept {
  readonly summary: Summary;
  readonly data: unknown;
}

/** What became of a save: `newer` when another tab saved a version that this one has not seen. */
export type Saved = "saved" | "newer";

/** So many works of one's own that are not pinned, and so many that were only looked at. */
export const MAX_RECENT = 20;
const MAX_LOOKED_AT = 12;

const SHOWN_LINES = 3;
const SHOWN_COLUMNS = 100;

export function firstLines(text: string): readonly string[] {
  const lines: string[] = [];
  // Enough for the longest comment at the top; splitting megabytes for three lines would take time.
  for (const line of text.slice(0, 8_000).split(/\r\n|\r|\n/)) {
    if (/^\s*(\/\/\s*)?$/.test(line)) continue;
    lines.push(line.trimEnd().slice(0, SHOWN_COLUMNS));
    if (lines.length === SHOWN_LINES) break;
  }
  return lines;
}

/** A summary as it was stored, by whatever version of the page; null when it is none. */
export function readSummary(value: unknown): Summary | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, title, lines, changed, version, stamp, own, pinned } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || id === "") return null;
  return {
    id,
    title: typeof title === "string" ? title : "untitled",
    lines: Array.isArray(lines) ? lines.filter((line) => typeof line === "string").slice(0, SHOWN_LINES) : [],
    changed: typeof changed === "number" && Number.isFinite(changed) ? changed : 0,
    version: typeof version === "number" && Number.isFinite(version) ? version : 0,
    stamp: typeof stamp === "string" ? stamp : "",
    own: own !== false,
    pinned: pinned === true,
  };
}

/** Of two records of one work the later one; what is pinned in either is. */
export function newest(...lists: readonly (readonly Summary[])[]): readonly Summary[] {
  const byId = new Map<string, Summary>();
  for (const summary of lists.flat()) {
    const other = byId.get(summary.id);
    const later = other === undefined || other.version < summary.version ? summary : other;
    byId.set(summary.id, { ...later, pinned: summary.pinned || other?.pinned === true });
  }
  return [...byId.values()].sort(byChange);
}

const byChange = (a: Summary, b: Summary): number => b.changed - a.changed || b.version - a.version;

/** What a tab without a work of its own goes on with. */
export function latest(summaries: readonly Summary[]): Summary | null {
  return [...summaries].sort(byChange)[0] ?? null;
}

/** The works for the list of recent ones: pinned first, then by date. */
export function recentOf(summaries: readonly Summary[]): readonly Summary[] {
  return summaries.filter((s) => s.own).sort((a, b) => Number(b.pinned) - Number(a.pinned) || byChange(a, b));
}

/** Whether a stored version stands in the way of a save that follows `base`. */
export function isNewer(stored: Summary | null, next: Summary, base: number): boolean {
  return stored !== null && stored.version > base && !(stored.version === next.version && stored.stamp === next.stamp);
}

/** Ids of what is too much: pinned works never are, nor those in `open`. */
export function excess(summaries: readonly Summary[], open: ReadonlySet<string>): readonly string[] {
  const loose = [...summaries].sort(byChange).filter((s) => !s.pinned);
  const own = loose.filter((s) => s.own).slice(MAX_RECENT);
  const looked = loose.filter((s) => !s.own).slice(MAX_LOOKED_AT);
  return [...own, ...looked].map((s) => s.id).filter((id) => !open.has(id));
}

/** A name for what goes on from a program of another name: `k (copy)`, `k (copy 2)` … */
export function copyTitle(title: string, taken: readonly string[]): string {
  const stem = title.replace(/ \(copy(?: \d+)?\)$/, "");
  const used = new Set(taken);
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${stem} (copy)` : `${stem} (copy ${n})`;
    if (!used.has(name)) return name;
  }
}

/** The program of a record as it was stored; null when it is none. */
export function textOf(data: unknown): string | null {
  if (typeof data !== "object" || data === null || !("source" in data)) return null;
  return typeof data.source === "string" ? data.source : null;
}
