/** The Markdown of a lab: CommonMark with tables and without raw HTML, as a tree with positions. */

import type { Code, Link, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import type { Place } from "../lab.ts";

/** Characters of a lab: beyond it is no text that a person reads. */
export const MOST_TEXT = 512 * 1024;
/** Brackets, quotes and list marks of one paragraph; the parser's time grows with their square. */
const MOST_MARKS = 4000;

/** The tree, or why the text cannot be read. */
export function readMarkdown(
  text: string,
): { readonly ok: true; readonly root: Root } | { readonly ok: false; readonly line: number; readonly message: string } {
  const dense = denseLine(text);
  if (dense !== null)
    return { ok: false, line: dense, message: "This paragraph has too many brackets, quotes or emphasis marks to be text." };
  return { ok: true, root: fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }) };
}

/** First line of a paragraph with more marks than a text has; fenced code is not looked at. */
function denseLine(text: string): number | null {
  let marks = 0;
  let start = 1;
  let fence: string | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const [opening = "", run = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const info = line.slice(opening.length);
    // Backticks with a backtick after them are code within a line.
    const mark = run === "" || (run.startsWith("`") && info.includes("`")) ? undefined : run;
    if (fence !== null) {
      // A closing fence has nothing after it.
      if (mark?.startsWith(fence) === true && info.trim() === "") fence = null;
      continue;
    }
    if (mark !== undefined) fence = mark;
    if (line.trim() === "" || mark !== undefined) {
      marks = 0;
      start = index + 2;
      continue;
    }
    for (const char of line) if ("[]()<>*_`&|!>-+".includes(char)) marks++;
    if (marks > MOST_MARKS) return start;
  }
  return null;
}

export interface Fence {
  readonly node: Code;
  readonly lang: string;
  readonly meta: string;
  readonly text: string;
  /** Line of the fence. */
  readonly line: number;
}

export function asFence(node: RootContent): Fence | null {
  if (node.type !== "code" || node.lang === null || node.lang === undefined) return null;
  // A fence may be written without a blank before its braces.
  const whole = `${node.lang}${node.meta ? ` ${node.meta}` : ""}`;
  const brace = whole.indexOf("{");
  const lang = (brace < 0 ? (whole.split(/\s/)[0] ?? "") : whole.slice(0, brace)).trim();
  return { node, lang, meta: brace < 0 ? "" : whole.slice(brace), text: node.value, line: node.position?.start.line ?? 1 };
}

export interface Meta {
  readonly values: ReadonlyMap<string, string>;
  readonly problem: string | null;
}

const MOST_META = 2000;

/** `{name=first blocks=6..9 note="two words"}`. */
export function readMeta(text: string): Meta {
  const values = new Map<string, string>();
  const plain = text.trim();
  if (plain === "") return { values, problem: null };
  if (plain.length > MOST_META) return { values, problem: "the braces hold too much" };
  if (!plain.startsWith("{") || !plain.endsWith("}")) return { values, problem: "expected {name=value …}" };
  const inner = plain.slice(1, -1);
  const pattern = /\s*([\w-]+)=(?:"([^"]*)"|([^\s"]+))(?=\s|$)|\s+/y;
  while (pattern.lastIndex < inner.length) {
    const match = pattern.exec(inner);
    if (match === null) return { values, problem: "expected name=value inside the braces" };
    const [, name, quoted, bare] = match;
    if (name === undefined) continue;
    if (values.has(name)) return { values, problem: `${name} is given twice` };
    values.set(name, quoted ?? bare ?? "");
  }
  return { values, problem: null };
}

/** Every link of a tree with its position. */
export function linksOf(nodes: readonly RootContent[]): readonly { readonly link: Link; readonly place: Place }[] {
  const found: { link: Link; place: Place }[] = [];
  const stack: RootContent[] = [...nodes];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "link") found.push({ link: node, place: placeOf(node) });
    if ("children" in node) stack.push(...(node.children as RootContent[]));
  }
  return found.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

export function placeOf(node: RootContent): Place {
  const { position } = node;
  if (position === undefined) return { line: 1, column: 1, length: 0 };
  const length = Math.max(0, (position.end.offset ?? 0) - (position.start.offset ?? 0));
  return { line: position.start.line, column: position.start.column, length };
}
