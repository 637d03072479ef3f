/** Tasks in a lab: YAML in a fence, checked by the schema of its kind. */

import * as v from "valibot";
import { closest } from "../../../../base/closest.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { planSchema } from "../kinds/kind.ts";
import { KINDS, kindOf } from "../kinds/kinds.ts";
import { type Front, type Hint, type Place, RETRIES, SHOWS, type Task } from "../lab.ts";
import { unveiled } from "../veil.ts";
import { readAt } from "./at.ts";
import { type Fence, readMeta } from "./markdown.ts";
import type { Report } from "./report.ts";
import { checked, type LocatedYaml, readYaml } from "./yaml.ts";

const asked = v.pipe(v.string(), v.trim(), v.minLength(1, "is empty"));
const hint = v.union(
  [v.pipe(v.string(), v.minLength(1)), v.strictObject({ text: asked, cost: v.optional(v.pipe(v.number(), v.minValue(0)), 0) })],
  "expected a text, or { text, cost }; a text with a colon needs quotes",
);

/** Fields of every kind. */
export const COMMON = {
  kind: v.string(),
  ask: asked,
  program: v.optional(v.string()),
  at: v.optional(v.unknown()),
  hints: v.optional(v.pipe(v.array(hint), v.maxLength(10)), []),
  explain: v.optional(asked),
  show: v.optional(v.picklist(SHOWS)),
  retry: v.optional(v.picklist(RETRIES)),
  again: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9][\w.-]{0,60}\/[\w.-]{1,60}$/i, "is a lab's id and a task's, such as cfg-1/order")),
  ),
  credit: v.optional(v.strictObject({ try: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0) })),
  plan: v.optional(planSchema),
};

/** Null: it has mistakes, which are reported. */
export function readTask(fence: Fence, front: Front, report: Report): Task | null {
  const place: Place = { line: fence.line, column: 1, length: fence.meta.length + 7 };
  const { values, problem } = readMeta(fence.meta);
  const id = values.get("id");
  const points = Number(values.get("points") ?? 1);
  if (problem !== null) return fail(report, place, "LAB040", `task: ${problem}.`, "{id=t1 points=3}");
  if (id === undefined || !/^[\w.-]{1,60}$/.test(id))
    return fail(report, place, "LAB041", "A task needs an id of letters, digits, dots, - and _.", "{id=t1 points=3}");
  if (!Number.isFinite(points) || points < 0 || points > 1000)
    return fail(report, place, "LAB042", `points=${values.get("points")}: expected a number from 0 to 1000.`);
  const unknown = [...values.keys()].find((key) => key !== "id" && key !== "points");
  if (unknown !== undefined)
    return fail(report, place, "LAB043", `A task has no '${unknown}' in its braces.`, closest(unknown, ["id", "points"]));
  const yaml = readYaml(fence.text, fence.line + 1, report);
  if (yaml === null) return null;
  return readFields(yaml, { id, points, line: fence.line }, front, report);
}

function fail(report: Report, place: Place, code: string, message: string, suggestion: string | null = null): null {
  report.error(place, code, message, suggestion);
  return null;
}

function readFields(
  yaml: LocatedYaml,
  head: { readonly id: string; readonly points: number; readonly line: number },
  front: Front,
  report: Report,
): Task | null {
  const { value, place } = yaml;
  const what = `Task ${head.id}`;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return fail(report, place([]), "LAB044", `${what} has no fields: expected kind: and ask:.`);
  const name = (value as Readonly<Record<string, unknown>>).kind;
  const names = KINDS.map((k) => k.name);
  const kind = typeof name === "string" ? kindOf(name) : null;
  if (kind === null)
    return fail(
      report,
      place(["kind"]),
      "LAB045",
      name === undefined ? `${what} has no kind:.` : `There is no kind '${String(name)}'; known are ${names.join(", ")}.`,
      closest(String(name), names),
    );
  const schema = v.strictObject({ ...COMMON, ...kind.fields });
  const fields = checked(yaml, schema, report, what);
  if (fields === null) return null;
  const {
    kind: _,
    ask,
    program,
    at: where,
    hints,
    explain,
    show,
    retry,
    again,
    credit,
    plan,
    ...written
  } = fields as v.InferOutput<v.StrictObjectSchema<typeof COMMON, undefined>>;
  const hidden: { readonly path: readonly (string | number)[]; readonly message: string }[] = [];
  const spec = unveiled(written, (problem) => hidden.push(problem));
  for (const { path, message } of hidden) report.error(place(path), "LAB048", `${what}: ${message}.`);
  if (hidden.length > 0) return null;
  if (again?.startsWith(`${front.id}/`) === true)
    return fail(report, place(["again"]), "LAB049", `${what}: again: names a task of an earlier lab, not of this one.`);
  const at = readAt(where);
  if (typeof at === "string") return fail(report, place(["at"]), "LAB046", `${what}, at: ${at}.`);
  for (const phase of [
    ...(at.kind === "input" ? [] : [at.phase]),
    ...("phase" in spec && typeof spec.phase === "string" ? [spec.phase] : []),
  ]) {
    const found = /^r\d+$/.test(phase) ? null : new EngineSession().lookupPhase(phase);
    if (found !== null && !found.ok)
      return fail(report, place("phase" in spec ? ["phase"] : ["at"]), "LAB047", `${what}: ${found.message}`);
  }
  return {
    ...head,
    kind: kind.name,
    ask,
    program: program ?? null,
    at,
    hints: hints.map((h): Hint => (typeof h === "string" ? { text: h, cost: 0 } : h)),
    explain: explain ?? null,
    show: show ?? front.show,
    retry: retry ?? front.retry,
    again: again ?? null,
    tryShare: credit?.try ?? 0,
    plan: plan ?? null,
    spec,
    place,
  };
}
