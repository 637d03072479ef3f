/** The page's end of the thread of Check and Compare. The pass's code runs in a sandbox of its own, so that stepping goes on meanwhile. */

import { proxy, type Remote, releaseProxy, wrap } from "comlink";
import type { AnalysisChecked, CheckBench, Checked, CheckJob, Compared, Progress, Tested, Unusable } from "../../../ownpass/check-bench.ts";
import type { PassRequest } from "../../../ownpass/requests.ts";
import { messageOf } from "../../ui/failure.ts";
import type { PassSandbox } from "../sandbox-port.ts";

export interface BenchClient {
  check(job: CheckJob, progress: Progress): Promise<Checked | AnalysisChecked | Unusable>;
  compare(job: CheckJob & { readonly against: string }, progress: Progress): Promise<Compared | Unusable>;
  tests(job: Pick<CheckJob, "source">): Promise<Tested | Unusable>;
  /** What is under way ends after the program that it is at. */
  cancel(): void;
}

interface Thread {
  readonly worker: Worker;
  readonly remote: Remote<CheckBench>;
  /** Rejects when the thread ends by itself. */
  readonly ended: Promise<never>;
}

export function startBench(makeSandbox: () => Promise<PassSandbox>): BenchClient {
  let thread: Thread | null = null;
  let sandbox: Promise<PassSandbox> | null = null;

  const ask = async (request: PassRequest) => {
    sandbox ??= makeSandbox();
    try {
      return await (await sandbox).ask(request);
    } catch (error) {
      // The next press tries again.
      sandbox = null;
      return { ended: "crash", message: messageOf(error) } as const;
    }
  };
  const start = (): Thread => {
    const worker = new Worker(new URL("./check.worker.ts", import.meta.url), { type: "module" });
    const ended = new Promise<never>((_, reject) => {
      worker.addEventListener("error", ({ message }) => reject(new Error(message === "" ? "its worker ended" : message)));
    });
    ended.catch(() => undefined);
    return { worker, remote: wrap<CheckBench>(worker), ended };
  };
  /** One at a time: whoever asks for more waits for the one before, or cancels it. */
  const on = async <T>(work: (remote: Remote<CheckBench>) => Promise<T>): Promise<T> => {
    thread ??= start();
    const now = thread;
    try {
      return await Promise.race([work(now.remote), now.ended]);
    } catch (error) {
      // The next question finds a fresh thread.
      now.remote[releaseProxy]();
      now.worker.terminate();
      if (thread === now) thread = null;
      throw error;
    }
  };

  return {
    check: (job, progress) =>
      on<Checked | AnalysisChecked | Unusable>(async (bench) => await bench.check(job, proxy(ask), proxy(progress))),
    compare: (job, progress) => on<Compared | Unusable>(async (bench) => await bench.compare(job, proxy(ask), proxy(progress))),
    tests: (job) => on<Tested | Unusable>(async (bench) => await bench.tests(job, proxy(ask))),
    cancel() {
      void thread?.remote.cancel();
    },
  };
}
