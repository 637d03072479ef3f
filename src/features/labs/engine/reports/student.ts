/** A student's own answers as a page to print: questions, answers, what they are worth. */

import type { Element, ElementContent, Root } from "hast";
import { toHtml } from "hast-util-to-html";
import type { HandIn } from "../hand-in.ts";
import type { TaskResult } from "../judge.ts";
import type { Lab } from "../lab.ts";
import { pageRoot } from "../render.ts";
import { BrokenTask, type Stage } from "../stage.ts";

const element = (tagName: string, ...children: (ElementContent | string)[]): Element => ({
  type: "element",
  tagName,
  properties: {},
  children: children.map((child) => (typeof child === "string" ? { type: "text", value: child } : child)),
});

const STATUS: Readonly<Record<TaskResult["status"], string>> = {
  right: "right",
  partly: "partly right",
  wrong: "wrong",
  unanswered: "not answered",
  "by-hand": "graded by a person",
  error: "could not be judged",
};

/** Text of an answer as a person reads it: programs and passes as written, everything else as short lines. */
function answerText(answer: unknown): string {
  if (typeof answer !== "object" || answer === null) return "";
  return Object.entries(answer)
    .map(([key, value]) => (typeof value === "string" ? (value.includes("\n") ? value : `${key}: ${value}`) : `${key}: ${plain(value)}`))
    .join("\n");
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item.map(plain).join(" → ") : plain(item))).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([key, item]) => `${key}: ${plain(item)}`)
    .join("; ");
}

export function reportPage(lab: Lab, stage: Stage, handIn: HandIn, results: readonly TaskResult[]): string {
  const who = [handIn.student?.name, handIn.student?.number]
    .filter((part) => part !== null && part !== undefined && part !== "")
    .join(", ");
  const points = results.reduce((sum, r) => sum + (r.points ?? 0), 0);
  const about = [
    who === "" ? "No name given" : who,
    `version ${lab.front.version}`,
    `engine ${handIn.engine ?? "unknown"}`,
    `${points} of ${lab.max} points as the page counted them; grading counts them again`,
  ].join(" · ");
  const tasks = lab.tasks.map((task, index) => {
    const result = results.find((r) => r.id === task.id);
    const answer = Object.hasOwn(handIn.answers, task.id) ? answerText(handIn.answers[task.id]) : "";
    const program = programText(task.program, stage);
    const worth =
      result === undefined
        ? "not answered"
        : `${STATUS[result.status]}, ${result.points ?? "open"} of ${task.points === 1 ? "1 point" : `${task.points} points`}`;
    return element(
      "section",
      element("h2", `${index + 1}. ${task.id} (${worth})`),
      element("p", task.ask),
      ...(program === null ? [] : [element("pre", program)]),
      element("h3", "Answer"),
      element("pre", answer === "" ? "none" : answer),
      ...(result === undefined || result.reason === "" ? [] : [element("p", result.reason)]),
    );
  });
  const declared =
    typeof handIn.declare === "string" && handIn.declare !== "" ? [element("h2", "Statement"), element("p", handIn.declare)] : [];
  const root: Root = pageRoot(lab.front.title, [element("h1", lab.front.title), element("p", about), ...tasks, ...declared]);
  return `${toHtml(root)}\n`;
}

function programText(name: string | null, stage: Stage): string | null {
  if (name === null) return null;
  try {
    return stage.program(name).text.trimEnd();
  } catch (error) {
    if (error instanceof BrokenTask) return error.message;
    throw error;
  }
}
