/** What a kind of task is: its fields, the shape of its answer, and how it is judged and solved. */

import * as v from "valibot";
import type { FlowFacts } from "../../../../engine/api/analysis/flow-facts.ts";
import { defaultThreads } from "../../../../engine/api/exec/default-threads.ts";
import type { ExecRequest, PipelineOptions } from "../../../../engine/api/types.ts";
import type { Form } from "../forms.ts";
import type { At, Lab, Task } from "../lab.ts";
import { BrokenTask, eventAt, type Program, type Run, type Seen, type Stage } from "../stage.ts";

/** What an answer is worth. `share` null: a person decides. */
export interface Judged {
  readonly share: number | null;
  /** Why, in the engine's words where it has any; "" when the answer is right. */
  readonly reason: string;
  /** The answer as a class counts it: 'live out' where it was 'not pure'. */
  readonly theory?: string;
}

/** A task for one student. */
export class Context {
  readonly lab: Lab;
  readonly task: Task;
  readonly stage: Stage;
  /** How often the student got another program for it. */
  readonly variant: number;
  readonly options: PipelineOptions;

  constructor(stage: Stage, task: Task, variant: number) {
    this.lab = stage.lab;
    this.stage = stage;
    this.task = task;
    this.variant = variant;
    this.options = planOptions(stage.pipeline, task.plan);
  }

  get program(): Program {
    if (this.task.program === null) throw new BrokenTask("the task names no program");
    return this.named(this.task.program);
  }

  named(name: string): Program {
    const source = this.lab.programs.find((p) => p.name === name);
    return this.stage.program(name, source?.kind === "generated" && !source.fixed ? this.variant : 0);
  }

  run(): Run {
    return this.stage.run(this.program, this.options);
  }

  facts(at: At = this.task.at): FlowFacts {
    return this.stage.factsAt(this.program, this.options, at);
  }

  /** Of the blocks at the task's place. */
  labels(): readonly string[] {
    return this.facts().blocks.map((b) => b.label);
  }

  event(at: At = this.task.at): Seen {
    return eventAt(this.run(), at);
  }
}

/** Limits on lists and texts in answers: more than any task needs. */
export const MOST_ITEMS = 2000;
export const MOST_TEXT = 64 * 1024;

export const shortText = v.pipe(v.string(), v.maxLength(200));
export const longText = v.pipe(v.string(), v.maxLength(MOST_TEXT));
export const listOf = <T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T[]> =>
  v.pipe(v.array(item), v.maxLength(MOST_ITEMS));
export const mapOf = <T>(value: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, Record<string, T>> =>
  v.pipe(
    v.record(shortText, value),
    v.check((map) => Object.keys(map).length <= MOST_ITEMS, `at most ${MOST_ITEMS} entries`),
  );

/** `49` or `gvn-cse`. */
export const phaseName = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^[\w.-]{1,60}$/, "expected a phase: its number, id or name"),
);

const knobs = v.array(v.string());
export const planSchema = v.strictObject({
  target: v.optional(v.string()),
  level: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4))),
  policy: v.optional(v.picklist(["notes", "measured"])),
  knobs: v.optional(knobs),
  phases: v.optional(v.array(phaseName)),
  until: v.optional(phaseName),
});
export type TaskPlan = v.InferOutput<typeof planSchema>;

export function planOptions(base: PipelineOptions, plan: TaskPlan | null): PipelineOptions {
  if (plan === null) return base;
  return {
    ...base,
    target: plan.target ?? base.target,
    level: plan.level ?? base.level,
    policy: plan.policy ?? base.policy,
    knobs: [...base.knobs, ...(plan.knobs ?? [])],
    phases: plan.phases ?? base.phases,
    until: plan.until ?? base.until,
  };
}

/** An input as `exec` takes it. Files are read on a command line only. */
export const inputSchema = v.pipe(
  v.strictObject({
    threads: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1024))),
    args: v.optional(v.pipe(v.array(shortText), v.maxLength(50)), []),
    mem: v.optional(v.pipe(v.array(longText), v.maxLength(50)), []),
    sregs: v.optional(v.pipe(v.array(shortText), v.maxLength(50))),
  }),
  v.check(({ mem }) => mem.every((text) => !text.includes("=@")), "files are not read here"),
  v.check(({ mem }) => mem.reduce((sum, text) => sum + bytesOf(text), 0) <= MOST_BYTES, "the buffers are larger than 1 MB in total"),
);

export type Input = v.InferOutput<typeof inputSchema>;

const MOST_BYTES = 1024 * 1024;

/** At least the size of a buffer's text: `a=4096` by its number, all others by their length. */
function bytesOf(text: string): number {
  const size = /^[^=]*=\s*(\d+)\s*$/.exec(text)?.[1];
  return size === undefined ? text.length : Number(size);
}

const EXEC_FUEL = 1_000_000;

/** `ori`: the program, which says how many threads are usual. */
export function requestOf({ threads, args, mem, sregs }: Input, ori: string): ExecRequest {
  return { threads: threads ?? defaultThreads(ori), args, mem, fuel: EXEC_FUEL, ...(sregs === undefined ? {} : { sregs }) };
}

/** One kind of task. `S` are its own fields, `A` the answer. */
export interface Kind<S = never, A = never> {
  readonly name: string;
  /** What the student does, in one sentence. */
  readonly does: string;
  readonly fields: v.ObjectEntries;
  readonly answer: v.GenericSchema<unknown, A>;
  /** What the student fills in. Throws `BrokenTask` where the lab is at fault. */
  readonly form: (spec: S, ctx: Context) => Form;
  /** Whether a task needs `program`. */
  readonly needsProgram: (spec: S) => boolean;
  /** What is wrong with the fields, beyond their types: the field and the message. */
  readonly problems?: (spec: S, lab: Pick<Lab, "programs">) => readonly Problem[];
  readonly judge: (spec: S, answer: A, ctx: Context) => Judged;
  /** An answer that is worth all points, where the engine can give one; null: a person or a search has to. */
  readonly solve: (spec: S, ctx: Context) => A | null;
  /** Whether it can ever give one; left out: yes. */
  readonly solves?: (spec: S) => boolean;
  /** Steps of a solution, where the kind has steps. */
  readonly steps?: (spec: S, ctx: Context) => number;
  /** What a student gets instead of a program, if the task draws it itself; null: the task draws nothing. */
  readonly drawn?: (spec: S, ctx: Context) => string | null;
  /** The key in a word, for the spread of answers over variants. */
  readonly key?: (spec: S, ctx: Context) => string;
}

export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly warning?: boolean;
}

/** A kind with its types erased, so that all of them fit one list. Its fields and answers pass its schemas first. */
export type AnyKind = Kind<unknown, unknown>;

/** Ties the type of the fields to their schema. */
export function defineKind<const E extends v.ObjectEntries, A>(
  kind: Omit<Kind<v.InferOutput<v.StrictObjectSchema<E, undefined>>, A>, "fields"> & { readonly fields: E },
): AnyKind {
  return kind as unknown as AnyKind;
}

/** A judgement by a credit. */
export function judged(share: number, reason: string | null, theory?: string): Judged {
  const right = share >= 1 - 1e-9;
  return {
    share: right ? 1 : share,
    reason: right ? "" : (reason ?? "the answer differs"),
    ...(theory === undefined || right ? {} : { theory }),
  };
}
