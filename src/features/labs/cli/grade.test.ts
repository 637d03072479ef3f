import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "../../../cli/command-line.ts";
import type { Io } from "../../../cli/io.ts";
import { nodeIo } from "../../../cli/node-io.ts";
import { BOX_LIMITS } from "../../ownpass/box/limits.ts";
import { readLab } from "../engine/read/read-lab.ts";
import { DEFAULT_SECONDS } from "./grade.ts";
import type { GradeJson, LabCheckJson } from "./shapes.ts";

const root = join(import.meta.dirname, "../../../..");
const LAB = join(root, "labs/01-blocks-and-orders.md");
const SOLVED = join(root, "labs/solutions/01-blocks-and-orders.json");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oriscope grade "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command as it is run, threads included. */
function run(...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "bin/oriscope.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

/** The command in this process, without threads. */
async function oriscope(...args: string[]): Promise<Ran> {
  let [out, err] = ["", ""];
  const io: Io = {
    ...nodeIo,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    files: { ...nodeIo.files!, entry: null },
  };
  const home = process.cwd();
  process.chdir(folder);
  try {
    return { code: await runCommandLine(args, io), out, err };
  } finally {
    process.chdir(home);
  }
}

describe("oriscope lab and grade", () => {
  it("check a lab and say what its solutions are worth", async () => {
    const { code, out, err } = await oriscope("lab", "check", LAB, "--solutions", SOLVED, "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const value = JSON.parse(out) as LabCheckJson;
    expect(value).toMatchObject({ ok: true, max: 18, diagnostics: [] });
    expect(value.tasks.every((t) => t.solved)).toBe(true);
  });

  it("veil a lab whose solutions stay what they were, and look for repeated tasks in the folder", async () => {
    const lab = join(root, "labs/05-values-over-blocks.md");
    const veiled = await oriscope("lab", "veil", lab);
    expect(veiled.code).toBe(0);
    expect(veiled.err).toContain("veiled: second: options, input: drop, first-wrong: drop, tests: against");
    expect(veiled.out).not.toMatch(/value-overwritten"|right: true/);
    const beside = join(folder, "beside");
    mkdirSync(beside);
    writeFileSync(join(beside, "lab.md"), veiled.out);
    writeFileSync(join(beside, "old.md"), readFileSync(join(root, "labs/03-liveness-and-dead-code.md")));
    const solutions = join(root, "labs/solutions/05-values-over-blocks.json");
    const { code, out } = await oriscope("lab", "check", "beside/lab.md", "--solutions", solutions, "--json");
    expect(code).toBe(0);
    const { diagnostics, tasks } = JSON.parse(out) as LabCheckJson;
    // The text is another one, and so is its digest.
    expect(diagnostics.map((d) => d.code)).toEqual(["LAB071"]);
    expect(tasks.filter((t) => t.solved === false)).toEqual([]);
    writeFileSync(join(beside, "lab.md"), veiled.out.replace("again: live-1/live-in", "again: live-1/live-im"));
    const wrong = await oriscope("lab", "check", "beside/lab.md", "--json");
    expect((JSON.parse(wrong.out) as LabCheckJson).diagnostics).toMatchObject([{ code: "LAB077", suggestion: "live-in" }]);
  });

  it("grade over no file that they read", async () => {
    const lab = join(folder, "own.md");
    writeFileSync(lab, readFileSync(LAB));
    writeFileSync(join(folder, "own.json"), readFileSync(SOLVED));
    for (const name of ["own.md", "own.json"]) {
      const { code, err } = await oriscope("grade", "own.md", "own.json", "--csv", `./${name}`);
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(`--csv names ./${name}, which this command reads`) });
    }
    expect(readFileSync(lab, "utf8")).toBe(readFileSync(LAB, "utf8"));
  });

  it("grade a folder on threads: damaged and hostile files cost only their own grade, and every report is written", () => {
    const given = join(folder, "given");
    mkdirSync(given);
    const solved = readFileSync(SOLVED, "utf8");
    writeFileSync(join(given, "a.json"), solved);
    writeFileSync(join(given, "b.json"), "{");
    writeFileSync(join(given, "c.json"), solved.replace('"number": ', '"number": 1e999, "x": '));
    writeFileSync(join(given, "d.json"), `${"[".repeat(100_000)}`);
    writeFileSync(join(given, "e.json"), solved.replace("@@", "@"));
    writeFileSync(join(given, "notes.txt"), "not a hand-in");
    const reports = ["csv", "junit", "items", "summary"].flatMap((name) => [`--${name}`, join(folder, name)]);
    const { code, out, err } = run("grade", LAB, given, "missing.json", "--jobs", "2", "--json", ...reports);
    expect(code).toBe(1);
    const { results } = JSON.parse(out) as GradeJson;
    expect(results.map((r) => `${r.file.split("/").at(-1)} ${r.status} ${r.points}`)).toEqual([
      "a.json graded 18",
      "b.json error 0",
      "c.json graded 17",
      "d.json error 0",
      "e.json graded 18",
      "missing.json error 0",
    ]);
    expect(err).toContain("d.json: error: lists and objects nest deeper");
    for (const name of ["csv", "junit", "items", "summary"]) expect(readFileSync(join(folder, name), "utf8").length).toBeGreaterThan(100);
  });

  it("put marks, rosters and gradebooks together, and ask about each student's work", async () => {
    const class1 = join(folder, "class");
    mkdirSync(class1);
    const solved = JSON.parse(readFileSync(SOLVED, "utf8")) as { answers: Record<string, unknown> };
    const put = (name: string, number: string, answers: Readonly<Record<string, unknown>> = {}): void => {
      const student = { name: `=${name}<b>`, number };
      writeFileSync(join(class1, `${name}.json`), JSON.stringify({ ...solved, student, answers: { ...solved.answers, ...answers } }));
    };
    put("ada", "41", { instructions: { number: 3 } });
    put("bob", "42");
    writeFileSync(join(folder, "marks.csv"), "file,task,points,comment\nbob.json,why-several,0.5,half\nbob.json,nope,1,\n");
    writeFileSync(join(folder, "roster.csv"), "number\n42\n43\n");
    writeFileSync(join(folder, "book.csv"), "ID;Lab 1\n41;\n42;\n43;\n");
    const tables = ["--marks", "marks.csv", "--roster", "roster.csv", "--gradebook", "book.csv", "--key", "ID", "--column", "Lab 1"];
    const { code, out, err } = await oriscope("grade", LAB, "class", ...tables, "--out", "filled.csv", "--void", "leaders");
    expect(code).toBe(0);
    expect(out).toMatch(/17 of 18/);
    expect(out).toMatch(/17.5 of 18/);
    expect(err).toContain("there is no task 'nope' in 'bob.json'");
    expect(err).toContain("roster: class/ada.json: the number 41 is not on the roster");
    expect(err).toContain("1 of 2 on the roster handed in nothing: 43");
    expect(readFileSync(join(folder, "filled.csv"), "utf8")).toBe("ID;Lab 1\r\n41;17\r\n42;17.5\r\n43;\r\n");
    const viva = await oriscope("grade", LAB, "class", "--viva", "2");
    expect(viva.out).toMatch(/## =ada&lt;b&gt;[\s\S]*2\. \*\*/);
    expect((await oriscope("grade", LAB, "class", "--similar")).out).toMatch(
      /^unreachable: 2 hand-ins, 1 seed, .*ada.json, class\/bob.json\n$/,
    );
    const one = await oriscope("grade", LAB, "class/ada.json", "--gradescope", "results.json", "--classroom50", "result.json");
    expect(one.code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "results.json"), "utf8"))).toMatchObject({ score: 17, tests: expect.any(Array) });
    expect(JSON.parse(readFileSync(join(folder, "result.json"), "utf8"))).toMatchObject({ score: 1700, "max-score": 1800 });
    expect((await oriscope("grade", LAB, "class", "--gradescope", "results.json")).err).toContain("--gradescope takes one hand-in, not 2");
  }, 300_000);

  it("read regular files only: links, pipes, devices and folders among hand-ins cost only their own grade", async () => {
    const odd = join(folder, "odd");
    mkdirSync(join(odd, "e.json"), { recursive: true });
    writeFileSync(join(odd, "a.json"), readFileSync(SOLVED));
    symlinkSync("b.json", join(odd, "b.json"));
    symlinkSync("/dev/zero", join(odd, "c.json"));
    symlinkSync("/etc/passwd", join(odd, "d.json"));
    symlinkSync(SOLVED, join(odd, "f.json"));
    execFileSync("mkfifo", [join(odd, "g.json")]);
    writeFileSync(join(odd, "z.json"), readFileSync(SOLVED));
    const { code, out } = await oriscope("grade", LAB, odd, "--json");
    expect(code).toBe(1);
    const { results } = JSON.parse(out) as GradeJson;
    expect(results.map((r) => `${r.file.split("/").at(-1)} ${r.points} ${r.message}`)).toEqual([
      "a.json 18 ",
      "b.json 0 it is a link, not a file",
      "c.json 0 it is a link, not a file",
      "d.json 0 it is a link, not a file",
      "e.json 0 it is a folder, not a file",
      "f.json 0 it is a link, not a file",
      "g.json 0 it is a pipe, not a file",
      "z.json 18 ",
    ]);
  });

  it("run passes that students wrote: a wrong one costs only its own task", async () => {
    const program = ".kernel d(n: R0, out: RD1)\nBB0:\n    IADD R2, R0, 1\n    STG [RD1], R0\n    EXIT";
    const must = "must: [{ program: p, measure: instructions, at-most: 2 }]";
    const fields = `kind: write\nask: Remove what is dead.\ncount: 3\n${must}`;
    const body = `\`\`\`ori {name=p}\n${program}\n\`\`\`\n\n\`\`\`task {id=w points=2}\n${fields}\n\`\`\`\n`;
    writeFileSync(
      join(folder, "write.md"),
      `---\ntitle: Own\nid: own\nversion: 1\n---\n\n${body}\n\`\`\`task {id=n}\nkind: number\nask: x\nvalue: 3\n\`\`\`\n`,
    );
    const handed = join(folder, "own");
    mkdirSync(handed);
    const put = (name: string, pass: string): void => {
      const answers = { w: { pass }, n: { number: 3 } };
      writeFileSync(join(handed, `${name}.json`), JSON.stringify({ format: "oriscope-hand-in", lab: { id: "own", version: 1 }, answers }));
    };
    put("a", readFileSync(join(root, "passes/dead-code.ts"), "utf8"));
    put("b", 'import { readFileSync } from "node:fs";\nexport default readFileSync("/etc/passwd");');
    const { code, out } = await oriscope("grade", "write.md", "own", "--seed", "7", "--json");
    expect(code).toBe(0);
    const { results } = JSON.parse(out) as GradeJson;
    expect(results.map((r) => `${r.points} ${r.tasks[0]?.status}`)).toEqual(["3 right", "1 wrong"]);
    expect(results[1]?.tasks[0]?.reason).toContain('may import only "oriscope/pass"');
    const checked = await oriscope("lab", "check", "write.md", "--solutions", "own/a.json", "--json");
    expect((JSON.parse(checked.out) as LabCheckJson).tasks.map((t) => t.solved)).toEqual([true, true]);
  }, 120_000);

  it("count what code may do: its steps end before the guard of time, on a machine ten times as slow as ours, too", () => {
    const stepsPerSecond = 25_000_000;
    const longest = readdirSync(join(root, "labs")).flatMap((name) => {
      if (!name.endsWith(".md")) return [];
      const { lab } = readLab(readFileSync(join(root, "labs", name), "utf8"));
      return [(lab!.tasks.filter(({ kind }) => kind === "write").length * BOX_LIMITS.together) / stepsPerSecond];
    });
    expect(Math.max(...longest)).toBeGreaterThan(0);
    expect(Math.max(...longest)).toBeLessThan(DEFAULT_SECONDS);
  });

  it("end a thread that takes too long, and go on with the next", () => {
    const slow = join(folder, "slow.mjs");
    writeFileSync(
      slow,
      `import { parentPort } from "node:worker_threads";
       parentPort.on("message", (job) => { if (job.file === "slow") for (;;); parentPort.postMessage({ index: job.index, grade: { file: job.file }, work: [] }); });`,
    );
    const program = `
      import { gradeAll } from ${JSON.stringify(join(root, "src/features/labs/cli/pool.ts"))};
      const jobs = ["zero", "one", "slow", "two", "three"].map((file) => ({ file, read: () => "" }));
      const failed = (file, message) => ({ file, message });
      const replies = await gradeAll({}, jobs, { entry: ${JSON.stringify(slow)}, jobs: 1, ms: 500, megabytes: 64 }, failed);
      console.log(JSON.stringify(replies.map((r) => r.grade)));`;
    const entry = join(folder, "pool.mts");
    writeFileSync(entry, program);
    const out = execFileSync(process.execPath, ["--import", "tsx", entry], { encoding: "utf8" });
    expect(JSON.parse(out)).toEqual([
      { file: "zero" },
      { file: "one" },
      { file: "slow", message: "it took longer than 1 s" },
      { file: "two" },
      { file: "three" },
    ]);
  });
});
