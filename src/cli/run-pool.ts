/** Runs the kernels of a module on several threads: the command's own, which has read the text, and others that are handed a kernel at a time. */

import { Worker } from "node:worker_threads";
import type { Module } from "../engine/api/session.ts";
import { InputError } from "./io.ts";
import type { KernelRun } from "./kernel-run.ts";

export interface RunnerSetup {
  readonly kind: "oriscope-runner";
  /** The command's arguments. */
  readonly argv: readonly string[];
}

/** A kernel as a thread gets it: a module that holds no more than it needs. */
export interface GivenKernel {
  readonly kernel: string;
  readonly module: Module | null;
}

/** What the threads run and how many they are, the command's own included. */
export interface Threads {
  readonly entry: string;
  readonly argv: readonly string[];
  readonly jobs: number;
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
  { entry, argv, jobs }: Threads,
  kernels: readonly KernelSize[],
  give: (kernel: string) => Module | null,
  here: (kernel: string) => KernelRun,
): Promise<readonly KernelRun[]> {
  const runs: KernelRun[] = [];
  const waiting = kernels.map((_, index) => index).sort((a, b) => (kernels[b]?.instructions ?? 0) - (kernels[a]?.instructions ?? 0));
  const lane = async (worker: Worker): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      runs[index] = await ask(worker, kernels[index]?.name ?? "", give);
  };
  const own = async (): Promise<void> => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      runs[index] = here(kernels[index]?.name ?? "");
      // What the others have sent is taken in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const others = Math.min(jobs, kernels.length) - 1;
  const setup: RunnerSetup = { kind: "oriscope-runner", argv };
  const workers = Array.from({ length: others }, () => new Worker(entry, { workerData: setup, argv: [] }));
  try {
    await Promise.all([...workers.map(lane), own()]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return runs;
}

function ask(worker: Worker, kernel: string, give: (kernel: string) => Module | null): Promise<KernelRun> {
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
    const given: GivenKernel = { kernel, module: give(kernel) };
    worker.postMessage(given);
  });
}
