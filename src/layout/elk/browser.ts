/**
 * Runs ELK in its own worker. When that worker ends, elkjs leaves its promises pending for ever, so a drawing under way is sent once to a
 * new worker, and rejected with a message if that one ends too.
 */
import Engine, { type ELK } from "elkjs/lib/elk-api.js";
import { isAlive, type Locks, onEndOf } from "../alive.ts";
import { mayRedraw } from "../redraw.ts";
import type { Elk, ElkNode } from "./elk.ts";

interface Job {
  readonly graph: ElkNode;
  readonly resolve: (drawn: ElkNode) => void;
  readonly reject: (error: Error) => void;
  ends: number;
}

const newWorker = (): Worker => new Worker(new URL("./elk.worker.ts", import.meta.url), { type: "module" });

/** Starts on first use. */
export function browserElk(spawn: () => Worker = newWorker, locks?: Locks): Elk {
  let engine: ELK | null = null;
  const waiting = new Set<Job>();

  const started = (): ELK => {
    if (engine !== null) return engine;
    const worker = spawn();
    const mine = new Engine({ algorithms: ["layered"], workerFactory: () => worker });
    const left = new AbortController();
    const end = (): void => {
      if (engine !== mine) return;
      engine = null;
      left.abort();
      worker.terminate();
      for (const job of [...waiting]) {
        if (mayRedraw(job)) draw(job);
        else waiting.delete(job);
      }
    };
    worker.addEventListener("error", (event) => {
      // Otherwise the owner of this worker would receive the event as an error of this one.
      event.preventDefault();
      end();
    });
    worker.addEventListener("messageerror", end);
    worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (isAlive(data)) onEndOf(data, end, left.signal, locks);
    });
    engine = mine;
    return mine;
  };

  const draw = (job: Job): void => {
    const done = (settle: () => void): void => {
      if (waiting.delete(job)) settle();
    };
    started()
      .layout(job.graph)
      .then(
        (drawn) => done(() => job.resolve(drawn)),
        (reason: unknown) => done(() => job.reject(asError(reason))),
      );
  };

  return (graph) =>
    new Promise((resolve, reject) => {
      const job: Job = { graph, resolve, reject, ends: 0 };
      waiting.add(job);
      draw(job);
    });
}

/** ELK's worker sends its errors as plain objects. */
function asError(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  const said = typeof reason === "object" && reason !== null && "message" in reason ? reason.message : reason;
  return new Error(`ELK says: ${String(said)}`);
}
