/** A student's work on the open lab: where it is kept, and what other tabs write of it. */

import { messageOf } from "../../../app/ui/failure.ts";
import type { DeskLab } from "../engine/desk.ts";
import type { LabState, OpenLab } from "./lab-model.ts";
import type { LabTasks } from "./lab-tasks.ts";
import { linkedShelf, type Shelf, shelfOf } from "./shelf.ts";
import type { LabSource } from "./state.ts";
import { forgetStudent, rememberStudent } from "./student.ts";
import { chance, type LabWork, merged, newWork, type TaskWork, withTask, workOf } from "./work.ts";

export interface StudentWork {
  save(work: LabWork): void;
  /** `event`: its entry in the log; null: none. */
  change(task: string, part: Partial<TaskWork>, event: string | null): void;
  /** The programs and the kept work of a student. */
  enter(lab: DeskLab, name: string, number: string): Promise<void>;
  /** The same for who works on the open lab, who may only have another name. */
  setStudent(name: string, number: string): Promise<void>;
  /** Shows work with its own programs; false: the lab was closed meanwhile. */
  put(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<boolean>;
  /** The seed of a student's programs: another one for each attempt, where the lab draws them so. */
  drawSeed(number: string): Promise<number>;
  /** Grades every answer again. */
  judgeAll(lab: DeskLab): Promise<void>;
  /** Takes what is kept of this version off this computer. */
  remove(): void;
  /** All of it, and who worked. */
  forget(): void;
  dispose(): void;
}

export function studentWork({ session, desk, get, set, isGone }: OpenLab, tasks: LabTasks, source: LabSource, scope: string): StudentWork {
  let shelf: Shelf | null = null;
  let stopHearing = (): void => undefined;

  const failed = (error: unknown): void => session.actions.notify("error", messageOf(error));
  const save = (work: LabWork): void => {
    const whole = shelf === null ? work : shelf.write(work);
    set({ work: whole ?? work, kept: whole !== null });
  };
  const change = (task: string, part: Partial<TaskWork>, event: string | null): void => {
    save(withTask(get().work, task, part, event, Date.now()));
  };

  const drawSeed = (number: string): Promise<number> => desk.ask("seedOf", number, source.classKey, chance());

  async function enter(lab: DeskLab, name: string, number: string): Promise<void> {
    const next = source.linked === true ? linkedShelf(lab, number) : shelfOf(scope, lab, number);
    const there = next.read();
    const own = lab.seed === "attempt" ? there?.seed : undefined;
    const seed = own ?? (await drawSeed(number));
    const empty = { ...newWork(lab, source.classKey, Date.now()), name, number };
    const kept = there === null ? empty : { ...there, name: name === "" ? there.name : name };
    if (!(await put(lab, { ...kept, seed, digest: lab.digest }, null))) return;
    stopHearing();
    shelf = next;
    stopHearing = next.onOther((other) => void heard(lab, other));
    set({ earlier: next.earlier() });
    // Two tabs that are opened one after the other are to have the same programs.
    if (lab.seed === "attempt" && own === undefined) save(get().work);
    if (there?.digest !== undefined && there.digest !== lab.digest) await judgeAgain(lab);
  }

  async function put(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<boolean> {
    const seed = work.seed ?? get().seed;
    const parts = await desk.ask("parts", seed);
    if (isGone()) return false;
    tasks.forget();
    const fresh = { tasks: new Map(), explains: new Map(), problems: new Map(), covered: null, undo, entered: get().entered + 1 };
    set({ status: "ready", lab, seed, parts, work, ...fresh });
    return true;
  }

  /** Another tab has written. */
  async function heard(lab: DeskLab, other: LabWork): Promise<void> {
    const both = merged(get().work, other);
    if (both.seed === get().work.seed || both.seed === undefined) set({ work: both });
    else await put(lab, both, null).catch(failed);
  }

  /** The lab's text is another than when the answers were given. */
  async function judgeAgain(lab: DeskLab): Promise<void> {
    if (lab.tasks.every(({ id }) => workOf(get().work, id).answer === null)) return;
    session.actions.notify("info", "The lab has changed since you worked on it: your answers are being graded again.");
    await judgeAll(lab);
  }

  async function judgeAll(lab: DeskLab): Promise<void> {
    for (const { id } of lab.tasks) {
      const { answer } = workOf(get().work, id);
      const result = answer === null ? null : await tasks.judge(id, answer, false);
      if (result !== null) change(id, { result }, null);
    }
  }

  async function setStudent(name: string, number: string): Promise<void> {
    const { lab, work } = get();
    if (lab === null) return;
    rememberStudent(name, number);
    if (number === work.number) save({ ...work, name, counter: work.counter + 1 });
    else await enter(lab, name, number).catch(failed);
  }

  return {
    save,
    change,
    enter,
    setStudent,
    put,
    drawSeed,
    judgeAll,
    remove: () => shelf?.remove(),
    forget() {
      const { lab } = get();
      shelf?.removeAll();
      forgetStudent();
      if (lab !== null) void enter(lab, "", "");
    },
    dispose: () => stopHearing(),
  };
}
