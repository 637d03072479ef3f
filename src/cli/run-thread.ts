/** A thread of `run --jobs`: it receives kernels that the command has read and returns their runs, one at a time. The command prints the messages about the text. */

import { parentPort } from "node:worker_threads";
import { EngineSession } from "../engine/api/session.ts";
import { parseArgs } from "./args.ts";
import { COMMON_OPTIONS } from "./command.ts";
import { runCommand } from "./commands/run.ts";
import type { Io } from "./io.ts";
import { kernelRun } from "./kernel-run.ts";
import { KEEP_NONE, pipelineOptions } from "./program.ts";
import type { GivenKernel, RunnerSetup } from "./run-pool.ts";

export function serveRuns({ argv }: RunnerSetup, io: Io): void {
  const port = parentPort;
  if (port === null) return;
  const args = parseArgs(argv, { positionals: runCommand.positionals, options: [...runCommand.options, ...COMMON_OPTIONS] });
  const options = pipelineOptions(args, io);
  const session = new EngineSession({ now: io.now, keep: KEEP_NONE });
  port.on("message", ({ kernel, module }: GivenKernel) => {
    if (module !== null) session.adopt(module);
    port.postMessage(kernelRun(session, session.run(1, kernel, options), args));
  });
}
