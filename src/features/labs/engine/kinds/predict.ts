/** Stopped before a step: what will it report? */

import * as v from "valibot";
import { focusRegNames } from "../../../../engine/api/view/reg-names.ts";
import { conditionsOf } from "../../../futures/engine/intervened.ts";
import { byName, type Named, named, type PredictPart, titleOf } from "../forms.ts";
import { BrokenTask, phaseOf, type Seen } from "../stage.ts";
import { type Context, defineKind, judged, shortText } from "./kind.ts";

const WHATS = ["verdict", "condition", "block", "edge", "register", "value", "kind", "fact"] as const;

const fields = {
  what: v.picklist(WHATS),
  fact: v.optional(shortText),
  /** The verdict first, then the reason. */
  and: v.optional(v.picklist(["condition"])),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

const answer = v.strictObject({
  verdict: v.optional(v.picklist(["yes", "no"])),
  condition: v.optional(shortText),
  block: v.optional(shortText),
  edge: v.optional(v.tuple([shortText, shortText])),
  register: v.optional(shortText),
  value: v.optional(v.union([shortText, v.number(), v.boolean()])),
  kind: v.optional(shortText),
  fact: v.optional(v.union([shortText, v.number(), v.boolean()])),
});
type Answer = v.InferOutput<typeof answer>;

export const predict = defineKind({
  name: "predict",
  does: "says what the next step decides, before it is shown",
  fields,
  answer,
  form: (spec, ctx) => ({ kind: "predict", parts: formParts(spec, ctx) }),
  needsProgram: () => true,
  problems({ what, fact, and }) {
    if (what === "fact" && fact === undefined) return [{ path: ["what"], message: "what: fact needs fact: its name" }];
    return and !== undefined && what !== "verdict" ? [{ path: ["and"], message: "and: condition follows what: verdict" }] : [];
  },
  judge(spec, given, ctx) {
    const seen = seenBy(ctx);
    const key = keyOf(spec, seen, ctx);
    const asked = partsOf(spec, key);
    const right = asked.filter((part) => agrees(part, given, key, ctx));
    const wrong = asked.filter((part) => !right.includes(part));
    const told = wrong.filter((part) => given[part] !== undefined);
    // An answer of yes needs no condition, so a missing one is not a mistake.
    const said = (told.length === 0 ? wrong : told).map((part) => shown(given[part]));
    const wanted = asked.map((part) => shown(key[part])).join(", ");
    return judged(right.length / asked.length, `${said.join(", ")}: it is ${wanted}. ${seen.event.sentence}`, said.join(", "));
  },
  solve: (spec, ctx) => keyOf(spec, seenBy(ctx), ctx),
  key: (spec, ctx) => JSON.stringify(keyOf(spec, seenBy(ctx), ctx)),
});

const VERDICTS: readonly Named[] = [
  { value: "yes", title: "yes: it does" },
  { value: "no", title: "no: it does not" },
];

function formParts({ what, and }: Spec, ctx: Context): readonly PredictPart[] {
  const part = (key: string, title: string, options: readonly Named[] | null, more: Partial<PredictPart> = {}): PredictPart => ({
    key,
    title,
    options,
    pair: false,
    onlyIfNo: false,
    ...more,
  });
  const second = and === undefined ? [] : [part("condition", "Because", reasons(ctx, false), { onlyIfNo: true })];
  switch (what) {
    case "verdict":
      return [part("verdict", "Verdict", VERDICTS), ...second];
    case "condition":
      return [part("condition", "What decides", reasons(ctx, true))];
    case "block":
      return [part("block", "Block", named(ctx.labels()))];
    case "edge":
      return [part("edge", "Edge", named(ctx.labels()), { pair: true })];
    case "register":
      return [part("register", "Register", null)];
    case "kind":
      return [part("kind", "Kind of step", null)];
    case "value":
      return [part("value", "Value", null)];
    case "fact":
      return [part("fact", "Your answer", null)];
  }
}

/** All reasons of the phase's rules, in alphabetical order, which reveals nothing. Null: the phase has no table of them. */
function reasons({ task }: Context, fires: boolean): readonly Named[] | null {
  const known = task.at.kind === "input" ? null : conditionsOf(task.at.phase);
  if (known === null) return null;
  const rows = known.map((c) => ({ value: c.name, title: titleOf(c) }));
  rows.sort((a, b) => byName(a.value, b.value));
  return fires ? [{ value: "fires", title: "nothing prevents it: it happens" }, ...rows] : rows;
}

/** A verdict that is a yes has no condition: then only the verdict counts. */
const partsOf = ({ what, and }: Spec, key: Answer): readonly (keyof Answer)[] =>
  and !== undefined && key.verdict === "no" ? [what, and] : [what];

const shown = (value: Answer[keyof Answer]): string =>
  value === undefined ? "no answer" : Array.isArray(value) ? value.join(" → ") : `'${String(value)}'`;

function agrees(part: keyof Answer, given: Answer, key: Answer, ctx: Context): boolean {
  const [own, right] = [given[part], key[part]];
  if (own === undefined || right === undefined) return false;
  if (part === "condition") return sameCondition(String(own), String(right), ctx);
  if (Array.isArray(own) && Array.isArray(right)) return own[0]?.trim() === right[0] && own[1]?.trim() === right[1];
  return sameValue(own as string | number | boolean, right as string | number | boolean);
}

/** Numbers in any notation, words without regard to case. */
export function sameValue(a: string | number | boolean, b: string | number | boolean): boolean {
  const [x, y] = [String(a).trim(), String(b).trim()];
  if (x === "" || y === "") return x === y;
  return x.toLowerCase() === y.toLowerCase() || (Number.isFinite(Number(x)) && Number(x) === Number(y));
}

/** A condition is known by its name and by the reference's code. */
function sameCondition(own: string, right: string, ctx: Context): boolean {
  const name = (text: string): string => text.trim().toLowerCase();
  if (name(own) === name(right)) return true;
  const { at } = ctx.task;
  const known = (at.kind === "input" ? null : conditionsOf(at.phase)) ?? [];
  return known.some((c) => [c.name, c.code].map(name).includes(name(own)) && [c.name, c.code].map(name).includes(name(right)));
}

/** With a condition the event that meets it is the answer; with a step, the next one that has the requested fact. */
function seenBy(ctx: Context): Seen {
  const { at } = ctx.task;
  if (at.kind === "when") return ctx.event();
  if (at.kind === "input" || at.kind === "end") throw new BrokenTask("predict stands at a step of a phase");
  const run = ctx.run();
  const phase = phaseOf(run, at.phase);
  const info = run.session.trace(phase.run);
  if (info === null) throw new BrokenTask(`phase ${at.phase} does not run here: ${phase.reason ?? "it is not modelled"}`);
  const label = run.session.labelsOf(phase.run);
  const spec = ctx.task.spec as Spec;
  for (let step = at.kind === "step" ? at.step : 0; step < info.steps; step++) {
    const event = run.session.events(phase.run, step, 1)[0];
    if (event !== undefined && event.facts.pipeline !== true && partOf(spec, { event, run: phase.run, step, label }) !== null)
      return { event, run: phase.run, step, label };
  }
  throw new BrokenTask(`no later step has a ${spec.what}`);
}

/** The event to predict: nothing from its step on may be seen before the answer. */
export const predictedAt = (ctx: Context): Seen => seenBy(ctx);

function partOf({ what, fact }: Spec, { event, label }: Seen): Answer | null {
  const { facts, focus } = event;
  switch (what) {
    case "verdict":
      return facts.verdict === "yes" || facts.verdict === "no" ? { verdict: facts.verdict } : null;
    case "condition":
      return facts.verdict === "yes" ? { condition: "fires" } : typeof facts.condition === "string" ? { condition: facts.condition } : null;
    case "block": {
      const first = focus.blocks?.[0];
      return typeof facts.block === "string" ? { block: facts.block } : first === undefined ? null : { block: label(first) };
    }
    case "edge": {
      const first = focus.edges?.[0];
      return first === undefined ? null : { edge: [label(first[0]), label(first[1])] };
    }
    case "register": {
      const name = typeof facts.reg === "string" ? facts.reg : focusRegNames(focus.regs)[0];
      return name === undefined ? null : { register: name };
    }
    case "kind":
      return { kind: event.kind };
    case "value":
    case "fact": {
      const value = facts[what === "value" ? "value" : (fact ?? "")];
      if (value === undefined || value === null) return null;
      const plain = Array.isArray(value) ? value.join(", ") : (value as string | number | boolean);
      return what === "value" ? { value: plain } : { fact: plain };
    }
  }
}

function keyOf(spec: Spec, seen: Seen, ctx: Context): Answer {
  const part = partOf(spec, seen);
  if (part === null) throw new BrokenTask(`the event at this step has no ${spec.what}: ${seen.event.sentence}`);
  if (spec.and === undefined || part.verdict !== "no") return part;
  const { condition } = seen.event.facts;
  if (typeof condition !== "string") throw new BrokenTask(`the refusal names no condition: ${seen.event.sentence}`);
  const { at } = ctx.task;
  const named = (at.kind === "input" ? null : conditionsOf(at.phase))?.find((c) => c.code === condition);
  return { ...part, condition: named?.name ?? condition };
}
