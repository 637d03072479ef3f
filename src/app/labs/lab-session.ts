/** One open lab: its text, its tasks, the student's work on it, and what a person may do. */

import { createStore } from "zustand/vanilla";
import { decodeState } from "../../links/lab-state.ts";
import type { Session } from "../session/session.ts";
import { chooseFile } from "../share/download.ts";
import { messageOf } from "../ui/failure.ts";
import { plural } from "../ui/plural.ts";
import { startCodeBench } from "./code-bench.ts";
import { startDesk } from "./desk-client.ts";
import { cleaned } from "./forms/form.ts";
import { downloadEarlier, downloadHandIn, downloadReport, handInText } from "./hand-in-file.ts";
import { type LabSession, type LabState, type OpenLab, UNREAD } from "./lab-model.ts";
import { labTasks } from "./lab-tasks.ts";
import { labPlaces } from "./show-place.ts";
import type { LabSource } from "./state.ts";
import { forgetStudent, lastStudent, rememberStudent } from "./student.ts";
import { studentWork } from "./student-work.ts";
import { NO_WORK, withTask, workFromHandIn, workOf } from "./work.ts";

export function createLabSession(session: Session, source: LabSource, scope = ""): LabSession {
  const desk = startDesk();
  const code = startCodeBench(source.text);
  const store = createStore<LabState>()(() => UNREAD);
  const { getState: get, setState: set } = store;
  let gone = false;
  const open: OpenLab = { session, desk, store, isGone: () => gone };
  const tasks = labTasks(open, code);
  const places = labPlaces(open, tasks);
  const student = studentWork(open, tasks, source, scope);
  const { save, change } = student;

  async function start(): Promise<void> {
    try {
      const { lab, diagnostics } = await desk.open(source.text);
      if (gone) return;
      if (lab === null) {
        set({ status: "refused", diagnostics, message: null });
        return;
      }
      set({ diagnostics });
      const { name, number } = lastStudent();
      await student.enter(lab, name, number);
    } catch (error) {
      if (!gone) set({ status: "refused", message: messageOf(error) });
    }
  }

  void start();

  return {
    store,
    desk,
    go: (section) => set({ section }),
    setWhole: (whole) => set({ whole }),
    load: (id) => void tasks.task(id).catch(() => undefined),
    draft: (id, draft) => change(id, { draft }, null),
    async answer(id) {
      const { draft, shown, tries } = workOf(get().work, id);
      if (draft === null || draft === undefined || shown || get().judging.has(id)) return;
      const given = cleaned(draft);
      const writes = get().lab?.tasks.some((task) => task.id === id && task.kind === "write") === true;
      const result = await tasks.judge(id, given, writes);
      if (result === null) return;
      // Code that could not be run here was not tried.
      const tried = writes && result.status === "by-hand" ? tries : tries + 1;
      change(id, { answer: given, result, tries: tried }, `answer ${tries + 1}: ${result.status}`);
      const task = get().tasks.get(id);
      if (task !== undefined && !("broken" in task) && task.veil !== null) await places.showTask(id);
    },
    stopCode: code.stop,
    hint(id) {
      const { hints } = workOf(get().work, id);
      change(id, { hints: hints + 1 }, `hint ${hints + 1}`);
    },
    another(id) {
      const { variant, hints } = workOf(get().work, id);
      set(({ tasks, explains }) => ({
        tasks: new Map([...tasks].filter(([other]) => other !== id)),
        explains: new Map([...explains].filter(([other]) => other !== id)),
      }));
      change(id, { ...NO_WORK, variant: variant + 1, hints }, "another program");
    },
    async showAnswer(id) {
      const { seed, work } = get();
      try {
        const solution = await desk.ask("solve", id, seed, workOf(work, id).variant);
        if (gone) return;
        if (solution === null) session.actions.notify("info", "This task has no single answer that the engine could show.");
        else change(id, { draft: solution, shown: true }, "answer shown");
        await places.showTask(id);
      } catch (error) {
        tasks.failed(id, error);
      }
    },
    reset(id) {
      const { work, lab } = get();
      const now = Date.now();
      const ids = id === null ? (lab?.tasks.map((t) => t.id) ?? []) : [id];
      const next = ids.reduce((w, each) => withTask(w, each, { ...NO_WORK, variant: workOf(w, each).variant }, "reset", now), work);
      const undo = { what: id === null ? "the whole lab" : id, tasks: work.tasks, seed: get().seed };
      if (id === null && lab?.seed === "attempt") void student.restart(lab, next, undo);
      else {
        set({ undo });
        save(next);
      }
    },
    undo() {
      const { undo, work, lab, seed } = get();
      if (undo === null || lab === null) return;
      const now = Date.now();
      const before = Object.entries(undo.tasks).reduce((w, [id, task]) => withTask(w, id, task, null, now), work);
      if (undo.seed !== seed) void student.swap(lab, { ...before, seed: undo.seed }, null);
      else {
        set({ undo: null });
        save(before);
      }
    },
    async setStudent(name, number) {
      const { lab, work } = get();
      if (lab === null) return;
      rememberStudent(name, number);
      if (number === work.number) save({ ...work, name, counter: work.counter + 1 });
      else await student.enter(lab, name, number).catch((error: unknown) => session.actions.notify("error", messageOf(error)));
    },
    setDeclare: (declare) => save({ ...get().work, declare, counter: get().work.counter + 1 }),
    handIn: (log) => handInText(get(), log),
    download: (log) => downloadHandIn(get(), log),
    async importHandIn() {
      const file = await chooseFile(".json");
      if (file === null) return;
      const problem = await this.openHandIn(await file.text()).catch(messageOf);
      if (problem !== null) session.actions.notify("error", `${file.name} could not be opened: ${problem}`);
      else session.actions.notify("info", `${file.name} is open: ${plural(Object.keys(get().work.tasks).length, "task")} with work.`);
    },
    async openHandIn(text) {
      const { lab } = get();
      if (lab === null) return "no lab is open";
      const read = await desk.ask("readHandIn", text);
      if (typeof read === "string") return read;
      const work = workFromHandIn(lab, read, Date.now());
      await this.setStudent(work.name, work.number);
      const before = get().work;
      // Over what is kept here, also where that was changed later.
      student.remove();
      const undo = { what: "the work before", tasks: before.tasks, seed: get().seed };
      const seed = lab.seed === "attempt" ? (work.seed ?? get().seed) : get().seed;
      const opened = { ...work, seed, begun: before.begun, counter: before.counter + 1 };
      if (seed !== undo.seed && !(await student.put(lab, opened, null))) return null;
      save(opened);
      tasks.forget();
      set({ tasks: new Map(), explains: new Map(), undo, entered: get().entered + 1 });
      for (const [id, { answer }] of Object.entries(work.tasks)) {
        const result = answer === null ? null : await tasks.judge(id, answer, false);
        if (result !== null) change(id, { result }, null);
      }
      return null;
    },
    async adopt({ id, name }, state) {
      await this.setStudent(name, id);
      if (state === "") return null;
      const decoded = decodeState(state);
      if (!decoded.ok) return decoded.message;
      const { counter } = JSON.parse(decoded.text) as { readonly counter?: unknown };
      const later = typeof counter === "number" && get().work.counter >= counter;
      return later ? null : this.openHandIn(decoded.text);
    },
    setCourse: (course) => set({ course }),
    report: () => downloadReport(open),
    downloadEarlier: (work) => downloadEarlier(get(), work),
    async neighbour(id, which) {
      const { seed, work } = get();
      return desk.ask("neighbour", id, seed, workOf(work, id).variant, which);
    },
    showNeighbour: (place) => void places.showPlace(place, null),
    forget() {
      const { lab } = get();
      student.removeAll();
      forgetStudent();
      if (lab !== null) void student.enter(lab, "", "");
    },
    show: places.showTask,
    showAddress: places.showAddress,
    dispose() {
      gone = true;
      student.dispose();
      code.dispose();
      desk.dispose();
    },
  };
}
