/** What a student does at one task: answers it, gets a hint, another program, or the answer. */

import { cleaned } from "./forms/form.ts";
import type { OpenLab } from "./lab-model.ts";
import type { LabTasks } from "./lab-tasks.ts";
import type { LabPlaces } from "./show-place.ts";
import type { StudentWork } from "./student-work.ts";
import { NO_WORK, workOf } from "./work.ts";

export interface LabParts {
  readonly tasks: LabTasks;
  readonly places: LabPlaces;
  readonly student: StudentWork;
}

export async function answer({ get }: OpenLab, { tasks, places, student }: LabParts, id: string): Promise<void> {
  const { work, judging, lab } = get();
  const { draft, shown, tries } = workOf(work, id);
  if (draft === null || draft === undefined || shown || judging.has(id)) return;
  const given = cleaned(draft);
  const writes = lab?.tasks.some((task) => task.id === id && task.kind === "write") === true;
  const result = await tasks.judge(id, given, writes);
  if (result === null) return;
  // Code that could not be run here was not tried.
  const tried = writes && result.status === "by-hand" ? tries : tries + 1;
  student.change(id, { answer: given, result, tries: tried }, `answer ${tries + 1}: ${result.status}`);
  const task = get().tasks.get(id);
  if (task !== undefined && !("broken" in task) && task.veil !== null) await places.showTask(id);
}

export function hint({ get }: OpenLab, { student }: LabParts, id: string): void {
  const { hints } = workOf(get().work, id);
  student.change(id, { hints: hints + 1 }, `hint ${hints + 1}`);
}

/** The same question about another program. */
export function another({ get, set }: OpenLab, { student }: LabParts, id: string): void {
  const { work, tasks, explains } = get();
  const { variant, hints } = workOf(work, id);
  set({
    tasks: new Map([...tasks].filter(([other]) => other !== id)),
    explains: new Map([...explains].filter(([other]) => other !== id)),
  });
  student.change(id, { ...NO_WORK, variant: variant + 1, hints }, "another program");
}

export async function showAnswer({ session, desk, get, isGone }: OpenLab, { tasks, places, student }: LabParts, id: string): Promise<void> {
  const { seed, work } = get();
  try {
    const solution = await desk.ask("solve", id, seed, workOf(work, id).variant);
    if (isGone()) return;
    if (solution === null) session.actions.notify("info", "This task has no single answer that the engine could show.");
    else student.change(id, { draft: solution, shown: true }, "answer shown");
    await places.showTask(id);
  } catch (error) {
    tasks.failed(id, error);
  }
}
