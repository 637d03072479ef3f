/** YAML of a lab with the positions of everything in it, checked against a schema. */

import { type BaseIssue, type GenericSchema, getDotPath, safeParse } from "valibot";
import { type Document, isAlias, isNode, isPair, LineCounter, type Node, parseDocument, visit } from "yaml";
import { closest } from "../../../../base/closest.ts";
import type { Place } from "../lab.ts";
import type { Report } from "./report.ts";

/** Characters of one block. */
const MOST_YAML = 64 * 1024;
/** Lists and maps inside each other: nothing in a lab nests like this. */
const MOST_DEPTH = 20;

export type Path = readonly (string | number)[];

/** A parsed block of YAML, and its position in the file. */
export interface LocatedYaml {
  readonly value: unknown;
  readonly place: (path: Path) => Place;
}

/** `line`: line of the file on which the text begins. Null when it cannot be read; the report says why. */
export function readYaml(text: string, line: number, report: Report): LocatedYaml | null {
  const whole: Place = { line, column: 1, length: 0 };
  if (text.length > MOST_YAML) {
    report.error(whole, "LAB010", `This block has over ${MOST_YAML / 1024} KB and is not read.`);
    return null;
  }
  // The library walks nested text recursively: a text that nests too deep is refused before.
  if (nesting(text) > MOST_DEPTH) {
    report.error(whole, "LAB011", `Lists and maps nest deeper than ${MOST_DEPTH} levels.`);
    return null;
  }
  const counter = new LineCounter();
  const doc = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true, strict: true, merge: false });
  const at = (from: number, to: number): Place => {
    const { line: row, col } = counter.linePos(from);
    return { line: line + Math.max(1, row) - 1, column: Math.max(1, col), length: Math.max(0, to - from) };
  };
  for (const error of doc.errors)
    report.error(at(error.pos[0], error.pos[1]), "LAB012", `YAML: ${YAML_SLIPS[error.code] ?? error.message}`);
  if (doc.errors.length > 0) return null;
  const alias = firstAlias(doc);
  if (alias !== null) {
    report.error(at(alias[0], alias[1]), "LAB013", "Anchors and aliases are not used in labs.");
    return null;
  }
  const place = (path: Path): Place => {
    for (let depth = path.length; depth > 0; depth--) {
      const node = doc.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return at(node.range[0], node.range[1]);
    }
    return whole;
  };
  return { value: doc.toJS(), place };
}

/** The library's messages for the commonest mistakes, reworded for the author of a lab. */
const YAML_SLIPS: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: "a value that contains a colon and a space needs quotes, or its own line after '>-'.",
  BAD_INDENT: "this line is indented less or more than those of its list or block.",
  TAB_AS_INDENT: "lines are indented by spaces, not by tabs.",
};

function firstAlias(doc: Document.Parsed): readonly [number, number] | null {
  let found: readonly [number, number] | null = null;
  visit(doc, (_, node) => {
    const anchored = isNode(node) && (isAlias(node) || ("anchor" in node && node.anchor !== undefined));
    if (!anchored || isPair(node)) return undefined;
    const range = (node as Node).range;
    found = range ? [range[0], range[1]] : [0, 0];
    return visit.BREAK;
  });
  return found;
}

/** The depth of nested brackets and indentation: an upper bound, regardless of quotes. */
function nesting(text: string): number {
  let most = 0;
  let open = 0;
  for (const line of text.split("\n")) {
    let indents = 0;
    for (const char of line) {
      if (char !== " " && char !== "-" && char !== "?") break;
      if (char !== " ") indents++;
    }
    for (const char of line) {
      if (char === "[" || char === "{") open++;
      else if (char === "]" || char === "}") open = Math.max(0, open - 1);
      most = Math.max(most, open + indents);
    }
  }
  return Math.max(most, indentDepth(text));
}

/** Levels of block indentation. */
function indentDepth(text: string): number {
  const stack: number[] = [];
  let most = 0;
  for (const line of text.split("\n")) {
    const indent = line.length - line.trimStart().length;
    if (indent === line.length) continue;
    while (stack.length > 0 && (stack.at(-1) ?? 0) >= indent) stack.pop();
    stack.push(indent);
    most = Math.max(most, stack.length);
  }
  return most;
}

/** Kinds of values, by the schema that expects them. */
const KINDS: Readonly<Record<string, string>> = {
  strict_object: "fields, each with a value",
  object: "fields, each with a value",
  record: "fields, each with a value",
  array: "a list",
  string: "text",
  number: "a number",
  boolean: "true or false",
  integer: "a whole number",
};

/** Reworded for the author of a lab. */
function said(issue: BaseIssue<unknown>, name: string | null): string {
  const field = name === null ? "" : `, ${name}`;
  if (issue.type === "strict_object" && issue.received === "undefined" && name !== null) return `: ${name} is missing`;
  if (issue.type === "picklist") {
    const options = String(issue.expected).replace(/[()"]/g, "").replaceAll(" | ", ", ");
    return `${field}: expected ${options}, not ${issue.received.replaceAll('"', "'")}`;
  }
  const kind = KINDS[issue.type];
  if (kind !== undefined)
    return `${field}: expected ${kind}, not ${issue.received
      .replaceAll('"', "'")
      .replace(/^Array$/, "a list")
      .replace(/^Object$/, "fields")}`;
  if (issue.type === "min_value") return `${field}: expected ${String(issue.requirement)} or more, not ${issue.received}`;
  if (issue.type === "max_value") return `${field}: expected ${String(issue.requirement)} or less, not ${issue.received}`;
  return `${field}: ${issue.message.replace(/^Invalid \w+: E/, "e").replaceAll('"', "'")}`;
}

/** The value as its schema returns it; a mismatch is reported with its position. */
export function checked<T>(yaml: LocatedYaml, schema: GenericSchema<unknown, T>, report: Report, what: string): T | null {
  const result = safeParse(schema, yaml.value);
  if (result.success) return result.output;
  for (const issue of result.issues) {
    const path = (issue.path ?? []).map((item) => item.key as string | number);
    const name = getDotPath(issue);
    const unknown = issue.type === "strict_object" && issue.expected === "never" ? String(path.at(-1)) : null;
    if (unknown !== null) {
      const known = "entries" in schema ? Object.keys(schema.entries as object) : [];
      report.error(
        yaml.place(path),
        "LAB020",
        `${what}: there is no field '${name ?? unknown}'.`,
        path.length === 1 ? closest(unknown, known) : null,
      );
    } else report.error(yaml.place(path), "LAB020", `${what}${said(issue, name)}.`);
  }
  return null;
}
