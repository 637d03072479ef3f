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
  const report = slowReport(changed);

  const current = (): Question | null => pending.values().next().value ?? null;
  const whilePending = async <T>(question: Question, work: () => Promise<T>): Promise<T> => {
    pending.add(question);
    report(current());
    try {
      return await work();
    } finally {
      pending.delete(question);
      report(current());
    }
  };
  const crashed = (question: Question): void => {
    const key = workOf(question);
    if (key === null) return;
    const times = (crashes.get(key) ?? 0) + 1;
    crashes.set(key, times);
    if (times >= MOST_CRASHES) held.add(key);
  };
  const answer = async (question: Question): Promise<unknown> => {
    try {
      const call = engine[question.method] as (...args: readonly unknown[]) => Promise<unknown>;
      const answered = await call(...question.args);
      const key = workOf(question);
      if (key !== null) crashes.delete(key);
      return answered;
    } catch (error) {
      if (error instanceof Error && error.name === "EngineRestarted" && !blamed.has(error)) {
        // Every open question is rejected with this error, beginning with the oldest, which the engine was working on.
        blamed.add(error);
        crashed(question);
      }
      throw error;
    }
  };
  const ask = (question: Question): Promise<unknown> => {
    if (!needs(question).some((key) => held.has(key))) return whilePending(question, () => answer(question));
    return Promise.reject(new RequestStopped(`${rowOf(question.method).title} was stopped`));
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
    together: (method, work) => whilePending({ method, args: [] }, work),
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

/** Calls `changed` with the current question once it has been that for a while, and with null at its end. */
function slowReport(changed: (slow: SlowRequest | null) => void): (current: Question | null) => void {
  let front: Question | null = null;
  let reported = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (current) => {
    if (current === front) return;
    front = current;
    clearTimeout(timer);
    if (reported) changed(null);
    reported = false;
    if (current === null) return;
    const since = performance.now();
    timer = setTimeout(() => {
      reported = true;
      changed({ title: rowOf(current.method).title, since });
    }, SLOW_MS);
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
