/** ELK in a worker of its own. Its promises stay open for ever when that ends: here they are rejected, and the next drawing starts another. */
/// <reference types="vite/client" />
import Engine, { type ELK } from "elkjs/lib/elk-api.js";
import ElkWorker from "elkjs/lib/elk-worker.min.js?worker";
import type { Elk } from "./elk.ts";

/** Starts when it is first asked. */
export function browserElk(spawn: () => Worker = () => new ElkWorker()): Elk {
  let engine: ELK | null = null;
  const waiting = new Set<(error: Error) => void>();
  const started = (): ELK => {
    if (engine !== null) return engine;
    const worker = spawn();
    const mine = new Engine({ algorithms: ["layered"], workerFactory: () => worker });
    const end = (): void => {
      if (engine !== mine) return;
      engine = null;
      worker.terminate();
      for (const reject of waiting) reject(new Error("ELK, which lays it out, could not be loaded, or has ended."));
      waiting.clear();
    };
    worker.addEventListener("error", end);
    worker.addEventListener("messageerror", end);
    engine = mine;
    return mine;
  };
  return (graph) =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      started()
        .layout(graph)
        .then(resolve, (reason: unknown) => reject(asError(reason)))
        .finally(() => waiting.delete(reject));
    });
}

/** What ELK says comes out of its worker as a plain object. */
function asError(reason: unknown): Error {
  if (reason instanceof Error) return reason;
  const said = typeof reason === "object" && reason !== null && "message" in reason ? reason.message : reason;
  return new Error(`ELK says: ${String(said)}`);
}
