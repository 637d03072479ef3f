/** The page's end of the layout worker. What it was drawing when it ended is refused with a sentence; the next drawing starts another. */
import type { LayoutRunner } from "./layout-service.ts";
import type { DrawAnswer, DrawCall, WarmCall } from "./messages.ts";
import type { LayoutRequest } from "./plan.ts";
import type { GraphInput, GraphLayout } from "./types.ts";

/** The part of a Worker used here. */
export interface LayoutWorker {
  postMessage(call: DrawCall | WarmCall): void;
  addEventListener(type: "message", listener: (event: { data: DrawAnswer }) => void): void;
  addEventListener(type: "error" | "messageerror", listener: () => void): void;
  terminate(): void;
}

interface Waiting {
  readonly input: GraphInput;
  readonly request: LayoutRequest;
  readonly resolve: (layout: GraphLayout) => void;
  readonly reject: (error: Error) => void;
  readonly asked: number;
}

const ENDED = "ELK, which lays it out, could not be loaded, or has ended.";

/** A drawing that takes longer than this is ended when nobody wants it any more; a shorter one is over sooner than another worker starts. */
const END_AFTER_MS = 300;

export function createWorkerRunner(spawn: () => LayoutWorker, now: () => number = () => performance.now()): LayoutRunner {
  let worker: LayoutWorker | null = null;
  let isWarm = false;
  let nextId = 1;
  const waiting = new Map<number, Waiting>();

  const started = (): LayoutWorker => {
    if (worker !== null) return worker;
    const fresh = spawn();
    fresh.addEventListener("message", (event) => {
      const job = waiting.get(event.data.id);
      if (job === undefined) return;
      waiting.delete(event.data.id);
      if (event.data.layout !== null) job.resolve(event.data.layout);
      else job.reject(new Error(event.data.message));
    });
    const onDeath = (): void => {
      if (worker !== fresh) return;
      worker = null;
      fresh.terminate();
      const jobs = [...waiting.values()];
      waiting.clear();
      for (const job of jobs) job.reject(new Error(ENDED));
    };
    fresh.addEventListener("error", onDeath);
    fresh.addEventListener("messageerror", onDeath);
    worker = fresh;
    if (isWarm) fresh.postMessage({ warm: true });
    return fresh;
  };

  /** Nobody wants this one any more. The worker cannot be stopped, only ended: worth it where it has been at it for a while. */
  const drop = (id: number): void => {
    const job = waiting.get(id);
    if (job === undefined) return;
    const isFirst = waiting.keys().next().value === id;
    waiting.delete(id);
    job.reject(new DOMException("The drawing was stopped.", "AbortError"));
    if (!isFirst || now() - job.asked < END_AFTER_MS) return;
    worker?.terminate();
    worker = null;
    for (const [other, { input, request }] of waiting) started().postMessage({ id: other, input, request });
  };

  return {
    draw(input, request, signal) {
      return new Promise((resolve, reject) => {
        const id = nextId++;
        const job: Waiting = { input, request, resolve, reject, asked: now() };
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
