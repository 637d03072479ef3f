/** Work that is brought into an open lab: a hand-in's, or what a course system has of it. Each answers what is wrong with it, or null. */

import { decodeState } from "../../links/lab-state.ts";
import { chooseFile } from "../share/download.ts";
import { messageOf } from "../ui/failure.ts";
import { plural } from "../ui/plural.ts";
import type { OpenLab } from "./lab-model.ts";
import type { StudentWork } from "./student-work.ts";
import { workFromHandIn } from "./work.ts";

/** Goes on with the work of a hand-in's text. */
export async function openHandIn({ desk, store }: OpenLab, student: StudentWork, text: string): Promise<string | null> {
  const { lab } = store.getState();
  if (lab === null) return "no lab is open";
  const read = await desk.ask("readHandIn", text);
  if (typeof read === "string") return read;
  const given = workFromHandIn(lab, read, Date.now());
  await student.setStudent(given.name, given.number);
  const { work: before, seed } = store.getState();
  const own = lab.seed === "attempt" ? (given.seed ?? seed) : seed;
  const work = { ...given, seed: own, begun: before.begun, counter: before.counter + 1 };
  if (!(await student.put(lab, work, { what: "the work before", tasks: before.tasks, seed }))) return null;
  // Over what is kept here, also where that was changed later.
  student.remove();
  student.save(work);
  await student.judgeAll(lab);
  return null;
}

/** The same with a file that the user chooses; reports how that went. */
export async function importHandIn(open: OpenLab, student: StudentWork): Promise<void> {
  const { notify } = open.session.actions;
  const file = await chooseFile(".json");
  if (file === null) return;
  const problem = await openHandIn(open, student, await file.text()).catch(messageOf);
  if (problem !== null) notify("error", `${file.name} could not be opened: ${problem}`);
  else notify("info", `${file.name} is open: ${plural(Object.keys(open.store.getState().work.tasks).length, "task")} with work.`);
}

/** Takes over who the course system says works, and the work that it keeps where that is the later one. */
export async function adopt(
  open: OpenLab,
  student: StudentWork,
  { id, name }: { readonly id: string; readonly name: string },
  state: string,
): Promise<string | null> {
  await student.setStudent(name, id);
  if (state === "") return null;
  const decoded = decodeState(state);
  if (!decoded.ok) return decoded.message;
  const { counter } = JSON.parse(decoded.text) as { readonly counter?: unknown };
  const later = typeof counter === "number" && open.store.getState().work.counter >= counter;
  return later ? null : openHandIn(open, student, decoded.text);
}
