/** Damaged labs and hand-ins: nothing may throw, no text may run, and every hand-in gets a grade, the same one each time. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Damaged, type DamagedCase, damageJson } from "../../../cli/fuzz/damaged.ts";
import { type Draw, damage, drawFrom } from "../../../cli/fuzz/mutate.ts";
import { ENGINE_VERSION } from "../../../engine/api/version.ts";
import { ownSolutions } from "../engine/check.ts";
import { Grader } from "../engine/grade.ts";
import type { Lab } from "../engine/lab.ts";
import { readLab } from "../engine/read/read-lab.ts";
import { safeTree } from "../engine/render.ts";

export interface LabFiles {
  readonly lab: Lab;
  readonly text: string;
  /** Hand-ins with solutions: those of the course, and the engine's own. */
  readonly handIns: readonly string[];
  /** Keeps what it ran for earlier hand-ins, as grading a class does. */
  readonly grader: Grader;
}

const graderOf = (lab: Lab): Grader => new Grader(lab, { voided: new Set(), accept: new Set(), engine: ENGINE_VERSION });
/** One in this many hand-ins is graded again by a grader that has seen no other: cached results must not change a grade. */
const AGAIN = 24;

/** The labs of the course. */
export function readLabs(root = "."): readonly LabFiles[] {
  return readdirSync(join(root, "labs"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(root, "labs", name), "utf8");
      const { lab } = readLab(text);
      if (lab === null) throw new Error(`${name} cannot be read`);
      const solved = readFileSync(join(root, "labs", "solutions", name.replace(/\.md$/, ".json")), "utf8");
      return { lab, text, handIns: [solved, ownSolutions(lab, lab.front.seed === "fixed" ? 0 : 1)], grader: graderOf(lab) };
    });
}

/** Damages a lab and reads it: positions of messages are in the text, and the shown lab runs nothing. */
export function tryLab(seed: number, labs: readonly LabFiles[]): DamagedCase {
  const draw = drawFrom(seed);
  const texts = labs.map((l) => l.text);
  const input = insertHostile(damage(texts[draw(texts.length)] ?? "", texts, draw), draw);
  try {
    const { lab, diagnostics } = readLab(input);
    const lines = input.split(/\r\n|\r|\n/).length;
    const lost = diagnostics.find((d) => d.line < 1 || d.line > lines + 1 || d.column < 1);
    const accepted = lab !== null && !diagnostics.some((d) => d.severity === "error");
    const base = { input, accepted, pipelines: 0 };
    if (lost !== undefined)
      return { ...base, failure: `${lost.code} is at ${lost.line}:${lost.column} of ${lines} lines: ${lost.message}` };
    const shown = JSON.stringify(lab?.parts.map((p) => (p.kind === "text" ? safeTree(p.nodes, null) : null)));
    const runs = /"tagName":"(?:script|style|iframe|object|embed|form)"|"on[A-Za-z]+":|"(?:href|src)":"(?:javascript|data|vbscript):/i.exec(
      shown ?? "",
    );
    return { ...base, failure: runs === null ? null : `the text contains ${runs[0]}` };
  } catch (error) {
    return {
      input,
      accepted: false,
      pipelines: 0,
      failure: `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    };
  }
}

const HOSTILE = [
  "<script>x</script>",
  '<img src=x onerror="x">',
  "[x](javascript:x)",
  "![x](data:text/html,x)",
  "[x]: javascript:x\n\n[x]",
  "```task {id=x}\n",
  "---\n",
  "&a *a",
  "!!js/function x",
  "[".repeat(300),
  "> ".repeat(300),
];

function insertHostile(text: string, draw: Draw): string {
  let result = text;
  for (let i = draw(3); i > 0; i--) {
    const at = draw(result.length + 1);
    result = `${result.slice(0, at)}${draw(2) === 0 ? "\n\n" : ""}${HOSTILE[draw(HOSTILE.length)] ?? ""}${result.slice(at)}`;
  }
  return result;
}

/** Damages a hand-in and grades it twice. */
export function tryHandIn(seed: number, labs: readonly LabFiles[]): DamagedCase {
  const draw = drawFrom(seed);
  const files = labs[draw(labs.length)];
  const text = files?.handIns[draw(files.handIns.length)] ?? "{}";
  const input = damageAnswers(text, draw);
  if (files === undefined) return { input, accepted: false, pipelines: 0, failure: "there are no labs" };
  try {
    const grade = files.grader.grade("x.json", input);
    const again = draw(AGAIN) > 0 || JSON.stringify(graderOf(files.lab).grade("x.json", input)) === JSON.stringify(grade);
    const base = { input, accepted: grade.status === "graded", pipelines: 0 };
    const wrong = grade.tasks.find((t) => t.points !== null && !(t.points >= 0 && t.points <= t.max));
    if (wrong !== undefined) return { ...base, failure: `${wrong.id} has ${wrong.points} of ${wrong.max} points` };
    if (!(grade.points >= 0 && grade.points <= grade.max)) return { ...base, failure: `${grade.points} of ${grade.max} points` };
    return { ...base, failure: again ? null : "the second grade differs from the first" };
  } catch (error) {
    return {
      input,
      accepted: false,
      pipelines: 0,
      failure: `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    };
  }
}

const VALUES: readonly unknown[] = [
  null,
  -1,
  1e308,
  "",
  "x",
  [],
  {},
  [[]],
  "R1 R2",
  true,
  { BB0: null },
  ["BB0"],
  [["BB0", "BB1"]],
  Array.from({ length: 2000 }, () => 0),
  "A".repeat(60_000),
  "BB1: R1",
  "49#1",
];

/** Most damages change the answers and not the format: a file that is only refused tests little. */
function damageAnswers(text: string, draw: Draw): string {
  if (draw(4) === 0) return damageJson(text, draw);
  const value = JSON.parse(text) as { answers: Record<string, unknown>; [key: string]: unknown };
  const ids = Object.keys(value.answers);
  for (let i = draw(4); i >= 0; i--) {
    const id = ids[draw(ids.length)] ?? "";
    const answer = value.answers[id];
    const key = typeof answer === "object" && answer !== null ? (Object.keys(answer)[0] ?? "x") : "x";
    switch (draw(5)) {
      case 0:
        value.answers[id] = VALUES[draw(VALUES.length)];
        break;
      case 1:
        value.answers[id] = { [key]: VALUES[draw(VALUES.length)] };
        break;
      case 2:
        // Another task's answer.
        value.answers[id] = value.answers[ids[draw(ids.length)] ?? ""];
        break;
      case 3:
        value.answers[id] = damageDeep(answer, draw);
        break;
      default: {
        const field = ["seed", "student", "hints", "retries", "lab", "engine", "log"][draw(7)] ?? "seed";
        value[field] = draw(3) === 0 ? [{ task: id, n: draw(5) }] : VALUES[draw(VALUES.length)];
      }
    }
  }
  return JSON.stringify(value);
}

/** One text or list inside an answer, damaged. */
function damageDeep(answer: unknown, draw: Draw): unknown {
  if (typeof answer === "string") return damage(answer, [answer], draw);
  if (Array.isArray(answer)) {
    const list = [...(answer as unknown[])];
    const at = draw(list.length + 1);
    if (draw(2) === 0) list.splice(at, draw(3), list[draw(list.length)]);
    else list[at] = damageDeep(list[at], draw);
    return list;
  }
  if (typeof answer !== "object" || answer === null) return draw(1000) - 500;
  const entries = Object.entries(answer);
  const at = draw(entries.length);
  return Object.fromEntries(entries.map(([key, value], i) => [key, i === at ? damageDeep(value, draw) : value]));
}

const ofLabs = (tryOne: (seed: number, labs: readonly LabFiles[]) => DamagedCase): Damaged => ({
  begin() {
    const labs = readLabs();
    return { of: `${labs.length} labs`, tryOne: (seed) => tryOne(seed, labs) };
  },
});

/** By the word that `--mutate` takes. */
export const DAMAGED_LABS = {
  labs: ofLabs(tryLab),
  "hand-ins": ofLabs(tryHandIn),
};
