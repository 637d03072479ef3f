/** A pass or an analysis of the student's own. Its code runs elsewhere (`tried.ts`), before the answer is judged: this is the task's specification. */

import * as v from "valibot";
import { ANALYSIS_KINDS } from "../../../ownpass/engine/analysis-results.ts";
import { FORBIDDABLE } from "../../../ownpass/engine/module.ts";
import { EXECUTED, executedFigure, inputsOf, isExecuted, STATIC, staticFigure } from "../measures.ts";
import { BrokenTask, factsOfText, runText } from "../stage.ts";
import { type Context, defineKind, inputSchema, type Judged, longText, type Problem, phaseName, planOptions, shortText } from "./kind.ts";

/** `rpo` has several right answers, and the built-in one is only one of them. */
const OF = ANALYSIS_KINDS.filter((kind) => kind !== "rpo");
const MOST_COUNT = 200;
const DEFAULT_COUNT = 40;

const figure = v.pipe(v.number(), v.minValue(0));
const mustSchema = v.strictObject({
  program: v.string(),
  measure: v.picklist([...STATIC, ...EXECUTED]),
  "at-most": figure,
  /** Phases that run after the pass, and before it is measured: a copy that a phase removes is as good as none. */
  phases: v.optional(v.pipe(v.array(phaseName), v.minLength(1), v.maxLength(50))),
  inputs: v.optional(v.pipe(v.array(inputSchema), v.minLength(1), v.maxLength(64))),
});
export type Must = v.InferOutput<typeof mustSchema>;

const fields = {
  what: v.optional(v.picklist(["pass", "analysis"]), "pass"),
  /** For an analysis: its result for each block. */
  of: v.optional(v.picklist(OF)),
  /** Random programs, and the seed of the first; left out: one that follows from the lab and the task. */
  count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_COUNT)), DEFAULT_COUNT),
  seed: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000))),
  forbid: v.optional(v.array(v.picklist(FORBIDDABLE)), []),
  /** Programs of the lab that it is tried on, too. */
  programs: v.optional(v.pipe(v.array(v.string()), v.maxLength(20)), []),
  must: v.optional(v.pipe(v.array(mustSchema), v.maxLength(20)), []),
  /** The prediction before the code runs: will it pass, and if not, on which program does it fail? */
  unlock: v.optional(v.picklist(["predict"])),
  /** Messages about random programs name none of them. */
  hidden: v.optional(v.boolean(), false),
  /** What the student begins with. */
  start: v.optional(longText),
};
export type WriteSpec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

/** Graded by hand if the code could not be run: a pass is never worth points unseen, and never wrong. */
const NOT_RUN: Judged = { share: null, reason: "the code has not been run yet" };

export const write = defineKind({
  name: "write",
  does: "writes a pass or an analysis",
  fields,
  answer: v.strictObject({ pass: longText, guess: v.optional(shortText) }),
  form: (spec) => ({
    kind: "write",
    what: spec.what,
    start: spec.start ?? "",
    forbid: spec.forbid,
    guesses: guessesOf(spec),
    count: spec.count,
  }),
  needsProgram: () => false,
  problems(spec, lab) {
    const { what, of, must, programs } = spec;
    const named = [
      ...must.map((m, i) => ({ name: m.program, path: ["must", i, "program"] })),
      ...programs.map((name, i) => ({ name, path: ["programs", i] })),
    ];
    const missing = named
      .filter(({ name }) => !lab.programs.some((p) => p.name === name))
      .map(({ name, path }): Problem => ({ path, message: `there is no program '${name}'` }));
    if (what === "analysis") {
      if (of === undefined) return [{ path: [], message: `an analysis needs of: ${OF.join(", ")}` }, ...missing];
      return must.length > 0 ? [{ path: ["must"], message: "an analysis changes nothing: must: is for a pass" }, ...missing] : missing;
    }
    if (of !== undefined) return [{ path: ["of"], message: "of: is for an analysis" }, ...missing];
    if (must.length === 0) return [{ path: [], message: "must: is missing: a pass that changes nothing satisfies every law" }, ...missing];
    return missing;
  },
  judge: (_, answer, ctx) => ctx.stage.tried.get(triedKey(ctx, answer.pass)) ?? NOT_RUN,
  solve: () => null,
  solves: () => false,
});

/** The predictions that a student may choose before the code runs; null: the task does not require one. */
function guessesOf({ unlock, what, must, programs }: WriteSpec): readonly string[] | null {
  if (unlock === undefined) return null;
  const names = [...new Set([...must.map((m) => m.program), ...programs])];
  const right = what === "pass" ? "it holds on every program" : "it is right on every program";
  return [right, ...names.map((name) => `it fails on ${name}`), "it fails on a random program"];
}

/** The key under which a try of a source is cached. */
export const triedKey = ({ task, variant }: Context, source: string): string => `${task.id}/${variant}/${source}`;

/** A program of the lab in its state at the task's place. */
export function textOf(name: string, ctx: Context): string {
  const program = ctx.named(name);
  return ctx.task.at.kind === "input" ? program.ori : ctx.stage.textAt(program, ctx.options, ctx.task.at);
}

/** A string says why there is none. */
export function figureOf({ measure, inputs, phases }: Must, written: string, ctx: Context): number | string {
  const text = phases === undefined ? written : textAfter(written, phases, ctx);
  return isExecuted(measure)
    ? executedFigure(text, null, measure, inputsOf(inputs, text, ctx))
    : staticFigure(factsOfText(text, null), measure);
}

function textAfter(text: string, phases: readonly string[], ctx: Context): string {
  const run = runText(text, "ori", null, planOptions(ctx.options, { phases: [...phases] }));
  if (typeof run === "string") throw new BrokenTask(`the phases cannot be run after it: ${run}`);
  return run.session.moduleText({ run: run.result.phases.length - 1, step: null });
}

/** Whether the program meets the task before any pass has run. */
export function isMetBefore(spec: WriteSpec, ctx: Context): string | null {
  const met = spec.must.find((must) => {
    const figure = figureOf(must, textOf(must.program, ctx), ctx);
    return typeof figure === "number" && figure <= must["at-most"];
  });
  return met === undefined ? null : `${met.program} has at most ${met["at-most"]} ${met.measure} as it stands`;
}
