/** A student's work on a lab: plain data, changed by copies, merged task by task where two tabs wrote it. */

import type { DeskLab, DeskTaskInfo } from "../engine/desk.ts";
import type { HandIn } from "../engine/hand-in.ts";
import type { TaskResult } from "../engine/judge.ts";
import { shortLog } from "./short-log.ts";

export interface TaskWork {
  /** What is in the form, handed in or not. */
  readonly draft: unknown;
  /** What was handed in last. */
  readonly answer: unknown;
  readonly result: TaskResult | null;
  /** Answers that were judged, with this program. */
  readonly tries: number;
  readonly hints: number;
  /** How often another program was asked for. */
  readonly variant: number;
  /** The answer was shown: it counts no more with this program. */
  readonly shown: boolean;
  /** When it was last changed. */
  readonly at: number;
}

export interface LogEntry {
  readonly task: string;
  /** Milliseconds since the lab was begun. */
  readonly at: number;
  readonly event: string;
}

/** A random number. */
export const chance = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** Work in whose place there is other work now: it can be restored. */
export interface Replaced {
  /** Which it is, on a button after 'Restore'. */
  readonly what: string;
  readonly work: Omit<LabWork, "replaced">;
  /** Who worked then: a hand-in may be another student's. */
  readonly student: Pick<LabWork, "name" | "number">;
}

export interface LabWork {
  readonly format: 1;
  readonly version: number;
  /** Of the lab's text when it was worked on last; older copies do not say. */
  readonly digest?: string;
  /** Whose programs these are; older copies do not say. */
  readonly seed?: number;
  readonly begun: number;
  readonly name: string;
  readonly number: string;
  readonly classKey: string;
  readonly declare: string;
  readonly tasks: Readonly<Record<string, TaskWork>>;
  readonly log: readonly LogEntry[];
  /** Grows with every change: of two copies, the higher is the later one. */
  readonly counter: number;
  /** The latest first. */
  readonly replaced?: readonly Replaced[];
}

export const NO_WORK: TaskWork = { draft: null, answer: null, result: null, tries: 0, hints: 0, variant: 0, shown: false, at: 0 };
const MOST_LOG = 500;
/** Each may be as large as a hand-in, and a browser stores only a few of those. */
const MOST_REPLACED = 10;

export function newWork({ version, digest }: DeskLab, classKey: string, now: number): LabWork {
  return { format: 1, version, digest, begun: now, name: "", number: "", classKey, declare: "", tasks: {}, log: [], counter: 0 };
}

export const workOf = (work: LabWork, task: string): TaskWork => work.tasks[task] ?? NO_WORK;

/** Tasks on which something was done. */
export const workedOn = ({ tasks }: Pick<LabWork, "tasks">): readonly string[] =>
  Object.entries(tasks).flatMap(([id, { draft, answer, hints, variant, shown }]) =>
    draft !== null || answer !== null || hints > 0 || variant > 0 || shown ? [id] : [],
  );

/** The work as it is restored; none where there is nothing to restore. */
export function replacedBy(work: LabWork, what: string, { name, number }: Replaced["student"]): readonly Replaced[] {
  const { replaced: _, ...bare } = work;
  const empty = workedOn(work).length === 0 && work.declare === "" && number === work.number;
  return empty ? [] : [{ what, work: bare, student: { name, number } }];
}

/** `next` in the place of `work`: every task is a later copy, so that another tab merges none of the work before into it. */
export function inPlaceOf(work: LabWork, next: Replaced["work"], replaced: readonly Replaced[], now: number): LabWork {
  const ids = new Set([...Object.keys(work.tasks), ...Object.keys(next.tasks)]);
  const tasks = Object.fromEntries([...ids].map((id) => [id, { ...(next.tasks[id] ?? NO_WORK), at: now }]));
  return { ...next, tasks, counter: work.counter + 1, replaced: replaced.slice(0, MOST_REPLACED) };
}

/** `event`: its entry in the log; null: none. */
export function withTask(work: LabWork, task: string, part: Partial<TaskWork>, event: string | null, now: number): LabWork {
  const tasks = { ...work.tasks, [task]: { ...workOf(work, task), ...part, at: now } };
  const log = event === null ? work.log : [...work.log, { task, at: Math.max(0, now - work.begun), event }].slice(-MOST_LOG);
  return { ...work, tasks, log, counter: work.counter + 1 };
}

/** Two copies of one student's work: of each task the one that was changed last. Of two attempts with other programs the later one stays. */
export function merged(own: LabWork, other: LabWork): LabWork {
  if (own.seed !== undefined && other.seed !== undefined && own.seed !== other.seed) return other.counter > own.counter ? other : own;
  const ids = new Set([...Object.keys(own.tasks), ...Object.keys(other.tasks)]);
  const tasks: Record<string, TaskWork> = {};
  for (const id of ids) {
    const [a, b] = [workOf(own, id), workOf(other, id)];
    tasks[id] = b.at > a.at ? b : a;
  }
  const later = other.counter > own.counter ? other : own;
  const seen = new Set(own.log.map((entry) => JSON.stringify(entry)));
  const log = [...own.log, ...other.log.filter((entry) => !seen.has(JSON.stringify(entry)))].sort((a, b) => a.at - b.at).slice(-MOST_LOG);
  return { ...later, begun: Math.min(own.begun, other.begun), tasks, log, counter: Math.max(own.counter, other.counter) };
}

export interface Total {
  readonly points: number;
  readonly answered: number;
  /** Graded by a person. */
  readonly open: number;
}

export function totalOf(lab: DeskLab, work: LabWork): Total {
  const results = lab.tasks.flatMap(({ id }) => workOf(work, id).result ?? []);
  return {
    points: Math.round(results.reduce((sum, r) => sum + (r.points ?? 0), 0) * 100) / 100,
    answered: lab.tasks.filter(({ id }) => workOf(work, id).answer !== null).length,
    open: results.filter((r) => r.points === null).length,
  };
}

export interface HandInOptions {
  /** null: it follows from the student's number. */
  readonly seed: number | null;
  readonly log: boolean;
}

/** The hand-in's file as an object. It contains no score that the grader trusts. */
export function handInOf(lab: DeskLab, work: LabWork, { seed, log }: HandInOptions): object {
  const tasks = lab.tasks.map(({ id }) => [id, workOf(work, id)] as const);
  const named = work.name !== "" || work.number !== "";
  return {
    format: "oriscope-hand-in",
    version: 1,
    lab: { id: lab.id, version: lab.version, digest: lab.digest },
    engine: lab.engine,
    student: named ? { name: work.name || null, number: work.number || null } : null,
    ...(work.classKey === "" ? {} : { class: work.classKey }),
    ...(seed === null ? {} : { seed }),
    answers: Object.fromEntries(tasks.flatMap(([id, t]) => (t.answer === null ? [] : [[id, t.answer]]))),
    hints: Object.fromEntries(tasks.flatMap(([id, t]) => (t.hints === 0 ? [] : [[id, t.hints]]))),
    retries: tasks.flatMap(([id, t]) => (t.variant === 0 ? [] : [{ task: id, n: t.variant }])),
    ...(work.declare === "" ? {} : { declare: work.declare }),
    points: totalOf(lab, work).points,
    log: !log || lab.log === "off" ? [] : lab.log === "short" ? shortLog(work.log) : work.log,
  };
}

/** What was handed in, or could have been, of another version of the lab: its tasks are those that were worked on. */
export function earlierHandIn(lab: DeskLab, work: LabWork): object {
  const ids = Object.keys(work.tasks);
  const tasks = lab.tasks.filter(({ id }) => ids.includes(id));
  const gone = ids.filter((id) => !tasks.some((t) => t.id === id)).map((id) => ({ ...NO_TASK, id }));
  const { digest } = work;
  return {
    ...handInOf({ ...lab, tasks: [...tasks, ...gone] }, work, { seed: work.seed ?? null, log: true }),
    lab: { id: lab.id, version: work.version, ...(digest === undefined ? {} : { digest }) },
  };
}

/** A task of which only the answer is left. */
const NO_TASK: Omit<DeskTaskInfo, "id"> = { kind: "", points: 0, does: "", varies: false, solvable: false, again: null };

/** The work in a hand-in's file; its answers are judged again by the caller. Of the tasks `damaged`, it is only in the form. */
export function workFromHandIn(lab: DeskLab, handIn: HandIn, damaged: readonly string[], now: number): LabWork {
  const fresh = newWork(lab, handIn.class ?? "", now);
  const tasks = lab.tasks.flatMap(({ id }): [string, TaskWork][] => {
    const draft = Object.hasOwn(handIn.answers, id) ? handIn.answers[id] : null;
    const answer = damaged.includes(id) ? null : draft;
    const variant = handIn.retries.reduce((most, r) => (r.task === id ? Math.max(most, r.n) : most), 0);
    const hints = Object.hasOwn(handIn.hints, id) ? (handIn.hints[id] ?? 0) : 0;
    if (draft === null && variant === 0 && hints === 0) return [];
    return [[id, { ...NO_WORK, draft, answer, hints, variant, tries: answer === null ? 0 : 1, at: now }]];
  });
  const { name, number } = handIn.student ?? {};
  return {
    ...fresh,
    name: name ?? "",
    number: number === null || number === undefined ? "" : String(number),
    ...(typeof handIn.seed === "number" ? { seed: handIn.seed } : {}),
    declare: typeof handIn.declare === "string" ? handIn.declare : "",
    tasks: Object.fromEntries(tasks),
    log: handIn.log,
    counter: 1,
  };
}

/** A stored copy; null when it is not one. Only this page writes them, so the fields are trusted once the frame fits. */
export function readWork(text: string | null): LabWork | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("format" in value) || value.format !== 1) return null;
    if (!("tasks" in value) || typeof value.tasks !== "object" || !("counter" in value) || typeof value.counter !== "number") return null;
    return value as unknown as LabWork;
  } catch {
    return null;
  }
}
