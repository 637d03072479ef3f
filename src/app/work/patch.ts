/** What was typed into a long work since all of it was saved: small enough to be written twice a second, where writing the whole work would keep the page from answering. */

import * as v from "valibot";
import { edited, type TextEdit, textEdit } from "../../worker/text-edit.ts";
import { type Kept, relation, type Version } from "./record.ts";

export interface Patch {
  /** The version of the record that it changes. */
  readonly on: Version;
  readonly source: TextEdit;
  /** Null: there is no pass. */
  readonly pass: TextEdit | null;
}

export interface Texts {
  readonly source: string;
  readonly pass: string | null;
}

const editSchema = v.object({ revision: v.number(), length: v.number(), from: v.number(), to: v.number(), text: v.string() });
const schema = v.object({
  on: v.object({ by: v.string(), n: v.number(), seen: v.record(v.string(), v.number()) }),
  source: editSchema,
  pass: v.nullable(editSchema),
});
const dataSchema = v.looseObject({ source: v.string(), pass: v.nullish(v.looseObject({ source: v.string() })) });

/** The edits from the texts in a record to these texts; null if they are not much shorter than the texts, or a pass was added or removed. */
export function patchOf({ summary, data }: Kept, now: Texts): Patch | null {
  const before = textsIn(data);
  if (before === null || (before.pass === null) !== (now.pass === null)) return null;
  const source = textEdit({ revision: 0, text: before.source }, now.source);
  const pass = before.pass === null || now.pass === null ? null : textEdit({ revision: 0, text: before.pass }, now.pass);
  if (source === null || (pass === null && now.pass !== null)) return null;
  return { on: summary.version, source, pass };
}

export const changesNothing = ({ source, pass }: Patch): boolean =>
  [source, pass].every((edit) => edit === null || (edit.text === "" && edit.from === edit.to));

/** A patch as it was stored; null when it is not one. */
export function readPatch(value: unknown): Patch | null {
  const read = v.safeParse(schema, value);
  return read.success ? read.output : null;
}

/** The content of a record with a patch of it; unchanged if the patch does not fit. */
export function patched(data: unknown, patch: Patch): unknown {
  const read = v.safeParse(dataSchema, data);
  if (!read.success) return data;
  const { source, pass } = read.output;
  const text = edited({ revision: 0, text: source }, patch.source);
  const own = patch.pass === null || pass === undefined || pass === null ? null : edited({ revision: 0, text: pass.source }, patch.pass);
  if (text === null || (own === null && patch.pass !== null)) return data;
  return { ...read.output, source: text, ...(own === null ? {} : { pass: { ...pass, source: own } }) };
}

export const isPatchOf = (patch: Patch, version: Version): boolean => relation(patch.on, version) === "same";

function textsIn(data: unknown): Texts | null {
  const read = v.safeParse(dataSchema, data);
  return read.success ? { source: read.output.source, pass: read.output.pass?.source ?? null } : null;
}
