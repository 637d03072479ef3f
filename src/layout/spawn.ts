/** Starts the layout's worker. A separate module, so that the page can start it before anything else has arrived. */

let early: { readonly worker: Worker; failed: boolean } | null = null;

const newWorker = (): Worker => new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });

/** Starts a worker, and ELK in it, for the first drawing. */
export function startLayout(): void {
  if (early !== null) return;
  const started = { worker: newWorker(), failed: false };
  started.worker.addEventListener("error", () => {
    started.failed = true;
  });
  early = started;
}

/** The worker that was started early, unless it failed, or a new one. */
export function layoutWorker(): Worker {
  const started = early;
  early = null;
  return started === null || started.failed ? newWorker() : started.worker;
}
