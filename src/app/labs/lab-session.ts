/** One open lab: its text, its tasks, the student's work on it, and what a person may do. */

import { createStore } from "zustand/vanilla";
import type { Session } from "../session/session.ts";
import { messageOf } from "../ui/failure.ts";
import { startCodeBench } from "./code-bench.ts";
import { startDesk } from "./desk-client.ts";
import { cleaned } from "./forms/form.ts";
import { downloadEarlier, downloadHandIn, downloadReport, handInText } from "./hand-in-file.ts";
import { type LabSession, type LabState, type OpenLab, UNREAD } from "./lab-model.ts";
import { labTasks } from "./lab-tasks.ts";
import { labPlaces } from "./show-place.ts";
import type { LabSource } from "./state.ts";
import { lastStudent } from "./student.ts";
import { studentWork } from "./student-work.ts";
import { adopt, importHandIn, openHandIn, reset, undo } from "./take-over.ts";
import { NO_WORK, workOf } from "./work.ts";

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
  const report = (error: unknown): void => {
    if (!gone) session.actions.notify("error", messageOf(error));
  };

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
    reset: (id) => void reset(open, student, id).catch(report),
    undo: () => void undo(open, student).catch(report),
    setStudent: student.setStudent,
    setDeclare: (declare) => save({ ...get().work, declare, counter: get().work.counter + 1 }),
    handIn: (log) => handInText(get(), log),
    download: (log) => downloadHandIn(get(), log),
    importHandIn: () => importHandIn(open, student),
    openHandIn: (text) => openHandIn(open, student, text),
    adopt: (learner, state) => adopt(open, student, learner, state),
    setCourse: (course) => set({ course }),
    report: () => downloadReport(open),
    downloadEarlier: (work) => downloadEarlier(get(), work),
    async neighbour(id, which) {
      const { seed, work } = get();
      return desk.ask("neighbour", id, seed, workOf(work, id).variant, which);
    },
    showNeighbour: (place) => void places.showPlace(place, null),
    forget: student.forget,
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
