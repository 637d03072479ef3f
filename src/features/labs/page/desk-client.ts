/** The page's end of the lab's thread: a question at a time, each under a limit of time. */

import type { Remote } from "comlink";
import { messageOf } from "../../../app/ui/failure.ts";
import { startThread } from "../../../worker/threads.ts";
import type { Desk, OpenedLab } from "../engine/desk.ts";

/** As long as `oriscope grade` gives a whole hand-in. */
const PATIENCE_MS = 30_000;

/** The lab's thread gave no answer. The message gives the reason, for people. */
export class DeskFailed extends Error {
  override readonly name = "DeskFailed";
}

type Asked = Omit<{ readonly [K in keyof Desk]: Desk[K] }, "open">;

export interface DeskClient {
  open(text: string): Promise<OpenedLab>;
  ask<K extends keyof Asked>(method: K, ...args: Parameters<Asked[K]>): Promise<ReturnType<Asked[K]>>;
  dispose(): void;
}

/** `patience`: milliseconds for one question; null: as long as it takes. */
export function startDesk(patience: number | null = PATIENCE_MS): DeskClient {
  let text = "";
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();
  const thread = startThread<Desk>(
    () => new Worker(new URL("./lab.worker.ts", import.meta.url), { type: "module" }),
    (message) => new DeskFailed(`the lab’s worker ended${message === "" ? "" : `: ${message}`}; your answers are kept`),
  );
  const limit =
    patience === null
      ? null
      : { ms: patience, late: () => new DeskFailed(`it took longer than ${patience / 1000} s; your answer is kept`) };

  const bounded = async <T>(work: (desk: Remote<Desk>) => Promise<T>): Promise<T> => {
    if (closed) throw new DeskFailed("the lab was closed");
    try {
      return await thread.ask(work, limit);
    } catch (error) {
      throw error instanceof DeskFailed ? error : new DeskFailed(messageOf(error));
    }
  };
  const open = (): Promise<OpenedLab> => bounded((desk) => desk.open(text) as Promise<OpenedLab>);
  /** One after the other: the time of one question is not another's. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const answer = queue.then(work, work);
    queue = answer.catch(() => undefined);
    return answer;
  };

  return {
    open: (next) =>
      inTurn(() => {
        text = next;
        return open();
      }),
    ask: (method, ...args) =>
      inTurn(async () => {
        // A fresh thread knows no lab.
        if (!thread.isRunning && text !== "") await open();
        return bounded((desk) => {
          const call = desk[method] as unknown as (...given: typeof args) => Promise<ReturnType<Asked[typeof method]>>;
          return call(...args);
        });
      }),
    dispose() {
      closed = true;
      thread.end();
    },
  };
}
