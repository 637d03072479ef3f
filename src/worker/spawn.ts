/** Starts the engine's worker. A module of its own, so that the page can do it before anything else of it has arrived. */

/** A worker that nobody listens to yet. */
export interface SpawnedEngine {
  readonly worker: Worker;
  /** It could not be started: what it had to say about it is gone. */
  readonly failed: boolean;
}

export function newEngineWorker(): Worker {
  return new Worker(new URL("./host.ts", import.meta.url), { type: "module" });
}

export function spawnEngine(): SpawnedEngine {
  const worker = newEngineWorker();
  let failed = false;
  worker.addEventListener(
    "error",
    () => {
      failed = true;
    },
    { once: true },
  );
  return {
    worker,
    get failed() {
      return failed;
    },
  };
}
