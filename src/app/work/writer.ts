/** Writes the records of one tab: every save is a version based on the previous one, and a record that another tab has is never overwritten. */

import type { PageEvents } from "./page-events.ts";
import { type Kept, newId, nextVersion, type Summary, type Version } from "./record.ts";
import type { Tab } from "./tab.ts";
import type { Works } from "./works.ts";

/** What this tab knows about a record that it writes, or wrote. */
export interface Known {
  readonly id: string;
  version: Version | null;
  changed: number;
  order: number;
  own: boolean;
  /** The texts that were saved last; a different one makes the record the latest. */
  texts: readonly unknown[];
  /** False: another tab has it. Changes made here are saved as a different record. */
  mine: boolean;
  /** The work of another tab of which this is a copy that keeps the place in it; the first change gives it its own name, and null. */
  placeIn: string | null;
}

/** A version of a record to save. */
export interface Made {
  readonly kept: Kept;
  readonly entry: Known;
}

interface WriterOptions {
  readonly works: Works;
  readonly tab: Tab;
  readonly page: PageEvents;
  /** Another tab has saved a version that this one has not seen: this one was not written, and must become a different record. The entry is that tab's. */
  readonly apart: (made: Made) => void;
  readonly saved?: (kept: Kept, stored: boolean) => void;
  readonly failed: (error: unknown) => void;
}

const sameTexts = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((one, i) => one === b[i]);

export type RecordWriter = ReturnType<typeof recordWriter>;

export function recordWriter({ works, tab, page, apart, saved, failed }: WriterOptions) {
  const known = new Map<string, Known>();
  /** This page, as versions name it, and how often it has saved. */
  const me = newId();
  let saves = 0;
  let saving = 0;
  /** Records that were in no storage before. */
  const unheard = new Set<string>();
  /** A new record, this tab's. */
  function begin(part: Partial<Known> = {}): Known {
    const entry = { ...fresh(newId()), ...part };
    known.set(entry.id, entry);
    unheard.add(entry.id);
    void tab.claim(entry.id);
    return entry;
  }
  /** Claims a record for this tab, unless another tab has it. */
  async function claim(entry: Known): Promise<void> {
    entry.mine = await tab.claim(entry.id);
  }
  function save(made: Made): void {
    const { kept, entry } = made;
    saving++;
    works
      .save(kept)
      .then(async (outcome) => {
        if (outcome === "apart") {
          entry.mine = false;
          apart(made);
        } else saved?.(kept, outcome === "saved");
        // There is one more than before, so others may exceed the limit.
        if (outcome === "saved" && unheard.delete(entry.id))
          works.tidy(new Set([...(await tab.inAnyTab()), tab.work() ?? entry.id, entry.id]));
      })
      .catch(failed)
      .finally(() => {
        saving--;
        page.askBeforeLeaving(works.unstored());
      });
    page.askBeforeLeaving(works.unstored());
  }
  return {
    known: (id: string | null): Known | undefined => (id === null ? undefined : known.get(id)),
    /** A record that was read is written by this tab from here on. */
    adopt({ id, version, changed, order, own }: Summary, texts: readonly unknown[]): Known {
      const entry = { ...fresh(id), version, changed, order, own, texts };
      known.set(id, entry);
      return entry;
    },
    claim,
    begin,
    /** The next version of a record. */
    next(entry: Known, about: Pick<Summary, "kind" | "title" | "lines">, texts: readonly unknown[]): Summary {
      const { id } = entry;
      // What was replaced and restored is this tab's again.
      if (tab.work() !== id) void claim(entry);
      if (entry.placeIn === null && !sameTexts(texts, entry.texts)) {
        entry.changed = Date.now();
        entry.order = works.nextOrder();
      }
      entry.texts = texts;
      entry.version = nextVersion(entry.version, me, ++saves);
      const { changed, order, own, version } = entry;
      return { id, ...about, changed, order, version, own, pinned: false };
    },
    save,
    /** As a new record with this name, if another tab has saved something else. */
    saveCopy({ kept: { summary, data }, entry: { version, texts } }: Made, title: string): Known {
      const entry = begin({ own: true, version, texts, order: works.nextOrder() });
      const { id, order } = entry;
      save({ kept: { summary: { ...summary, id, title, own: true, order }, data }, entry });
      return entry;
    },
    /** A save is in progress. */
    saving: () => saving > 0,
  };
}

/** What this tab knows about a record before it reads or saves it. */
function fresh(id: string): Known {
  return { id, version: null, changed: Date.now(), order: 0, own: false, texts: [], mine: true, placeIn: null };
}
