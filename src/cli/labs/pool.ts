/** Grades many hand-ins on several threads, each under limits of time and memory. */

import { Worker } from "node:worker_threads";
import type { Grade } from "../../labs/grade.ts";
import type { Work } from "../../labs/reports/work.ts";

export interface GraderSetup {
  readonly kind: "oriscope-grader";
  /** Text of the lab. */
  readonly lab: string;
  readonly voided: readonly string[];
  readonly accept: readonly number[];
  readonly engine: string;
  /** Also give what hand-ins are compared by. */
  readonly similar: boolean;
  /** Refuse what another engine made. */
  readonly sameEngine: boolean;
  /** Seed of the random programs that students' passes are tried on; null: each task's own. */
  readonly seed: number | null;
}

export interface GradeJob {
  readonly index: number;
  readonly file: string;
  readonly text: string;
}

export interface GradeReply {
  readonly index: number;
  readonly grade: Grade | null;
  readonly work: readonly Work[];
}

export interface PoolOptions {
  readonly entry: string;
  readonly jobs: number;
  /** For one hand-in; the first of a thread has as much again, while the thread starts. */
  readonly ms: number;
  readonly megabytes: number;
}

const START_MS = 60_000;

/** Replies in the order of the jobs. `read` gives a job its text when its turn comes. */
export async function gradeAll(
  setup: GraderSetup,
  jobs: readonly { readonly file: string; readonly read: () => string | { readonly problem: string } }[],
  options: PoolOptions,
  failed: (file: string, message: string) => Grade,
): Promise<readonly GradeReply[]> {
  const replies: GradeReply[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    let thread: Thread | null = null;
    while (next < jobs.length) {
      const index = next++;
      const job = jobs[index];
      if (job === undefined) break;
      const text = job.read();
      if (typeof text !== "string") {
        replies[index] = { index, grade: failed(job.file, text.problem), work: [] };
        continue;
      }
      thread ??= new Thread(setup, options);
      const reply = await thread.ask({ index, file: job.file, text });
      if (typeof reply === "string") {
        replies[index] = { index, grade: failed(job.file, reply), work: [] };
        await thread.end();
        thread = null;
      } else replies[index] = reply;
    }
    await thread?.end();
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(options.jobs, jobs.length)) }, lane));
  return replies;
}

class Thread {
  private readonly worker: Worker;
  private readonly options: PoolOptions;
  private answered = 0;

  constructor(setup: GraderSetup, options: PoolOptions) {
    this.options = options;
    this.worker = new Worker(options.entry, {
      workerData: setup,
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.megabytes, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
    });
    // An error that comes while the thread is put away has nobody to tell.
    this.worker.on("error", () => undefined);
  }

  /** A string says why there is no grade. */
  ask(job: GradeJob): Promise<GradeReply | string> {
    const { ms, megabytes } = this.options;
    const limit = ms + (this.answered === 0 ? START_MS : 0);
    return new Promise((resolve) => {
      const done = (reply: GradeReply | string): void => {
        clearTimeout(timer);
        this.worker.off("message", done);
        this.worker.off("error", failed);
        this.worker.off("exit", ended);
        this.answered++;
        resolve(reply);
      };
      const failed = (error: Error & { readonly code?: string }): void => {
        done(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `it needed more than ${megabytes} MB` : `grading stopped: ${error.message}`);
      };
      const ended = (code: number): void => done(`grading stopped with code ${code}`);
      const timer = setTimeout(() => done(`it took longer than ${Math.round(ms / 1000)} s`), limit);
      this.worker.on("message", done);
      this.worker.on("error", failed);
      this.worker.on("exit", ended);
      this.worker.postMessage(job);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
