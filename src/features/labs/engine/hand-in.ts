/** What a student hands in: a file of unknown origin, read within limits. */

import * as v from "valibot";
import { messageOf } from "../../../base/errors.ts";

export const HAND_IN_FORMAT = "oriscope-hand-in";
export const HAND_IN_VERSION = 1;

/** Characters of a file, and lists and objects inside each other. */
export const MOST_HAND_IN = 4 * 1024 * 1024;
const MOST_DEPTH = 24;
const MOST_VALUES = 200_000;

const name = v.pipe(v.string(), v.maxLength(300));
const id = v.pipe(v.string(), v.maxLength(100));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));

/** Unknown fields are dropped, not refused: later versions may have more. */
export const handInSchema = v.object({
  format: v.literal(HAND_IN_FORMAT, `format is not '${HAND_IN_FORMAT}'`),
  version: v.optional(v.literal(HAND_IN_VERSION, "this version of the format is not known"), HAND_IN_VERSION),
  lab: v.object({ id, version: v.optional(v.number()), digest: v.optional(id) }),
  engine: v.optional(name),
  student: v.optional(
    v.nullable(v.object({ name: v.optional(v.nullable(name)), number: v.optional(v.nullable(v.union([name, v.number()]))) })),
  ),
  class: v.optional(v.nullable(name)),
  seed: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffff_ffff)))),
  answers: v.record(id, v.unknown()),
  hints: v.optional(v.record(id, count), {}),
  retries: v.optional(
    v.pipe(v.array(v.object({ task: id, n: v.pipe(count, v.maxValue(1000)), seed: v.optional(v.number()) })), v.maxLength(1000)),
    [],
  ),
  points: v.optional(v.unknown()),
  declare: v.optional(v.unknown()),
  log: v.optional(v.pipe(v.array(v.object({ task: id, at: v.number(), event: name })), v.maxLength(20_000)), []),
});
export type HandIn = v.InferOutput<typeof handInSchema>;

export type ReadHandIn = { readonly ok: true; readonly handIn: HandIn } | ReadFailure;

export interface ReadFailure {
  readonly ok: false;
  readonly message: string;
  /** The same for a student, where the message is for the author of the file. */
  readonly plain?: string;
}

export function readHandIn(source: string): ReadHandIn {
  const text = source.replace(/^\uFEFF/, "");
  if (text.length > MOST_HAND_IN) return { ok: false, message: `the file is larger than ${MOST_HAND_IN / 1024 / 1024} MB` };
  const problem = scan(text);
  if (problem !== null) return { ok: false, message: problem };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `this is not JSON: ${messageOf(error)}` };
  }
  const read = v.safeParse(handInSchema, value);
  if (read.success) return { ok: true, handIn: read.output };
  const issue = read.issues[0];
  const path = v.getDotPath(issue);
  const plain = plainOf(path);
  if (path === null) return { ok: false, message: "this is not a hand-in: expected an object", plain };
  return { ok: false, message: `${path}: ${issue.message}`, plain };
}

function plainOf(path: string | null): string {
  if (path === null || path === "format") return "it is not a hand-in of a lab";
  if (path === "version") return "it was written by a later version of Oriscope: reload this page, then open it again";
  return `it is damaged: “${path}” is missing or has the wrong form`;
}

interface Level {
  /** Keys of an object; null: a list. */
  readonly keys: Set<string> | null;
  wantsKey: boolean;
}

/** What `JSON.parse` does not report: nesting, the number of values, a duplicate key. One pass; damaged text is left to the parser. */
function scan(text: string): string | null {
  const levels: Level[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
      case "[":
        levels.push({ keys: text[at] === "{" ? new Set() : null, wantsKey: text[at] === "{" });
        values++;
        if (levels.length > MOST_DEPTH) return `lists and objects nest deeper than ${MOST_DEPTH} levels`;
        break;
      case "}":
      case "]":
        levels.pop();
        break;
      case ",": {
        values++;
        const level = levels.at(-1);
        if (level !== undefined) level.wantsKey = level.keys !== null;
        break;
      }
      case '"': {
        const from = at;
        for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
        const level = levels.at(-1);
        if (level?.wantsKey !== true) break;
        level.wantsKey = false;
        const key = keyOf(text.slice(from, at + 1));
        if (key === null) break;
        if (level.keys?.has(key) === true) return `the key '${key.slice(0, 60)}' occurs twice`;
        level.keys?.add(key);
        break;
      }
    }
    if (values > MOST_VALUES) return `the file contains more than ${MOST_VALUES} values`;
  }
  return null;
}

function keyOf(text: string): string | null {
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}
