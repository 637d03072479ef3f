/** The front matter: a lab's description of itself. */

import * as v from "valibot";
import { type Front, LOGS, RETRIES, SEEDS, SHOWS } from "../lab.ts";

const words = v.optional(v.pipe(v.array(v.string()), v.maxLength(50)), []);
const some = v.pipe(v.string(), v.trim(), v.minLength(1, "is empty"), v.maxLength(300));

export const frontSchema = v.strictObject({
  title: some,
  id: v.pipe(some, v.regex(/^[a-z0-9][a-z0-9._-]*$/i, "has letters, digits, dots, - and _ only")),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  engine: v.optional(
    v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\d+(\.\d+){0,2}$/, "is a version such as 0.1.0")),
  ),
  authors: words,
  licence: v.optional(some),
  minutes: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(600))),
  level: v.optional(some),
  objectives: words,
  seed: v.optional(v.picklist(SEEDS), "fixed"),
  variants: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
  attempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  retry: v.optional(v.picklist(RETRIES), "new"),
  log: v.optional(v.picklist(LOGS), "short"),
  show: v.optional(v.picklist(SHOWS), "at-once"),
  due: v.optional(some),
  pass: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  declare: v.optional(v.string()),
  target: v.optional(some),
  policy: v.optional(v.picklist(["notes", "measured"]), "notes"),
  "opt-level": v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4)), 3),
  knobs: words,
});

/** The valid fields, for further messages about a lab whose front matter has errors. */
export function readableFront(value: unknown): v.InferOutput<typeof frontSchema> {
  const given = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const known = new Map<string, v.GenericSchema>(Object.entries(frontSchema.entries));
  const right = given.filter(([key, one]) => {
    const schema = known.get(key);
    return schema !== undefined && v.safeParse(schema, one).success;
  });
  return v.parse(frontSchema, { title: "lab", id: "lab", version: 1, ...Object.fromEntries(right) });
}

export function frontOf(read: v.InferOutput<typeof frontSchema>): Front {
  const { engine, licence, minutes, level, variants, attempts, due, pass, declare, target, "opt-level": optLevel, ...rest } = read;
  return {
    ...rest,
    optLevel,
    engine: engine ?? null,
    licence: licence ?? null,
    minutes: minutes ?? null,
    level: level ?? null,
    variants: variants ?? null,
    attempts: attempts ?? null,
    due: due ?? null,
    pass: pass ?? null,
    declare: declare ?? null,
    target: target ?? null,
  };
}

/** Where the front matter ends: its text, and the line after it. Null: there is none. */
export function splitFront(text: string): { readonly yaml: string; readonly rest: string; readonly line: number } | null {
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== "---") return null;
  const end = lines.findIndex((line, i) => i > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end < 0) return null;
  // Blank lines replace it to keep the numbers of all others.
  return { yaml: lines.slice(1, end).join("\n"), rest: `${"\n".repeat(end + 1)}${lines.slice(end + 1).join("\n")}`, line: 2 };
}
