/** ELK's worker, which can be started before there is anything to lay out: it is the longest part of the way to a first picture. */

export interface StartedElk {
  readonly worker: Worker;
  /** Rejects when the worker ends by itself; never resolves. */
  readonly death: Promise<never>;
}

let prepared: StartedElk | null = null;

/** Starts loading ELK for whoever takes it first. */
export function prepareElk(): void {
  prepared ??= start();
}

/** The prepared worker, or a fresh one. */
export function takeElk(): StartedElk {
  const taken = prepared ?? start();
  prepared = null;
  return taken;
}

function start(): StartedElk {
  const worker = new Worker(new URL("./elk.worker.ts", import.meta.url), { type: "module" });
  const death = new Promise<never>((_, reject) => {
    worker.addEventListener("error", (event) => reject(new Error(event.message || "ELK could not be loaded")), { once: true });
  });
  // Heard by whoever waits for a layout; until then it is nobody's.
  death.catch(() => undefined);
  return { worker, death };
}
