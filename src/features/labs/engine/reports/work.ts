/** The basis for comparing hand-ins: students' programs, with every name replaced by the index of its first use. */

import { readHandIn } from "../hand-in.ts";
import type { WriteSpec } from "../kinds/write.ts";
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
  const starts = new Set(lab.tasks.flatMap((task) => (task.kind === "write" ? [renamedCode((task.spec as WriteSpec).start ?? "")] : [])));
  const found: Work[] = [];
  for (const task of lab.tasks) {
    const answer = Object.hasOwn(read.handIn.answers, task.id) ? read.handIn.answers[task.id] : undefined;
    const code = passIn(answer);
    if (code !== null && !starts.has(renamedCode(code))) found.push({ task: task.id, form: renamedCode(code) });
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

function passIn(answer: unknown): string | null {
  const pass: unknown = typeof answer === "object" && answer !== null && "pass" in answer ? answer.pass : null;
  return typeof pass === "string" && pass.length <= 64 * 1024 ? pass : null;
}

const TOKEN = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\.?[A-Za-z_$][\w$]*|\d[\w.]*|[^\s\w]/g;
const KEPT = new Set(
  "break case const continue default do else export false for from function if import in instanceof let new null of return switch this throw true try type typeof undefined var void while definePass defineAnalysis".split(
    " ",
  ),
);

/** A pass's source without comments, blanks and own names: what is left is how it works. Members (`.insts`) are the API's names. */
export function renamedCode(source: string): string {
  const names = new Map<string, string>();
  const form = [...source.matchAll(TOKEN)].flatMap(([token]) => {
    if (token.startsWith("//") || token.startsWith("/*")) return [];
    if (!/^[A-Za-z_$]/.test(token) || KEPT.has(token)) return [token];
    const known = names.get(token) ?? `n${names.size}`;
    names.set(token, known);
    return [known];
  });
  return form.join(" ");
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
        .replace(/\/\/.*/, "")
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
