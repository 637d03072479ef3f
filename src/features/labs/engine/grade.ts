/** Grades a hand-in: recomputes every task, trusts no score, and always gives a result. */

import { roundPoints } from "./credit.ts";
import { studentSeed } from "./digest.ts";
import { type HandIn, readHandIn } from "./hand-in.ts";
import { judgeTask, type TaskResult } from "./judge.ts";
import type { Lab, Task } from "./lab.ts";
import { type Reported, reportedOf } from "./reports/log.ts";
import { Stage } from "./stage.ts";
import type { KeptRuns, TryOptions } from "./tried.ts";

export interface Student {
  readonly name: string | null;
  readonly number: string | null;
}

export interface Grade {
  readonly file: string;
  readonly status: "graded" | "error";
  readonly message: string;
  readonly warnings: readonly string[];
  readonly student: Student | null;
  readonly seed: number | null;
  readonly points: number;
  readonly max: number;
  /** Tasks that a person has to grade. */
  readonly open: number;
  readonly tasks: readonly TaskResult[];
  /** Tries and times by task, as reported by the student's own machine: they do not affect grades. */
  readonly reported: Readonly<Record<string, Reported>>;
}

export interface GradeOptions {
  /** Tasks whose points everyone gets. */
  readonly voided: ReadonlySet<string>;
  /** Versions of the lab that are graded as this one. */
  readonly accept: ReadonlySet<number>;
  readonly engine: string;
  /** Grade only what was made with this very engine. */
  readonly sameEngine?: boolean;
}

export function failedGrade({ max }: Lab, file: string, message: string): Grade {
  return { file, status: "error", message, warnings: [], student: null, seed: null, points: 0, max, open: 0, tasks: [], reported: {} };
}

/** Stages are kept for hand-ins of the same seed: a lab with thirty variants is run thirty times. */
export class Grader {
  readonly lab: Lab;
  private readonly options: GradeOptions;
  private readonly stages = new Map<string, Stage>();
  /** The latest results, by all that they follow from: many students give the same right answer. */
  private readonly judged = new Map<string, TaskResult>();
  private kept: KeptRuns | null = null;

  constructor(lab: Lab, options: GradeOptions) {
    this.lab = lab;
    this.options = options;
  }

  grade(file: string, text: string): Grade {
    const read = readHandIn(text);
    if (!read.ok) return this.failed(file, read.message);
    const { handIn } = read;
    const warnings: string[] = [];
    const refusal = this.refuse(handIn, warnings);
    const student = studentOf(handIn);
    if (refusal !== null) return { ...this.failed(file, refusal), warnings, student };
    const version = this.versionOf(handIn);
    const seed = this.seedOf(handIn, student, warnings);
    const stage = this.stage(seed, version);
    const tasks = this.lab.tasks.map((task): TaskResult => {
      if (this.options.voided.has(task.id))
        return {
          id: task.id,
          kind: task.kind,
          status: "right",
          points: task.points,
          max: task.points,
          reason: "the task was voided",
          theory: null,
        };
      const answer = Object.hasOwn(handIn.answers, task.id) ? handIn.answers[task.id] : undefined;
      return this.judge(
        stage,
        task,
        answer,
        variantOf(handIn, task.id),
        Object.hasOwn(handIn.hints, task.id) ? (handIn.hints[task.id] ?? 0) : 0,
      );
    });
    return {
      file,
      status: "graded",
      message: "",
      warnings,
      student,
      seed,
      ...totalOf(tasks),
      max: this.lab.max,
      tasks,
      reported: reportedOf(handIn.log),
    };
  }

  /** Runs the code in a hand-in, so that it can be graded. Grading reports what is wrong with the file. */
  async tryCode(text: string, options: TryOptions): Promise<void> {
    const read = readHandIn(text);
    if (!read.ok || this.refuse(read.handIn, []) !== null) return;
    const { handIn } = read;
    const { KeptRuns, tryAnswers } = await import("./tried.ts");
    this.kept ??= new KeptRuns();
    const stage = this.stage(this.seedOf(handIn, studentOf(handIn), []), this.versionOf(handIn));
    // Sources are long, and each is graded right after it was tried.
    stage.tried.clear();
    await tryAnswers(stage, handIn.answers, (task) => variantOf(handIn, task), { kept: this.kept, ...options });
  }

  failed(file: string, message: string): Grade {
    return failedGrade(this.lab, file, message);
  }

  private judge(stage: Stage, task: Task, answer: unknown, variant: number, hints: number): TaskResult {
    const key = JSON.stringify([stage.lab.front.version, stage.seed, task.id, variant, hints, answer]);
    const known = this.judged.get(key);
    if (known !== undefined) return known;
    const result = judgeTask(stage, task, answer, variant, hints);
    if (key.length > MOST_KEY) return result;
    const [oldest] = this.judged.keys();
    if (this.judged.size >= MOST_RESULTS && oldest !== undefined) this.judged.delete(oldest);
    this.judged.set(key, result);
    return result;
  }

  /** The lab for a seed; the latest few are kept. `version`: programs are drawn as that version drew them. */
  stage(seed: number, version = this.lab.front.version): Stage {
    const key = `${version}/${seed}`;
    const known = this.stages.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.stages.keys();
    if (this.stages.size >= MOST_STAGES && oldest !== undefined) this.stages.delete(oldest);
    const lab = version === this.lab.front.version ? this.lab : { ...this.lab, front: { ...this.lab.front, version } };
    const stage = new Stage(lab, seed);
    this.stages.set(key, stage);
    return stage;
  }

  /** Why a hand-in is not graded; null: it is, with warnings. */
  private refuse({ lab: named, engine, answers }: HandIn, warnings: string[]): string | null {
    const { front, digest, tasks } = this.lab;
    if (named.id !== front.id) return `it is for the lab '${named.id}', not for '${front.id}'`;
    const version = named.version ?? front.version;
    if (version !== front.version && !this.options.accept.has(version))
      return `it is for version ${version} of the lab; this is version ${front.version}`;
    if (this.options.sameEngine === true && engine !== this.options.engine)
      return engine === undefined
        ? "it does not say which engine it was made with"
        : `it was made with engine ${engine}; this is ${this.options.engine}: grade it with npx oriscope@${engine.replace(/[^\w.+-]/g, "")}`;
    if (version !== front.version)
      warnings.push(
        `it is for version ${version} of the lab: the tasks are those of version ${front.version}, the programs are drawn as in version ${version}`,
      );
    if (named.version === undefined) warnings.push("it does not say which version of the lab it is for");
    if (named.digest === undefined) warnings.push("it has no digest of the lab");
    else if (named.digest !== digest && version === front.version)
      warnings.push(`the lab's text was different (${named.digest}, now ${digest})`);
    if (engine === undefined) warnings.push("it does not say which engine it was made with");
    else if (newer(engine, this.options.engine))
      warnings.push(`it was made with the newer engine ${engine}; this is ${this.options.engine}`);
    const strangers = Object.keys(answers).filter((id) => !tasks.some((t) => t.id === id));
    if (strangers.length > 0)
      warnings.push(
        `it has answers to tasks that the lab does not have: ${strangers.slice(0, 5).join(", ")}${strangers.length > 5 ? ", …" : ""}`,
      );
    return null;
  }

  private readonly versionOf = ({ lab }: HandIn): number => lab.version ?? this.lab.front.version;

  private seedOf(handIn: HandIn, student: Student | null, warnings: string[]): number {
    const { front } = this.lab;
    if (front.seed === "fixed") return 0;
    // The programs of an attempt follow from nothing but the attempt.
    const known = front.seed === "per-student" && student?.number != null ? student.number : null;
    const version = this.versionOf(handIn);
    const follows = known === null ? null : studentSeed({ ...front, version }, known, handIn.class ?? "");
    const given = handIn.seed ?? null;
    if (given === null) {
      warnings.push(
        follows === null
          ? "it has neither a seed nor a student's number: graded with the programs of seed 0"
          : "it has no seed: the seed of the student's number is used",
      );
      return follows ?? 0;
    }
    if (follows !== null && follows !== given)
      warnings.push(`the seed ${given} does not match the student's number, which gives ${follows}`);
    if (front.variants !== null && (given < 1 || given > front.variants))
      warnings.push(`the seed ${given} is not one of the ${front.variants} variants`);
    return given;
  }
}

/** How often the student got another program for a task. */
const variantOf = ({ retries }: HandIn, task: string): number =>
  retries.reduce((most, r) => (r.task === task ? Math.max(most, r.n) : most), 0);

const MOST_STAGES = 32;
const MOST_RESULTS = 2000;
/** Limit on the characters of an answer whose result is cached. */
const MOST_KEY = 8192;

function studentOf({ student }: HandIn): Student | null {
  if (student === null || student === undefined) return null;
  const number = student.number ?? null;
  return { name: student.name ?? null, number: number === null ? null : String(number) };
}

/** What is open counts nothing until a person gave it. */
export function totalOf(tasks: readonly TaskResult[]): { readonly points: number; readonly open: number } {
  return { points: roundPoints(tasks.reduce((sum, t) => sum + (t.points ?? 0), 0)), open: tasks.filter((t) => t.points === null).length };
}

function newer(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => text.split(/[.+-]/).map((part) => Number(part) || 0));
  for (let i = 0; i < 3; i++) {
    const [m, n] = [x?.[i] ?? 0, y?.[i] ?? 0];
    if (m !== n) return m > n;
  }
  return false;
}
