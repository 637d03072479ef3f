/**
 * The record of a work: everything that the browser keeps of one program (its text, the pass, the futures, the options and the step) or of one lab that is being written,
 * under one id with one version. It is written as a whole, by the one tab that has the work open. This file defines what a record is, which of two is the later one, and what
 * follows from a list of them; where records are stored is in `storages.ts`.
 */

/**
 * Which save this is: the `n`-th by the page `by`. `seen` has, for each page whose saves it builds on, the last one. So for two versions in any two places it can be decided
 * which one is later, however late a browser wrote either of them to disk, and independently of its clock.
 */
export interface Version {
  readonly by: string;
  readonly n: number;
  readonly seen: Readonly<Record<string, number>>;
}

/** The description of a record, without its content. */
export interface Summary {
  readonly id: string;
  readonly kind: "program" | "lab";
  readonly title: string;
  /** The first lines of the text that have content. */
  readonly lines: readonly string[];
  /** When the text was opened or changed last, in milliseconds: only for display, since clocks may be set back. */
  readonly changed: number;
  /** Grows with each change of any text, in all tabs: the sort key. */
  readonly order: number;
  readonly version: Version;
  /** Typed, or opened from a file; else only looked at. */
  readonly own: boolean;
  /** Stays in the list of recent works, however many follow. */
  readonly pinned: boolean;
  /** Its content is in the browser's database alone, which does not answer. Not stored. */
  readonly absent?: boolean;
}

/** `data`: for a program what a link would contain, and what its parts add (`parts.ts`); for a lab its text. Checked when it is opened. */
export interface Kept {
  readonly summary: Summary;
  readonly data: unknown;
}

/** A version by the previous build of the page: a number, and a stamp that differs for each save. */
const OLD = "old ";
/** Pages that a version remembers. Versions of earlier pages are treated as unrelated: then both are kept. */
const MOST_SEEN = 40;

export const firstVersion = (by: string, n: number): Version => ({ by, n, seen: { [by]: n } });

/** The version that page `by` derives from a given one. */
export function nextVersion(before: Version | null, by: string, n: number): Version {
  const { [by]: _, ...others } = before?.seen ?? {};
  return { by, n, seen: { ...Object.fromEntries(Object.entries(others).slice(-MOST_SEEN)), [by]: n } };
}

/** Whether a version equals, or builds on, a given one. */
function covers(a: Version, b: Version): boolean {
  if ((a.seen[b.by] ?? -1) >= b.n) return true;
  return b.by.startsWith(OLD) && (a.seen[OLD] ?? -1) > b.n;
}

/** How two versions are related; `apart`: neither was made from the other, so both are kept. */
export function relation(a: Version, b: Version): "same" | "later" | "earlier" | "apart" {
  const [over, under] = [covers(a, b), covers(b, a)];
  if (over) return under ? "same" : "later";
  return under ? "earlier" : "apart";
}

/** Of two copies of one record the later one. */
export const laterOf = (a: Kept | null, b: Kept | null): Kept | null =>
  a === null || (b !== null && relation(b.summary.version, a.summary.version) === "later") ? b : a;

function readVersion(value: unknown, stamp: unknown): Version {
  if (typeof value === "object" && value !== null && "by" in value && "n" in value && "seen" in value) {
    const { by, n, seen } = value;
    if (typeof by === "string" && typeof n === "number" && typeof seen === "object" && seen !== null)
      return {
        by,
        n,
        seen: Object.fromEntries(Object.entries(seen).filter(([, last]) => typeof last === "number")) as Record<string, number>,
      };
  }
  const n = typeof value === "number" && Number.isFinite(value) ? value : 0;
  const by = `${OLD}${typeof stamp === "string" ? stamp : ""}`;
  return { by, n, seen: { [OLD]: n, [by]: n } };
}

/** Reads a summary that this or an earlier version of the page stored; null when it is not one. */
export function readSummary(value: unknown): Summary | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, kind, title, lines, changed, order, version, stamp, own, pinned } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || id === "") return null;
  const number = (given: unknown): number => (typeof given === "number" && Number.isFinite(given) ? given : 0);
  return {
    id,
    kind: kind === "lab" ? "lab" : "program",
    title: typeof title === "string" ? title : "untitled",
    lines: Array.isArray(lines) ? lines.filter((line) => typeof line === "string").slice(0, SHOWN_LINES) : [],
    changed: number(changed),
    order: number(order),
    version: readVersion(version, stamp),
    own: own !== false,
    pinned: pinned === true,
  };
}

/** Limits on the user's own works that are not pinned, and on those that were only viewed. */
export const MAX_RECENT = 20;
const MAX_LOOKED_AT = 12;

/** Records without an order are from the previous build: the oldest, ordered by date among themselves. */
const byOrder = (a: Summary, b: Summary): number => b.order - a.order || b.changed - a.changed;

/** The latest record of each work in several lists, sorted; a work pinned in any of them is pinned. */
export function newest(...lists: readonly (readonly Summary[])[]): readonly Summary[] {
  const byId = new Map<string, Summary>();
  for (const summary of lists.flat()) {
    const other = byId.get(summary.id);
    const later = other === undefined || relation(summary.version, other.version) === "later" ? summary : other;
    byId.set(summary.id, { ...later, pinned: summary.pinned || other?.pinned === true });
  }
  return [...byId.values()].sort(byOrder);
}

/** The work that a tab without its own continues with. */
export function latest(summaries: readonly Summary[], kind: Summary["kind"] = "program"): Summary | null {
  return summaries.filter((s) => s.kind === kind).sort(byOrder)[0] ?? null;
}

/** The works for the list of recent ones: pinned first, then by age. */
export function recentOf(summaries: readonly Summary[]): readonly Summary[] {
  return summaries.filter((s) => s.own).sort((a, b) => Number(b.pinned) - Number(a.pinned) || byOrder(a, b));
}

/** Ids of the works beyond the limits; never pinned works or those that a tab has open. */
export function excess(summaries: readonly Summary[], open: ReadonlySet<string>): readonly string[] {
  const loose = [...summaries].sort(byOrder).filter((s) => !s.pinned);
  const own = loose.filter((s) => s.own).slice(MAX_RECENT);
  const looked = loose.filter((s) => !s.own).slice(MAX_LOOKED_AT);
  return [...own, ...looked].map((s) => s.id).filter((id) => !open.has(id));
}

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

/** A name for a copy of a program: `k (copy)`, `k (copy 2)` … */
export function copyTitle(title: string, taken: readonly string[]): string {
  const stem = title.replace(/ \(copy(?: \d+)?\)$/, "");
  const used = new Set(taken);
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${stem} (copy)` : `${stem} (copy ${n})`;
    if (!used.has(name)) return name;
  }
}

export const titlesOf = (summaries: readonly Summary[]): readonly string[] => summaries.map((s) => s.title);

/** A record whose work another tab has changed, as a separate work next to the others. */
export function copyOf({ summary, data }: Kept, others: readonly Summary[]): Kept {
  const title = copyTitle(summary.title, titlesOf(others));
  return {
    summary: { ...summary, id: newId(), title, version: nextVersion(summary.version, newId(), 1), own: true, pinned: false },
    data,
  };
}

/** The work of one of the first builds, which kept only one, as a record; null when there is none. */
export function oldWork(data: unknown): Kept | null {
  const text = textOf(data);
  if (text === null || !/\S/.test(text)) return null;
  const { title } = data as { readonly title?: unknown };
  const name = typeof title === "string" && title !== "" ? title : "untitled";
  const about = { kind: "program", title: name, lines: firstLines(text), changed: Date.now(), order: 0, own: true, pinned: false } as const;
  return { summary: { id: newId(), version: firstVersion(newId(), 1), ...about }, data };
}

/** The text of a record as it was stored; null when it has none. */
export function textOf(data: unknown): string | null {
  if (typeof data !== "object" || data === null || !("source" in data)) return null;
  return typeof data.source === "string" ? data.source : null;
}

export function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
}
