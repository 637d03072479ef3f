/**
 * A thread of Node that answers one message at a time. Our own: it runs the command's one bundle again and ends when its answer is late; tinypool needs a
 * separate file and keeps idle threads.
 */

import { Worker, type WorkerOptions } from "node:worker_threads";

export type ThreadEnd =
  | { readonly kind: "failed"; readonly error: Error & { readonly code?: string } }
  | { readonly kind: "ended"; readonly code: number }
  | { readonly kind: "late" };

export type Reply<Answer> = { readonly ok: true; readonly answer: Answer } | { readonly ok: false; readonly end: ThreadEnd };

export class Thread<Message, Answer> {
  private readonly worker: Worker;

  constructor(entry: string, options: WorkerOptions) {
    this.worker = new Worker(entry, { argv: [], ...options });
    // An error during the end of the thread has no call to reject.
    this.worker.on("error", () => undefined);
  }

  /** `ms`: as long as it may take. A thread that gave no answer is of no further use. */
  ask(message: Message, ms: number | null = null): Promise<Reply<Answer>> {
    const { worker } = this;
    return new Promise((resolve) => {
      const settle = (reply: Reply<Answer>): void => {
        clearTimeout(timer);
        worker.off("message", answered).off("error", failed).off("exit", ended);
        resolve(reply);
      };
      const answered = (answer: Answer): void => settle({ ok: true, answer });
      const failed = (error: Error): void => settle({ ok: false, end: { kind: "failed", error } });
      const ended = (code: number): void => settle({ ok: false, end: { kind: "ended", code } });
      const timer = ms === null ? undefined : setTimeout(() => settle({ ok: false, end: { kind: "late" } }), ms);
      worker.on("message", answered).on("error", failed).on("exit", ended);
      worker.postMessage(message);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
