/** The harness that runs kernels on the device, as a separate process: restarted after a fault, ended if a kernel does not return. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { root } from "../lib/root.mjs";

export interface Job {
  readonly ptx: string;
  readonly kernel: string;
  readonly blocks: number;
  readonly threads: number;
  readonly params: readonly ({ readonly buffer: number } | { readonly bytes: string })[];
  /** Contents, base 64. */
  readonly buffers: readonly string[];
}

export interface Device {
  readonly device: string;
  /** 86 for compute capability 8.6. */
  readonly sm: number;
  readonly driver: number;
}

export type Answer =
  | { readonly buffers: readonly string[] }
  | { readonly error: string; readonly stage: "load" | "memory" | "run" | "time" | "process" };

const PYTHONS = process.platform === "win32" ? ["python", "py"] : ["python3", "python"];

/** One device; `start` says which, or why there is none. */
export class Harness {
  private readonly seconds: number;
  private readonly python: string | null;
  private child: ChildProcessByStdio<Writable, Readable, null> | null = null;
  private lines: AsyncIterator<string> | null = null;

  /** `seconds` a kernel may take; `python`: instead of what is on the PATH. */
  constructor(seconds: number, python: string | null = null) {
    this.seconds = seconds;
    this.python = python;
  }

  async start(): Promise<Device | { readonly none: string }> {
    for (const name of this.python === null ? PYTHONS : [this.python]) {
      const child = spawn(name, [join(root, "scripts/gpu-check/driver.py")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      const started = await new Promise<boolean>((resolve) => {
        child.once("spawn", () => resolve(true));
        child.once("error", () => resolve(false));
      });
      if (!started) continue;
      // Writing to a process that has ended is noticed by its missing answer.
      child.stdin.on("error", () => {});
      this.child = child;
      this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const first = await this.line(60);
      if (first !== null && "text" in first) return JSON.parse(first.text) as Device | { none: string };
      this.stop();
      return { none: "the harness did not answer" };
    }
    return { none: "there is no Python 3 to speak to the driver with" };
  }

  async run(job: Job): Promise<Answer> {
    if (this.child === null) {
      const again = await this.start();
      if ("none" in again) return { error: again.none, stage: "process" };
    }
    this.child?.stdin.write(`${JSON.stringify(job)}\n`);
    const line = await this.line(this.seconds);
    if (line === null || !("text" in line)) {
      this.stop();
      return line === null
        ? { error: "the harness ended", stage: "process" }
        : { error: `no answer within ${this.seconds} s`, stage: "time" };
    }
    const answer = JSON.parse(line.text) as Answer;
    // The context is of no use after that: the next kernel gets a fresh one.
    if ("stage" in answer && answer.stage === "run") this.stop();
    return answer;
  }

  stop(): void {
    this.child?.kill("SIGKILL");
    this.child = null;
    this.lines = null;
  }

  /** Null: there are no more. */
  private async line(seconds: number): Promise<{ readonly text: string } | { readonly late: true } | null> {
    if (this.lines === null) return null;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<{ late: true }>((resolve) => {
      timer = setTimeout(() => resolve({ late: true }), seconds * 1000);
    });
    const next = this.lines.next().then((result) => (result.done === true ? null : { text: result.value }));
    const first = await Promise.race([next, late]);
    clearTimeout(timer);
    return first;
  }
}
