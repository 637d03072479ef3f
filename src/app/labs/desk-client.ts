/** The page's end of the lab's thread: a question at a time, each under a limit of time; a thread that ends is replaced. */

import { type Remote, releaseProxy, wrap } from "comlink";
import type { Desk, OpenedLab } from "../../labs/desk.ts";
import { messageOf } from "../ui/failure.ts";

/** As long as `oriscope grade` gives a whole hand-in. */
const PATIENCE_MS = 30_000;

/** The lab's thread gave no answer. The message says why, for people. */
export class DeskFailed extends Error {
  override readonly name = "DeskFailed";
}

type Asked = Omit<{ readonly [K in keyof Desk]: Desk[K] }, "open">;

export interface DeskClient {
  open(text: string): Promise<OpenedLab>;
  ask<K extends keyof Asked>(method: K, ...args: Parameters<Asked[K]>): Promise<ReturnType<Asked[K]>>;
  dispose(): void;
}

interface Thread {
  readonly worker: Worker;
  readonly remote: Remote<Desk>;
  /** Rejects when the thread ends by itself. */
  readonly ended: Promise<never>;
}

/** `patience`: milliseconds for one question; null: as long as it takes. */
export function startDesk(patience: number | null = PATIENCE_MS): DeskClient {
  let text = "";
  let thread: Thread | null = null;
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();

  const start = (): Thread => {
    const worker = new Worker(new URL("./lab.worker.ts", import.meta.url), { type: "module" });
    const ended = new Promise<never>((_, reject) => {
      worker.addEventListener("error", ({ message }) => {
        const why = message === "" ? "" : `: ${message}`;
        reject(new DeskFailed(`the lab’s worker ended${why}; your answers are kept`));
        // Whoever waits is told; the next question starts another.
        if (thread?.worker === worker) end();
      });
    });
    ended.catch(() => undefined);
    return { worker, remote: wrap<Desk>(worker), ended };
  };
  const end = (): void => {
    thread?.remote[releaseProxy]();
    thread?.worker.terminate();
    thread = null;
  };
  const bounded = async <T>({ ended }: Thread, work: Promise<T>): Promise<T> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      if (patience === null) return;
      timer = setTimeout(() => reject(new DeskFailed(`it took longer than ${patience / 1000} s; your answer is kept`)), patience);
    });
    try {
      return await Promise.race([work, ended, late]);
    } catch (error) {
      // Whatever failed, the next question finds a fresh thread.
      end();
      throw error instanceof DeskFailed ? error : new DeskFailed(messageOf(error));
    } finally {
      clearTimeout(timer);
    }
  };
  const running = async (): Promise<Thread> => {
    if (closed) throw new DeskFailed("the lab was closed");
    if (thread !== null) return thread;
    const fresh = start();
    thread = fresh;
    if (text !== "") await bounded(fresh, fresh.remote.open(text));
    return fresh;
  };
  /** One after the other: the time of one question is not another's. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const answer = queue.then(work, work);
    queue = answer.catch(() => undefined);
    return answer;
  };

  return {
    open: (next) =>
      inTurn(async () => {
        text = "";
        const now = await running();
        text = next;
        return bounded(now, now.remote.open(next) as Promise<OpenedLab>);
      }),
    ask: (method, ...args) =>
      inTurn(async () => {
        const now = await running();
        const call = now.remote[method] as unknown as (...given: typeof args) => Promise<ReturnType<Asked[typeof method]>>;
        return bounded(now, call(...args));
      }),
    dispose() {
      closed = true;
      end();
    },
  };
}
