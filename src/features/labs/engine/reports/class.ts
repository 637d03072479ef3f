/** What a teacher reads: how the class did task by task, and cards for a talk with a student. No names in the first. */

import type { Grade } from "../grade.ts";
import type { TaskResult } from "../judge.ts";
import type { Lab, Task } from "../lab.ts";
import { atText } from "../read/at.ts";
import { median } from "./log.ts";
import { md } from "./services.ts";

export interface Item {
  readonly task: string;
  readonly kind: string;
  readonly answered: number;
  readonly handIns: number;
  /** Shares of those who answered. */
  readonly right: number;
  readonly mean: number;
  /** From the hand-ins' logs; null: none of them has it. */
  readonly firstRight: number | null;
  readonly seconds: number | null;
  /** What was thought instead, commonest first. */
  readonly theories: readonly { readonly theory: string; readonly count: number; readonly reason: string }[];
}

const MOST_THEORIES = 5;

export function items(lab: Lab, grades: readonly Grade[]): readonly Item[] {
  const graded = grades.filter((g) => g.status === "graded");
  return lab.tasks.map(({ id, kind, points }) => {
    const all = graded.flatMap((g) => g.tasks.filter((t) => t.id === id));
    const answered = all.filter((t) => t.status !== "unanswered");
    const theories = new Map<string, { count: number; reason: string }>();
    for (const { theory, reason } of answered) {
      if (theory === null) continue;
      const known = theories.get(theory);
      if (known === undefined) theories.set(theory, { count: 1, reason });
      else known.count++;
    }
    const n = Math.max(1, answered.length);
    const told = graded.flatMap((g) => (Object.hasOwn(g.reported, id) ? (g.reported[id] ?? []) : []));
    const firsts = told.flatMap((t) => t.firstRight ?? []);
    return {
      task: id,
      kind,
      answered: answered.length,
      handIns: graded.length,
      right: answered.filter((t) => t.status === "right").length / n,
      mean: points === 0 ? 0 : answered.reduce((sum, t) => sum + (t.points ?? 0), 0) / (n * points),
      firstRight: firsts.length === 0 ? null : firsts.filter((right) => right).length / firsts.length,
      seconds: median(told.map((t) => t.seconds)),
      theories: [...theories]
        .map(([theory, { count, reason }]) => ({ theory, count, reason }))
        .sort((a, b) => b.count - a.count || (a.theory < b.theory ? -1 : 1))
        .slice(0, MOST_THEORIES),
    };
  });
}

export function itemsText({ front }: Lab, found: readonly Item[]): string {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const parts = found.map(({ task, kind, answered, handIns, right, mean, firstRight, seconds, theories }) => {
    const told = [
      ...(firstRight === null ? [] : [`${percent(firstRight)} right at the first try`]),
      ...(seconds === null ? [] : [`half of them took at most ${duration(seconds)}`]),
    ];
    const lines = theories.map(
      ({ theory, count, reason }) =>
        `- ${percent(count / Math.max(1, answered))} (${count}): ${md(short(theory))}${commented(theory, count, reason)}\n`,
    );
    return `## ${md(task)} (${kind})\n\n${answered} of ${handIns} answered; ${percent(right)} right, ${percent(mean)} of the points${told.length === 0 ? "" : `; by their own logs ${told.join(", ")}`}.\n${lines.length === 0 ? "" : `\n${lines.join("")}`}`;
  });
  return `# ${md(front.title)}: what the class thought\n\n${parts.join("\n")}`;
}

/** The message to the first student: programs differ, so others may have seen other numbers. */
function commented(theory: string, count: number, reason: string): string {
  if (reason === "" || reason === theory) return "";
  return ` (${count > 1 ? "for example: " : ""}${md(short(reason))})`;
}

const duration = (seconds: number): string => (seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

const short = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const DEFAULT_WORTH = 0.5;

/** Questions about a student's own answers, those that carry the points first. */
export function vivaText(lab: Lab, grades: readonly Grade[], count: number): string {
  const cards = grades
    .filter((g) => g.status === "graded")
    .map((grade) => {
      const own = grade.tasks
        .filter((t) => (t.points ?? t.max * DEFAULT_WORTH) > 0 && t.status !== "error")
        .sort((a, b) => weight(b) - weight(a))
        .slice(0, count);
      const questions = own.flatMap((result, i) => {
        const task = lab.tasks.find((t) => t.id === result.id);
        return task === undefined ? [] : [`${i + 1}. **${md(task.id)}** ${question(task, result)}\n`];
      });
      return `## ${md(grade.student?.name ?? grade.student?.number ?? grade.file)}\n\n${grade.points} of ${grade.max} points; seed ${grade.seed ?? "none"}\n\n${questions.join("")}`;
    });
  return `# ${md(lab.front.title)}: questions for a talk\n\n${cards.join("\n")}`;
}

/** What a student wrote is more informative than what was chosen. */
const OWN_WORK = ["write", "edit", "tests", "reach", "text", "find-wrong", "simulate"];
const weight = (t: TaskResult): number => (OWN_WORK.includes(t.kind) ? 1000 : 0) + (t.points ?? t.max);

function question(task: Task, { status, reason }: TaskResult): string {
  const where = task.at.kind === "input" ? "" : ` (${atText(task.at)})`;
  const asked = {
    write: "What would your pass do without its second condition, and on which program would that show?",
    edit: "Which line of your change does it, and what would the phase do without that line?",
    tests: "Which of your tests catches the most broken phases, and why does it not fail the right one?",
    reach: "Which entry of your plan brought the most, and what did it cost?",
    "find-wrong": "Show on your answer why the dropped condition was needed.",
    simulate: "Redo the first three moves, and say where you had a choice.",
    predict: "What would have to change in the program for the other answer?",
    mark: "Take one of your marks and say how you would convince a doubter.",
    fill: "Take one cell and say which earlier step decided it.",
    order: "Which two lines could change places, and which must not?",
  }[task.kind];
  const outcome = status === "right" ? "right" : `${status}: ${md(short(reason))}`;
  return `${md(task.ask.split("\n")[0] ?? "")}${where} [${outcome}] *${asked ?? "Why?"}*`;
}
