/** The process: arguments, streams and the exit code. */

import { isMainThread, workerData } from "node:worker_threads";
import { runCommandLine } from "./command-line.ts";
import type { GraderSetup } from "./labs/pool.ts";
import { nodeIo as io } from "./node-io.ts";
import type { RunnerSetup } from "./run-pool.ts";

if (isMainThread) void runCommandLine(process.argv.slice(2), io).then((code) => (process.exitCode = code));
else void serve(workerData as GraderSetup | RunnerSetup);

/** What a thread of a command is for. */
async function serve(setup: GraderSetup | RunnerSetup): Promise<void> {
  if (setup.kind === "oriscope-runner") (await import("./run-thread.ts")).serveRuns(setup, io);
  else (await import("./labs/serve.ts")).serveGrades();
}
