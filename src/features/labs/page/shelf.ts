/** Where a student's work on a lab is saved: immediately in localStorage, one record for each lab, version and student; other tabs are notified. */

import { browserStorage } from "../../../app/ui/browser-storage.ts";
import { type LabWork, merged, readWork } from "./work.ts";

const PREFIX = "oriscope.lab/";
/** Versions that are looked for. */
const MOST_VERSIONS = 50;

export interface Shelf {
  read(): LabWork | null;
  /** Merged with what another tab has written meanwhile; null: the browser does not take it. */
  write(work: LabWork): LabWork | null;
  /** In the place of what is there; null as above. */
  replace(work: LabWork): LabWork | null;
  /** What was done on earlier versions of the lab, the latest first: it stays as it was. */
  earlier(): readonly LabWork[];
  /** Takes away every version's. */
  removeAll(): void;
  /** Hears of what other tabs write. Returns what ends it. */
  onOther(listener: (work: LabWork) => void): () => void;
}

/**
 * Of a lab that came with a link: separate from every other text, independently of its id. Work that was done on this very text where it was
 * found under its id alone is taken over.
 */
export function linkedShelf(lab: { readonly id: string; readonly version: number; readonly digest: string }, student: string): Shelf {
  const own = shelfOf(`link:${lab.digest}`, lab, student);
  const byId = (): LabWork | null => {
    const there = shelfOf("", lab, student).read();
    return there?.digest === lab.digest ? there : null;
  };
  return { ...own, read: () => own.read() ?? byId() };
}

/** `scope`: the course's package, whose labs are apart from all others; empty for none. */
export function shelfOf(scope: string, lab: { readonly id: string; readonly version: number }, student: string): Shelf {
  const keyOf = (version: number): string =>
    `${PREFIX}${[scope, version === 1 ? lab.id : `${lab.id}@${version}`, student].map(encodeURIComponent).join("/")}`;
  const key = keyOf(lab.version);
  const storage = browserStorage("localStorage");
  const readAt = (from: string): LabWork | null => readWork(storage.get(from));
  const read = (): LabWork | null => [key, keyOf(1)].map(readAt).find((work) => work?.version === lab.version) ?? null;
  const others = (): readonly string[] =>
    Array.from({ length: Math.min(MOST_VERSIONS, lab.version - 1) }, (_, i) => keyOf(lab.version - 1 - i));
  const replace = (work: LabWork): LabWork | null => (storage.set(key, JSON.stringify(work)) ? work : null);
  return {
    read,
    write(work) {
      const there = read();
      return replace(there === null ? work : merged(work, there));
    },
    replace,
    earlier: () =>
      others()
        .map(readAt)
        .filter((work) => work !== null)
        .filter((work) => work.version !== lab.version && Object.values(work.tasks).some((task) => task.answer !== null)),
    removeAll() {
      for (const each of [key, ...others()]) storage.remove(each);
    },
    onOther(listener) {
      const hear = ({ key: changed, newValue }: StorageEvent): void => {
        const work = changed === key ? readWork(newValue) : null;
        if (work !== null) listener(work);
      };
      window.addEventListener("storage", hear);
      return () => window.removeEventListener("storage", hear);
    },
  };
}
