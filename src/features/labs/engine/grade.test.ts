import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { ENGINE_VERSION } from "../../../engine/api/version.ts";
import { ownSolutions } from "./check.ts";
import { studentSeed } from "./digest.ts";
import { Grader } from "./grade.ts";
import { MOST_HAND_IN, readHandIn } from "./hand-in.ts";
import { items, itemsText, vivaText } from "./reports/class.ts";
import { gradesJunit } from "./reports/junit.ts";
import { classroom50, gradescope, notice, summary } from "./reports/services.ts";
import { similar } from "./reports/similar.ts";
import { againstRoster, filledGradebook, gradesCsv, oneEach, readTable, withMarks } from "./reports/tables.ts";
import { renamed, renamedCode, workOf } from "./reports/work.ts";
import { DIAMOND, fence, goodLab, HEAD, task } from "./testing/small-lab.ts";

const BODY =
  fence("ori {name=p}", DIAMOND) +
  task("edges", "kind: number\nask: x\nprogram: p\nof: edges\nhints: [{ text: count, cost: 0.5 }]") +
  task("pick", "kind: choice\nask: x\noptions: [{ text: a, right: true }, { text: b }]") +
  task("say", "kind: text\nask: x", 3);
const lab = goodLab(BODY);
const grader = (over: Partial<ConstructorParameters<typeof Grader>[1]> = {}, of = lab): Grader =>
  new Grader(of, { voided: new Set(), accept: new Set(), engine: ENGINE_VERSION, ...over });

const handIn = (over: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    format: "oriscope-hand-in",
    version: 1,
    lab: { id: "small", version: 1, digest: lab.digest },
    engine: ENGINE_VERSION,
    student: { name: "Ada", number: 42 },
    seed: 0,
    answers: { edges: { number: 6 }, pick: { choose: [1] }, say: { text: "because" } },
    ...over,
  });

describe("grading", () => {
  it("recomputes every task; what a person grades stays open", () => {
    const grade = grader().grade("a.json", handIn({ points: 9999 }));
    expect(grade).toMatchObject({ status: "graded", warnings: [], points: 2, max: 7, open: 1, student: { name: "Ada", number: "42" } });
    expect(grade.tasks.map((t) => `${t.id} ${t.status} ${t.points}`)).toEqual(["edges right 2", "pick wrong 0", "say by-hand null"]);
    expect(grader().grade("a.json", handIn({ points: 9999 }))).toEqual(grade);
  });

  it("takes off what hints cost, gives voided tasks to all, and nothing for nothing", () => {
    expect(grader().grade("a", handIn({ hints: { edges: 1 } })).points).toBe(1.5);
    expect(grader({ voided: new Set(["pick"]) }).grade("a", handIn()).points).toBe(4);
    expect(grader().grade("a", handIn({ answers: {} }))).toMatchObject({ points: 0, open: 0 });
  });

  it.each([
    ["another lab", { lab: { id: "other", version: 1 } }, "it is for the lab 'other'"],
    ["another version", { lab: { id: "small", version: 2 } }, "it is for version 2"],
    ["a later format", { version: 2 }, "version: this version of the format is not known"],
    ["no answers", { answers: undefined }, "answers:"],
    ["answers that are a list of texts", { answers: "x" }, "answers:"],
  ])("refuses %s", (_, over, message) => {
    const grade = grader().grade("a", handIn(over));
    expect(grade).toMatchObject({ status: "error", points: 0, tasks: [] });
    expect(grade.message).toContain(message);
  });

  it.each([
    ["no digest", { lab: { id: "small", version: 1 } }, "it has no digest"],
    ["another digest", { lab: { id: "small", version: 1, digest: "0000" } }, "the lab's text was different (0000"],
    ["a newer engine", { engine: "9.0" }, "newer engine 9.0"],
    ["answers to nothing", { answers: { nope: 1 } }, "does not have: nope"],
  ])("grades with a warning: %s", (_, over, warning) => {
    const grade = grader().grade("a", handIn(over));
    expect(grade.status).toBe("graded");
    expect(grade.warnings.join()).toContain(warning);
  });

  it("takes an older version where it is told to", () => {
    expect(grader({ accept: new Set([2]) }).grade("a", handIn({ lab: { id: "small", version: 2 } })).status).toBe("graded");
  });

  it("draws the programs of an older version as that version drew them", () => {
    const body =
      "\n```program {name=own generate=graph blocks=5..8}\n```\n" +
      task("edges", "kind: mark\nask: x\nprogram: own\nwhat: rpo\nties: ours");
    const head = (version: number): string => HEAD.replace("version: 1\n", `version: ${version}\nseed: per-student\n`);
    const [was, now] = [goodLab(body, head(1)), goodLab(body, head(2))];
    const old = JSON.parse(ownSolutions(was, studentSeed(was.front, "42", ""))) as object;
    const text = JSON.stringify({ ...old, student: { number: "42" } });
    expect(grader({}, now).grade("a", text)).toMatchObject({ status: "error", message: expect.stringContaining("it is for version 1") });
    const accepted = grader({ accept: new Set([1]) }, now).grade("a", text);
    expect(accepted).toMatchObject({ status: "graded", points: now.max });
    expect(accepted.warnings).toEqual([expect.stringContaining("the programs are drawn as in version 1")]);
    // With the programs of today the same answers would be worth less.
    const told = JSON.stringify({ ...old, lab: { id: "small", version: 2, digest: now.digest } });
    expect(grader({}, now).grade("a", told).points).toBeLessThan(now.max);
  });

  it("takes an attempt's seed as it is", () => {
    const own = goodLab(BODY, HEAD.replace("version: 1\n", "version: 1\nseed: attempt\n"));
    const { warnings, seed } = grader({}, own).grade("a", handIn({ lab: { id: "small", version: 1, digest: own.digest }, seed: 5 }));
    expect({ warnings, seed }).toEqual({ warnings: [], seed: 5 });
  });

  it("notices a seed that does not follow from the number", () => {
    const own = goodLab(BODY, HEAD.replace("version: 1\n", "version: 1\nseed: per-student\n"));
    const { warnings } = grader({}, own).grade("a", handIn({ lab: { id: "small", version: 1, digest: own.digest }, seed: 5 }));
    expect(warnings.join()).toMatch(/the seed 5 does not match the student's number, which gives \d+/);
  });
});

describe("a hand-in's file", () => {
  const message = (text: string): string => {
    const read = readHandIn(text);
    return read.ok ? "read" : read.message;
  };
  it("says what is wrong with it", () => {
    expect(message(handIn())).toBe("read");
    expect(message(`\uFEFF${handIn()}`)).toBe("read");
    expect(message("")).toContain("not JSON");
    expect(message("[]")).toContain("format");
    expect(message(handIn().replace('"seed"', '"engine"'))).toBe("the key 'engine' occurs twice");
    expect(message(handIn().replace('"seed"', '"\\u0065ngine"'))).toBe("the key 'engine' occurs twice");
    expect(message(handIn({ answers: JSON.parse(`${"[".repeat(40)}1${"]".repeat(40)}`) as unknown }))).toContain("nest deeper");
    expect(message(handIn({ log: Array(300_000).fill(0) }))).toContain("more than 200000 values");
    expect(message(" ".repeat(MOST_HAND_IN + 1))).toContain("larger than 4 MB");
  });
  it("keeps a key named as a method from being one", () => {
    const text = handIn().replace('"answers":{', '"answers":{"__proto__":{"x":1},"constructor":1,');
    expect(grader().grade("a", text)).toMatchObject({ status: "graded", points: 2 });
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe("reports", () => {
  const bad = handIn({
    student: { name: '=HYPERLINK("x")', number: "007" },
    answers: { pick: { choose: [1] }, say: { text: "<b>&\u0000" } },
  });
  const grades = [grader().grade("x/a.json", handIn()), grader().grade("b.json", bad), grader().grade("c.json", "{")];

  it("CSV: a line a task, no cell that a spreadsheet runs", () => {
    const rows = parse(gradesCsv(lab, grades)) as string[][];
    expect(rows).toHaveLength(1 + 3 + 3 + 1);
    expect(rows[0]).toEqual("file,name,number,lab,version,task,kind,status,points,max,reason".split(","));
    expect(rows[4]?.[1]).toBe('\'=HYPERLINK("x")');
    expect(rows[7]?.[7]).toBe("error");
  });

  it("JUnit: well-formed whatever students wrote", () => {
    const text = gradesJunit(lab, [...grades, { ...grades[2]!, file: "\u0001<&\"'\ud800" }]);
    expect(text).toContain('<testsuites name="Small" tests="8" failures="2" errors="2" skipped="3"');
    // Nothing that XML 1.0 does not have.
    expect([...text].every((c) => c.codePointAt(0)! >= 32 || c === "\n")).toBe(true);
    expect(text).toContain("\uFFFD&lt;&amp;&quot;&apos;\uFFFD");
    expect(text).not.toMatch(/&(?!(?:lt|gt|amp|quot|apos|#\d+);)/);
  });

  it("Gradescope: no total where a person decides; Classroom 50: whole numbers", () => {
    const scope = gradescope(lab, grades[0]!, ENGINE_VERSION) as { score?: number; tests: Record<string, unknown>[] };
    expect(scope.score).toBeUndefined();
    expect(scope.tests.map((t) => [t.score, t.status, t.number])).toEqual([
      [2, "passed", "1"],
      [0, "failed", "2"],
      [undefined, undefined, "3"],
    ]);
    const room = classroom50(grades[0]!, (name) => (name === "ASSIGNMENT" ? "a1" : undefined), "2026-01-01T00:00:00Z");
    expect(room).toMatchObject({ schema: "classroom50/result/v1", assignment: "a1", score: 200, "max-score": 700 });
  });

  it("summary and notices hold no markup of students", () => {
    expect(summary(lab, grades)).toContain('=HYPERLINK\\("x"\\)');
    expect(summary(lab, [grades[0]!])).toContain("**2 of 7 points**, 1 open");
    expect(notice("a:b", "50%\n")).toBe("::notice title=a%3Ab::50%25%0A\n");
  });

  it("marks by hand are put in, and wrong ones said", () => {
    const table = readTable("file;task;points;comment\na.json;say;2,5;good\nb.json;say;9;\nz.json;say;1;\n");
    if (typeof table === "string") throw new Error(table);
    const marked = withMarks(grades, table);
    expect(marked.grades[0]).toMatchObject({ points: 4.5, open: 0, tasks: [{}, {}, { status: "partly", reason: "good" }] });
    expect(marked.problems).toEqual(["'9' is no number of points from 0 to 3 (b.json, say)", "there is no hand-in 'z.json'"]);
  });

  it("one hand-in of each student counts: the best, or the last; what is damaged stays", () => {
    const of = (file: string, number: number | null, answers: object) => grader().grade(file, handIn({ student: { number }, answers }));
    const [good, bad] = [{ pick: { choose: [0] } }, { pick: { choose: [1] } }];
    const all = [of("a1", 7, good), of("a2", 7, bad), of("b", 8, bad), of("c", null, good), grader().grade("d", "{")];
    expect(oneEach(all, "best").grades.map((g) => g.file)).toEqual(["a1", "b", "c", "d"]);
    expect(oneEach(all, "last").grades.map((g) => g.file)).toEqual(["a2", "b", "c", "d"]);
    expect(oneEach(all, "last").dropped).toEqual(["a1: 2 points; a2 counts instead"]);
  });

  it("tells tries and times as the log has them; another engine's hand-ins are refused where that is asked for", () => {
    const log = [
      { task: "edges", at: 60_000, event: "answer 1: wrong" },
      { task: "pick", at: 5_000_000, event: "answer 1: right" },
      { task: "edges", at: 5_030_000, event: "answer 2: right" },
      { task: "edges", at: 5_031_000, event: "hint 1" },
    ];
    const grade = grader().grade("a", handIn({ log }));
    expect(grade.reported).toEqual({
      edges: { tries: 2, firstRight: false, seconds: 91 },
      // Nobody thinks for longer than ten minutes at a stretch.
      pick: { tries: 1, firstRight: true, seconds: 600 },
    });
    expect(items(lab, [grade])[0]).toMatchObject({ firstRight: 0, seconds: 91 });
    expect(itemsText(lab, items(lab, [grade]))).toContain("100 % right at the first try, half of them took at most 10 min");
    const same = grader({ sameEngine: true });
    expect(same.grade("a", handIn()).status).toBe("graded");
    expect(same.grade("a", handIn({ engine: "0.0.9" })).message).toBe(
      `it was made with engine 0.0.9; this is ${ENGINE_VERSION}: grade it with npx oriscope@0.0.9`,
    );
  });

  it("passes that differ in names and comments only are one form", () => {
    const own =
      'import { definePass } from "oriscope/pass"; // mine\nexport default definePass({ name: "a", run(fn) { for (const b of fn.blocks) b.insts; } });';
    expect(renamedCode(own.replaceAll(/\bb\b/g, "block").replace("// mine", "/* his */"))).toBe(renamedCode(own));
    expect(renamedCode(own.replace(".insts", ".succs"))).not.toBe(renamedCode(own));
  });

  it("the roster tells who is missing, the gradebook gets its column", () => {
    const roster = readTable("Number,Name\n42,Ada\n43,Bob\n");
    if (typeof roster === "string") throw new Error(roster);
    expect(againstRoster(lab, grades, roster)).toEqual([
      "b.json: the number 007 is not on the roster",
      "1 of 2 on the roster handed in nothing: 43",
    ]);
    const filled = filledGradebook('ID,Name,Lab\n42,Ada,\n43,"B, C",\n', "ID", "Lab", grades);
    expect(filled).toMatchObject({ csv: 'ID,Name,Lab\r\n42,Ada,2\r\n43,"B, C",\r\n', filled: 1 });
    // The second hand-in of one student is not put in without a word.
    const twice = grades.flatMap((g) => [g, { ...g, file: `later-${g.file}` }]);
    expect(filledGradebook("ID,Lab\n42,\n", "ID", "Lab", twice)).toMatchObject({
      problems: expect.arrayContaining([expect.stringMatching(/^42 handed in (\S+), too; later-\1 is put in/)]),
    });
    expect(filledGradebook("a\n1\n", "ID", "Lab", grades)).toBe("there is no column 'ID'; there are a");
  });

  it("items count what was thought instead; viva asks about own answers", () => {
    const found = items(lab, grades);
    expect(found[1]).toMatchObject({ task: "pick", answered: 2, handIns: 2, right: 0, theories: [{ theory: "b", count: 2 }] });
    expect(itemsText(lab, found)).not.toContain("Ada");
    const said = (theory: string, reason: string, count: number): string =>
      itemsText(lab, [{ ...(found[1] as (typeof found)[number]), theories: [{ theory, reason, count }] }]);
    expect(said("3", "it is 26, not 3", 2)).toMatch(/: 3 \(for example: it is 26, not 3\)$/m);
    expect(said("a loop.", "none is needed.", 1)).toMatch(/: a loop\. \(none is needed\.\)$/m);
    expect(said("4 lines", "4 lines", 1)).toMatch(/: 4 lines$/m);
    expect(vivaText(lab, grades, 2)).toMatch(/## Ada\n\n2 of 7 points/);
  });

  it("similar finds programs that differ in names only, and not the lab's own", () => {
    expect(renamed("A:\n  IADD R5, R7, 1 // x\n  BRA A")).toBe(renamed("LOOP:\n IADD   R1, R2, 1\n BRA LOOP"));
    const edits = goodLab(
      fence("ori {name=p}", DIAMOND) + task("e", "kind: edit\nask: x\nprogram: p\nwant: [{ of: blocks, at-least: 6 }]"),
    );
    const of = (file: string, ori: string, seed: number): Parameters<typeof similar>[0][number] => {
      const text = handIn({ lab: { id: "small", version: 1 }, answers: { e: { ori } } });
      return { grade: { ...grader({}, edits).grade(file, text), seed }, work: workOf(edits, text) };
    };
    const own = DIAMOND.replace("IADD R2, R0, 1", "IADD R2, R0, 7");
    const found = similar([
      of("a", own, 1),
      of("b", own.replaceAll("BB", "X").replaceAll("R3", "R9"), 2),
      of("c", DIAMOND, 3),
      of("d", DIAMOND, 4),
    ]);
    expect(found).toMatchObject([{ task: "e", files: ["a", "b"], seeds: 2 }]);
  });
});
