/** Broken phases: a condition does not hold. Find an input, the first wrong rewrite or the condition; or write programs that expose it. */

import * as v from "valibot";
import type { ExecRequest } from "../../../../engine/api/types.ts";
import { conditionsOf, type Drop, firstWrongRewrite, judgeDrops, readDrop } from "../../../futures/engine/intervened.ts";
import { list } from "../credit.ts";
import { byName, type Named, titleOf } from "../forms.ts";
import { asOri, BrokenTask } from "../stage.ts";
import { type Context, defineKind, inputSchema, type Judged, judged, requestOf, shortText } from "./kind.ts";

/** Inputs on which a program with a dropped condition is compared. */
const CHECKS = 48;

const fields = {
  drop: shortText,
  hidden: v.optional(v.boolean(), false),
  find: v.picklist(["input", "rewrite", "condition"]),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

export const findWrong = defineKind({
  name: "find-wrong",
  does: "finds what a dropped condition does: an input, the first wrong rewrite, or the condition",
  fields,
  answer: v.strictObject({
    input: v.optional(inputSchema),
    rewrite: v.optional(shortText),
    condition: v.optional(shortText),
  }),
  form: ({ find, drop }) => ({ kind: "wrong", find, conditions: find === "condition" ? dropsOf(drop) : [] }),
  needsProgram: () => true,
  problems({ drop }) {
    const read = readDrop(drop);
    return typeof read === "string" ? [{ path: ["drop"], message: read }] : [];
  },
  judge(spec, answer, ctx) {
    const drop = dropOf(spec.drop);
    const given = answer[spec.find];
    if (given === undefined) return { share: 0, reason: `the answer has no ${spec.find}` };
    if (answer.input !== undefined && spec.find === "input") return byInput(drop, answer.input, ctx);
    const own = String(given);
    if (spec.find === "condition") {
      const read = readDrop(own);
      if (typeof read === "string") return { share: 0, reason: read, theory: own };
      const right = read.condition === drop.condition && sameFamily(read.phase, drop.phase);
      return judged(right ? 1 : 0, `'${read.condition}' holds; it is ${drop.phase}:${drop.condition}`, own);
    }
    const first = wrongRewrite(spec, ctx);
    return judged(sameAddress(own, first.address) ? 1 : 0, `the first wrong rewrite is ${first.address}: ${first.message}`, own);
  },
  solve(spec, ctx) {
    if (spec.find === "input") return null;
    return spec.find === "rewrite" ? { rewrite: wrongRewrite(spec, ctx).address } : { condition: spec.drop };
  },
  solves: ({ find }) => find !== "input",
  key: (spec, ctx) => (spec.find === "rewrite" ? wrongRewrite(spec, ctx).address : spec.drop),
});

/** Conditions of the broken phase that can be dropped, one of which is. */
function dropsOf(drop: string): readonly Named[] {
  const phase = drop.split(":")[0] ?? "";
  return (conditionsOf(phase) ?? [])
    .filter((c) => c.droppable !== null)
    .map((c) => ({ value: `${phase}:${c.name}`, title: titleOf(c) }))
    .sort((a, b) => byName(a.value, b.value));
}

function dropOf(text: string): Drop {
  const read = readDrop(text);
  if (typeof read === "string") throw new BrokenTask(read);
  return read;
}

function sameFamily(a: string, b: string): boolean {
  const [one, two] = [conditionsOf(a)?.[0], conditionsOf(b)?.[0]];
  return one !== undefined && one.family === two?.family;
}

function byInput(drop: Drop, input: v.InferOutput<typeof inputSchema>, ctx: Context): Judged {
  const { program } = ctx;
  const { verdict, message } = judgeDrops(program.ori, program.kernel, ctx.options, [drop], { requests: [requestOf(input, program.ori)] });
  if (verdict === "broken") return { share: null, reason: `the broken phase produces no valid program: ${message}` };
  return judged(verdict === "different" ? 1 : 0, message, verdict);
}

function wrongRewrite({ drop }: Spec, ctx: Context): { readonly address: string; readonly message: string } {
  const { program } = ctx;
  const found = firstWrongRewrite(program.ori, program.kernel, ctx.options, [dropOf(drop)], { count: CHECKS, seed: ctx.stage.seed + 1 });
  if (!found.found) throw new BrokenTask(`dropping the condition has no effect here: ${found.message}`);
  return found;
}

/** `49#2` and `gvn-cse#2` are the same place. */
function sameAddress(a: string, b: string): boolean {
  const [one, two] = [a.trim().split("#"), b.split("#")];
  if (Number(one[1]) !== Number(two[1])) return false;
  return one[0] === two[0] || sameFamily(one[0] ?? "", two[0] ?? "");
}

const testFields = {
  against: v.pipe(v.array(shortText), v.minLength(1), v.maxLength(30)),
  most: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)), 5),
};

export const tests = defineKind({
  name: "tests",
  does: "writes programs that tell broken phases from the right one",
  fields: testFields,
  answer: v.strictObject({
    tests: v.pipe(
      v.array(v.strictObject({ ori: v.pipe(v.string(), v.maxLength(16 * 1024)), input: v.optional(inputSchema) })),
      v.maxLength(20, "at most 20 tests"),
    ),
  }),
  form: ({ most, against }) => ({ kind: "tests", most, against: against.length }),
  needsProgram: () => false,
  problems: ({ against }) =>
    against.flatMap((text, i) => {
      const read = readDrop(text);
      return typeof read === "string" ? [{ path: ["against", i], message: read }] : [];
    }),
  judge({ against, most }, { tests: given }, ctx) {
    if (given.length > most) return { share: 0, reason: `${given.length} tests; the task allows ${most}`, theory: "too many tests" };
    const drops = against.map(dropOf);
    const notes: string[] = [];
    // A test on which the right phase fails, too, proves nothing.
    const useful = given
      .map((test) => inOri(test))
      .filter((test, i) => {
        const right = judgeDrops(test.ori, null, ctx.options, [], checksOf(test, ctx));
        if (right.verdict !== "same") notes.push(`test ${i + 1} does not count: ${right.message}`);
        return right.verdict === "same";
      });
    const left = drops.filter((drop) => !useful.some((test) => tells(test, drop, ctx)));
    const said = [
      `${drops.length - left.length} of ${drops.length} broken phases are detected; not detected: ${list(left.map((d) => `${d.phase}:${d.condition}`))}`,
      ...new Set(notes),
    ];
    return judged((drops.length - left.length) / drops.length, list(said, "; "), left.map((d) => d.condition).join(", "));
  },
  solve: () => null,
  solves: () => false,
});

interface Test {
  readonly ori: string;
  readonly input?: v.InferOutput<typeof inputSchema> | undefined;
}

/** What cannot be read is left unchanged, and judged as proving nothing. */
function inOri(test: Test): Test {
  const read = asOri(test.ori);
  return "ori" in read ? { ...test, ori: read.ori } : test;
}

type Checks = { readonly requests: readonly ExecRequest[] } | { readonly count: number; readonly seed: number };

const checksOf = ({ ori, input }: Test, ctx: Context): Checks =>
  input === undefined ? { count: CHECKS, seed: ctx.stage.seed + 1 } : { requests: [requestOf(input, ori)] };

function tells(test: Test, drop: Drop, ctx: Context): boolean {
  const { verdict } = judgeDrops(test.ori, null, ctx.options, [drop], checksOf(test, ctx));
  return verdict === "different" || verdict === "broken";
}
