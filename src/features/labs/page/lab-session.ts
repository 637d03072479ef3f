/** One open lab: its text, its tasks, the student's work on it, and what the user may do. */

import type { Session } from "../../../app/session/session.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import type { DeskNeighbour, DeskPlace } from "../engine/desk.ts";
import type { NeighbourName } from "../engine/neighbours.ts";
import { another, answer, hint, type LabParts, showAnswer } from "./answering.ts";
import { startCodeBench } from "./code-bench.ts";
import { startDesk } from "./desk-client.ts";
import { downloadEarlier, downloadHandIn, downloadReport, handInText } from "./hand-in-file.ts";
import { type LabState, labState, type OpenLab } from "./lab-model.ts";
import { labTasks } from "./lab-tasks.ts";
import { labPlaces } from "./show-place.ts";
import type { LabSource } from "./state.ts";
import { lastStudent } from "./student.ts";
import { StudentWork } from "./student-work.ts";
import { adopt, importHandIn, type Learner, openHandIn, reset, restore, undo } from "./take-over.ts";
import { type LabWork, workOf } from "./work.ts";

export type LabSession = ReturnType<typeof createLabSession>;

export function createLabSession(session: Session, source: LabSource, scope = "") {
  const desk = startDesk();
  const code = startCodeBench(source.text);
  const open: OpenLab = { session, desk, ...labState(session) };
  const { get, set, isGone } = open;
  const tasks = labTasks(open, code);
  const places = labPlaces(open, tasks);
  const student = new StudentWork(open, tasks, source, scope);
  const parts: LabParts = { tasks, places, student };
  const report = (error: unknown): void => {
    if (!isGone()) session.actions.notify("error", messageOf(error));
  };
  void read(open, student, source.text);

  return {
    get,
    subscribe: open.subscribe,
    desk,
    go: (section: number) => set({ section }),
    setWhole: (whole: boolean) => set({ whole }),
    load: (task: string) => void tasks.task(task).catch(() => undefined),
    draft: (task: string, draft: unknown) => student.change(task, { draft }, null),
    answer: (task: string) => answer(open, parts, task),
    /** Ends the code that runs; its answer is not given. */
    stopCode: code.stop,
    hint: (task: string) => hint(open, parts, task),
    another: (task: string) => another(open, parts, task),
    showAnswer: (task: string) => showAnswer(open, parts, task),
    reset: (task: string | null) => void reset(open, student, task).catch(report),
    undo: () => void undo(open, student).catch(report),
    restore: () => void restore(open, student).catch(report),
    setStudent: (name: string, number: string) => student.setStudent(name, number),
    setDeclare: (declare: string) => student.save({ ...get().work, declare, counter: get().work.counter + 1 }),
    /** The file that is handed in. */
    handIn: (log: boolean) => handInText(get(), log),
    download: (log: boolean) => downloadHandIn(get(), log),
    importHandIn: () => importHandIn(open, student),
    openHandIn: (text: string) => openHandIn(open, student, text, "the hand-in"),
    adopt: (learner: Learner, state: string) => adopt(open, student, learner, state),
    setCourse: (course: LabState["course"]) => set({ course }),
    report: () => downloadReport(open),
    /** The hand-in of work on an earlier version. */
    downloadEarlier: (work: LabWork) => downloadEarlier(get(), work),
    /** A program related to that of a task; null: none was found. */
    async neighbour(task: string, which: NeighbourName): Promise<DeskNeighbour | null> {
      const { seed, work } = get();
      return desk.ask("neighbour", task, seed, workOf(work, task).variant, which);
    },
    showNeighbour: (place: DeskPlace) => void places.showPlace(place),
    /** Takes the student's work off this computer. */
    forget: () => student.forget(),
    /** Opens the program and step of a task, or of a link in the text. */
    show: places.showTask,
    showAddress: places.showAddress,
    dispose() {
      open.close();
      student.dispose();
      code.dispose();
      desk.dispose();
    },
  };
}

async function read({ desk, set, isGone }: OpenLab, student: StudentWork, text: string): Promise<void> {
  try {
    const { lab, diagnostics } = await desk.open(text);
    if (isGone()) return;
    if (lab === null) {
      set({ status: "refused", diagnostics, message: null });
      return;
    }
    set({ diagnostics });
    const { name, number } = lastStudent();
    await student.enter(lab, name, number);
  } catch (error) {
    if (!isGone()) set({ status: "refused", message: messageOf(error) });
  }
}
