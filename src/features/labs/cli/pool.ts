/** Grades many hand-ins on several threads, each under limits of time and memory. */

import { Thread, type ThreadEnd } from "../../../cli/threads.ts";
import type { Grade } from "../engine/grade.ts";
import type { Work } from "../engine/reports/work.ts";

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
  const resourceLimits = { maxOldGenerationSizeMb: options.megabytes, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };
  let next = 0;
  const lane = async (): Promise<void> => {
    let thread: Thread<GradeJob, GradeReply> | null = null;
    while (next < jobs.length) {
      const index = next++;
      const job = jobs[index];
      if (job === undefined) break;
      const text = job.read();
      if (typeof text !== "string") {
        replies[index] = { index, grade: failed(job.file, text.problem), work: [] };
        continue;
      }
      const start = thread === null ? START_MS : 0;
      thread ??= new Thread(options.entry, { workerData: setup, resourceLimits });
      const reply = await thread.ask({ index, file: job.file, text }, options.ms + start);
      if (reply.ok) replies[index] = reply.answer;
      else {
        replies[index] = { index, grade: failed(job.file, endOf(reply.end, options)), work: [] };
        await thread.end();
        thread = null;
      }
    }
    await thread?.end();
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(options.jobs, jobs.length)) }, lane));
  return replies;
}

/** Why there is no grade. */
function endOf(end: ThreadEnd, { ms, megabytes }: PoolOptions): string {
  switch (end.kind) {
    case "failed":
      return end.error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? `it needed more than ${megabytes} MB`
        : `grading stopped: ${end.error.message}`;
    case "ended":
      return `grading stopped with code ${end.code}`;
    case "late":
      return `it took longer than ${Math.round(ms / 1000)} s`;
  }
}
