/** Which work this tab has, through reloads, and which ones other tabs have. */

import { browserStorage } from "../ui/browser-storage.ts";

const LOCK = "oriscope.work/";
const CHANNEL = "oriscope.copied";

export interface Tab {
  /** Id of the work that this tab has, or had before it was reloaded. */
  work(): string | null;
  /**
   * Claims a work for this tab and releases the previous one. False if another tab has it; then it stays with that tab.
   * Where tabs cannot agree, always true: saves notice a later version anyway.
   */
  take(id: string): Promise<boolean>;
  /** Ids of the works that other tabs have, and of those that were granted to this one. */
  held(): Promise<ReadonlySet<string>>;
  /** Notifies the other tabs that this tab saves its changes of a work separately from here on, under another name. */
  sayCopied(id: string, title: string): void;
  /** Calls back when another tab reports it. Returns a function that stops it. */
  onCopied(listener: (id: string, title: string) => void): () => void;
}

/** A reloaded tab may have to wait for its own previous page to end. */
const PATIENCE_MS = 3_000;
/** Where there are no locks, as on a page without a secure connection, the other tabs have this long to answer. */
const ANSWER_MS = 500;

/** Under `oriscope.tab` in sessionStorage: the program of this tab; under another key another thing that it has. Without that storage each load begins with the latest. */
export function thisTab(key = "oriscope.tab"): Tab {
  let letGo: () => void = () => undefined;
  /** Counts the requests: a lock that is granted after the next request is released immediately. */
  let latest = 0;
  /** The last request for each work, until its lock is free again. */
  const requests = new Map<string, Promise<unknown>>();
  /** Requested late: the answer comes from another process, and a frame in another page never needs it. */
  let before: string | null | undefined;
  const atFirst = (): string | null => {
    if (before === undefined) before = browserStorage("sessionStorage").get(key);
    return before;
  };
  const lock = (id: string, how: { readonly ifAvailable: true } | { readonly signal: AbortSignal }): Promise<boolean> => {
    const mine = ++latest;
    letGo();
    letGo = () => undefined;
    if (!locked()) return Promise.resolve(true);
    return new Promise((answer) => {
      const hold = (granted: Lock | null) => {
        answer(granted !== null);
        if (granted === null) return Promise.resolve();
        if (mine !== latest) return Promise.resolve();
        return new Promise<void>((resolve) => {
          letGo = resolve;
        });
      };
      // What this tab has just released is still its own for a moment.
      const free = requests.get(id) ?? Promise.resolve();
      const request = free.then(() => navigator.locks.request(LOCK + id, how, hold));
      // Not in time, or not allowed here, which is treated as having no locks.
      requests.set(
        id,
        request.catch((error: unknown) => answer(!(error instanceof DOMException && error.name === "TimeoutError"))),
      );
    });
  };
  let work: string | null | undefined;
  const has = (): string | null => (work === undefined ? atFirst() : work);
  // Not in every context, despite the type; without it the other tabs are not notified.
  const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(CHANNEL) : null;
  const hearing = (hear: (data: Readonly<Record<string, unknown>>) => void): (() => void) => {
    const listener = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data === "object" && data !== null) hear(data as Readonly<Record<string, unknown>>);
    };
    channel?.addEventListener("message", listener);
    return () => channel?.removeEventListener("message", listener);
  };
  if (!locked()) hearing(({ who }) => who === true && channel?.postMessage({ has: has() }));
  return {
    work: has,
    take(id) {
      work = id;
      const own = id === atFirst();
      browserStorage("sessionStorage").set(key, id);
      return lock(id, own ? { signal: AbortSignal.timeout(PATIENCE_MS) } : { ifAvailable: true });
    },
    async held() {
      const ids = new Set<string>();
      if (locked()) {
        const { held = [] } = await navigator.locks.query();
        for (const { name = "" } of held) if (name.startsWith(LOCK)) ids.add(name.slice(LOCK.length));
        return ids;
      }
      const stop = hearing(({ has: id }) => typeof id === "string" && ids.add(id));
      channel?.postMessage({ who: true });
      await new Promise((done) => setTimeout(done, ANSWER_MS));
      stop();
      return ids;
    },
    sayCopied: (id, title) => channel?.postMessage({ id, title }),
    onCopied: (listener) =>
      hearing(({ id, title }) => {
        if (typeof id === "string" && typeof title === "string") listener(id, title);
      }),
  };
}

/** Not on a page without a secure connection, despite the type. */
const locked = (): boolean => typeof navigator.locks?.query === "function";
