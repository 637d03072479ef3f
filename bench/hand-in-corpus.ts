/**
 * Records hand-ins of the course's labs and their grades by the engine of today: `npm run generate && npx tsx bench/hand-in-corpus.ts` writes
 * `src/features/labs/engine/testing/fixtures/`. Whoever runs it again replaces what later engines are compared with: read the diff.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownSolutions } from "../src/features/labs/engine/check.ts";
import { studentSeed } from "../src/features/labs/engine/digest.ts";
import type { Lab } from "../src/features/labs/engine/lab.ts";
import { readLab } from "../src/features/labs/engine/read/read-lab.ts";
import { CORPUS_FOLDER, type CorpusHandIn, corpusGrade, corpusGrader, corpusText } from "../src/features/labs/engine/testing/corpus.ts";
import { boxRunner } from "../src/features/ownpass/box/runner.ts";

type Answers = Readonly<Record<string, unknown>>;

const root = process.cwd();
const NUMBERS = ["4711", "1001", "ab-77"];

const pass = (body: string, top = ""): string =>
  `import { definePass } from "oriscope/pass";\n${top}\nexport default definePass({ name: "mine", run(fn, ctx) {\n${body}\n} });\n`;
const analysis = (of: string, body: string): string =>
  `import { defineAnalysis } from "oriscope/pass";\nexport default defineAnalysis({ name: "mine", of: "${of}", run(fn) {\n${body}\n} });\n`;

/** Code that students write, beside the templates: right ones changed by a word, and ones that fail in each way. */
function codesOf(): Readonly<Record<string, string>> {
  const folder = join(root, "passes");
  const template = (name: string): string => readFileSync(join(folder, `${name}.ts`), "utf8");
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.slice(0, -3));
  const changed = (name: string, from: string | RegExp, to: string): string => {
    const text = template(name).replace(from, to);
    if (text === template(name)) throw new Error(`${name} has no ${from}`);
    return text;
  };
  return {
    ...Object.fromEntries(names.map((name) => [name, template(name)])),
    "does nothing": pass(""),
    throws: pass("throw new Error('not done yet');"),
    "throws at loading": pass("", "throw new Error('no');"),
    "does not end": pass("for (;;) ;"),
    "does not end where loops are": pass("for (const b of fn.blocks) if (b.preds.includes(b)) for (;;) ;"),
    "recurses without end": pass("const f = () => f() + 1; f();"),
    "fills the memory": pass("const all = []; for (;;) all.push(new Array(1e5).fill(all.length));"),
    "removes everything": pass("for (const b of fn.blocks) for (const i of b.insts) if (!b.terminators.includes(i)) fn.remove(i);"),
    "removes what it may not": pass(
      "for (const b of fn.blocks) for (const i of b.insts) if (i.defs.length > 0) ctx.rewrite('x', { inst: i }, () => fn.remove(i));",
    ),
    "no instruction": pass("fn.append(fn.entry, 'NOPE R1');"),
    "asks for dominators": pass("fn.dominators();"),
    "asks for liveness": pass("fn.liveness();"),
    "counts its runs": pass("if (++runs % 2 === 0) for (const i of fn.entry.insts) if (i.removable) fn.remove(i);", "let runs = 0;"),
    "no TypeScript": "export default definePass({",
    "no pass": "export const x = 1;\n",
    "imports files": `import { readFileSync } from "node:fs";\nexport default readFileSync("/etc/passwd");\n`,
    "dead code, one too many": changed("dead-code", "inst.removable", "true"),
    "liveness without guards": changed("liveness", "if (inst.alwaysWrites) ", ""),
    "idom of nothing": analysis("idom", "return new Map(fn.blocks.map((b) => [b, null]));"),
    "idom is the first predecessor": analysis("idom", "return new Map(fn.blocks.map((b) => [b, b.preds[0] ?? null]));"),
    "live-out is live-in of nothing": analysis("live-out", "return new Map(fn.blocks.map((b) => [b, new Set()]));"),
    "live-in by asking": analysis("live-in", "const live = fn.liveness(); return new Map(fn.blocks.map((b) => [b, live.liveIn(b)]));"),
  };
}

/** The same answer with something missing or changed. */
function partly(answer: unknown, n: number): unknown {
  if (Array.isArray(answer)) return answer.length > 1 ? answer.slice(0, -1 - (n % 2)) : answer;
  if (typeof answer === "number") return answer + 1;
  if (typeof answer === "string") return answer.length > 12 ? answer.split("\n").slice(0, -1).join("\n") : answer;
  if (typeof answer !== "object" || answer === null) return answer;
  const entries = Object.entries(answer);
  if (entries.length === 1) return Object.fromEntries(entries.map(([key, value]) => [key, partly(value, n)]));
  return Object.fromEntries(entries.map(([key, value], i) => [key, i % 3 === n % 3 ? partly(value, n) : value]));
}

const WRONG: Answers = {
  mark: { blocks: ["NOWHERE"] },
  predict: { verdict: "nope" },
  simulate: { moves: ["NOWHERE", "nothing"] },
  fill: { cells: { NOWHERE: "R999" } },
  order: { order: [] },
  edit: { ori: ".kernel k(out: RD1)\nA:\n    EXIT\n" },
  reach: { plan: { phases: ["nope"] } },
  "find-wrong": { rewrite: "3#999", condition: "nope:nope" },
  tests: { tests: [{ ori: ".kernel k(out: RD1)\nA:\n    EXIT\n" }] },
  choice: { choose: [29] },
  number: { number: -12_345 },
  text: { text: "no" },
  write: { code: "no pass" },
};

/** Everything that is handed in for a lab. */
function handInsOf(
  lab: Lab,
  solved: { readonly answers: Answers },
  codes: Readonly<Record<string, string>>,
): readonly Omit<CorpusHandIn, "grade">[] {
  const named = (source: unknown): unknown => Object.entries(codes).find(([, code]) => code === source)?.[0] ?? null;
  const coded = (answers: Answers): Answers =>
    Object.fromEntries(
      Object.entries(answers).map(([id, answer]) => {
        const source = (answer as { readonly pass?: string }).pass;
        return [id, source === undefined ? answer : { code: named(source) ?? `${lab.front.id} ${id}` }];
      }),
    );
  const { front, digest, tasks } = lab;
  const base = { format: "oriscope-hand-in", version: 1, lab: { id: front.id, version: front.version, digest }, engine: "0.1.0" };
  const right = coded(solved.answers);
  const writes = tasks.filter((t) => t.kind === "write");
  const rest = Object.fromEntries(writes.map((t) => [t.id, right[t.id]]));
  const all: Omit<CorpusHandIn, "grade">[] = [];
  const add = (name: string, part: object): void =>
    void all.push({ name, handIn: { ...base, student: null, seed: front.seed === "fixed" ? 0 : 1, ...part } });
  add("right", { answers: right });
  add("nothing", { answers: {} });
  add("wrong", { answers: Object.fromEntries(tasks.map((t) => [t.id, WRONG[t.kind]])) });
  add("of the wrong kind", { answers: Object.fromEntries(tasks.map((t, i) => [t.id, Object.values(WRONG)[i % 13]])) });
  add("no objects", { answers: Object.fromEntries(tasks.map((t, i) => [t.id, [null, 7, "x", [], {}, true][i % 6]])) });
  for (const n of [0, 1, 2])
    add(`partly right ${n}`, {
      answers: Object.fromEntries(
        Object.entries(right).map(([id, a], i) => [
          id,
          i % 3 === n || (a as object as { code?: string }).code !== undefined ? a : partly(a, n),
        ]),
      ),
    });
  add("with hints", { answers: right, hints: Object.fromEntries(tasks.map((t) => [t.id, 1])) });
  for (const number of NUMBERS) {
    const seed = studentSeed(front, number, "2026");
    const own = { ...(JSON.parse(ownSolutions(lab, seed)) as { readonly answers: Answers }).answers, ...rest };
    const student = { name: `Student ${number}`, number };
    add(`${number}, right`, { student, class: "2026", seed, answers: own });
    add(`${number}, partly`, {
      student,
      class: "2026",
      seed,
      answers: Object.fromEntries(Object.entries(own).map(([id, a], i) => [id, i % 2 === 0 ? partly(a, i) : a])),
    });
    add(`${number}, another seed`, { student, class: "2026", seed: seed + 1, answers: own });
    add(`${number}, second programs`, { student, class: "2026", seed, answers: own, retries: tasks.map((t) => ({ task: t.id, n: 1 })) });
  }
  for (const { id } of writes)
    for (const name of Object.keys(codes)) if (!name.includes(front.id)) add(`${id}: ${name}`, { answers: { [id]: { code: name } } });
  const text = JSON.stringify({ ...base, student: null, seed: 1, answers: {} });
  const damaged: Readonly<Record<string, string>> = {
    "cut off": text.slice(0, -3),
    "no JSON": "{",
    nested: `${"[".repeat(1000)}`,
    "another lab": text.replace(`"${front.id}"`, '"nope"'),
    "another version": text.replace(`"version":${front.version},"digest"`, '"version":99,"digest"'),
    "a key twice": text.replace('"answers":{}', '"answers":{},"answers":{}'),
    "no answers": text.replace('"answers"', '"questions"'),
    "not the format": text.replace("oriscope-hand-in", "something"),
    "with a mark at the front": `\uFEFF${text}`,
    "tasks that are not there": text.replace('"answers":{}', '"answers":{"nope":{"number":1},"__proto__":{"number":2}}'),
  };
  for (const [name, handIn] of Object.entries(damaged)) all.push({ name, handIn });
  return all;
}

mkdirSync(CORPUS_FOLDER, { recursive: true });
const runner = boxRunner();
const codes: Record<string, string> = { ...codesOf() };
const folder = join(root, "labs");
const labs = readdirSync(folder).filter((name) => name.endsWith(".md"));
const texts = labs.map((name) => readFileSync(join(folder, name), "utf8"));
const solutions = labs.map(
  (name) => JSON.parse(readFileSync(join(folder, "solutions", name.replace(/\.md$/, ".json")), "utf8")) as { answers: Answers },
);
// Solutions that are none of the templates, and what each task begins with.
for (const [i, text] of texts.entries()) {
  const { lab } = readLab(text);
  for (const task of lab?.tasks ?? []) {
    if (task.kind !== "write") continue;
    const source = (solutions[i]?.answers[task.id] as { readonly pass?: string } | undefined)?.pass ?? "";
    if (!Object.values(codes).includes(source)) codes[`${lab?.front.id} ${task.id}`] = source;
    codes[`${lab?.front.id} ${task.id}, begun`] = (task.spec as { readonly start?: string }).start ?? "";
  }
}
writeFileSync(join(CORPUS_FOLDER, "codes.json"), `${JSON.stringify(codes, null, 1)}\n`);
for (const [i, text] of texts.entries()) {
  const { lab } = readLab(text);
  const solved = solutions[i];
  if (lab === null || solved === undefined) continue;
  const grader = corpusGrader(text);
  const handIns: CorpusHandIn[] = [];
  for (const one of handInsOf(lab, solved, codes)) {
    const grade = await corpusGrade(grader, corpusText(one, codes), runner);
    handIns.push({ ...one, grade });
  }
  const rows = handIns.map((one) => JSON.stringify(one)).join(",\n");
  writeFileSync(join(CORPUS_FOLDER, `${lab.front.id}.json`), `{"lab":${JSON.stringify(text)},"handIns":[\n${rows}\n]}\n`);
  console.log(`${lab.front.id}: ${handIns.length} hand-ins, ${handIns.reduce((n, h) => n + h.grade.points, 0).toFixed(1)} points`);
}
