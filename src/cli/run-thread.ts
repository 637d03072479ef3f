/** A thread of `run --jobs`: names of kernels come in, runs of them go out, one at a time. The command says what there is to say of the text. */

import { parentPort } from "node:worker_threads";
import { parseArgs } from "./args.ts";
import { COMMON_OPTIONS } from "./command.ts";
import { runCommand } from "./commands/run.ts";
import type { Io } from "./io.ts";
import { kernelRun } from "./kernel-run.ts";
import { loadGood, pipelineOptions } from "./program.ts";
import type { RunnerSetup } from "./run-pool.ts";

export function serveRuns({ argv, text }: RunnerSetup, process: Io): void {
  const port = parentPort;
  if (port === null) return;
  const args = parseArgs(argv, { positionals: runCommand.positionals, options: [...runCommand.options, ...COMMON_OPTIONS] });
  const [file = "-"] = args.positionals;
  const silent = (): void => undefined;
  const io: Io = { ...process, out: silent, err: silent, readText: (path) => (path === file ? text : process.readText(path)) };
  const program = loadGood(args, io);
  port.on("message", (kernel: string) => {
    port.postMessage(kernelRun(program, program.session.run(1, kernel, pipelineOptions(args, io)), args));
  });
}
