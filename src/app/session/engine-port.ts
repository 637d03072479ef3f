/** How the page sees the engine: the worker's contract with every answer as a promise, and news of a crash. */

import type { EngineApi } from "../../worker/contract.ts";

/** The contract over the wire: same calls, answers as promises. */
export type AsyncEngine = {
  readonly [K in keyof EngineApi]: (...args: Parameters<EngineApi[K]>) => Promise<Awaited<ReturnType<EngineApi[K]>>>;
};

/** An engine the session may use. After a crash a fresh, empty engine stands behind the same port. */
export interface EnginePort {
  readonly api: AsyncEngine;
  /** Calls back after each crash, with what is known of it, once a fresh engine is ready. Returns a function that stops it. */
  onRestart(listener: (reason: string) => void): () => void;
  /** Ends the engine and starts a fresh one (a run that takes too long; tests). */
  restart(reason: string): void;
}

/** Wraps an engine that lives in this thread: tests only. */
export function localPort(make: () => EngineApi): EnginePort {
  let engine = make();
  const listeners = new Set<(reason: string) => void>();
  const api = new Proxy({} as AsyncEngine, {
    get: (_target, name) => {
      if (typeof name !== "string" || name === "then") return undefined;
      return async (...args: readonly unknown[]) => {
        const method: unknown = Reflect.get(engine, name);
        if (typeof method !== "function") throw new TypeError(`the engine has no ${name}`);
        return Reflect.apply(method, engine, args);
      };
    },
  });
  return {
    api,
    onRestart(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    restart(reason) {
      engine = make();
      for (const listener of listeners) listener(reason);
    },
  };
}
