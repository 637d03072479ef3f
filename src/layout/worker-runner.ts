/**
 * The page's end of the layout worker. What it was drawing when it ended is given to another once, and refused with a sentence if that ends as
 * well; the next drawing starts another.
 */
import { type Alive, isAlive, type Locks, onEndOf } from "./alive.ts";
import type { LayoutRunner } from "./layout-service.ts";
import type { DrawAnswer, DrawCall, WarmCall } from "./messages.ts";
import type { LayoutRequest } from "./plan.ts";
import { ENDED, mayRedraw } from "./redraw.ts";
import type { GraphInput, GraphLayout } from "./types.ts";

/** The part of a Worker used here. */
export interface LayoutWorker {
  postMessage(call: DrawCall | WarmCall): void;
  addEventListener(type: "message", listener: (event: { data: DrawAnswer | Alive }) => void): void;
  addEventListener(type: "error" | "messageerror", listener: () => void): void;
  terminate(): void;
}

interface Waiting {
  readonly input: GraphInput;
  readonly request: LayoutRequest;
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
    const left = new AbortController();
    fresh.addEventListener("message", ({ data }) => {
      if (isAlive(data)) {
        onEndOf(data, onDeath, left.signal, locks);
        return;
      }
      const job = waiting.get(data.id);
      if (job === undefined) return;
      waiting.delete(data.id);
      if (data.layout !== null) job.resolve(data.layout);
      else job.reject(new Error(data.message));
    });
    const onDeath = (): void => {
      left.abort();
      if (worker !== fresh) return;
      worker = null;
      fresh.terminate();
      for (const [id, job] of waiting) if (!mayRedraw(job)) waiting.delete(id);
      sendAll();
    };
    fresh.addEventListener("error", onDeath);
    fresh.addEventListener("messageerror", onDeath);
    worker = fresh;
    if (isWarm) fresh.postMessage({ warm: true });
    return fresh;
  };

  /** Passes what is still wanted from an ended worker to a new one. */
  const sendAll = (): void => {
    for (const [id, { input, request }] of waiting) started().postMessage({ id, input, request });
  };

  /** This one is no longer wanted. The worker cannot be stopped, only ended, which is worth it if it has worked on it for a while. */
  const drop = (id: number): void => {
    const job = waiting.get(id);
    if (job === undefined) return;
    const isFirst = waiting.keys().next().value === id;
    waiting.delete(id);
    job.reject(new DOMException("The drawing was stopped.", "AbortError"));
    if (!isFirst || now() - job.asked < END_AFTER_MS) return;
    worker?.terminate();
    worker = null;
    sendAll();
  };

  return {
    draw(input, request, signal) {
      return new Promise((resolve, reject) => {
        const id = nextId++;
        const job: Waiting = { input, request, resolve, reject, asked: now(), ends: 0 };
        waiting.set(id, job);
        signal?.addEventListener("abort", () => drop(id), { once: true });
        try {
          started().postMessage({ id, input, request });
        } catch (error) {
          // No workers in this browser, or none allowed here.
          waiting.delete(id);
          reject(error instanceof Error ? error : new Error(ENDED));
        }
      });
    },
    warmUp() {
      isWarm = true;
      worker?.postMessage({ warm: true });
    },
    dispose() {
      worker?.terminate();
      worker = null;
      waiting.clear();
    },
  };
}
