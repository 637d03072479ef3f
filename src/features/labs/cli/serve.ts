/** The thread that grades: hand-ins come in, grades go out, one at a time. */

import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../../base/errors.ts";
import { boxRunner } from "../../ownpass/box/runner.ts";
import type { PassRunner } from "../../ownpass/engine/check/check.ts";
import { Grader } from "../engine/grade.ts";
import { readLab } from "../engine/read/read-lab.ts";
import { workOf } from "../engine/reports/work.ts";
import { hasWrites } from "../engine/tried.ts";
import type { GradeJob, GradeReply, GraderSetup } from "./pool.ts";

export function serveGrades(): void {
  const port = parentPort;
  if (port === null) return;
  const answer = graderFor(workerData as GraderSetup);
  port.on("message", async (job: GradeJob) => {
    port.postMessage(await answer(job));
  });
}

export function graderFor(setup: GraderSetup): (job: GradeJob) => Promise<GradeReply> {
  const { voided, accept, engine, similar, sameEngine } = setup;
  const { lab } = readLab(setup.lab);
  const grader = lab === null ? null : new Grader(lab, { voided: new Set(voided), accept: new Set(accept), engine, sameEngine });
  // One box for all of them: it is as new for each request.
  const runner = boxRunner();
  return async ({ index, file, text }) => {
    if (grader === null) return { index, grade: null, work: [] };
    return { index, grade: await gradeSafely(grader, file, text, runner, setup), work: similar ? workOf(grader.lab, text) : [] };
  };
}

/** What a hand-in makes the engine throw costs only its own grade. */
async function gradeSafely(
  grader: Grader,
  file: string,
  text: string,
  runner: PassRunner,
  { seed }: GraderSetup,
): Promise<GradeReply["grade"]> {
  try {
    if (hasWrites(grader.lab)) await grader.tryCode(text, { runner, seed });
    return grader.grade(file, text);
  } catch (error) {
    return grader.failed(file, `grading stopped with an internal error: ${messageOf(error)}`);
  }
}
