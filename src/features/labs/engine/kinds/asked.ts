/** Ordinary questions: choice, number, text. */

import * as v from "valibot";
import { ofSets } from "../credit.ts";
import { MEASURES, measure, measureSchema } from "../measures.ts";
import { BrokenTask } from "../stage.ts";
import { VEILED } from "../veil.ts";
import { defineKind, judged, listOf, longText } from "./kind.ts";

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

export const choice = defineKind({
  name: "choice",
  does: "chooses one or several of the options",
  fields: {
    options: v.pipe(
      v.array(
        v.strictObject({
          text: v.pipe(v.string(), v.minLength(1)),
          right: v.optional(v.union([v.boolean(), v.pipe(v.string(), v.regex(VEILED))], "is true, false, or what lab veil writes"), false),
          because: v.optional(v.string()),
        }),
      ),
      v.minLength(2, "a choice has at least two options"),
      v.maxLength(30),
    ),
    many: v.optional(v.boolean(), false),
  },
  answer: v.strictObject({ choose: listOf(whole) }),
  form: ({ options, many }) => ({ kind: "choice", options: options.map((o) => o.text), many }),
  needsProgram: () => false,
  problems({ options, many }) {
    const right = options.filter((o) => o.right).length;
    if (right === 0) return [{ path: ["options"], message: "no option is right" }];
    if (right > 1 && !many) return [{ path: ["options"], message: `${right} options are right: say many: true` }];
    return new Set(options.map((o) => o.text)).size < options.length
      ? [{ path: ["options"], message: "two options have the same text" }]
      : [];
  },
  judge({ options, many }, { choose }) {
    const right = options.flatMap((o, i) => (o.right ? [String(i)] : []));
    const given = [...new Set(choose.map(String))];
    const text = (i: string): string => options[Number(i)]?.text ?? `option ${i}, which does not exist`;
    const because = given.flatMap((i) => (right.includes(i) ? [] : (options[Number(i)]?.because ?? [])));
    const theory = given.map(text).join(" + ");
    const credit = ofSets(right, given, text);
    const share = many ? credit.share : credit.share === 1 ? 1 : 0;
    return judged(share, because.length > 0 ? because.join(" ") : credit.said, theory);
  },
  solve: ({ options }) => ({ choose: options.flatMap((o, i) => (o.right ? [i] : [])) }),
});

export const number = defineKind({
  name: "number",
  does: "gives a number",
  fields: {
    value: v.optional(v.number()),
    tolerance: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
    ...measureSchema.entries,
    of: v.optional(v.picklist(MEASURES)),
  },
  answer: v.strictObject({ number: v.pipe(v.number(), v.finite()) }),
  form: () => ({ kind: "number" }),
  needsProgram: ({ of }) => of !== undefined,
  problems: ({ value, of }) =>
    (value === undefined) === (of === undefined) ? [{ path: [], message: "a number has either a value or of: what is counted" }] : [],
  judge(spec, answer, ctx) {
    const wanted = numberOf(spec, ctx);
    const near = Math.abs(answer.number - wanted) <= spec.tolerance + 1e-9;
    return judged(near ? 1 : 0, `it is ${wanted}, not ${answer.number}`, String(answer.number));
  },
  solve: (spec, ctx) => ({ number: numberOf(spec, ctx) }),
  key: (spec, ctx) => String(numberOf(spec, ctx)),
});

function numberOf(
  spec: { readonly value?: number | undefined; readonly of?: (typeof MEASURES)[number] | undefined },
  ctx: Parameters<typeof measure>[1],
): number {
  if (spec.value !== undefined) return spec.value;
  if (spec.of === undefined) throw new BrokenTask("the task does not say what is counted");
  return measure({ ...spec, of: spec.of }, ctx);
}

export const text = defineKind({
  name: "text",
  does: "writes a few sentences, which a person grades",
  fields: { least: v.optional(whole, 0) },
  answer: v.strictObject({ text: longText }),
  form: ({ least }) => ({ kind: "text", least }),
  needsProgram: () => false,
  judge({ least }, answer) {
    const words = answer.text.split(/\s+/).filter((w) => w !== "").length;
    return { share: null, reason: words < least ? `graded by hand; ${words} words of at least ${least}` : "graded by hand" };
  },
  solve: () => null,
  solves: () => false,
});
