/** Runs the kernels of a module on several threads: the command's own, which has read the text, and others that each read it themselves. */

import { Worker } from "node:worker_threads";
import { InputError } from "./io.ts";
import type { KernelRun } from "./kernel-run.ts";

export interface RunnerSetup {
  readonly kind: "oriscope-runner";
  /** The command's arguments. */
  readonly argv: readonly string[];
  /** Text of its file. */
  readonly text: string;
}

/** The largest first, so that none is left to the end. */
export interface KernelSize {
  readonly name: string;
  readonly instructions: number;
}

/**
 * In the order of the kernels, whichever thread was ready first. The command's own thread (`here`) begins with the smallest, so that it is never long
 * before it hands out the next. A thread that ends before its time ends all with its error.
 */
export async function runAll(
  entry: string,
  setup: RunnerSetup,
  kernels: readonly KernelSize[],
  jobs: number,
  here: (kernel: string) => KernelRun,
): Promise<readonly KernelRun[]> {
  const runs: KernelRun[] = [];
  const waiting = kernels.map((_, index) => index).sort((a, b) => (kernels[b]?.instructions ?? 0) - (kernels[a]?.instructions ?? 0));
  const lane = async (worker: Worker): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      runs[index] = await ask(worker, kernels[index]?.name ?? "");
  };
  const own = async (): Promise<void> => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      runs[index] = here(kernels[index]?.name ?? "");
      // What the others have sent is taken in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const others = Math.min(jobs, kernels.length) - 1;
  const workers = Array.from({ length: others }, () => new Worker(entry, { workerData: setup, argv: [] }));
  try {
    await Promise.all([...workers.map(lane), own()]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return runs;
}

function ask(worker: Worker, kernel: string): Promise<KernelRun> {
  return new Promise((resolve, reject) => {
    const done = (run: KernelRun): void => {
      worker.off("error", failed);
      worker.off("exit", ended);
      resolve(run);
    };
    const failed = (error: Error): void => reject(new InputError(`a thread of --jobs failed at ${kernel}: ${error.message}`));
    const ended = (code: number): void => reject(new InputError(`a thread of --jobs ended at ${kernel} with code ${code}`));
    worker.once("message", done);
    worker.once("error", failed);
    worker.once("exit", ended);
    worker.postMessage(kernel);
  });
}
