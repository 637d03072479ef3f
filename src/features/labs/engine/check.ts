/** Checks a lab for its author: every task can be judged, its solutions are worth all points, its variants are fair. */

import { closest } from "../../../base/closest.ts";
import { flowFacts } from "../../../engine/api/analysis/flow-facts.ts";
import type { Diagnostic } from "../../../engine/api/types.ts";
import { ENGINE_VERSION } from "../../../engine/api/version.ts";
import type { PassRunner } from "../../ownpass/engine/check/check.ts";
import { Grader } from "./grade.ts";
import { HAND_IN_FORMAT } from "./hand-in.ts";
import { judgeTask } from "./judge.ts";
import { isMetByItself } from "./kinds/edit.ts";
import { Context } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { isMetBefore, type WriteSpec } from "./kinds/write.ts";
import type { Lab, Place, Task } from "./lab.ts";
import { atText } from "./read/at.ts";
import { readLab } from "./read/read-lab.ts";
import { Report } from "./read/report.ts";
import { BrokenTask, Stage, spotOf } from "./stage.ts";

export interface CheckedTask {
  readonly id: string;
  readonly kind: string;
  readonly points: number;
  /** By a given solution, else by the engine's own; null: neither is there. */
  readonly solved: boolean | null;
}

export interface LabCheck {
  readonly ok: boolean;
  readonly title: string | null;
  readonly digest: string | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly tasks: readonly CheckedTask[];
  readonly max: number;
  readonly minutes: number | null;
  readonly variants: readonly VariantSpread[];
}

/** How a generated task differs from student to student. */
export interface VariantSpread {
  readonly task: string;
  readonly tried: number;
  readonly distinct: number;
  readonly instructions: readonly [least: number, most: number];
  readonly steps: readonly [least: number, most: number] | null;
  /** Share of the commonest answer. */
  readonly commonest: number;
}

export interface CheckOptions {
  /** Where the code of a solution runs; left out: it is not run, and its task stays unsolved. */
  readonly runner?: PassRunner;
  /** Text of a hand-in with solutions. */
  readonly solutions: string | null;
  /** Seeds 1 to so many are tried. */
  readonly variants: number;
  /** The text of another lab of the course by its id; null: it is not available. Left out: none is. */
  readonly others?: (id: string) => string | null;
}

export async function checkLab(source: string, { solutions, variants, runner, others }: CheckOptions): Promise<LabCheck> {
  const { lab, diagnostics } = readLab(source);
  const report = new Report();
  report.diagnostics.push(...diagnostics);
  const result = (tasks: readonly CheckedTask[], spread: readonly VariantSpread[]): LabCheck => ({
    ok: !report.failed,
    title: lab?.front.title ?? null,
    digest: lab?.digest ?? null,
    diagnostics: report.sorted(),
    tasks,
    max: lab?.max ?? 0,
    minutes: lab?.front.minutes ?? null,
    variants: spread,
  });
  if (lab === null) return result([], []);
  if (report.failed)
    return result(
      lab.tasks.map(({ id, kind, points }) => ({ id, kind, points, solved: null })),
      [],
    );
  checkText(lab, report);
  checkRepeats(lab, others ?? (() => null), report);
  const stage = new Stage(lab, lab.front.seed === "fixed" ? 0 : 1);
  checkMoments(lab, stage, report);
  const answers = solutions === null ? null : await readSolutions(lab, solutions, runner ?? null, report);
  const tasks = lab.tasks.map((task) => checkTask(task, answers === null ? undefined : answers[task.id], answers?.stage ?? stage, report));
  const spread = variants > 0 ? lab.tasks.flatMap((task) => spreadOf(lab, task, variants, report)) : [];
  return result(tasks, spread);
}

/** A hand-in's answers, with the stage of its seed. */
async function readSolutions(
  lab: Lab,
  text: string,
  runner: PassRunner | null,
  report: Report,
): Promise<(Readonly<Record<string, unknown>> & { readonly stage: Stage }) | null> {
  const grader = new Grader(lab, { voided: new Set(), accept: new Set(), engine: ENGINE_VERSION });
  if (runner !== null) await grader.tryCode(text, { runner, seed: null });
  const grade = grader.grade("solutions", text);
  if (grade.status === "error") {
    report.error(TOP, "LAB070", `The solutions cannot be read: ${grade.message}.`);
    return null;
  }
  for (const warning of grade.warnings) report.warning(TOP, "LAB071", `The solutions: ${warning}.`);
  const value = JSON.parse(text.replace(/^\uFEFF/, "")) as { readonly answers: Readonly<Record<string, unknown>> };
  return { ...value.answers, stage: grader.stage(grade.seed ?? 0) };
}

const TOP: Place = { line: 1, column: 1, length: 0 };

function checkTask(task: Task, answer: unknown, stage: Stage, report: Report): CheckedTask {
  const { id, kind: name, points } = task;
  const kind = kindOf(name);
  const place = task.place([]);
  const base = { id, kind: name, points };
  if (kind === null) return { ...base, solved: null };
  try {
    const ctx = new Context(stage, task, 0);
    const own = kind.solve(task.spec, ctx);
    const solution = answer ?? own;
    if (name === "edit" && isMetByItself(task.spec, ctx))
      report.error(place, "LAB072", `Task ${id}: the given program already solves the task.`);
    const before = name === "write" ? isMetBefore(task.spec as WriteSpec, ctx) : null;
    if (before !== null) report.error(place, "LAB072", `Task ${id}: ${before}: a pass that changes nothing earns full points.`);
    if (solution === null || solution === undefined) {
      // A task that cannot be solved here is still judged once, so that what is broken shows.
      return { ...base, solved: null };
    }
    const result = judgeTask(stage, task, solution, 0, 0);
    if (result.status === "error") report.error(place, "LAB073", `Task ${id}: ${result.reason}.`);
    const solved = result.status === "by-hand" ? null : result.status === "right";
    if (solved === false)
      report.error(
        place,
        "LAB074",
        `Task ${id}: ${answer === undefined ? "our own solution" : "the solution"} earns ${result.points} of ${points} points: ${result.reason}.`,
      );
    return { ...base, solved };
  } catch (error) {
    if (!(error instanceof BrokenTask)) throw error;
    report.error(place, "LAB075", `Task ${id}: ${error.message}.`);
    return { ...base, solved: null };
  }
}

function checkMoments(lab: Lab, stage: Stage, report: Report): void {
  for (const { program, at, place } of lab.moments) {
    try {
      const run = stage.run(stage.program(program), stage.pipeline);
      if (at.kind !== "input") spotOf(run, at);
    } catch (error) {
      if (!(error instanceof BrokenTask)) throw error;
      report.error(place, "LAB076", `${program} at ${atText(at)}: ${error.message}.`);
    }
  }
}

/** A task that repeats one of an earlier lab names one that is there, of the same kind. */
function checkRepeats(lab: Lab, others: (id: string) => string | null, report: Report): void {
  for (const { id, again, kind, place } of lab.tasks) {
    if (again === null) continue;
    const [from = "", name = ""] = again.split("/");
    const text = others(from);
    const tasks = text === null ? null : (readLab(text).lab?.tasks ?? []);
    const known = tasks?.find((task) => task.id === name);
    if (tasks === null) continue;
    if (known === undefined)
      report.error(
        place(["again"]),
        "LAB077",
        `Task ${id}: the lab '${from}' has no task '${name}'.`,
        closest(
          name,
          tasks.map((task) => task.id),
        ),
      );
    else if (known.kind !== kind)
      report.error(place(["again"]), "LAB078", `Task ${id} is of kind ${kind}, but ${again}, which it repeats, is of kind ${known.kind}.`);
  }
}

/** Words of a question: one verb, what counts as right, how many tries. */
const MOST_WORDS = 120;
/** Words that a student who cannot see colours cannot follow. */
const COLOURS = /\b(?:red|green|blue|yellow|orange|purple)\b/i;

function checkText(lab: Lab, report: Report): void {
  if (lab.tasks.length === 0) report.warning(TOP, "LAB080", "The lab has no tasks.");
  for (const task of lab.tasks) {
    const place = task.place(["ask"]);
    const words = task.ask.split(/\s+/).length;
    if (words > MOST_WORDS) report.warning(place, "LAB081", `Task ${task.id} uses ${words} words to ask; use at most ${MOST_WORDS}.`);
    const colour = COLOURS.exec(task.ask)?.[0];
    if (colour !== undefined && !/red-black/i.test(task.ask))
      report.warning(place, "LAB082", `Task ${task.id} says '${colour}': describe the thing, not only its colour.`);
  }
  let last = 0;
  for (const part of lab.parts) {
    if (part.kind !== "text") continue;
    for (const node of part.nodes) {
      if (node.type !== "heading") continue;
      const place = { line: node.position?.start.line ?? 1, column: 1, length: 0 };
      if (last > 0 && node.depth > last + 1)
        report.warning(place, "LAB083", `A heading of level ${node.depth} follows one of level ${last}.`);
      last = node.depth;
    }
  }
}

const MOST_COMMON = 0.6;
const STEP_SPREAD = 0.3;
const MOST_SAID = 5;

/** Tries a task's program for many students; a task whose program is the same for all is not tried. */
function spreadOf(lab: Lab, task: Task, variants: number, report: Report): VariantSpread[] {
  const source = lab.programs.find((p) => p.name === task.program);
  const kind = kindOf(task.kind);
  const same = source !== undefined && (source.kind === "written" || source.fixed);
  if (kind === null || lab.front.seed === "fixed" || same) return [];
  const drawn = source === undefined ? kind.drawn : undefined;
  if (source === undefined && drawn === undefined) return [];
  const texts = new Set<string>();
  const keys = new Map<string, number>();
  const sizes: number[] = [];
  const steps: number[] = [];
  const broken: string[] = [];
  for (let seed = 1; seed <= variants; seed++) {
    try {
      const stage = new Stage(lab, seed);
      const ctx = new Context(stage, task, 0);
      const text = drawn === undefined ? ctx.program.text : drawn(task.spec, ctx);
      if (text === null) return [];
      texts.add(text);
      const read = drawn === undefined ? flowFacts(text) : null;
      if (read?.ok === true) sizes.push(read.facts.blocks.reduce((sum, b) => sum + b.insts.length, 0));
      const solution = kind.solve(task.spec, ctx);
      if (solution !== null) {
        const { status, reason } = judgeTask(stage, task, solution, 0, 0);
        if (status !== "right" && status !== "by-hand") broken.push(`seed ${seed}: ${reason}`);
      }
      if (kind.steps !== undefined) steps.push(kind.steps(task.spec, ctx));
      const key = kind.key?.(task.spec, ctx);
      if (key !== undefined) keys.set(key, (keys.get(key) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof BrokenTask)) throw error;
      broken.push(`seed ${seed}: ${error.message}`);
    }
  }
  const place = task.place([]);
  for (const said of broken.slice(0, MOST_SAID)) report.error(place, "LAB090", `Task ${task.id}, ${said}.`);
  if (broken.length > MOST_SAID) report.error(place, "LAB090", `Task ${task.id}: ${broken.length - MOST_SAID} more seeds fail.`);
  const commonest = Math.max(0, ...keys.values()) / variants;
  if (keys.size > 0 && commonest > MOST_COMMON)
    report.warning(place, "LAB091", `Task ${task.id}: ${Math.round(commonest * 100)} % of the students have the same answer.`);
  const middle = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const far = steps.filter((n) => Math.abs(n - middle) > STEP_SPREAD * middle + 1).length;
  if (far > steps.length / 10)
    report.warning(place, "LAB092", `Task ${task.id}: ${far} of ${steps.length} students need over 30 % more or fewer steps than others.`);
  if (texts.size < Math.min(variants, 2)) report.warning(place, "LAB093", `Task ${task.id}: all students have the same program.`);
  return [
    {
      task: task.id,
      tried: variants,
      distinct: texts.size,
      instructions: rangeOf(sizes),
      steps: steps.length === 0 ? null : rangeOf(steps),
      commonest,
    },
  ];
}

const rangeOf = (values: readonly number[]): readonly [number, number] =>
  values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];

/** A hand-in with the engine's own answers, where it has any: a start for an author's solutions. */
export function ownSolutions(lab: Lab, seed: number): string {
  const stage = new Stage(lab, seed);
  const answers = Object.fromEntries(
    lab.tasks.flatMap((task) => {
      const solution = kindOf(task.kind)?.solve(task.spec, new Context(stage, task, 0)) ?? null;
      return solution === null ? [] : [[task.id, solution] as const];
    }),
  );
  const { front, digest } = lab;
  const value = {
    format: HAND_IN_FORMAT,
    version: 1,
    lab: { id: front.id, version: front.version, digest },
    engine: ENGINE_VERSION,
    student: null,
    seed,
    answers,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
