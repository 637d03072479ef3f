/** Judges one answer to one task: the only place where a share becomes points. */

import { safeParse } from "valibot";
import { roundPoints } from "./credit.ts";
import { type AnyKind, Context, type Judged } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { Task } from "./lab.ts";
import { BrokenTask, type Stage } from "./stage.ts";

export type Status = "right" | "partly" | "wrong" | "unanswered" | "by-hand" | "error";

export interface TaskResult {
  readonly id: string;
  readonly kind: string;
  readonly status: Status;
  /** null: a person gives them. */
  readonly points: number | null;
  readonly max: number;
  readonly reason: string;
  /** What the class is counted by where the answer is wrong; null: nothing to count. */
  readonly theory: string | null;
}

/** `variant`: how often the student got another program; `hints`: how many were opened. */
export function judgeTask(stage: Stage, task: Task, answer: unknown, variant: number, hints: number): TaskResult {
  const base = { id: task.id, kind: task.kind, max: task.points, theory: null };
  if (answer === undefined || answer === null) return { ...base, status: "unanswered", points: 0, reason: "no answer" };
  const kind = kindOf(task.kind);
  if (kind === null) return broken(task, `there is no kind ${task.kind}`);
  const read = safeParse(kind.answer, answer);
  if (!read.success) {
    const issue = read.issues[0];
    return { ...base, status: "wrong", points: 0, reason: `the answer has the wrong form: ${issue.message}`, theory: "wrong form" };
  }
  const result = tryJudge(kind, stage, task, read.output, variant);
  return typeof result === "string" ? broken(task, result) : pointsOf(task, result, hints);
}

/** The answer has the form of its task's kind. */
export function isReadable(task: Task, answer: unknown): boolean {
  const kind = kindOf(task.kind);
  return kind === null || safeParse(kind.answer, answer).success;
}

/** A task that cannot be judged is not the student's fault: its points are granted, and the report says why. */
function broken(task: Task, reason: string): TaskResult {
  return {
    id: task.id,
    kind: task.kind,
    status: "error",
    points: task.points,
    max: task.points,
    reason: `the task could not be graded, so its points are given: ${reason}`,
    theory: null,
  };
}

function tryJudge(kind: AnyKind, stage: Stage, task: Task, answer: unknown, variant: number): Judged | string {
  try {
    return kind.judge(task.spec, answer, new Context(stage, task, variant));
  } catch (error) {
    if (error instanceof BrokenTask) return error.message;
    throw error;
  }
}

/** Characters of a line of a reason: inputs that show a difference may have thousands of numbers. */
const MOST_LINE = 160;
const MOST_THEORY = 200;

function short(text: string): string {
  const lines = text.split("\n").map((line) => (line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line));
  return lines.length > 12 ? [...lines.slice(0, 6), "…", ...lines.slice(-5)].join("\n") : lines.join("\n");
}

function pointsOf(task: Task, { share, reason: said, theory }: Judged, hints: number): TaskResult {
  const reason = short(said);
  const base = {
    id: task.id,
    kind: task.kind,
    max: task.points,
    reason,
    theory: theory === undefined ? null : theory.slice(0, MOST_THEORY),
  };
  if (share === null) return { ...base, status: "by-hand", points: null };
  // An answer in earnest has its share, right or wrong.
  const earned = task.points * Math.max(share, task.tryShare);
  const cost = task.hints.slice(0, hints).reduce((sum, h) => sum + h.cost, 0);
  const points = roundPoints(Math.max(0, earned - cost));
  return { ...base, status: share >= 1 ? "right" : share > 0 ? "partly" : "wrong", points };
}
