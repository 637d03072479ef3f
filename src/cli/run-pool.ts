/** Runs the kernels of a module on several threads: the command's own, which has read the text, and others that are handed a kernel at a time. */

import type { Module } from "../engine/api/session.ts";
import { InputError } from "./io.ts";
import type { KernelRun } from "./kernel-run.ts";
import { Thread, type ThreadEnd } from "./threads.ts";

export interface RunnerSetup {
  readonly kind: "oriscope-runner";
  /** The command's arguments. */
  readonly argv: readonly string[];
}

/** A kernel as a thread gets it: a module that contains only what it needs. */
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
  const lane = async (thread: Thread<GivenKernel, KernelRun>): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const kernel = kernels[index]?.name ?? "";
      const reply = await thread.ask({ kernel, module: give(kernel) });
      if (!reply.ok) throw new InputError(`a thread of --jobs ${endedAt(kernel, reply.end)}`);
      runs[index] = reply.answer;
    }
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
  const threads = Array.from({ length: others }, () => new Thread<GivenKernel, KernelRun>(entry, { workerData: setup }));
  try {
    await Promise.all([...threads.map(lane), own()]);
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
  return runs;
}

function endedAt(kernel: string, end: ThreadEnd): string {
  if (end.kind === "failed") return `failed at ${kernel}: ${end.error.message}`;
  return `ended at ${kernel}${end.kind === "ended" ? ` with code ${end.code}` : ""}`;
}
