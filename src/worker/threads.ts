/** A worker that answers through comlink. It starts with the first question; when it ends, pending calls are rejected with the reason, and the next question starts a new one. */

import { type Remote, releaseProxy, wrap } from "comlink";

export interface Thread<Api> {
  /** It is running: a question now would not start it. */
  readonly isRunning: boolean;
  /** The result that `work` gets from the worker. A worker that fails to answer is ended. */
  ask<T>(work: (remote: Remote<Api>) => Promise<T>, limit?: Limit | null): Promise<T>;
  /** Ends the worker and rejects pending calls; without a reason there are none. */
  end(reason?: Error): void;
}

export interface Limit {
  readonly ms: number;
  readonly late: () => Error;
}

interface Running<Api> {
  readonly remote: Remote<Api>;
  /** Rejects at its end. */
  readonly over: Promise<never>;
  end(reason?: Error): void;
}

/** `ended`: the error when it ends by itself, from the message of the browser, which may be empty. */
export function startThread<Api>(spawn: () => Worker, ended: (message: string) => Error): Thread<Api> {
  let running: Running<Api> | null = null;
  const start = (): Running<Api> => {
    const worker = spawn();
    const remote = wrap<Api>(worker);
    let refuse: (reason: Error) => void = () => undefined;
    const over = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    // Without a pending call nothing else handles the rejection.
    over.catch(() => undefined);
    let isOver = false;
    const end = (reason?: Error): void => {
      if (isOver) return;
      isOver = true;
      if (running?.remote === remote) running = null;
      remote[releaseProxy]();
      worker.terminate();
      if (reason !== undefined) refuse(reason);
    };
    worker.addEventListener("error", ({ message }) => end(ended(message)));
    return { remote, over, end };
  };
  return {
    get isRunning() {
      return running !== null;
    },
    async ask(work, limit = null) {
      running ??= start();
      const { remote, over, end } = running;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        if (limit !== null) timer = setTimeout(() => reject(limit.late()), limit.ms);
      });
      try {
        return await Promise.race([work(remote), over, late]);
      } catch (error) {
        end(error instanceof Error ? error : undefined);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    end: (reason) => running?.end(reason),
  };
}
