/** `grade`: recomputes hand-ins of a lab and prints what they are worth. */

import { availableParallelism } from "node:os";
import { messageOf } from "../../../base/errors.ts";
import type { Args } from "../../../cli/args.ts";
import type { Command } from "../../../cli/command.ts";
import { type ExitCode, InputError, type Io, UsageError } from "../../../cli/io.ts";
import { printDiagnostics, printJson } from "../../../cli/program.ts";
import { formatTable } from "../../../cli/table.ts";
import { ENGINE_VERSION } from "../../../engine/api/version.ts";
import { revealed } from "../../../links/hidden.ts";
import type { Grade } from "../engine/grade.ts";
import type { Lab } from "../engine/lab.ts";
import type { Work } from "../engine/reports/work.ts";
import type { GradeJob, GraderSetup } from "./pool.ts";
import type { GradeJson } from "./shapes.ts";

/** Options that name a file to write. */
const REPORTS = ["csv", "junit", "gradescope", "classroom50", "summary", "items", "out"] as const;
const KEEPS = ["last", "best"] as const;
const ENGINES = ["any", "as-handed-in"] as const;
/** A guard: what a hand-in's code may do is counted in steps, and ends long before. */
export const DEFAULT_SECONDS = 1800;
const DEFAULT_MEGABYTES = 512;
const MOST_JOBS = 8;
/** Characters of a hand-in's file. */
const MOST_FILE = 4 * 1024 * 1024;

export const gradeCommand: Command = {
  name: "grade",
  summary: "Recomputes hand-ins of a lab and prints points and reasons; exit 1 when a hand-in could not be graded.",
  notes: [
    "A folder stands for its *.json files. Scores in a hand-in are not trusted. No file can prove who made it.",
    "Each hand-in has a time and memory limit: one that exceeds it, or is damaged, loses only its own grade.",
  ],
  positionals: ["LAB", "HANDIN …"],
  options: [
    { name: "csv", value: "FILE", doc: "Write CSV, one line per task." },
    { name: "junit", value: "FILE", doc: "Write JUnit XML: one suite per hand-in, one case per task." },
    { name: "gradescope", value: "FILE", doc: "Write Gradescope's results.json for one hand-in." },
    { name: "classroom50", value: "FILE", doc: "Write Classroom 50's result.json for one hand-in." },
    { name: "summary", value: "FILE", doc: "Write Markdown, for example to $GITHUB_STEP_SUMMARY, and print a notice with the total." },
    { name: "marks", value: "FILE", doc: "Add points given by hand: CSV with file, task, points and comment." },
    { name: "roster", value: "FILE", doc: "Report numbers that are not in this CSV, missing hand-ins and shared seeds." },
    { name: "void", value: "TASK", many: true, doc: "Give everyone the points of this task." },
    { name: "accept", value: "VERSION", many: true, doc: "Also grade hand-ins for this version of the lab." },
    {
      name: "keep",
      value: "WHICH",
      oneOf: KEEPS,
      doc: "Of several hand-ins with the same student number, count only the best, or the last by file name.",
    },
    {
      name: "engine",
      value: "WHICH",
      oneOf: ENGINES,
      doc: "as-handed-in: grade only hand-ins made with this version of the engine; a message names the version for the others.",
    },
    { name: "gradebook", value: "FILE", doc: "Fill a column of this CSV from a course system; needs --key, --column and --out." },
    { name: "key", value: "COLUMN", doc: "Column of the gradebook with the students' numbers." },
    { name: "column", value: "NAME", doc: "Column of the gradebook to fill." },
    { name: "out", value: "FILE", doc: "Where to write the filled gradebook." },
    {
      name: "items",
      value: "FILE",
      doc: "Write the results and most common wrong answers of the class, task by task, without names (Markdown).",
    },
    { name: "viva", value: "N", doc: "Print N questions about each student's own answers instead of the table." },
    { name: "suspend", doc: "The files contain states saved by a course system (o1.…), one per student: exports, CSV or text." },
    { name: "similar", doc: "Print hand-ins with the same programs instead of the table." },
    {
      name: "seed",
      value: "S",
      doc: "Test students' own passes on random programs from this seed on, instead of those the page uses.",
    },
    { name: "jobs", value: "N", doc: `Threads; default: one per processor, at most ${MOST_JOBS}.` },
    { name: "timeout", value: "SECONDS", doc: `Time limit for one hand-in; default ${DEFAULT_SECONDS}.` },
    { name: "memory", value: "MB", doc: `Memory limit for one thread; default ${DEFAULT_MEGABYTES}.` },
  ],
  async run(args, io): Promise<ExitCode> {
    const [labFile = "-", ...given] = args.positionals;
    if (args.has("gradebook") && !(args.has("key") && args.has("column") && args.has("out")))
      throw new UsageError("--gradebook needs --key, --column and --out");
    const source = io.readText(labFile);
    const { readLab } = await import("../engine/read/read-lab.ts");
    const { lab, diagnostics } = readLab(source);
    if (lab === null || diagnostics.some((d) => d.severity === "error")) {
      printDiagnostics(io, labFile, diagnostics);
      throw new InputError("the lab has errors");
    }
    const unknown = args.values("void").find((id) => !lab.tasks.some((t) => t.id === id));
    if (unknown !== undefined) throw new UsageError(`the lab has no task '${unknown}'`);
    const files = args.has("suspend")
      ? await statesIn(given, io)
      : given.flatMap((path) => filesOf(path, io)).map((file) => fileOf(file, io));
    refuseOverInput(args, [labFile, ...given, ...files.map(({ file }) => file)], io);
    for (const name of ["gradescope", "classroom50"])
      if (args.has(name) && files.length !== 1) throw new UsageError(`--${name} takes one hand-in, not ${files.length}`);
    const setup: GraderSetup = {
      kind: "oriscope-grader",
      lab: source,
      voided: args.values("void"),
      accept: args.values("accept").map(Number),
      engine: ENGINE_VERSION,
      similar: args.has("similar"),
      sameEngine: args.value("engine") === "as-handed-in",
      seed: args.has("seed") ? args.count("seed", 1, 1) : null,
    };
    const graded = await gradeFiles(lab, setup, files, args, io);
    const grades = await kept(
      await marked(
        graded.map((g) => g.grade),
        args,
        io,
      ),
      args,
      io,
    );
    for (const { file, seen } of files) {
      const grade = grades.find((g) => g.file === file && g.status === "graded");
      if (seen !== null && grade !== undefined && grade.points !== seen)
        io.err(`${file}: the page counted ${seen} points, the grade is ${grade.points}\n`);
    }
    await report(lab, grades, graded, args, io);
    return grades.every((g) => g.status === "graded") ? 0 : 1;
  },
};

/** Before anything is graded: no report is written over the lab, a hand-in or a table that is read. */
function refuseOverInput(args: Args, inputs: readonly string[], io: Io): void {
  const read = [...inputs, ...["marks", "roster"].flatMap((name) => args.value(name) ?? [])];
  for (const name of REPORTS) {
    const path = args.value(name);
    if (path !== null && read.some((input) => io.files?.same(path, input) === true))
      throw new UsageError(`--${name} names ${path}, which this command reads: give another file`);
  }
}

/** A folder's hand-ins, or the file itself. */
function filesOf(path: string, io: Io): readonly string[] {
  if (path === "-") return [path];
  try {
    return io.files?.list(path)?.filter((name) => name.endsWith(".json")) ?? [path];
  } catch (error) {
    // A file that cannot be read is reported when its turn comes.
    if (error instanceof InputError) return [path];
    throw error;
  }
}

interface Graded {
  readonly grade: Grade;
  readonly work: readonly Work[];
}

/** A hand-in that can be read when its turn comes. */
interface Given {
  readonly file: string;
  readonly read: () => string | { readonly problem: string };
  /** Points that the page had counted; null: not known. */
  readonly seen: number | null;
}

function fileOf(file: string, io: Io): Given {
  const read = (): string | { readonly problem: string } => {
    // The file is measured before it is read. A character has at most four bytes.
    const size = io.files?.sizeOf(file) ?? 0;
    if (typeof size === "string") return { problem: size };
    if (size > 4 * MOST_FILE) return { problem: `the file is larger than ${(4 * MOST_FILE) / 1024 / 1024} MB` };
    try {
      return io.readText(file);
    } catch (error) {
      return { problem: messageOf(error) };
    }
  };
  return { file, read, seen: null };
}

/** Every state in the files, in their order. */
async function statesIn(paths: readonly string[], io: Io): Promise<readonly Given[]> {
  const { decodeState } = await import("../link/lab-state.ts");
  return paths.flatMap((path) => {
    const size = path === "-" ? 0 : (io.files?.sizeOf(path) ?? 0);
    if (typeof size === "string") throw new InputError(`${path}: ${size}`);
    const found = io.readText(path).match(/\bo\d{1,3}\.[A-Za-z0-9_-]{8,}/g) ?? [];
    if (found.length === 0) io.err(`${path}: warning: it contains no state of a lab\n`);
    return found.map((state, index): Given => {
      const decoded = decodeState(state);
      const read = () => (decoded.ok ? decoded.text : { problem: `the state cannot be read: ${decoded.message}` });
      return { file: `${path}#${index + 1}`, read, seen: decoded.ok ? pointsIn(decoded.text) : null };
    });
  });
}

function pointsIn(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text);
    const points = typeof value === "object" && value !== null && "points" in value ? value.points : null;
    return typeof points === "number" ? points : null;
  } catch {
    // Grading reports what is wrong with it.
    return null;
  }
}

async function gradeFiles(lab: Lab, setup: GraderSetup, files: readonly Given[], args: Args, io: Io): Promise<readonly Graded[]> {
  const [{ gradeAll }, { graderFor }, { failedGrade }] = await Promise.all([
    import("./pool.ts"),
    import("./serve.ts"),
    import("../engine/grade.ts"),
  ]);
  const failed = (file: string, message: string): Grade => failedGrade(lab, file, message);
  const entry = io.files?.entry ?? null;
  const jobs = args.count("jobs", 1, Math.min(MOST_JOBS, availableParallelism()));
  if (entry === null) {
    const local = graderFor(setup);
    const done: Graded[] = [];
    for (const [index, { file, read }] of files.entries()) {
      const text = read();
      const reply = typeof text === "string" ? await local({ index, file, text } satisfies GradeJob) : null;
      const grade = reply?.grade ?? failed(file, typeof text === "string" ? "it was not graded" : text.problem);
      done.push({ grade, work: reply?.work ?? [] });
    }
    return done;
  }
  const ms = args.count("timeout", 1, DEFAULT_SECONDS) * 1000;
  const megabytes = args.count("memory", 64, DEFAULT_MEGABYTES);
  const replies = await gradeAll(setup, files, { entry, jobs, ms, megabytes }, failed);
  return replies.map(({ grade, work, index }) => ({ grade: grade ?? failed(files[index]?.file ?? "", "it was not graded"), work }));
}

async function marked(grades: readonly Grade[], args: Args, io: Io): Promise<readonly Grade[]> {
  const file = args.value("marks");
  if (file === null) return grades;
  const { readTable, withMarks } = await import("../engine/reports/tables.ts");
  const table = readTable(io.readText(file));
  if (typeof table === "string") throw new InputError(`${file}: ${table}`);
  const done = withMarks(grades, table);
  for (const problem of done.problems) io.err(`${file}: ${problem}\n`);
  return done.grades;
}

async function kept(grades: readonly Grade[], args: Args, io: Io): Promise<readonly Grade[]> {
  const keep = KEEPS.find((word) => word === args.value("keep"));
  if (keep === undefined) return grades;
  const { oneEach } = await import("../engine/reports/tables.ts");
  const chosen = oneEach(grades, keep);
  for (const said of chosen.dropped) io.err(`${said}\n`);
  return chosen.grades;
}

async function report(lab: Lab, grades: readonly Grade[], graded: readonly Graded[], args: Args, io: Io): Promise<void> {
  for (const { file, warnings, message, status } of grades) {
    if (status === "error") io.err(`${file}: error: ${message}\n`);
    for (const warning of warnings) io.err(`${file}: warning: ${warning}\n`);
  }
  await writeFiles(lab, grades, args, io);
  const { front, digest } = lab;
  if (args.has("json")) {
    printJson(io, { lab: { id: front.id, version: front.version, digest }, results: grades } satisfies GradeJson);
  } else if (args.has("similar")) {
    const { similar, similarText } = await import("../engine/reports/similar.ts");
    io.out(similarText(similar(graded)));
  } else if (args.has("viva")) {
    const { vivaText } = await import("../engine/reports/class.ts");
    io.out(vivaText(lab, grades, args.count("viva", 1, 3)));
  } else io.out(grades.length === 1 ? oneText(grades[0]) : tableText(grades));
}

async function writeFiles(lab: Lab, grades: readonly Grade[], args: Args, io: Io): Promise<void> {
  const tables = await import("../engine/reports/tables.ts");
  const services = await import("../engine/reports/services.ts");
  const put = (option: string, text: () => string): void => {
    const path = args.value(option);
    if (path === null) return;
    if (io.files === undefined) throw new UsageError(`--${option} needs files`);
    io.files.write(path, text());
  };
  const table = (option: string, text: () => string): void => put(option, () => revealed(text()));
  const [only] = grades;
  table("csv", () => tables.gradesCsv(lab, grades));
  if (args.has("junit")) {
    const { gradesJunit } = await import("../engine/reports/junit.ts");
    table("junit", () => gradesJunit(lab, grades));
  }
  if (only !== undefined) {
    put("gradescope", () => `${JSON.stringify(services.gradescope(lab, only, ENGINE_VERSION), null, 2)}\n`);
    put(
      "classroom50",
      () =>
        `${JSON.stringify(
          services.classroom50(only, (name) => io.files?.env(name), new Date().toISOString()),
          null,
          2,
        )}\n`,
    );
  }
  table("summary", () => services.summary(lab, grades));
  if (args.has("summary") && !args.has("json")) {
    const [points, max] = [grades.reduce((sum, g) => sum + g.points, 0), grades.reduce((sum, g) => sum + g.max, 0)];
    io.out(services.notice("Autograding complete", `Points ${Math.round(points * 100) / 100}/${max}`));
  }
  if (args.has("items")) {
    const { items, itemsText } = await import("../engine/reports/class.ts");
    table("items", () => itemsText(lab, items(lab, grades)));
  }
  const roster = args.value("roster");
  if (roster !== null) {
    const table = tables.readTable(io.readText(roster));
    if (typeof table === "string") throw new InputError(`${roster}: ${table}`);
    for (const said of tables.againstRoster(lab, grades, table)) io.err(`roster: ${said}\n`);
  }
  const gradebook = args.value("gradebook");
  if (gradebook !== null) {
    const filled = tables.filledGradebook(io.readText(gradebook), args.value("key") ?? "", args.value("column") ?? "", grades);
    if (typeof filled === "string") throw new InputError(`${gradebook}: ${filled}`);
    for (const problem of filled.problems) io.err(`${gradebook}: ${problem}\n`);
    put("out", () => filled.csv);
  }
}

/** One row of a table each: a student's text has lines. */
const shown = (text: string): string => text.replace(/\s/g, " ");

function oneText(grade: Grade | undefined): string {
  if (grade === undefined || grade.status === "error") return "";
  const rows = grade.tasks.map((t) => [
    t.id,
    t.kind,
    t.status,
    `${t.points ?? "open"} of ${t.max}`,
    shown(t.status === "right" ? "" : t.reason),
  ]);
  const who = grade.student?.name ?? grade.student?.number ?? grade.file;
  return `${formatTable(["task", "kind", "", "points", ""], rows)}${shown(who)}: ${grade.points} of ${grade.max} points${grade.open > 0 ? `, ${grade.open} open` : ""}\n`;
}

function tableText(grades: readonly Grade[]): string {
  const rows = grades.map((g) => [
    shown(g.file),
    shown(g.student?.name ?? ""),
    shown(g.student?.number ?? ""),
    g.status === "error" ? "error" : `${g.points} of ${g.max}`,
    g.open > 0 ? String(g.open) : "",
    shown(g.status === "error" ? g.message : g.tasks.map((t) => `${t.id} ${t.points ?? "?"}`).join("  ")),
  ]);
  return formatTable(["file", "name", "number", "points", "open", "tasks"], rows);
}
