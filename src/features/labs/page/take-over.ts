/** What replaces the work on an open lab: none, what there was before, a hand-in's, or what a course system has. */

import { chooseFile } from "../../../app/share/download.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import { plural } from "../../../app/ui/plural.ts";
import { decodeState } from "../link/lab-state.ts";
import type { LabState, OpenLab } from "./lab-model.ts";
import type { StudentWork } from "./student-work.ts";
import { type LabWork, NO_WORK, replacedBy, withTask, workedOn, workFromHandIn, workOf } from "./work.ts";

/** Resets a task, or (null) all: then programs that were drawn for this attempt are drawn again. */
export async function reset(open: OpenLab, student: StudentWork, task: string | null): Promise<void> {
  const { work, lab, seed } = open.get();
  if (lab === null) return;
  const now = Date.now();
  const ids = task === null ? lab.tasks.map(({ id }) => id) : [task];
  const next = ids.reduce((w, id) => withTask(w, id, { ...NO_WORK, variant: workOf(w, id).variant }, "reset", now), work);
  const before = { what: task ?? "the whole lab", tasks: Object.fromEntries(ids.map((id) => [id, workOf(work, id)])), seed };
  if (task !== null || lab.seed !== "attempt") return replace(open, student, next, before);
  const tasks = Object.fromEntries(Object.entries(next.tasks).map(([id, each]) => [id, { ...each, variant: 0 }]));
  await replace(open, student, { ...next, tasks, seed: await student.drawSeed(work.number) }, before);
}

export async function undo(open: OpenLab, student: StudentWork): Promise<void> {
  const { undo: before, work } = open.get();
  if (before === null) return;
  const now = Date.now();
  const next = Object.entries(before.tasks).reduce((w, [id, task]) => withTask(w, id, task, null, now), work);
  await replace(open, student, { ...next, seed: before.seed }, null);
}

/** `undo`: what undo brings back from then on. */
async function replace({ get, set }: OpenLab, student: StudentWork, work: LabWork, undo: LabState["undo"]): Promise<void> {
  const { lab, seed } = get();
  if (lab === null) return;
  if ((work.seed ?? seed) === seed) set({ undo });
  else if (!(await student.put(lab, work, undo))) return;
  student.save(work);
}

/** Goes on with the work of a hand-in's text, and keeps the work before; what is wrong with the text, or null. `which`: what the text is. */
export async function openHandIn(
  { session, desk, get }: OpenLab,
  student: StudentWork,
  text: string,
  which: string,
): Promise<string | null> {
  const { lab } = get();
  if (lab === null) return "no lab is open";
  const read = await desk.ask("readHandIn", text);
  if (typeof read === "string") return read;
  const { handIn, damaged, said } = read;
  const given = workFromHandIn(lab, handIn, damaged, Date.now());
  const { name, number } = get().work;
  await student.setStudent(given.name, given.number);
  const { work: before, seed } = get();
  const own = lab.seed === "attempt" ? (given.seed ?? seed) : seed;
  const replaced = [...replacedBy(before, `the work before ${which}`, { name, number }), ...(before.replaced ?? [])];
  if (!(await student.replace(lab, { ...given, seed: own, begun: before.begun }, replaced))) return null;
  await student.judgeAll(lab);
  if (damaged.length > 0) session.actions.notify("warning", `Some answers in ${which} cannot be read and do not count: ${said}.`);
  return null;
}

/** Shows the work that was replaced last, and its student; what was shown until then comes last of all that can be restored. */
export async function restore({ get }: OpenLab, student: StudentWork): Promise<void> {
  const { lab, work } = get();
  const [last, ...others] = work.replaced ?? [];
  if (lab === null || last === undefined) return;
  const left = replacedBy(work, "the work you left", work);
  if (!(await student.replace(lab, { ...last.work, digest: lab.digest }, [...others, ...left]))) return;
  if (last.work.digest !== lab.digest) await student.judgeAll(lab);
  await student.setStudent(last.student.name, last.student.number);
}

/** The same with a file that the user chooses; reports how that went. */
export async function importHandIn(open: OpenLab, student: StudentWork): Promise<void> {
  const { notify } = open.session.actions;
  const file = await chooseFile(".json");
  if (file === null) return;
  const problem = await file
    .text()
    .then((text) => openHandIn(open, student, text, "the hand-in"))
    .catch(messageOf);
  if (problem !== null) return notify("error", `${file.name} could not be opened: ${problem}`);
  const { work } = open.get();
  const [replaced] = work.replaced ?? [];
  const kept = replaced === undefined ? "" : ` What it replaced is kept: to see it again, press “Restore ${replaced.what}”.`;
  notify("info", `${file.name} is open: ${plural(workedOn(work).length, "task")} with work.${kept}`);
}

/** Who works, as a course system knows it. */
export interface Learner {
  readonly id: string;
  readonly name: string;
}

/** Takes over who the course system says works, and the work that it keeps where that is the later one; what is wrong with it, or null. */
export async function adopt(open: OpenLab, student: StudentWork, { id, name }: Learner, state: string): Promise<string | null> {
  await student.setStudent(name, id);
  if (state === "") return null;
  const decoded = decodeState(state);
  if (!decoded.ok) return decoded.message;
  const { counter } = JSON.parse(decoded.text) as { readonly counter?: unknown };
  const later = typeof counter === "number" && open.get().work.counter >= counter;
  return later ? null : openHandIn(open, student, decoded.text, "the course’s copy");
}
