/** Grades as JUnit XML, in the set of elements that Jenkins, GitLab and the common actions share: a suite a hand-in, a case a task. */

import type { Grade } from "../grade.ts";
import type { TaskResult } from "../judge.ts";
import type { Lab } from "../lab.ts";

export function gradesJunit({ front }: Lab, grades: readonly Grade[]): string {
  const suites = grades.map((grade) => suite(front.id, grade));
  const all = grades.flatMap((g) => g.tasks);
  const counted = counts(all);
  const errors = counted.errors + grades.filter((g) => g.status === "error").length;
  const tests = all.length + grades.filter((g) => g.status === "error").length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xml(front.title)}" tests="${tests}" failures="${counted.failures}" errors="${errors}" skipped="${counted.skipped}" time="0">\n${suites.join("")}</testsuites>\n`;
}

function counts(tasks: readonly TaskResult[]): { readonly failures: number; readonly errors: number; readonly skipped: number } {
  const of = (...statuses: readonly TaskResult["status"][]): number => tasks.filter((t) => statuses.includes(t.status)).length;
  return { failures: of("wrong", "partly"), errors: of("error"), skipped: of("by-hand", "unanswered") };
}

function suite(lab: string, { file, status, message, points, max, student, seed, tasks }: Grade): string {
  const { failures, errors, skipped } = counts(tasks);
  const properties = [
    ["points", String(points)],
    ["max", String(max)],
    ["student", student?.number ?? student?.name ?? ""],
    ["seed", seed === null ? "" : String(seed)],
  ]
    .map(([name = "", value = ""]) => `      <property name="${name}" value="${xml(value)}"/>\n`)
    .join("");
  const cases =
    status === "error"
      ? `    <testcase name="the file" classname="${xml(lab)}" time="0">\n      <error message="${xml(message)}">${xml(message)}</error>\n    </testcase>\n`
      : tasks.map((task) => testCase(lab, task)).join("");
  const total = status === "error" ? 1 : tasks.length;
  return `  <testsuite name="${xml(file)}" tests="${total}" failures="${failures}" errors="${status === "error" ? 1 : errors}" skipped="${skipped}" time="0">\n    <properties>\n${properties}    </properties>\n${cases}  </testsuite>\n`;
}

function testCase(lab: string, { id, status, points, max, reason }: TaskResult): string {
  const said =
    points === null ? `of ${max === 1 ? "1 point" : `${max} points`}, by hand` : `${points} of ${max === 1 ? "1 point" : `${max} points`}`;
  const message = xml(`${said}: ${reason}`);
  const inside =
    status === "right"
      ? ""
      : status === "error"
        ? `      <error message="${message}">${message}</error>\n`
        : status === "wrong" || status === "partly"
          ? `      <failure message="${message}">${message}</failure>\n`
          : `      <skipped message="${message}"/>\n`;
  // Points are in the name, too: some readers show nothing else.
  const open = `    <testcase name="${xml(`${id} (${said})`)}" classname="${xml(lab)}" time="0"`;
  return inside === "" ? `${open}/>\n` : `${open}>\n${inside}    </testcase>\n`;
}

/** Students' text may contain anything: characters that XML 1.0 does not allow become a mark. */
export function xml(text: string): string {
  return [...text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD")]
    .map((char) => {
      const code = char.codePointAt(0) ?? 0;
      if (code === 0xfffe || code === 0xffff || (code < 0x20 && code !== 0x9 && code !== 0xa && code !== 0xd)) return "\uFFFD";
      return ENTITIES[char] ?? char;
    })
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};
