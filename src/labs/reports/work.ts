/** What hand-ins are compared by: programs that students wrote, with every name replaced by its first place. */

import { readHandIn } from "../hand-in.ts";
import type { Lab } from "../lab.ts";

export interface Work {
  readonly task: string;
  /** The program after renaming. */
  readonly form: string;
}

const MOST_PROGRAMS = 50;

/** Programs of a hand-in that are not the lab's own. */
export function workOf(lab: Lab, text: string): readonly Work[] {
  const read = readHandIn(text);
  if (!read.ok) return [];
  const given = new Set(lab.programs.flatMap((p) => (p.kind === "written" ? [renamed(p.text)] : [])));
  const found: Work[] = [];
  for (const task of lab.tasks) {
    const answer = Object.hasOwn(read.handIn.answers, task.id) ? read.handIn.answers[task.id] : undefined;
    for (const program of programsIn(answer)) {
      const form = renamed(program);
      if (form !== "" && !given.has(form) && found.length < MOST_PROGRAMS) found.push({ task: task.id, form });
    }
  }
  return found;
}

function programsIn(answer: unknown): readonly string[] {
  if (typeof answer !== "object" || answer === null) return [];
  const { ori, tests } = answer as { readonly ori?: unknown; readonly tests?: unknown };
  const listed = Array.isArray(tests)
    ? tests.slice(0, MOST_PROGRAMS).map((t: unknown) => (t as { readonly ori?: unknown } | null)?.ori)
    : [];
  return [ori, ...listed].filter((text): text is string => typeof text === "string" && text.length <= 64 * 1024);
}

/** Comments and blanks out, names by the order in which they come first: two programs that differ in names only have one form. */
export function renamed(program: string): string {
  const names = new Map<string, string>();
  const numbered = (name: string, kind: string): string => {
    let known = names.get(name);
    if (known === undefined) {
      known = `${kind}${names.size}`;
      names.set(name, known);
    }
    return known;
  };
  const lines = program
    .split("\n")
    .map((line) =>
      line
        .replace(/\/\/.*$/, "")
        .trim()
        .replace(/\s+/g, " "),
    )
    .filter((line) => line !== "" && !line.startsWith(".target"));
  const labels = new Set(lines.flatMap((line) => /^([\w$.]+):/.exec(line)?.[1] ?? []));
  return lines
    .map((line) =>
      line.replace(/[A-Za-z_$.][\w$.]*/g, (word) => {
        if (labels.has(word)) return numbered(word, "L");
        return /^(?:U?[RP]|RD|B)\d+$/.test(word) ? numbered(word, word.replace(/\d+/, "")) : word;
      }),
    )
    .join("\n");
}
