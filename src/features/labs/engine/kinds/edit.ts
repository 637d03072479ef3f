/** Changes a program so that a phase does what is required, or so that the program has what is required. */

import * as v from "valibot";
import { compareTexts } from "../../../../engine/api/exec/compare.ts";
import { recogniseFormat } from "../../../../engine/api/read/recognise.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { conditionsOf } from "../../../futures/engine/intervened.ts";
import { IMPORTERS } from "../../../importers.ts";
import { STATIC, staticFigure } from "../measures.ts";
import { asOri, BrokenTask, factsOfText, firstError, phaseOf, type Run, runText } from "../stage.ts";
import { type Context, defineKind, type Judged, judged, longText, phaseName, shortText } from "./kind.ts";

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const want = v.strictObject({
  of: v.picklist(STATIC),
  equals: v.optional(whole),
  "at-least": v.optional(whole),
  "at-most": v.optional(whole),
  /** After this phase; else of the program as it was handed in. */
  after: v.optional(phaseName),
});

const fields = {
  phase: v.optional(phaseName),
  must: v.optional(v.picklist(["fires", "stays", "refuses"])),
  condition: v.optional(shortText),
  /** At least so many rewrites, for `fires`. */
  rewrites: v.optional(whole),
  alone: v.optional(v.boolean(), false),
  want: v.optional(v.pipe(v.array(want), v.maxLength(10)), []),
  "same-as": v.optional(shortText),
  "most-lines": v.optional(whole),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

export const edit = defineKind({
  name: "edit",
  does: "changes a program",
  fields,
  answer: v.strictObject({ ori: longText }),
  form: (_, { program: { format, text, ori } }) => ({ kind: "ori", text: IMPORTERS[format]?.forms !== undefined ? text : ori }),
  needsProgram: () => true,
  problems(spec, lab) {
    const { phase, must, condition } = spec;
    if (must === undefined && spec.want.length === 0) return [{ path: [], message: "an edit needs must: or want:" }];
    if (must !== undefined && phase === undefined) return [{ path: ["must"], message: `${must} needs phase:` }];
    if (must === "refuses" && condition === undefined) return [{ path: ["must"], message: "refuses needs condition:" }];
    const other = spec["same-as"];
    return other === undefined || lab.programs.some((p) => p.name === other)
      ? []
      : [{ path: ["same-as"], message: `there is no program '${other}'` }];
  },
  judge(spec, { ori: given }, ctx) {
    const read = asOri(given);
    if ("diagnostics" in read) return { share: 0, reason: `the program has errors: ${firstError(read.diagnostics)}`, theory: "errors" };
    const { ori } = read;
    const failed = tooLong(spec, given, ctx) ?? failedPhase(spec, ori, ctx) ?? failedWant(spec, ori, ctx);
    return failed === null ? meaning(spec, ori, ctx) : { share: 0, reason: failed, theory: failed };
  },
  solve: () => null,
  solves: () => false,
});

/** Whether the lab's unchanged program already meets the task. */
export function isMetByItself(spec: unknown, ctx: Context): boolean {
  return edit.judge(spec, { ori: ctx.program.ori }, ctx).share === 1;
}

function tooLong(spec: Spec, given: string, ctx: Context): string | null {
  const most = spec["most-lines"];
  if (most === undefined) return null;
  const changed = changedLines(canonical(ctx.program.text, given), canonical(given, ctx.program.text));
  return changed <= most ? null : `${changed} lines are changed; the task allows ${most}`;
}

/** Instructions and labels as the engine prints them, in their own language if both texts are in it: blanks, comments and spellings do not count. */
function canonical(text: string, other: string): string[] {
  const session = new EngineSession();
  const { format, ori, kernels } = session.open(1, text, null);
  const written = recogniseFormat(other) === format ? session.written(kernels.map((k) => k.name)) : null;
  return (written?.text ?? ori)
    .split("\n")
    .map((line) => line.replace(/\/\/.*/, "").trim())
    .filter((line) => line !== "");
}

/** Lines that were removed or inserted; a replaced line counts once. */
function changedLines(before: readonly string[], after: readonly string[]): number {
  let row = new Uint32Array(after.length + 1);
  for (const item of before) {
    const next = new Uint32Array(after.length + 1);
    for (let j = 1; j <= after.length; j++)
      next[j] = item === after[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    row = next;
  }
  return Math.max(before.length, after.length) - (row[after.length] ?? 0);
}

function runOf(spec: Spec, ori: string, ctx: Context): Run | string {
  const options = spec.alone && spec.phase !== undefined ? { ...ctx.options, phases: [spec.phase] } : ctx.options;
  return runText(ori, "ori", null, options);
}

/** What is not as it must be; null: all is. */
function failedPhase(spec: Spec, ori: string, ctx: Context): string | null {
  const { must, phase, condition } = spec;
  if (must === undefined || phase === undefined) return null;
  const run = runOf(spec, ori, ctx);
  if (typeof run === "string") return `the program cannot be run: ${run}`;
  const found = phaseOf(run, phase);
  if (!found.ran) return `${found.name} did not run: ${found.reason ?? "its gates are closed"}`;
  switch (must) {
    case "fires": {
      const least = Math.max(1, spec.rewrites ?? 1);
      if (found.rewrites >= least) return null;
      return found.rewrites === 0
        ? `${found.name} changed nothing: ${found.reason ?? "no candidate"}`
        : `${found.name} made ${found.rewrites} of ${least} rewrites`;
    }
    case "stays":
      return found.rewrites === 0 ? null : `${found.name} made ${found.rewrites} ${found.rewrites === 1 ? "rewrite" : "rewrites"}`;
    case "refuses":
      if (found.rewrites > 0) return `${found.name} made ${found.rewrites} ${found.rewrites === 1 ? "rewrite" : "rewrites"}`;
      return refusesFor(run, found.run, spellings(phase, condition ?? ""))
        ? null
        : `${found.name} refused nothing for '${condition}': ${found.reason ?? "no candidate"}`;
  }
}

/** A condition's name, and the code that events call it by. */
export function spellings(phase: string, condition: string): readonly string[] {
  const known = conditionsOf(phase)?.filter((c) => c.name === condition || c.code === condition) ?? [];
  return [condition, ...known.flatMap((c) => [c.name, c.code])];
}

function refusesFor(run: Run, index: number, words: readonly string[]): boolean {
  if (run.session.trace(index) === null) throw new BrokenTask("the phase was not recorded");
  return words.some((word) => {
    const text = `verdict = no and condition = "${word.replaceAll('"', "")}"`;
    return run.session.breakpointTicks(index, [{ kind: "condition", text }]).length > 0;
  });
}

function failedWant(spec: Spec, ori: string, ctx: Context): string | null {
  for (const goal of spec.want) {
    let text = ori;
    if (goal.after !== undefined) {
      const run = runOf(spec, ori, ctx);
      if (typeof run === "string") return `the program cannot be run: ${run}`;
      text = run.session.text({ run: phaseOf(run, goal.after).run, step: null }).text;
    }
    const figure = staticFigure(factsOfText(text, null), goal.of);
    const [equals, least, most] = [goal.equals, goal["at-least"], goal["at-most"]];
    const said = `${goal.of}${goal.after === undefined ? "" : ` after ${goal.after}`}: ${figure}`;
    if (equals !== undefined && figure !== equals) return `${said}, not ${equals}`;
    if (least !== undefined && figure < least) return `${said}, at least ${least} are wanted`;
    if (most !== undefined && figure > most) return `${said}, at most ${most} are wanted`;
  }
  return null;
}

function meaning(spec: Spec, ori: string, ctx: Context): Judged {
  const other = spec["same-as"];
  if (other === undefined) return judged(1, null);
  const { verdict, message, counterexample } = compareTexts(ctx.named(other).ori, ori, { seed: ctx.stage.seed + 1 });
  if (verdict === "same") return judged(1, null);
  // What could not be decided is for a person, never wrong.
  if (verdict === "unknown") return { share: null, reason: `whether the meaning is the same could not be decided: ${message}` };
  return { share: 0, reason: counterexample === null ? message : `the meaning differs: ${counterexample}`, theory: "another meaning" };
}
