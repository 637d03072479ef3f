/** One worker from its start to its end: whether it ever sent a message, and every way in which its end is noticed. */

import { type Locks, onEndOf } from "../layout/alive.ts";
import { type EngineHello, isHello } from "./spawn.ts";

/** The part of a worker that reports its start and end. */
export interface Living {
  addEventListener(type: "message" | "error" | "messageerror", listener: (event: Event) => void): void;
  removeEventListener(type: "message" | "error" | "messageerror", listener: (event: Event) => void): void;
}

export interface Life {
  /** It sent something: it could be loaded. */
  readonly started: boolean;
  /** Stops listening. */
  leave(): void;
}

/**
 * Calls `ended` once, at the worker's end. `early`: its earlier messages. Without locks an end without an event, such as that of a worker
 * killed by the system, is not noticed.
 */
export function watchLife(worker: Living, early: EngineHello | null, locks: Locks | null, ended: (reason: string) => void): Life {
  const left = new AbortController();
  let started = false;
  const end = (reason: string): void => {
    if (left.signal.aborted) return;
    leave();
    ended(reason);
  };
  const meet = ({ lock }: EngineHello): void => {
    started = true;
    if (lock === null || locks === null) return;
    onEndOf({ alive: lock }, () => end("the engine's worker ended without a message"), left.signal, locks);
  };
  const onMessage = (event: Event): void => {
    started = true;
    const data: unknown = "data" in event ? event.data : null;
    if (isHello(data)) meet(data);
  };
  const onError = (event: Event): void => end(describe(event));
  const leave = (): void => {
    left.abort();
    worker.removeEventListener("message", onMessage);
    worker.removeEventListener("error", onError);
    worker.removeEventListener("messageerror", onError);
  };
  worker.addEventListener("message", onMessage);
  worker.addEventListener("error", onError);
  worker.addEventListener("messageerror", onError);
  if (early !== null) meet(early);
  return {
    get started() {
      return started;
    },
    leave,
  };
}

function describe(event: Event): string {
  const message: unknown = "message" in event ? event.message : undefined;
  return typeof message === "string" && message !== "" ? message : "the engine's worker ended";
}
