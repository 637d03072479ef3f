/**
 * Detects the end of a worker that no event reports, such as one that the system killed. A busy worker answers nothing, so it cannot
 * be polled; but it holds a browser lock while it lives, and the lock is granted to the next requester when it ends.
 */

/** The first message of a worker: the name of the lock that it holds. */
export interface Alive {
  readonly alive: string;
}

export function isAlive(data: unknown): data is Alive {
  return typeof data === "object" && data !== null && "alive" in data && typeof data.alive === "string";
}

/** The part of the browser's lock API that is used. */
export interface Locks {
  request(name: string, options: { readonly signal: AbortSignal }, held: () => void): Promise<unknown>;
}

/** Missing in some contexts, though its type says otherwise. */
const browserLocks = (): LockManager | undefined => (globalThis.navigator as { readonly locks?: LockManager } | undefined)?.locks;

/** Called once in the worker: takes a lock that only the worker's end releases. Null without locks: then only events report the end. */
export async function holdLock(of: "engine" | "layout"): Promise<Alive | null> {
  const name = `oriscope.${of}.${Date.now()}.${Math.random()}`;
  return new Promise((resolve) => {
    const held = browserLocks()?.request(name, () => {
      resolve({ alive: name });
      return new Promise<never>(() => {});
    });
    if (held === undefined) resolve(null);
    else held.catch(() => resolve(null));
  });
}

/** Calls `ended` when the worker that sent this has ended, unless `left` fires before. */
export function onEndOf({ alive }: Alive, ended: () => void, left: AbortSignal, locks: Locks | undefined = browserLocks()): void {
  locks
    ?.request(alive, { signal: left }, () => {
      if (!left.aborted) ended();
    })
    // The request was aborted, or locks are not allowed here.
    .catch(() => undefined);
}
