/** The page's end of the thread of Check and Compare. The pass's code runs in its own sandbox, so that stepping is possible meanwhile. */

import { proxy } from "comlink";
import { messageOf } from "../../../../app/ui/failure.ts";
import { startThread } from "../../../../worker/threads.ts";
import type {
  AnalysisChecked,
  CheckBench,
  Checked,
  CheckJob,
  Compared,
  Progress,
  Tested,
  Unusable,
} from "../../engine/check/check-bench.ts";
import type { PassRequest } from "../../engine/check/requests.ts";
import { lateSandbox, type MakeSandbox } from "../sandbox-port.ts";

export interface BenchClient {
  check(job: CheckJob, progress: Progress): Promise<Checked | AnalysisChecked | Unusable>;
  compare(job: CheckJob & { readonly against: string }, progress: Progress): Promise<Compared | Unusable>;
  tests(job: Pick<CheckJob, "source">): Promise<Tested | Unusable>;
  /** What is under way ends after the program that it is at. */
  cancel(): void;
}

export function startBench(makeSandbox: MakeSandbox): BenchClient {
  /** One question at a time: the next waits for the one before, or cancels it. */
  const thread = startThread<CheckBench>(
    () => new Worker(new URL("./check.worker.ts", import.meta.url), { type: "module" }),
    (message) => new Error(message === "" ? "its worker ended" : message),
  );
  const sandbox = lateSandbox(makeSandbox);
  const ask = (request: PassRequest) => sandbox.ask(request).catch((error) => ({ ended: "crash", message: messageOf(error) }) as const);

  return {
    check: (job, progress) =>
      thread.ask<Checked | AnalysisChecked | Unusable>(async (bench) => await bench.check(job, proxy(ask), proxy(progress))),
    compare: (job, progress) => thread.ask<Compared | Unusable>(async (bench) => await bench.compare(job, proxy(ask), proxy(progress))),
    tests: (job) => thread.ask<Tested | Unusable>(async (bench) => await bench.tests(job, proxy(ask))),
    cancel() {
      if (thread.isRunning) void thread.ask((bench) => bench.cancel());
    },
  };
}
