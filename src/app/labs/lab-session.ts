/** One open lab: its text, its tasks, the student's work on it, and what a person may do. */

import { createStore } from "zustand/vanilla";
import type { BrokenDeskTask, DeskJudged, DeskLab, DeskPlace, DeskTask } from "../../labs/desk.ts";
import type { TaskResult } from "../../labs/judge.ts";
import { decodeState } from "../../share/lab-state.ts";
import type { Session } from "../session/session.ts";
import { chooseFile, download, safeName } from "../share/download.ts";
import { messageOf } from "../ui/failure.ts";
import { plural } from "../ui/plural.ts";
import { startCodeBench } from "./code-bench.ts";
import { startDesk } from "./desk-client.ts";
import { cleaned } from "./forms/form.ts";
import { type LabSession, type LabState, UNREAD } from "./lab-model.ts";
import { linkedShelf, type Shelf, shelfOf } from "./shelf.ts";
import { showInTool } from "./show-place.ts";
import type { LabSource } from "./state.ts";
import { forgetStudent, lastStudent, rememberStudent } from "./student.ts";
import {
  chance,
  earlierHandIn,
  handInOf,
  type LabWork,
  merged,
  NO_WORK,
  newWork,
  type TaskWork,
  withTask,
  workFromHandIn,
  workOf,
} from "./work.ts";

export function createLabSession(session: Session, source: LabSource, scope = ""): LabSession {
  const desk = startDesk();
  const code = startCodeBench(source.text);
  const store = createStore<LabState>()(() => UNREAD);
  const { getState: get, setState: set } = store;
  let shelf: Shelf | null = null;
  let stopHearing = (): void => undefined;
  let gone = false;
  const loading = new Map<string, Promise<DeskTask | BrokenDeskTask>>();

  const save = (work: LabWork): void => {
    const whole = shelf === null ? work : shelf.write(work);
    set({ work: whole ?? work, kept: whole !== null });
  };
  const change = (task: string, part: Partial<TaskWork>, event: string | null): void => {
    save(withTask(get().work, task, part, event, Date.now()));
  };
  const failed = (task: string, error: unknown): void => {
    set(({ problems }) => ({ problems: new Map(problems).set(task, messageOf(error)) }));
  };

  /** The programs and the kept work of a student. */
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

  /** Shows work with its own programs; false: the lab was closed meanwhile. */
  async function put(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<boolean> {
    const seed = work.seed ?? get().seed;
    const parts = await desk.ask("parts", seed);
    if (gone) return false;
    loading.clear();
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
      const result = await judge(id, workOf(get().work, id).answer, false);
      if (result !== null) change(id, { result }, null);
    }
  }

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
      await enter(lab, name, number);
    } catch (error) {
      if (!gone) set({ status: "refused", message: messageOf(error) });
    }
  }

  function taskOf(id: string): Promise<DeskTask | BrokenDeskTask> {
    const { seed, work, tasks } = get();
    const { variant } = workOf(work, id);
    const key = `${seed}/${id}/${variant}`;
    const known = loading.get(key);
    if (known !== undefined) return known;
    const asked = desk.ask("task", id, seed, variant);
    loading.set(key, asked);
    asked.then(
      (task) => {
        if (gone || get().seed !== seed || workOf(get().work, id).variant !== variant) return;
        set(({ tasks: now }) => ({ tasks: new Map(now).set(id, task) }));
        if (workOf(get().work, id).result !== null && !get().explains.has(id)) void explain(id);
      },
      (error: unknown) => {
        loading.delete(key);
        if (!gone && tasks.get(id) === undefined) failed(id, error);
      },
    );
    return asked;
  }

  /** What is said after the answer, for one that was judged before a reload. */
  async function explain(id: string): Promise<void> {
    const { seed, work } = get();
    const { answer, variant, hints } = workOf(work, id);
    if (answer === null) return;
    try {
      const judged = await desk.ask("judge", id, seed, variant, answer, hints);
      if (!gone && judged.explain !== null) keepExplain(id, judged.explain);
    } catch (error) {
      failed(id, error);
    }
  }
  const keepExplain = (id: string, tree: DeskTask["ask"]): void => set(({ explains }) => ({ explains: new Map(explains).set(id, tree) }));

  /** `run`: code in the answer is run first. */
  async function judge(id: string, answer: unknown, run: boolean): Promise<TaskResult | null> {
    const { seed, work } = get();
    const { variant, hints } = workOf(work, id);
    set(({ judging, problems }) => {
      const left = new Map(problems);
      left.delete(id);
      return { judging: new Set(judging).add(id), problems: left };
    });
    try {
      const judged = run ? await runCode(id, answer) : await desk.ask("judge", id, seed, variant, answer, hints);
      if (judged === null) return null;
      const { result, explain: tree } = judged;
      if (gone || get().seed !== seed || workOf(get().work, id).variant !== variant) return null;
      if (tree !== null) keepExplain(id, tree);
      return result;
    } catch (error) {
      if (!gone) failed(id, error);
      return null;
    } finally {
      set(({ judging }) => ({ judging: new Set([...judging].filter((other) => other !== id)) }));
    }
  }

  async function runCode(id: string, answer: unknown): Promise<DeskJudged | null> {
    const { seed, work } = get();
    const { variant, hints } = workOf(work, id);
    const tell = (done: number, of: number): void => {
      if (!gone && get().judging.has(id)) set(({ running }) => ({ running: new Map(running).set(id, { done, of }) }));
    };
    tell(0, 0);
    try {
      return await code.judge({ id, seed, variant, answer, hints }, tell);
    } finally {
      set(({ running }) => ({ running: new Map([...running].filter(([other]) => other !== id)) }));
    }
  }

  /** The first prediction about this program that is not answered: nothing from its step on is shown. */
  async function veilOf(place: DeskPlace): Promise<DeskTask | null> {
    const { lab, work } = get();
    for (const { id, kind } of lab?.tasks ?? []) {
      const { result, shown } = workOf(work, id);
      if (kind !== "predict" || result !== null || shown) continue;
      const task = await taskOf(id);
      if ("broken" in task || task.veil === null || task.place?.text !== place.text) continue;
      if (JSON.stringify(task.place.options) === JSON.stringify(place.options)) return task;
    }
    return null;
  }

  async function showPlace(place: DeskPlace, own: string | null): Promise<void> {
    const veiling = await veilOf(place);
    if (gone) return;
    showInTool(session, place, veiling);
    set({ covered: veiling === null || veiling.id === own ? null : veiling.id });
  }

  async function show(id: string): Promise<void> {
    try {
      const task = await taskOf(id);
      if ("broken" in task || task.place === null) return;
      const { result, shown } = workOf(get().work, id);
      // After the answer the page is at the step of the question.
      const open = task.veil !== null && (result !== null || shown);
      await showPlace(open ? { ...task.place, step: task.veil } : task.place, id);
    } catch (error) {
      failed(id, error);
    }
  }

  /** A new attempt: other programs for every task. */
  async function anew(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<void> {
    const tasks = Object.fromEntries(Object.entries(work.tasks).map(([id, task]) => [id, { ...task, variant: 0 }]));
    try {
      const seed = await desk.ask("seedOf", work.number, source.classKey, chance());
      if (!gone) await swap(lab, { ...work, tasks, seed }, undo);
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

  void start();

  return {
    store,
    desk,
    go: (section) => set({ section }),
    setWhole: (whole) => set({ whole }),
    load: (id) => void taskOf(id).catch(() => undefined),
    draft: (id, draft) => change(id, { draft }, null),
    async answer(id) {
      const { draft, shown, tries } = workOf(get().work, id);
      if (draft === null || draft === undefined || shown || get().judging.has(id)) return;
      const given = cleaned(draft);
      const writes = get().lab?.tasks.some((task) => task.id === id && task.kind === "write") === true;
      const result = await judge(id, given, writes);
      if (result === null) return;
      // Code that could not be run here was not tried.
      const tried = writes && result.status === "by-hand" ? tries : tries + 1;
      change(id, { answer: given, result, tries: tried }, `answer ${tries + 1}: ${result.status}`);
      const task = get().tasks.get(id);
      if (task !== undefined && !("broken" in task) && task.veil !== null) await show(id);
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
        await show(id);
      } catch (error) {
        failed(id, error);
      }
    },
    reset(id) {
      const { work, lab } = get();
      const now = Date.now();
      const ids = id === null ? (lab?.tasks.map((t) => t.id) ?? []) : [id];
      const next = ids.reduce((w, each) => withTask(w, each, { ...NO_WORK, variant: workOf(w, each).variant }, "reset", now), work);
      const undo = { what: id === null ? "the whole lab" : id, tasks: work.tasks, seed: get().seed };
      if (id === null && lab?.seed === "attempt") void anew(lab, next, undo);
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
      if (undo.seed !== seed) void swap(lab, { ...before, seed: undo.seed }, null);
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
      else await enter(lab, name, number).catch((error: unknown) => session.actions.notify("error", messageOf(error)));
    },
    setDeclare: (declare) => save({ ...get().work, declare, counter: get().work.counter + 1 }),
    handIn(log) {
      const { lab, work, seed } = get();
      return lab === null ? "" : `${JSON.stringify(handInOf(lab, work, { seed, log }), null, 2)}\n`;
    },
    download(log) {
      const { lab, work } = get();
      if (lab === null) return;
      const student = safeName(work.number || work.name || "student");
      download(`${safeName(lab.id)}.${student}.json`, this.handIn(log), "application/json");
    },
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
      shelf?.remove();
      const undo = { what: "the work before", tasks: before.tasks, seed: get().seed };
      const seed = lab.seed === "attempt" ? (work.seed ?? get().seed) : get().seed;
      const opened = { ...work, seed, begun: before.begun, counter: before.counter + 1 };
      if (seed !== undo.seed && !(await put(lab, opened, null))) return null;
      save(opened);
      loading.clear();
      set({ tasks: new Map(), explains: new Map(), undo, entered: get().entered + 1 });
      for (const [id, { answer }] of Object.entries(work.tasks)) {
        const result = answer === null ? null : await judge(id, answer, false);
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
    async report() {
      const { lab, work } = get();
      if (lab === null) return;
      try {
        const results = lab.tasks.flatMap(({ id }) => workOf(work, id).result ?? []);
        const page = await desk.ask("report", this.handIn(false), results);
        download(`${safeName(lab.id)}.${safeName(work.number || work.name || "student")}.html`, page, "text/html");
      } catch (error) {
        session.actions.notify("error", `The report could not be made: ${messageOf(error)}`);
      }
    },
    downloadEarlier(work) {
      const { lab } = get();
      if (lab === null) return;
      const student = safeName(work.number || work.name || "student");
      const text = `${JSON.stringify(earlierHandIn(lab, work), null, 2)}\n`;
      download(`${safeName(lab.id)}.version-${work.version}.${student}.json`, text, "application/json");
    },
    async neighbour(id, which) {
      const { seed, work } = get();
      return desk.ask("neighbour", id, seed, workOf(work, id).variant, which);
    },
    showNeighbour: (place) => void showPlace(place, null),
    forget() {
      const { lab } = get();
      shelf?.removeAll();
      forgetStudent();
      if (lab !== null) void enter(lab, "", "");
    },
    show,
    async showAddress(address) {
      try {
        const place = await desk.ask("place", address, get().seed);
        if ("broken" in place) throw new Error(place.broken);
        await showPlace(place, null);
      } catch (error) {
        session.actions.notify("error", `This step could not be shown: ${messageOf(error)}`);
      }
    },
    dispose() {
      gone = true;
      stopHearing();
      code.dispose();
      desk.dispose();
    },
  };
}
