/** Where a student's work on a lab is kept: in localStorage, at once, a record for each lab and student; other tabs hear of it. */

import { type LabWork, merged, readWork } from "./work.ts";

const PREFIX = "oriscope.lab/";

export interface Shelf {
  read(): LabWork | null;
  /** Merged with what another tab has written meanwhile; null: the browser does not take it. */
  write(work: LabWork): LabWork | null;
  remove(): void;
  /** Hears of what other tabs write. Returns what ends it. */
  onOther(listener: (work: LabWork) => void): () => void;
}

/** `scope`: the course's package, whose labs are apart from all others; empty for none. */
export function shelfOf(scope: string, lab: string, student: string): Shelf {
  const key = `${PREFIX}${[scope, lab, student].map(encodeURIComponent).join("/")}`;
  const read = (): LabWork | null => {
    try {
      return readWork(localStorage.getItem(key));
    } catch {
      return null;
    }
  };
  return {
    read,
    write(work) {
      const there = read();
      const whole = there === null ? work : merged(work, there);
      try {
        localStorage.setItem(key, JSON.stringify(whole));
        return whole;
      } catch {
        return null;
      }
    },
    remove() {
      try {
        localStorage.removeItem(key);
      } catch {
        // Nothing is kept where nothing may be.
      }
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
