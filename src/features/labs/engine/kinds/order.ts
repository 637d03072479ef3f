/** Puts lines in order: one right order, any order that keeps what must come before what, any that means the same, or the best. */

import * as v from "valibot";
import { compareTexts } from "../../../../engine/api/exec/compare.ts";
import { ofSequences } from "../credit.ts";
import { byName } from "../forms.ts";
import { STATIC, staticFigure } from "../measures.ts";
import { asOri, BrokenTask, factsOfText, runText } from "../stage.ts";
import { type Context, defineKind, type Judged, judged, listOf } from "./kind.ts";

const line = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.minLength(1), v.maxLength(500));
const index = v.pipe(v.number(), v.integer(), v.minValue(0));

const fields = {
  lines: v.pipe(v.array(line), v.minLength(2), v.maxLength(40)),
  distractors: v.optional(v.pipe(v.array(line), v.maxLength(20)), []),
  judge: v.optional(v.picklist(["listed", "dag", "checker", "smallest"]), "listed"),
  /** For `dag`: which line comes before which, by their places from 0. */
  before: v.optional(v.array(v.tuple([index, index])), []),
  /** For `checker`: an Ori program with `{lines}` where they go. */
  frame: v.optional(v.string()),
  measure: v.optional(v.picklist(STATIC), "instructions"),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

/** Orders of phases that are all tried. */
const MOST_PHASES = 4;

export const order = defineKind({
  name: "order",
  does: "puts lines in order and leaves out those that do not belong",
  fields,
  answer: v.strictObject({ order: listOf(index) }),
  // In the order of the alphabet; each knows its place in the file.
  form: ({ lines, distractors }) => ({
    kind: "order",
    lines: [...lines, ...distractors].map((text, index) => ({ index, text })).sort((a, b) => byName(a.text, b.text)),
  }),
  needsProgram: (spec) => spec.judge === "smallest",
  problems({ lines, distractors, judge, before, frame }) {
    if (judge === "dag" && before.length === 0) return [{ path: ["judge"], message: "dag needs before: pairs of places" }];
    if (before.some((pair) => pair.some((i) => i >= lines.length)))
      return [{ path: ["before"], message: `places go from 0 to ${lines.length - 1}` }];
    if (judge === "checker" && frame?.includes("{lines}") !== true)
      return [{ path: ["judge"], message: "checker needs frame: a program with {lines}" }];
    if (judge === "smallest" && (lines.length > MOST_PHASES || distractors.length > 0))
      return [{ path: ["lines"], message: `smallest takes up to ${MOST_PHASES} phases and no distractors` }];
    const both = distractors.find((d) => lines.includes(d));
    return both === undefined ? [] : [{ path: ["distractors"], message: `'${both}' is also among the lines` }];
  },
  judge(spec, { order: given }, ctx) {
    const all = [...spec.lines, ...spec.distractors];
    if (given.some((i) => i >= all.length) || new Set(given).size < given.length)
      return { share: 0, reason: "a line occurs twice, or is not one of the given lines" };
    const texts = given.map((i) => all[i] ?? "");
    const wrong = given.find((i) => i >= spec.lines.length);
    const theory = wrong === undefined ? texts.join(" / ") : `with '${all[wrong]}'`;
    const told = wrong === undefined ? null : `'${all[wrong]}' does not belong`;
    switch (spec.judge) {
      case "listed": {
        const { share, said } = ofSequences(spec.lines, texts);
        return judged(share, told ?? said, theory);
      }
      case "dag":
        return judgeDag(spec, given, told, theory);
      case "checker":
        return judgeFrame(spec, texts, told, theory, ctx);
      case "smallest":
        return judgePhases(spec, texts, theory, ctx);
    }
  },
  solve(spec, ctx) {
    if (spec.judge !== "smallest") return { order: spec.lines.map((_, i) => i) };
    const [best] = rankedOrders(spec, ctx);
    return best === undefined ? null : { order: best.order.map((phase) => spec.lines.indexOf(phase)) };
  },
  key: (spec, ctx) => (spec.judge === "smallest" ? (rankedOrders(spec, ctx)[0]?.order.join(" ") ?? "") : ""),
});

function judgeDag({ lines, before }: Spec, given: readonly number[], told: string | null, theory: string): Judged {
  const place = new Map(given.map((i, at) => [i, at]));
  const kept = before.filter(([a, b]) => (place.get(a) ?? Number.POSITIVE_INFINITY) < (place.get(b) ?? -1));
  const broken = before.find((pair) => !kept.includes(pair));
  const missing = lines.findIndex((_, i) => !place.has(i));
  const spurious = given.filter((i) => i >= lines.length).length;
  if (broken === undefined && missing < 0 && spurious === 0) return judged(1, null);
  const said =
    told ?? (missing >= 0 ? `'${lines[missing]}' is missing` : `'${lines[broken?.[0] ?? 0]}' comes before '${lines[broken?.[1] ?? 0]}'`);
  const share = Math.max(0, kept.length / before.length - spurious / lines.length);
  return judged(Math.min(share, 1 - 1 / lines.length), said, theory);
}

function judgeFrame({ lines, frame = "" }: Spec, texts: readonly string[], told: string | null, theory: string, ctx: Context): Judged {
  const put = (chosen: readonly string[]): string => {
    const text = frame.replace("{lines}", () => chosen.join("\n"));
    const read = asOri(text);
    return "ori" in read ? read.ori : text;
  };
  const { verdict, message, counterexample } = compareTexts(put(lines), put(texts), { seed: ctx.stage.seed + 1 });
  if (verdict === "same") return judged(1, null);
  if (verdict === "unknown") return { share: null, reason: `not decided: ${message}` };
  const { share } = ofSequences(lines, texts);
  return judged(Math.min(share, 1 - 1 / lines.length), told ?? counterexample ?? message, theory);
}

interface Ranked {
  readonly order: readonly string[];
  readonly figure: number;
}

function rankedOrders(spec: Spec, ctx: Context): readonly Ranked[] {
  const ranked = permutations(spec.lines)
    .map((order) => ({ order, figure: figureOf(order, spec, ctx) }))
    .sort((a, b) => a.figure - b.figure);
  if (ranked[0]?.figure === ranked.at(-1)?.figure)
    throw new BrokenTask(`every order of these phases leaves ${ranked[0]?.figure} ${spec.measure}`);
  return ranked;
}

function figureOf(phases: readonly string[], { measure }: Spec, ctx: Context): number {
  const { program } = ctx;
  const run = runText(program.ori, "ori", program.kernel, { ...ctx.options, phases });
  if (typeof run === "string") throw new BrokenTask(run);
  return staticFigure(factsOfText(run.session.text({ run: run.result.phases.length - 1, step: null }).text, null), measure);
}

function judgePhases(spec: Spec, texts: readonly string[], theory: string, ctx: Context): Judged {
  if (texts.length < spec.lines.length) return { share: 0, reason: "the order must contain every phase", theory };
  const ranked = rankedOrders(spec, ctx);
  const [best, worst] = [ranked[0]?.figure ?? 0, ranked.at(-1)?.figure ?? 0];
  const own = figureOf(texts, spec, ctx);
  if (own === best) return judged(1, null);
  return judged((worst - own) / Math.max(1, worst - best), `this order leaves ${own} ${spec.measure}, the best ${best}`, theory);
}

function permutations(items: readonly string[]): readonly (readonly string[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first, i) => permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [first, ...rest]));
}
