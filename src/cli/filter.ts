/** A command that reads a program on standard input and writes one on standard output: run once, within limits. */

import { execFile, spawn } from "node:child_process";

export interface FilterResult {
  /** Null: it was ended. */
  readonly code: number | null;
  readonly out: string;
  /** The beginning of its standard error. */
  readonly err: string;
  /** Why it was ended: it ran too long, wrote too much, or used too much memory. */
  readonly ended: "time" | "size" | "memory" | null;
}

export interface FilterLimits {
  readonly ms: number;
  readonly bytes: number;
  /** Of memory, with everything that it started, as `ps` counts it; where there is no `ps`, it is not counted. */
  readonly memory: number;
}

const MOST_ERR = 2000;
/** How often the memory is measured. Commands that end sooner are never measured. */
const LOOK_MS = 150;
/** A process started in its own group may keep the pipes open; after this long it is ignored. */
const GRACE_MS = 500;

/** Never rejects: a command that cannot be started ends with 127, as in a shell. The processes that it started are ended with it. */
export function runFilter(command: string, input: string, limits: FilterLimits): Promise<FilterResult> {
  return new Promise((resolve) => {
    // Its own process group, so that a pipeline ends as one.
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"], detached: true });
    const chunks: Buffer[] = [];
    let size = 0;
    let err = "";
    let ended: FilterResult["ended"] = null;
    let grace: NodeJS.Timeout | undefined;
    const watch = setInterval(async () => {
      if (child.pid !== undefined && (await groupMemory(child.pid)) > limits.memory) end("memory");
    }, LOOK_MS);
    const over = (): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      clearInterval(watch);
    };
    const end = (why: NonNullable<FilterResult["ended"]>): void => {
      ended ??= why;
      clearInterval(watch);
      grace ??= setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS);
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
      over();
      resolve({ code: 127, out: "", err: error.message, ended });
    });
    child.on("close", (code) => {
      over();
      resolve({ code, out: Buffer.concat(chunks).toString("utf8"), err, ended });
    });
    child.stdin.end(input);
  });
}

/** Memory use of all processes of a group in bytes; 0 if it cannot be measured. */
export function groupMemory(group: number): Promise<number> {
  return new Promise((resolve) => {
    // The same on Linux, macOS and the BSDs, in kibibytes.
    execFile("ps", ["-A", "-o", "pgid=,rss="], { maxBuffer: 16 * 1024 * 1024 }, (error, out) => {
      let sum = 0;
      for (const line of error === null ? out.split("\n") : []) {
        const [pgid, kib] = line.trim().split(/\s+/).map(Number);
        if (pgid === group) sum += kib ?? 0;
      }
      resolve(sum * 1024);
    });
  });
}
