/**
 * What grading costs where students wrote code: `npx tsx bench/grading-code.ts [--count N] [--lab FILE] [--jobs N]`. Makes hand-ins of a lab, each with a source of
 * its own: of five, three are right, one leaves out a rewrite (which one differs from student to student), and one is as the lab began it. `oriscope grade` grades them, threads and
 * sandboxes included. `--again`: twice, and both times must say the same.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readLab } from "../src/features/labs/engine/read/read-lab.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    lab: { type: "string", default: "labs/12-your-own-pass.md" },
    jobs: { type: "string", default: "2" },
    again: { type: "boolean", default: false },
  },
});
const count = Number(values.count);
const { lab } = readLab(readFileSync(values.lab, "utf8"));
if (lab === null) throw new Error(`${values.lab} cannot be read`);
const solved = JSON.parse(readFileSync(values.lab.replace("labs/", "labs/solutions/").replace(/\.md$/, ".json"), "utf8")) as {
  readonly answers: Readonly<Record<string, { readonly pass?: string }>>;
};
const starts = new Map(lab.tasks.map((t) => [t.id, (t.spec as { readonly start?: string }).start ?? ""]));

/** Leaves out one of its rewrites, so that results differ, too. */
function differently(pass: string, student: number): string {
  const own = `run(fn, all) {
    let n = 0;
    const rewrite = (...given) => (++n === ${1 + (student % 25)} ? false : all.rewrite(...given));
    const ctx = new Proxy(all, { get: (t, k) => (k === "rewrite" ? rewrite : typeof t[k] === "function" ? t[k].bind(t) : t[k]) });`;
  return pass.includes("definePass") ? pass.replace("run(fn, ctx) {", own) : pass;
}

/** Each student has a different source, so no result can be reused for another. */
function handIn(student: number): string {
  const answers = Object.entries(solved.answers).map(([id, answer]) => {
    if (answer.pass === undefined) return [id, answer];
    const pass = student % 5 === 4 ? starts.get(id) : student % 5 === 3 ? differently(answer.pass, student) : answer.pass;
    return [id, { pass: `// ${student}\n${pass ?? ""}` }];
  });
  return JSON.stringify({ ...solved, student: { name: null, number: String(student) }, answers: Object.fromEntries(answers) });
}

const folder = mkdtempSync(join(tmpdir(), "oriscope-grading-"));
for (let i = 0; i < count; i++) writeFileSync(join(folder, `${String(i).padStart(5, "0")}.json`), handIn(i));

/** Processor time of a command and of all that it started. */
function graded(): { readonly text: string; readonly said: string } {
  const command = `time -p node bin/oriscope.mjs grade ${values.lab} ${folder} --jobs ${values.jobs} --json`;
  const { stdout, stderr } = spawnSync("bash", ["-c", command], { encoding: "utf8", maxBuffer: 1 << 30 });
  const points = [...stderr.matchAll(/^(real|user|sys) ([\d.]+)$/gm)].map(([, name, s]) => `${name} ${s} s`);
  return { text: stdout, said: points.join(", ") };
}
const first = graded();
console.log(
  `${count} hand-ins of ${lab.tasks.length} tasks (${lab.front.id}), ${values.jobs} threads: ${first.said}; load ${loadavg()[0]?.toFixed(1)}`,
);
const results = (JSON.parse(first.text) as { readonly results: readonly { readonly status: string; readonly points: number }[] }).results;
console.log(
  `${results.filter((r) => r.status === "graded").length} graded, ${(results.reduce((sum, r) => sum + r.points, 0) / count).toFixed(2)} of ${lab.max} points on average`,
);
if (values.again) {
  const again = graded();
  console.log(`again: ${again.said}; ${again.text === first.text ? "the same" : "OTHERWISE"}`);
  if (again.text !== first.text) process.exitCode = 1;
}
rmSync(folder, { recursive: true });
