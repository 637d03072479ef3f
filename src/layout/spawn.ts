/** Starts the layout's worker. A separate module, so that the page can do it before anything else has arrived. */

let early: { readonly worker: Worker; failed: boolean } | null = null;

const newWorker = (): Worker => new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });

/** A worker for the first drawing, and ELK in it. */
export function startLayout(): void {
  if (early !== null) return;
  const started = { worker: newWorker(), failed: false };
  started.worker.addEventListener("error", () => {
    started.failed = true;
  });
  early = started;
}

/** The one that was started before, if it lives, or a new one. */
export function layoutWorker(): Worker {
  const started = early;
  early = null;
  return started === null || started.failed ? newWorker() : started.worker;
}
