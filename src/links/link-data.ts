/** The content of a link, its schema, and the migration of older versions. */

import * as v from "valibot";
import { FORMATS } from "../base/formats.ts";
import { withoutHidden } from "./hidden.ts";

/** Version of the schema below. A link of an older version is migrated, one of a newer version is refused with a message. */
export const LINK_VERSION = 1;

/** Longest text that a link, a saved case or a saved work may contain, in characters, after inflating: as much as the editor accepts. */
export const MAX_LINK_TEXT = 8_000_000;

/** The limits for code that makes a link. */
export const MAX_TITLE = 500;
export const MAX_BREAKPOINTS = 100;
export const MAX_CONDITION = 1000;
const MAX_WORDS = 1000;

/** A user's pass is written by a person. */
export const MAX_PASS = 200_000;

const shown = v.transform(withoutHidden);
/** Its length is looked at before its items. */
const listOf = <const S extends v.GenericSchema>(item: S, most: number) => v.pipe(v.array(v.unknown()), v.maxLength(most), v.array(item));

/** A name out of the program: as long as the parser takes one. Names of C++ kernels have thousands of characters. */
const name = v.pipe(v.string(), v.maxLength(MAX_LINK_TEXT), shown);
/** A word out of a list of ours: an id, a target, an assignment to a knob. */
const word = v.pipe(v.string(), v.maxLength(1000), shown);
const words = listOf(word, MAX_WORDS);
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const subjectSchema = v.variant("kind", [
  v.object({ kind: v.literal("block"), label: name }),
  v.object({ kind: v.literal("edge"), from: name, to: name }),
  v.object({ kind: v.literal("inst"), id: count }),
  v.object({ kind: v.literal("reg"), name }),
  v.object({ kind: v.literal("node"), name }),
]);

const breakpointSchema = v.variant("kind", [
  v.object({ kind: v.literal("subject"), subject: subjectSchema, enabled: v.boolean() }),
  v.object({ kind: v.literal("event"), event: word, enabled: v.boolean() }),
  v.object({ kind: v.literal("line"), line: count, enabled: v.boolean() }),
  v.object({ kind: v.literal("condition"), text: v.pipe(v.string(), v.maxLength(MAX_CONDITION)), enabled: v.boolean() }),
  v.object({ kind: v.literal("watch"), text: v.pipe(v.string(), v.maxLength(MAX_CONDITION)), enabled: v.boolean() }),
]);

const run = v.pipe(v.string(), v.minLength(1), v.maxLength(200), shown);
const place = v.object({ side: v.picklist(["after", "before"]), run });
const MAX_INTERVENTIONS = 200;

/** As the engine's interventions. */
const interventionSchema = v.variant("kind", [
  v.object({ kind: v.literal("skip"), run, n: count }),
  v.object({ kind: v.literal("fuel"), run: v.nullable(run), n: count }),
  v.object({ kind: v.literal("knob"), assignment: word, from: run, to: v.nullable(run) }),
  v.object({ kind: v.literal("leave-out"), run }),
  v.object({ kind: v.literal("insert"), id: run, at: place }),
  v.object({ kind: v.literal("move"), run, at: place }),
  v.object({ kind: v.literal("edit"), run, text: v.pipe(v.string(), v.maxLength(MAX_LINK_TEXT)) }),
  v.object({ kind: v.literal("drop"), phase: run, condition: word }),
]);

/** More are not made, and not read. */
const MAX_FUTURES = 50;

/** A fork in the tree of futures. `parent` is an earlier index in the list, from 1; 0: the run without interventions. */
const futureSchema = v.object({
  name: v.nullable(v.pipe(v.string(), v.maxLength(MAX_TITLE), shown)),
  parent: count,
  pinned: v.boolean(),
  interventions: listOf(interventionSchema, MAX_INTERVENTIONS),
});

/** A user's pass: it is shown, and runs only when the user presses Run. */
export const passSchema = v.object({
  title: v.pipe(v.string(), v.maxLength(MAX_TITLE), shown),
  /** TypeScript against `oriscope/pass`. */
  source: v.pipe(v.string(), v.maxLength(MAX_PASS)),
  /** Its position in the pipeline; null: alone. */
  at: v.nullable(place),
});

const scalar = v.union([v.pipe(v.string(), v.maxLength(1000)), v.number(), v.boolean(), v.null()]);

const linkSchema = v.object({
  /** Engine version that made the link. */
  engine: word,
  /** Hash of that engine's script, under which it is stored next to the page; empty: not known. */
  build: word,
  /** The program; in a link to one of the project's own examples it may be null and `example` names it. */
  source: v.nullable(v.pipe(v.string(), v.maxLength(MAX_LINK_TEXT))),
  example: v.nullable(word),
  title: v.pipe(v.string(), v.maxLength(MAX_TITLE), shown),
  format: v.nullable(v.picklist(FORMATS)),
  kernel: v.nullable(name),
  target: v.nullable(word),
  level: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4)),
  policy: v.picklist(["notes", "measured"]),
  knobs: words,
  noPhases: words,
  namedPhases: words,
  phases: v.nullable(words),
  until: v.nullable(word),
  fuel: v.nullable(count),
  /** What is done otherwise than the pipeline would. */
  interventions: listOf(interventionSchema, MAX_INTERVENTIONS),
  /** The tree of futures; empty if there is only one, or the link does not describe them. */
  futures: v.pipe(
    listOf(futureSchema, MAX_FUTURES),
    v.check((list) => list.every((future, i) => future.parent <= i), "a future comes before the one it was made from"),
  ),
  /** The open one's index in the list, from 1; 0: the run without interventions. Without a list, `interventions` say what is open. */
  future: count,
  /** null: none. */
  pass: v.nullable(passSchema),
  /** Id or number of the open phase, and which of its runs when it runs several times. */
  phase: v.nullable(word),
  occurrence: count,
  /** -1: the phase's input; null: its end. */
  step: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(-1))),
  selection: v.nullable(subjectSchema),
  /** What the page shows, in its own words; readers ignore unknown entries. */
  view: v.pipe(v.record(word, scalar), v.maxEntries(60)),
  breakpoints: listOf(breakpointSchema, MAX_BREAKPOINTS),
  /** Digest of the result, to notice an engine that gives another one. */
  digest: v.nullable(word),
});

export type LinkData = v.InferOutput<typeof linkSchema>;
export type LinkSubject = v.InferOutput<typeof subjectSchema>;
export type LinkPass = v.InferOutput<typeof passSchema>;
export type LinkFuture = v.InferOutput<typeof futureSchema>;
export type LinkBreakpoint = v.InferOutput<typeof breakpointSchema>;

/**
 * A link's fields with nothing in them; a field that a link leaves out has this value. Part of the format of this version,
 * and therefore no copy of what the engine happens to take by default.
 */
export const EMPTY_LINK: LinkData = {
  engine: "",
  build: "",
  source: null,
  example: null,
  title: "",
  format: null,
  kernel: null,
  target: null,
  level: 3,
  policy: "notes",
  knobs: [],
  noPhases: [],
  namedPhases: [],
  phases: null,
  until: null,
  fuel: null,
  interventions: [],
  futures: [],
  future: 0,
  pass: null,
  phase: null,
  occurrence: 0,
  step: null,
  selection: null,
  view: {},
  breakpoints: [],
  digest: null,
};

export type Checked =
  | { readonly ok: true; readonly data: LinkData }
  | { readonly ok: false; readonly message: string; readonly source: string | null };

type Plain = Readonly<Record<string, unknown>>;

/** Each converts the fields of one version to those of the next: index 0 migrates version 1 to 2. */
const MIGRATIONS: readonly ((data: Plain) => Plain)[] = [];

/** Checks decoded fields of a version; what is wrong is named, and the program's text is offered if there is one. */
export function checkLinkData(version: number, fields: unknown): Checked {
  const source = isPlain(fields) && typeof fields.source === "string" ? fields.source.slice(0, MAX_LINK_TEXT) : null;
  if (!isPlain(fields)) return { ok: false, message: "The link does not contain a list of fields.", source: null };
  let data: Plain = fields;
  for (let from = version; from < LINK_VERSION; from++) data = MIGRATIONS[from - 1]?.(data) ?? data;
  const parsed = v.safeParse(linkSchema, { ...EMPTY_LINK, ...data }, { abortEarly: true });
  if (parsed.success) return { ok: true, data: parsed.output };
  const issue = parsed.issues[0];
  const where = v.getDotPath(issue) ?? "the link";
  return { ok: false, message: `${where}: ${issue.message}`, source };
}

/**
 * As `checkLinkData`, for the user's own work: fields that cannot be read get their default values, and `reset` names them.
 * null without a text: then there is nothing to restore.
 */
export function restoreLinkData(version: number, fields: unknown): { readonly data: LinkData; readonly reset: readonly string[] } | null {
  if (!isPlain(fields)) return null;
  let plain: Plain = fields;
  for (let from = version; from < LINK_VERSION; from++) plain = MIGRATIONS[from - 1]?.(plain) ?? plain;
  const checked = checkLinkData(LINK_VERSION, plain);
  if (checked.ok) return hasProgram(checked.data) ? { data: checked.data, reset: [] } : null;
  const good: Record<string, unknown> = {};
  const reset: string[] = [];
  for (const [key, schema] of Object.entries(linkSchema.entries)) {
    if (!Object.hasOwn(plain, key)) continue;
    const value = plain[key];
    if (v.is(schema, value)) good[key] = value;
    else {
      reset.push(key);
      if (key === "breakpoints" && Array.isArray(value))
        good[key] = value.slice(0, MAX_BREAKPOINTS).filter((b) => v.is(breakpointSchema, b));
      if (key === "title" && typeof value === "string") good[key] = value.slice(0, MAX_TITLE);
    }
  }
  const restored = checkLinkData(LINK_VERSION, good);
  return restored.ok && hasProgram(restored.data) ? { data: restored.data, reset } : null;
}

const hasProgram = ({ source, example }: LinkData): boolean => source !== null || example !== null;

const isPlain = (value: unknown): value is Plain => typeof value === "object" && value !== null && !Array.isArray(value);
