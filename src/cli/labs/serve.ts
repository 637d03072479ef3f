/** The thread that grades: hand-ins come in, grades go out, one at a time. */

import { parentPort, workerData } from "node:worker_threads";
import { Grader } from "../../labs/grade.ts";
import { readLab } from "../../labs/read/read-lab.ts";
import { workOf } from "../../labs/reports/work.ts";
import type { GradeJob, GradeReply, GraderSetup } from "./pool.ts";

export function serveGrades(): void {
  const port = parentPort;
  if (port === null) return;
  const answer = graderFor(workerData as GraderSetup);
  port.on("message", (job: GradeJob) => {
    port.postMessage(answer(job));
  });
}

export function graderFor({ lab: source, voided, accept, engine, similar }: GraderSetup): (job: GradeJob) => GradeReply {
  const { lab } = readLab(source);
  const grader = lab === null ? null : new Grader(lab, { voided: new Set(voided), accept: new Set(accept), engine });
  return ({ index, file, text }) => {
    if (grader === null) return { index, grade: null, work: [] };
    return { index, grade: gradeSafely(grader, file, text), work: similar ? workOf(grader.lab, text) : [] };
  };
}

/** What a hand-in makes the engine throw costs only its own grade. */
function gradeSafely(grader: Grader, file: string, text: string): GradeReply["grade"] {
  try {
    return grader.grade(file, text);
  } catch (error) {
    return grader.failed(file, `grading stopped with an internal error: ${error instanceof Error ? error.message : String(error)}`);
  }
}
