/** What fits at a place of a lab's text: fields of the front matter or of a task, or the values of one. */

import type { Vocabulary, Word } from "../../engine/vocabulary.ts";
import { attribute, fencesOf } from "./fences.ts";

export interface Completion {
  /** Where the word that is being written begins. */
  readonly from: number;
  readonly items: readonly string[];
}

const MOST = 30;

/** `at`: the caret. */
export function completionAt(text: string, at: number, words: Vocabulary): Completion {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(lineStart, at);
  const around = fieldsAround(text, lineStart, words);
  if (around === null) return { from: at, items: [] };
  const { fields, present } = around;
  const [, name, value] = /^([\w-]+):(.*)$/.exec(line) ?? [];
  if (name !== undefined) {
    // In a list, completion continues after the last comma.
    const begun = /(?<![^[,\s])[^[,\s]*$/.exec(value ?? "")?.[0] ?? "";
    const known = name === "program" ? programsOf(text) : (fields.find((f) => f.name === name)?.values ?? []);
    return { from: at - begun.length, items: fitting(known, begun) };
  }
  if (!/^[\w-]*$/.test(line)) return { from: at, items: [] };
  const names = fields.filter((f) => !present.has(f.name)).map((f) => `${f.name}: `);
  return { from: lineStart, items: fitting(names, line) };
}

const fitting = (words: readonly string[], begun: string): readonly string[] =>
  words.filter((word) => word.startsWith(begun) && word !== begun).slice(0, MOST);

interface Around {
  readonly fields: readonly Word[];
  /** Fields that are there already. */
  readonly present: ReadonlySet<string>;
}

/** The block of fields that a line is in; null: it is text, or a program. */
function fieldsAround(text: string, lineStart: number, words: Vocabulary): Around | null {
  const lines = text.split("\n");
  const here = text.slice(0, lineStart).split("\n").length - 1;
  let open: { readonly fence: string; readonly task: boolean; readonly first: number } | null = null;
  for (const [index, line] of lines.entries()) {
    if (index > here) break;
    if (index === 0 && line.trimEnd() === "---") open = { fence: "---", task: false, first: 1 };
    else if (open === null) {
      const [, fence, lang] = /^(`{3,}|~{3,})\s*(\w*)/.exec(line) ?? [];
      if (fence !== undefined) open = { fence, task: lang === "task", first: index + 1 };
    } else if (line.trimEnd() === open.fence) open = null;
  }
  if (open === null || here < open.first) return null;
  const { fence, first, task } = open;
  if (fence !== "---" && !task) return null;
  const end = lines.findIndex((line, index) => index >= first && line.trimEnd() === fence);
  const block = lines.slice(first, end < 0 ? undefined : end);
  const present = new Set(block.flatMap((line, i) => (first + i === here ? [] : (/^([\w-]+):/.exec(line)?.[1] ?? []))));
  if (!task) return { fields: words.front, present };
  const kind = block.map((line) => /^kind:\s*([\w-]+)/.exec(line)?.[1]).find((found) => found !== undefined);
  return { fields: [...words.task, ...(words.kinds[kind ?? ""] ?? [])], present };
}

const programsOf = (text: string): readonly string[] => fencesOf(text).flatMap((fence) => attribute(fence, "name") ?? []);
