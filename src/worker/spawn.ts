/** Starts the engine's worker. A separate module, so that the page can do it before anything else is loaded. */

/** The worker's first message: it is loaded. `lock` names the browser lock that it holds as long as it lives; null: none. */
export interface EngineHello {
  readonly hello: "engine";
  readonly lock: string | null;
}

/** A worker without listeners yet. */
export interface SpawnedEngine {
  readonly worker: Worker;
  /** It could not be started, and its message about that is lost. */
  readonly failed: boolean;
  /** Its messages before anyone listened. */
  readonly hello: EngineHello | null;
}

/** `script`: the address of a different engine's script; null: the page's own. */
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
