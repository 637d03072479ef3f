/**
 * The page's end of the layout worker. What it was drawing when it ended is given to another once, and refused with a sentence if that ends as
 * well; the next drawing starts another.
 */
import { type Alive, isAlive, type Locks, onEndOf } from "./alive.ts";
import type { LayoutRunner } from "./layout-service.ts";
import type { DrawAnswer, DrawCall, WarmCall } from "./messages.ts";
import { ENDED, mayRedraw } from "./redraw.ts";
import type { GraphLayout } from "./types.ts";

/** The part of a Worker used here. */
export interface LayoutWorker {
  postMessage(call: DrawCall | WarmCall): void;
  addEventListener(type: "message", listener: (event: { data: DrawAnswer | Alive }) => void): void;
  addEventListener(type: "error" | "messageerror", listener: () => void): void;
  terminate(): void;
}

interface Waiting {
  readonly call: DrawCall;
  readonly resolve: (layout: GraphLayout) => void;
  readonly reject: (error: Error) => void;
  readonly asked: number;
  ends: number;
}

/** A drawing that takes longer than this is ended when it is no longer wanted; a shorter one is finished before a new worker starts. */
const END_AFTER_MS = 300;

export function createWorkerRunner(spawn: () => LayoutWorker, now: () => number = () => performance.now(), locks?: Locks): LayoutRunner {
  let worker: LayoutWorker | null = null;
  let isWarm = false;
  let nextId = 1;
  const waiting = new Map<number, Waiting>();

  const started = (): LayoutWorker => {
    if (worker !== null) return worker;
    const fresh = spawn();
    const ended = (): void => {
      if (worker !== fresh) return;
      for (const [id, job] of waiting) if (!mayRedraw(job)) waiting.delete(id);
      replace();
    };
    listen(fresh, locks, ended, (answer) => {
      const job = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.layout !== null) job?.resolve(answer.layout);
      else job?.reject(new Error(answer.message));
    });
    worker = fresh;
    if (isWarm) fresh.postMessage({ warm: true });
    return fresh;
  };

  const stop = (): void => {
    worker?.terminate();
    worker = null;
  };

  /** Passes what is still wanted to a new worker. */
  const replace = (): void => {
    stop();
    for (const { call } of waiting.values()) started().postMessage(call);
  };

  /** This one is no longer wanted. The worker cannot be stopped, only ended, which is worth it if it has worked on it for a while. */
  const drop = (id: number): void => {
    const job = waiting.get(id);
    if (job === undefined) return;
    const isFirst = waiting.keys().next().value === id;
    waiting.delete(id);
    job.reject(new DOMException("The drawing was stopped.", "AbortError"));
    if (isFirst && now() - job.asked >= END_AFTER_MS) replace();
  };

  return {
    draw(input, request, signal) {
      return new Promise((resolve, reject) => {
        const call: DrawCall = { id: nextId++, input, request };
        waiting.set(call.id, { call, resolve, reject, asked: now(), ends: 0 });
        signal?.addEventListener("abort", () => drop(call.id), { once: true });
        try {
          started().postMessage(call);
        } catch (error) {
          // No workers in this browser, or none allowed here.
          waiting.delete(call.id);
          reject(error instanceof Error ? error : new Error(ENDED));
        }
      });
    },
    warmUp() {
      isWarm = true;
      if (worker === null) started();
      else worker.postMessage({ warm: true });
    },
    dispose() {
      stop();
      waiting.clear();
    },
  };
}

/** Passes on a worker's answers, and reports its end, however it is noticed. */
function listen(worker: LayoutWorker, locks: Locks | undefined, ended: () => void, answered: (answer: DrawAnswer) => void): void {
  const left = new AbortController();
  const end = (): void => {
    left.abort();
    ended();
  };
  worker.addEventListener("message", ({ data }) => {
    if (isAlive(data)) onEndOf(data, end, left.signal, locks);
    else answered(data);
  });
  worker.addEventListener("error", end);
  worker.addEventListener("messageerror", end);
}
