/** Starts the engine's worker. A separate module, so that the page can do it before anything else has arrived. */

/** The worker's first message: it is loaded. `lock` names a lock of the browser that it holds as long as it lives; null: it has none. */
export interface EngineHello {
  readonly hello: "engine";
  readonly lock: string | null;
}

/** A worker without listeners yet. */
export interface SpawnedEngine {
  readonly worker: Worker;
  /** It could not be started: what it had to say about it is gone. */
  readonly failed: boolean;
  /** What it said before anybody listened. */
  readonly hello: EngineHello | null;
}

/** `script`: the address of another engine's; null: the page's own engine. */
export function newEngineWorker(script: string | null = null): Worker {
  return script === null ? new Worker(new URL("./host.ts", import.meta.url), { type: "module" }) : new Worker(script, { type: "module" });
}

export function isHello(data: unknown): data is EngineHello {
  return typeof data === "object" && data !== null && "hello" in data && data.hello === "engine";
}

export function spawnEngine(): SpawnedEngine {
  const worker = newEngineWorker();
  let failed = false;
  let hello: EngineHello | null = null;
  worker.addEventListener(
    "error",
    () => {
      failed = true;
    },
    { once: true },
  );
  worker.addEventListener(
    "message",
    ({ data }: MessageEvent<unknown>) => {
      if (isHello(data)) hello = data;
    },
    { once: true },
  );
  return {
    worker,
    get failed() {
      return failed;
    },
    get hello() {
      return hello;
    },
  };
}
