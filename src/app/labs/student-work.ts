/** A student's work on the open lab: where it is kept, what other tabs write of it, and other work in its place. */

import type { DeskLab } from "../../labs/desk.ts";
import { messageOf } from "../ui/failure.ts";
import type { LabState, OpenLab } from "./lab-model.ts";
import type { LabTasks } from "./lab-tasks.ts";
import { linkedShelf, type Shelf, shelfOf } from "./shelf.ts";
import type { LabSource } from "./state.ts";
import { chance, type LabWork, merged, newWork, type TaskWork, withTask, workOf } from "./work.ts";

export interface StudentWork {
  save(work: LabWork): void;
  /** `event`: its entry in the log; null: none. */
  change(task: string, part: Partial<TaskWork>, event: string | null): void;
  /** The programs and the kept work of a student. */
  enter(lab: DeskLab, name: string, number: string): Promise<void>;
  /** Shows work with its own programs; false: the lab was closed meanwhile. */
  put(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<boolean>;
  /** The same, and saves it. */
  swap(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<void>;
  /** A new attempt: other programs for every task. */
  restart(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<void>;
  /** Takes what is kept off this computer: of this version, of all. */
  remove(): void;
  removeAll(): void;
  dispose(): void;
}

export function studentWork({ session, desk, store, isGone }: OpenLab, tasks: LabTasks, source: LabSource, scope: string): StudentWork {
  const { getState: get, setState: set } = store;
  let shelf: Shelf | null = null;
  let stopHearing = (): void => undefined;

  const save = (work: LabWork): void => {
    const whole = shelf === null ? work : shelf.write(work);
    set({ work: whole ?? work, kept: whole !== null });
  };
  const change = (task: string, part: Partial<TaskWork>, event: string | null): void => {
    save(withTask(get().work, task, part, event, Date.now()));
  };

  async function enter(lab: DeskLab, name: string, number: string): Promise<void> {
    const next = source.linked === true ? linkedShelf(lab, number) : shelfOf(scope, lab, number);
    const there = next.read();
    const own = lab.seed === "attempt" ? there?.seed : undefined;
    const seed = own ?? (await desk.ask("seedOf", number, source.classKey, chance()));
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
    else await put(lab, both, null).catch((error: unknown) => session.actions.notify("error", messageOf(error)));
  }

  /** The lab's text is another than when the answers were given. */
  async function judgeAgain(lab: DeskLab): Promise<void> {
    const answered = lab.tasks.filter(({ id }) => workOf(get().work, id).answer !== null);
    if (answered.length === 0) return;
    session.actions.notify("info", "The lab has changed since you worked on it: your answers are being graded again.");
    for (const { id } of answered) {
      const result = await tasks.judge(id, workOf(get().work, id).answer, false);
      if (result !== null) change(id, { result }, null);
    }
  }

  async function restart(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<void> {
    const fresh = Object.fromEntries(Object.entries(work.tasks).map(([id, task]) => [id, { ...task, variant: 0 }]));
    try {
      const seed = await desk.ask("seedOf", work.number, source.classKey, chance());
      if (!isGone()) await swap(lab, { ...work, tasks: fresh, seed }, undo);
    } catch (error) {
      session.actions.notify("error", messageOf(error));
    }
  }

  async function swap(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<void> {
    try {
      if (await put(lab, work, undo)) save(work);
    } catch (error) {
      session.actions.notify("error", messageOf(error));
    }
  }

  return {
    save,
    change,
    enter,
    put,
    swap,
    restart,
    remove: () => shelf?.remove(),
    removeAll: () => shelf?.removeAll(),
    dispose: () => stopHearing(),
  };
}
