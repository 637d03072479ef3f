/** Writes the records of one tab: every save is a version on top of the one before, and a record that another tab has is never written over. */

import type { PageEvents } from "./page-events.ts";
import { type Kept, newId, nextVersion, type Summary, type Version } from "./record.ts";
import type { Tab } from "./tab.ts";
import type { Works } from "./works.ts";

/** What this tab knows of a record that it writes, or wrote. */
export interface Known {
  version: Version | null;
  changed: number;
  order: number;
  own: boolean;
  /** The texts that were saved last; a different one makes the record the latest. */
  texts: readonly unknown[];
  /** False: another tab has it. Changes made here are saved as a different record. */
  mine: boolean;
  /** A copy of another tab's work, made to keep the place in it; the first change gives it its own name. */
  silent: boolean;
  /** Id of that work. */
  copyOf: string | null;
}

export interface Writer {
  known(id: string | null): Known | undefined;
  /** A record that was read is written by this tab from here on. */
  adopt(summary: Summary, texts: readonly unknown[]): Known;
  /** A new record, this tab's. */
  begin(part?: Partial<Known>): { readonly id: string; readonly entry: Known };
  /** The next version of a record. */
  next(id: string, entry: Known, about: Pick<Summary, "kind" | "title" | "lines">, texts: readonly unknown[]): Summary;
  save(kept: Kept, entry: Known): void;
  /** For a page that is left: done when it returns. */
  saveNow(kept: Kept): void;
  /** A save is under way. */
  saving(): boolean;
}

interface WriterOptions {
  readonly works: Works;
  readonly tab: Tab;
  readonly page: PageEvents;
  /** Another tab has saved what this one had not seen: `kept` was not written, and has to become another record. */
  readonly apart: (kept: Kept, entry: Known) => void;
  readonly saved?: (kept: Kept, stored: boolean) => void;
  readonly failed: (error: unknown) => void;
}

const sameTexts = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((one, i) => one === b[i]);

export function recordWriter({ works, tab, page, apart, saved, failed }: WriterOptions): Writer {
  const known = new Map<string, Known>();
  /** This page, as versions name it, and how often it has saved. */
  const me = newId();
  let saves = 0;
  let saving = 0;
  /** Records that no storage had before. */
  const unheard = new Set<string>();
  const fresh = (): Known => ({
    version: null,
    changed: Date.now(),
    order: 0,
    own: false,
    texts: [],
    mine: true,
    silent: false,
    copyOf: null,
  });
  return {
    known: (id) => (id === null ? undefined : known.get(id)),
    adopt({ id, version, changed, order, own }, texts) {
      const entry = { ...fresh(), version, changed, order, own, texts };
      known.set(id, entry);
      return entry;
    },
    begin(part = {}) {
      const id = newId();
      const entry = { ...fresh(), ...part };
      known.set(id, entry);
      unheard.add(id);
      tab.begin(id);
      return { id, entry };
    },
    next(id, entry, about, texts) {
      if (tab.work() !== id) {
        // What was replaced and came back is this tab's again.
        tab.take(id).then(
          (mine) => {
            entry.mine = mine;
          },
          () => undefined,
        );
      }
      if (!entry.silent && !sameTexts(texts, entry.texts)) {
        entry.changed = Date.now();
        entry.order = works.nextOrder();
      }
      entry.texts = texts;
      entry.version = nextVersion(entry.version, me, ++saves);
      const { changed, order, own, version } = entry;
      return { id, ...about, changed, order, version, own, pinned: false };
    },
    save(kept, entry) {
      const { id } = kept.summary;
      saving++;
      works
        .save(kept)
        .then(async (outcome) => {
          if (outcome === "apart") apart(kept, entry);
          else saved?.(kept, outcome === "saved");
          // One more than there was: others may be too many.
          if (outcome === "saved" && unheard.delete(id)) works.tidy(new Set([...(await tab.everywhere()), id]));
        })
        .catch(failed)
        .finally(() => {
          saving--;
          page.askBeforeLeaving(works.unstored());
        });
      page.askBeforeLeaving(works.unstored());
    },
    saveNow: (kept) => works.saveNow(kept),
    saving: () => saving > 0,
  };
}
