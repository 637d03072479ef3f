/** Which tab writes a work: the one that has claimed it, until it claims another or is closed; a reloaded tab claims its work again. */

import { browserStorage } from "../ui/browser-storage.ts";

const LOCK = "oriscope.work/";
const CHANNEL = "oriscope.copied";

export interface Tab {
  /** Id of the work that this tab claimed last, before a reload too, even if another tab has it. */
  work(): string | null;
  /**
   * Claims a work for this tab and releases the previous one. False if another tab has it; then it stays with that tab.
   * Where tabs cannot agree, always true: saves notice a later version anyway.
   */
  claim(id: string): Promise<boolean>;
  /** Ids of the works that tabs have; this tab's own may be missing. */
  inAnyTab(): Promise<ReadonlySet<string>>;
  /** Notifies the other tabs that this tab saves its changes of a work separately from here on, under another name. */
  sayCopied(id: string, title: string): void;
  /** Calls back when another tab reports it. Returns a function that stops it. */
  onCopied(listener: (id: string, title: string) => void): () => void;
}

/** A reloaded tab may have to wait for its own previous page to end. */
const PATIENCE_MS = 3_000;
/** Where there are no locks, as on a page without a secure connection, the other tabs have this long to answer. */
const ANSWER_MS = 500;

/** Under `oriscope.tab` in sessionStorage: the program of this tab; under another key a work of another kind. Without that storage each load begins with the latest. */
export function thisTab(key = "oriscope.tab"): Tab {
  let release: () => void = () => undefined;
  let claims = 0;
  /** The last request for each work, until its lock is free again. */
  const requests = new Map<string, Promise<unknown>>();
  const lock = (id: string, how: { readonly ifAvailable: true } | { readonly signal: AbortSignal }): Promise<boolean> => {
    const claim = ++claims;
    release();
    release = () => undefined;
    if (!hasLocks()) return Promise.resolve(true);
    return new Promise((answer) => {
      const hold = (granted: Lock | null) => {
        answer(granted !== null);
        // A lock that is granted after the next claim is released immediately.
        if (granted === null || claim !== claims) return Promise.resolve();
        return new Promise<void>((resolve) => {
          release = resolve;
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
  let claimed: string | null = null;
  /** Read only when it is needed: the answer comes from another process, and a frame in another page never needs it. */
  let before: string | null | undefined;
  const atFirst = (): string | null => {
    if (before === undefined) before = browserStorage("sessionStorage").get(key);
    return before;
  };
  const work = (): string | null => claimed ?? atFirst();
  // Not in every context, despite the type; without it the other tabs are not notified.
  const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(CHANNEL) : null;
  const hearing = (hear: (data: Readonly<Record<string, unknown>>) => void): (() => void) => {
    const listener = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data === "object" && data !== null) hear(data as Readonly<Record<string, unknown>>);
    };
    channel?.addEventListener("message", listener);
    return () => channel?.removeEventListener("message", listener);
  };
  if (!hasLocks()) hearing(({ who }) => who === true && channel?.postMessage({ has: work() }));
  return {
    work,
    claim(id) {
      claimed = id;
      const own = id === atFirst();
      browserStorage("sessionStorage").set(key, id);
      return lock(id, own ? { signal: AbortSignal.timeout(PATIENCE_MS) } : { ifAvailable: true });
    },
    async inAnyTab() {
      const ids = new Set<string>();
      if (hasLocks()) {
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
const hasLocks = (): boolean => typeof navigator.locks?.query === "function";
