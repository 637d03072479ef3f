/**
 * What grading costs: `npx tsx bench/grading.ts [--count N] [--lab FILE]`. Makes hand-ins of a lab (each student's own programs, one answer in five
 * wrong, edits that differ from student to student), grades them in this process, and grades them again by a second grader that must say the same.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { seededRandom } from "../src/engine/api/exec/generate.ts";
import { ownSolutions } from "../src/features/labs/engine/check.ts";
import { Grader } from "../src/features/labs/engine/grade.ts";
import { readLab } from "../src/features/labs/engine/read/read-lab.ts";

const { values } = parseArgs({
  options: { count: { type: "string", default: "1000" }, lab: { type: "string", default: "labs/08-conditions-and-lanes.md" } },
});
const count = Number(values.count);
const { lab } = readLab(readFileSync(values.lab, "utf8"));
if (lab === null) throw new Error(`${values.lab} cannot be read`);
const solved = JSON.parse(readFileSync(values.lab.replace("labs/", "labs/solutions/").replace(/\.md$/, ".json"), "utf8")) as HandIn;

interface HandIn {
  readonly answers: Readonly<Record<string, unknown>>;
}

const seeds = lab.front.seed === "fixed" ? [0] : Array.from({ length: lab.front.variants ?? 30 }, (_, i) => i + 1);
const own = new Map(seeds.map((seed) => [seed, JSON.parse(ownSolutions(lab, seed)) as HandIn]));
const random = seededRandom(18);

/** A text of its own for each student: nothing that was graded before answers for it. */
function handIn(student: number): string {
  const seed = random.pick(seeds);
  const answers = Object.entries({ ...solved.answers, ...own.get(seed)?.answers }).map(([id, answer]): [string, unknown] => {
    const { ori, tests } = answer as { readonly ori?: string; readonly tests?: readonly { readonly ori: string }[] };
    if (random.chance(0.2)) return [id, own.get(random.pick(seeds))?.answers[id] ?? answer];
    if (tests !== undefined) return [id, { tests: tests.map((t) => ({ ...t, ori: `// ${student}\n${t.ori}` })) }];
    return [id, ori === undefined ? answer : { ori: `// ${student}\n${ori}` }];
  });
  return JSON.stringify({ ...solved, seed, student: { name: null, number: String(student) }, answers: Object.fromEntries(answers) });
}

const texts = Array.from({ length: count }, (_, i) => handIn(i));
const options = { voided: new Set<string>(), accept: new Set<number>(), engine: "9.9.9" };

function gradeAll(): { readonly seconds: number; readonly text: string; readonly points: number } {
  const grader = new Grader(lab as NonNullable<typeof lab>, options);
  const before = process.cpuUsage();
  const grades = texts.map((text, i) => grader.grade(`${i}.json`, text));
  const { user, system } = process.cpuUsage(before);
  const points = grades.reduce((sum, g) => sum + g.points, 0);
  return { seconds: (user + system) / 1e6, text: JSON.stringify(grades), points };
}

const first = gradeAll();
const again = gradeAll();
console.log(`${count} hand-ins of ${lab.tasks.length} tasks (${lab.front.id}), ${texts.reduce((sum, t) => sum + t.length, 0)} characters`);
console.log(
  `${(first.points / count).toFixed(2)} of ${lab.max} points on average; the second grader says ${first.text === again.text ? "the same" : "OTHERWISE"}`,
);
console.log(
  `${first.seconds.toFixed(1)} s and ${again.seconds.toFixed(1)} s of processor time; ${((1000 * first.seconds) / count).toFixed(0)} ms a hand-in`,
);
if (first.text !== again.text) process.exitCode = 1;
