/** A command that reads a program on standard input and writes one on standard output: run once, within limits. */

import { spawn } from "node:child_process";

export interface FilterResult {
  /** Null: it did not end by itself. */
  readonly code: number | null;
  readonly out: string;
  /** The beginning of what it said on standard error. */
  readonly err: string;
  /** Why it was ended: it took too long, or wrote too much. */
  readonly ended: "time" | "size" | null;
}

export interface FilterLimits {
  readonly ms: number;
  readonly bytes: number;
}

const MOST_ERR = 2000;

/** Never rejects: a command that cannot be started ends with 127, as a shell says it. Whatever it started itself is ended with it. */
export function runFilter(command: string, input: string, limits: FilterLimits): Promise<FilterResult> {
  return new Promise((resolve) => {
    // A process group of its own, so that a pipeline ends as one.
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"], detached: true });
    const chunks: Buffer[] = [];
    let size = 0;
    let err = "";
    let ended: FilterResult["ended"] = null;
    const end = (why: "time" | "size"): void => {
      ended ??= why;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It is gone already.
      }
    };
    const timer = setTimeout(() => end("time"), limits.ms);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bytes) end("size");
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (err.length < MOST_ERR) err = (err + chunk.toString("utf8")).slice(0, MOST_ERR);
    });
    // A command that does not read all of its input closes the pipe.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ code: 127, out: "", err: error.message, ended });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, out: Buffer.concat(chunks).toString("utf8"), err, ended });
    });
    child.stdin.end(input);
  });
}
