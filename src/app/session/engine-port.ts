/** How the page sees the engine: the worker's contract with every answer as a promise, and news of a crash. */

import { EngineRestarted } from "../../worker/client.ts";
import { type AsyncEngine, type EngineApi, everyQuestion } from "../../worker/questions.ts";

export type { AsyncEngine };

/** An engine the session may use. After a crash the same port leads to a fresh, empty engine. */
export interface EnginePort {
  readonly api: AsyncEngine;
  /**
   * Calls back after each crash, with what is known about it, once a fresh engine is ready; `restored` is false if the same work ended
   * the fresh engine too and must not be given to it again. Returns a function that stops it.
   */
  onRestart(listener: (reason: string, report: { readonly restored: boolean; readonly runDropped: boolean }) => void): () => void;
  /** Calls back when the engine could not be loaded and is not retried automatically. Returns a function that stops it. */
  onUnavailable(listener: (reason: string) => void): () => void;
  /**
   * Ends the engine and starts a fresh one. `replay`: what the new engine is given; if less than the run, the listeners are notified. `script`: the
   * address of the engine to use from now on; null: the page's own.
   */
  restart(reason: string, options?: { readonly replay?: "run" | "text" | "nothing"; readonly script?: string | null }): void;
}

/** Wraps an engine that lives in this thread: tests only. */
export function localPort(make: () => EngineApi): EnginePort {
  let engine = make();
  const listeners = new Set<Parameters<EnginePort["onRestart"]>[0]>();
  /** One for every call so far: refusing an answered call does nothing. */
  const pending = new Set<(error: Error) => void>();
  const api = everyQuestion<AsyncEngine>((name) => async (...args) => {
    const ended = new Promise<never>((_, reject) => pending.add(reject));
    return Promise.race([Reflect.apply(engine[name], engine, args), ended]);
  });
  return {
    api,
    onRestart(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onUnavailable: () => () => undefined,
    restart(reason, { replay = "run" } = {}) {
      engine = make();
      const error = new EngineRestarted(reason);
      for (const reject of pending) reject(error);
      pending.clear();
      for (const listener of listeners) listener(reason, { restored: true, runDropped: replay !== "run" });
    },
  };
}
