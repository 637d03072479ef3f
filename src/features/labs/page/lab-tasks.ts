/** The tasks of an open lab: their programs, and the judging of answers, both by the lab's own thread. */

import { messageOf } from "../../../app/ui/failure.ts";
import type { BrokenDeskTask, DeskJudged, DeskTask } from "../engine/desk.ts";
import type { TaskResult } from "../engine/judge.ts";
import type { CodeBench } from "./code-bench.ts";
import type { OpenLab } from "./lab-model.ts";
import { workOf } from "./work.ts";

export interface LabTasks {
  /** Its question and program, asked for once. */
  task(id: string): Promise<DeskTask | BrokenDeskTask>;
  /** `run`: code in the answer is run first. null: it was not judged, or is of work or a program that was replaced. */
  judge(id: string, answer: unknown, run: boolean): Promise<TaskResult | null>;
  failed(id: string, error: unknown): void;
  /** Every task has another program now. */
  forget(): void;
}

export function labTasks({ desk, get, set, isGone }: OpenLab, code: CodeBench): LabTasks {
  const loading = new Map<string, Promise<DeskTask | BrokenDeskTask>>();

  const failed = (task: string, error: unknown): void => {
    set({ problems: new Map(get().problems).set(task, messageOf(error)) });
  };

  function task(id: string): Promise<DeskTask | BrokenDeskTask> {
    const { seed, work, tasks } = get();
    const { variant } = workOf(work, id);
    const key = `${seed}/${id}/${variant}`;
    const known = loading.get(key);
    if (known !== undefined) return known;
    const asked = desk.ask("task", id, seed, variant);
    loading.set(key, asked);
    asked.then(
      (answer) => {
        if (isGone() || get().seed !== seed || workOf(get().work, id).variant !== variant) return;
        set({ tasks: new Map(get().tasks).set(id, answer) });
        if (workOf(get().work, id).result !== null && !get().explains.has(id)) void explain(id);
      },
      (error: unknown) => {
        loading.delete(key);
        if (!isGone() && tasks.get(id) === undefined) failed(id, error);
      },
    );
    return asked;
  }

  /** The feedback after the answer, for one that was judged before a reload. */
  async function explain(id: string): Promise<void> {
    const { seed, work } = get();
    const { answer, variant, hints } = workOf(work, id);
    if (answer === null) return;
    try {
      const judged = await desk.ask("judge", id, seed, variant, answer, hints);
      if (!isGone() && judged.explain !== null) keepExplain(id, judged.explain);
    } catch (error) {
      failed(id, error);
    }
  }
  const keepExplain = (id: string, tree: DeskTask["ask"]): void => set({ explains: new Map(get().explains).set(id, tree) });

  async function judge(id: string, answer: unknown, run: boolean): Promise<TaskResult | null> {
    const { seed, work, judging, problems, entered } = get();
    const { variant, hints } = workOf(work, id);
    const left = new Map(problems);
    left.delete(id);
    set({ judging: new Set(judging).add(id), problems: left });
    try {
      const judged = run ? await runCode(id, answer) : await desk.ask("judge", id, seed, variant, answer, hints);
      if (judged === null) return null;
      const { result, explain: tree } = judged;
      if (isGone() || get().entered !== entered || workOf(get().work, id).variant !== variant) return null;
      if (tree !== null) keepExplain(id, tree);
      return result;
    } catch (error) {
      if (!isGone()) failed(id, error);
      return null;
    } finally {
      set({ judging: new Set([...get().judging].filter((other) => other !== id)) });
    }
  }

  async function runCode(id: string, answer: unknown): Promise<DeskJudged | null> {
    const { seed, work } = get();
    const { variant, hints } = workOf(work, id);
    const tell = (done: number, of: number): void => {
      if (!isGone() && get().judging.has(id)) set({ running: new Map(get().running).set(id, { done, of }) });
    };
    tell(0, 0);
    try {
      return await code.judge({ id, seed, variant, answer, hints }, tell);
    } finally {
      set({ running: new Map([...get().running].filter(([other]) => other !== id)) });
    }
  }

  return { task, judge, failed, forget: () => loading.clear() };
}
