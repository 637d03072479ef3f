/** Which work this tab has, through reloads, and whether another tab has it too. */

const KEY = "oriscope.tab";
const CHANNEL = "oriscope.copied";

export interface Tab {
  /** Id of the work that this tab has, or had before it was reloaded. */
  work(): string | null;
  /**
   * Takes a work for this tab and lets go of the one before it. False when another tab has it; then that tab's it remains.
   * Where tabs cannot agree, always true: saves notice a later version anyway.
   */
  take(id: string): Promise<boolean>;
  /** As `take` of a work that nobody else can know yet. */
  begin(id: string): void;
  /** Tells the other tabs that what this one changes of a work is kept by itself from here on, under another name. */
  sayCopied(id: string, title: string): void;
  /** Calls back when another tab says so. Returns a function that stops it. */
  onCopied(listener: (id: string, title: string) => void): () => void;
}

/** A tab that was reloaded may have to wait for itself to be gone. */
const PATIENCE_MS = 3_000;

export function thisTab(): Tab {
  let letGo: () => void = () => undefined;
  /** Counts what was asked for: a lock that comes after the next wish is let go at once. */
  let wish = 0;
  /** Asked for late: the answer comes from another process, and a frame in another page never needs it. */
  let before: string | null | undefined;
  const atFirst = (): string | null => {
    if (before === undefined) before = remembered();
    return before;
  };
  const lock = (id: string, how: { readonly ifAvailable: true } | { readonly signal: AbortSignal }): Promise<boolean> => {
    const mine = ++wish;
    letGo();
    letGo = () => undefined;
    if (typeof navigator.locks?.request !== "function") return Promise.resolve(true);
    return new Promise((answer) => {
      const hold = (granted: Lock | null) => {
        answer(granted !== null);
        if (granted === null) return Promise.resolve();
        if (mine !== wish) return Promise.resolve();
        return new Promise<void>((resolve) => {
          letGo = resolve;
        });
      };
      navigator.locks
        .request(`oriscope.work/${id}`, how, hold)
        // Not in time; or not allowed here, which is as if there were no locks.
        .catch((error: unknown) => answer(!(error instanceof DOMException && error.name === "TimeoutError")));
    });
  };
  let work: string | null | undefined;
  // Not in every context, whatever the type says; without it the other tab is not told.
  const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(CHANNEL) : null;
  return {
    sayCopied: (id, title) => channel?.postMessage({ id, title }),
    onCopied(listener) {
      const hear = ({ data }: MessageEvent<unknown>): void => {
        if (typeof data !== "object" || data === null || !("id" in data) || !("title" in data)) return;
        if (typeof data.id === "string" && typeof data.title === "string") listener(data.id, data.title);
      };
      channel?.addEventListener("message", hear);
      return () => channel?.removeEventListener("message", hear);
    },
    work: () => (work === undefined ? atFirst() : work),
    take(id) {
      work = id;
      const own = id === atFirst();
      remember(id);
      return lock(id, own ? { signal: AbortSignal.timeout(PATIENCE_MS) } : { ifAvailable: true });
    },
    begin(id) {
      work = id;
      atFirst();
      remember(id);
      void lock(id, { ifAvailable: true });
    },
  };
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    // No storage in this frame: each load begins with the latest work.
    return null;
  }
}

function remember(id: string): void {
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // As above.
  }
}
