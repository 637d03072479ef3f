/** Watches every question to the engine: reports a slow one, and does not let a stopped one be repeated automatically. */

import { type AsyncEngine, everyQuestion, type QuestionName, rowOf } from "../../worker/questions.ts";

/** What the engine is doing, if it takes long. */
export interface SlowRequest {
  readonly title: string;
  /** By `performance.now()`. */
  readonly since: number;
}

/** The same question was stopped before, by the user or because the engine ended on it twice; it waits until the user requests it again. */
export class RequestStopped extends Error {
  override readonly name = "RequestStopped";
}

export interface EngineWatch {
  readonly api: AsyncEngine;
  /** The oldest open question: the one that the engine is working on. */
  current(): { readonly method: QuestionName; readonly title: string } | null;
  /** Many questions that are one for the caller: they are shown together, under the name of the method, until `work` is done. */
  together<T>(method: QuestionName, work: () => Promise<T>): Promise<T>;
  /** Rejects the current question, and from now on those that lead to the same work. */
  holdCurrent(): void;
  /** Accepts every question again. */
  release(): void;
}

/** A question is shown after this long. */
const SLOW_MS = 1_000;
/** After this many crashes a question is not repeated automatically. */
const MOST_CRASHES = 2;

interface Question {
  readonly method: QuestionName;
  readonly args: readonly unknown[];
}

/** `changed` gets the current question once it is slow, and null when it is done. */
export function watchEngine(engine: AsyncEngine, changed: (slow: SlowRequest | null) => void): EngineWatch {
  const pending = new Set<Question>();
  const held = new Set<string>();
  const crashes = new Map<string, number>();
  const blamed = new WeakSet<Error>();
  let front: Question | null = null;
  let told = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const current = (): Question | null => pending.values().next().value ?? null;
  const moved = (): void => {
    const now = current();
    if (now === front) return;
    front = now;
    clearTimeout(timer);
    if (told) changed(null);
    told = false;
    if (now === null) return;
    const since = performance.now();
    timer = setTimeout(() => {
      told = true;
      changed({ title: rowOf(now.method).title, since });
    }, SLOW_MS);
  };
  const crashed = (question: Question): void => {
    const key = workOf(question);
    if (key === null) return;
    const times = (crashes.get(key) ?? 0) + 1;
    crashes.set(key, times);
    if (times >= MOST_CRASHES) held.add(key);
  };
  const ask = async (question: Question): Promise<unknown> => {
    if (needs(question).some((key) => held.has(key))) throw new RequestStopped(`${rowOf(question.method).title} was stopped`);
    pending.add(question);
    moved();
    try {
      const call = engine[question.method] as (...args: readonly unknown[]) => Promise<unknown>;
      const answer = await call(...question.args);
      const key = workOf(question);
      if (key !== null) crashes.delete(key);
      return answer;
    } catch (error) {
      if (error instanceof Error && error.name === "EngineRestarted" && !blamed.has(error)) {
        // Every open question is rejected with this error, beginning with the oldest, which the engine was working on.
        blamed.add(error);
        crashed(question);
      }
      throw error;
    } finally {
      pending.delete(question);
      moved();
    }
  };
  return {
    api: everyQuestion(
      (method) =>
        (...args) =>
          ask({ method, args }),
    ),
    current() {
      const question = current();
      return question === null ? null : { method: question.method, title: rowOf(question.method).title };
    },
    async together(method, work) {
      const question: Question = { method, args: [] };
      pending.add(question);
      moved();
      try {
        return await work();
      } finally {
        pending.delete(question);
        moved();
      }
    },
    holdCurrent() {
      const question = current();
      const key = question === null ? null : workOf(question);
      if (key !== null) held.add(key);
    },
    release() {
      held.clear();
      crashes.clear();
    },
  };
}

/** Identifies the work of a question, to recognise a repetition; null: the page does not repeat it automatically. */
function workOf({ method, args }: Question): string | null {
  const { sets, once, steps } = rowOf(method);
  if (sets !== undefined || once === true) return null;
  return steps === "recorded" ? `record ${String(args[0])}` : `${method} ${JSON.stringify(args)}`;
}

/** The work that a question needs. */
function needs(question: Question): readonly string[] {
  const own = workOf(question);
  const run = recordedRun(question);
  return [...(own === null ? [] : [own]), ...(run === null ? [] : [`record ${run}`])];
}

/** The run whose recording a question reads. */
function recordedRun({ method, args: [first] }: Question): number | null {
  if (rowOf(method).steps !== undefined) return typeof first === "number" ? first : null;
  if (typeof first !== "object" || first === null || !("run" in first) || !("step" in first)) return null;
  return typeof first.run === "number" && first.step !== null ? first.run : null;
}
