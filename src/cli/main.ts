/** The process: arguments, streams and the exit code. */

import { isMainThread, workerData } from "node:worker_threads";
import { CLI_PARTS } from "../features/cli-parts.ts";
import { runCommandLine } from "./command-line.ts";
import { nodeIo as io } from "./node-io.ts";
import type { RunnerSetup } from "./run-pool.ts";

if (isMainThread) void runCommandLine(process.argv.slice(2), io).then((code) => (process.exitCode = code));
else void serve(workerData as RunnerSetup | { readonly kind: "oriscope-grader" });

/** What a thread of a command is for. */
async function serve(setup: RunnerSetup | { readonly kind: "oriscope-grader" }): Promise<void> {
  if (setup.kind === "oriscope-runner") (await import("./run-thread.ts")).serveRuns(setup, io);
  else (await CLI_PARTS.grader?.())?.();
}
