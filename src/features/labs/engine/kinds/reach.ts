/** Reaches a figure by knobs, the order of phases and skips, with equal meaning. */

import * as v from "valibot";
import { compareTexts } from "../../../../engine/api/exec/compare.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import type { PipelineOptions } from "../../../../engine/api/types.ts";
import { runIntervened } from "../../../futures/engine/intervened.ts";
import { EXECUTED, executedFigure, inputsOf, isExecuted, STATIC, staticFigure } from "../measures.ts";
import { BrokenTask, factsOfText } from "../stage.ts";
import { type Context, defineKind, inputSchema, type Judged, judged, phaseName, shortText } from "./kind.ts";

const ALLOWED = ["knobs", "phases", "skips", "level", "policy"] as const;
/** Entries of a plan. */
const MOST_ENTRIES = 200;

const figure = v.pipe(v.number(), v.minValue(0));
const fields = {
  measure: v.picklist([...STATIC, ...EXECUTED]),
  "at-most": figure,
  full: v.optional(figure),
  zero: v.optional(figure),
  allow: v.pipe(v.array(v.picklist(ALLOWED)), v.minLength(1)),
  /** Knobs that a plan may set; left out: all. */
  "knobs-allowed": v.optional(v.array(v.string())),
  inputs: v.optional(v.pipe(v.array(inputSchema), v.minLength(1), v.maxLength(64))),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

const words = v.pipe(v.array(shortText), v.maxLength(MOST_ENTRIES));
const plan = v.strictObject({
  level: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4))),
  policy: v.optional(v.picklist(["notes", "measured"])),
  knobs: v.optional(words),
  phases: v.optional(v.pipe(v.array(phaseName), v.maxLength(MOST_ENTRIES))),
  skips: v.optional(words),
});
type Plan = v.InferOutput<typeof plan>;

export const reach = defineKind({
  name: "reach",
  does: "finds knobs, an order of phases or skips that reach a figure without changing the meaning",
  fields,
  answer: v.strictObject({ plan }),
  form: (spec) => ({
    kind: "plan",
    allow: spec.allow,
    knobs: spec["knobs-allowed"] ?? null,
    measure: spec.measure,
    full: spec.full ?? spec["at-most"],
  }),
  needsProgram: () => true,
  problems(spec) {
    const { full, zero } = spec;
    return full !== undefined && zero !== undefined && zero <= full ? [{ path: ["zero"], message: "zero: lies above full:" }] : [];
  },
  judge(spec, answer, ctx) {
    const refused = notAllowed(spec, answer.plan);
    if (refused !== null) return { share: 0, reason: refused, theory: "not allowed" };
    const { program } = ctx;
    const skips = answer.plan.skips ?? [];
    const bad = skips.find((s) => !/^[\w.-]+#[1-9]\d{0,5}$/.test(s));
    if (bad !== undefined) return { share: 0, reason: `'${bad}' is not a rewrite: expected PHASE#N`, theory: "bad plan" };
    const run = runIntervened(program.ori, program.kernel, optionsOf(answer.plan, ctx.options), { skips });
    if (!run.ok) return { share: 0, reason: `the plan cannot be run: ${run.message}`, theory: "bad plan" };
    const { verdict, message, counterexample } = compareTexts(program.ori, run.text, { seed: ctx.stage.seed + 1, kernel: program.kernel });
    if (verdict === "unknown") return { share: null, reason: `whether the meaning is the same could not be decided: ${message}` };
    if (verdict !== "same") return { share: 0, reason: counterexample ?? message, theory: "another meaning" };
    const unused = skips.length - run.phases.reduce((sum, p) => sum + p.skipped.length, 0);
    return byFigure(spec, run.text, unused, ctx);
  },
  solve: () => null,
  solves: () => false,
});

function byFigure(spec: Spec, text: string, unused: number, ctx: Context): Judged {
  const reached = figureOf(spec, text, ctx);
  if (typeof reached === "string") return { share: null, reason: `the figure could not be measured: ${reached}` };
  const full = spec.full ?? spec["at-most"];
  const zero = spec.zero ?? ownFigure(spec, ctx);
  const share = reached <= full ? 1 : reached >= zero ? 0 : (zero - reached) / (zero - full);
  const said = `${reached} ${spec.measure}; full points at ${full}, none at ${zero}${unused > 0 ? `; ${unused} skips match no rewrite` : ""}`;
  return judged(share, said, `${reached}`);
}

function figureOf({ measure, inputs }: Spec, text: string, ctx: Context): number | string {
  return isExecuted(measure)
    ? executedFigure(text, null, measure, inputsOf(inputs, text, ctx))
    : staticFigure(factsOfText(text, null), measure);
}

/** What the lab's own plan reaches. */
function ownFigure(spec: Spec, ctx: Context): number {
  const run = runIntervened(ctx.program.ori, ctx.program.kernel, ctx.options, {});
  if (!run.ok) throw new BrokenTask(run.message);
  const own = figureOf(spec, run.text, ctx);
  if (typeof own === "string") throw new BrokenTask(own);
  return own;
}

function optionsOf({ level, policy, knobs, phases }: Plan, base: PipelineOptions): PipelineOptions {
  return {
    ...base,
    level: level ?? base.level,
    policy: policy ?? base.policy,
    knobs: [...base.knobs, ...(knobs ?? [])],
    phases: phases ?? base.phases,
  };
}

function notAllowed(spec: Spec, given: Plan): string | null {
  const used = ALLOWED.filter((name) => given[name] !== undefined && !(Array.isArray(given[name]) && given[name].length === 0));
  const extra = used.find((name) => !spec.allow.includes(name));
  if (extra !== undefined) return `the plan sets ${extra}; the task allows ${spec.allow.join(", ")}`;
  const allowed = spec["knobs-allowed"];
  if (allowed === undefined) return null;
  const known = new EngineSession().knobs();
  const nameOf = (word: string): string => {
    const lower = word.trim().toLowerCase();
    return known.find((k) => [k.key, k.name.toLowerCase(), String(k.index)].includes(lower))?.key ?? lower;
  };
  const wrong = given.knobs?.find((text) => !allowed.map(nameOf).includes(nameOf(text.split("=")[0] ?? "")));
  return wrong === undefined ? null : `the knob of '${wrong}' may not be set; allowed: ${allowed.join(", ")}`;
}
