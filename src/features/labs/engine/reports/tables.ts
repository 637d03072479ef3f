/** Grades as CSV, and the tables that teachers bring: marks, a roster, a gradebook. */

import { type CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { roundPoints } from "../credit.ts";
import { type Grade, totalOf } from "../grade.ts";
import type { Lab } from "../lab.ts";

const HEAD = ["file", "name", "number", "lab", "version", "task", "kind", "status", "points", "max", "reason"];

/** A line a task; a file that was not graded has one line. Cells that a spreadsheet would run as formulas begin with an apostrophe. */
export function gradesCsv({ front }: Lab, grades: readonly Grade[]): string {
  const rows = grades.flatMap(({ file, student, status, message, max, tasks }) => {
    const who = [file, student?.name ?? "", student?.number ?? "", front.id, String(front.version)];
    if (status === "error") return [[...who, "", "", "error", "0", String(max), message]];
    return tasks.map((t) => [...who, t.id, t.kind, t.status, t.points === null ? "" : String(t.points), String(t.max), t.reason]);
  });
  return stringify([HEAD, ...rows], { escape_formulas: true, record_delimiter: "windows" });
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** A string says what is wrong with the table. */
export function readTable(text: string): Table | string {
  try {
    const all = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true, delimiter: delimiterOf(text) }) as string[][];
    const [columns = [], ...cells] = all;
    const names = columns.map((c) => c.trim());
    return { columns: names, rows: cells.map((row) => Object.fromEntries(names.map((name, i) => [name, (row[i] ?? "").trim()]))) };
  } catch (error) {
    return (error as CsvError).message;
  }
}

/** Spreadsheets of many countries put semicolons between cells. */
function delimiterOf(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((d) => ({ d, n: line.split(d).length }));
  return counts.reduce((best, one) => (one.n > best.n ? one : best)).d;
}

/** A column by its name, without regard to case. */
export function columnOf(table: Table, ...names: readonly string[]): string | null {
  return table.columns.find((c) => names.includes(c.toLowerCase())) ?? null;
}

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** Inserts marks given by hand (file, task, points, comment) into the grades; rows that name nothing are reported. */
export function withMarks(
  grades: readonly Grade[],
  table: Table,
): { readonly grades: readonly Grade[]; readonly problems: readonly string[] } {
  const [file, task, points, comment] = [
    columnOf(table, "file"),
    columnOf(table, "task"),
    columnOf(table, "points"),
    columnOf(table, "comment"),
  ];
  if (file === null || task === null || points === null) return { grades, problems: ["marks need the columns file, task and points"] };
  const problems: string[] = [];
  const marks = new Map<string, { readonly points: number; readonly comment: string }>();
  for (const row of table.rows) {
    const value = Number((row[points] ?? "").replace(",", "."));
    const key = `${baseName(row[file] ?? "")}\n${row[task] ?? ""}`;
    const graded = grades.find((g) => baseName(g.file) === baseName(row[file] ?? ""));
    const found = graded?.tasks.find((t) => t.id === row[task]);
    if (graded === undefined) problems.push(`there is no hand-in '${row[file] ?? ""}'`);
    else if (graded.status === "error") problems.push(`'${row[file] ?? ""}' could not be graded, so it takes no marks`);
    else if (found === undefined) problems.push(`there is no task '${row[task] ?? ""}' in '${row[file] ?? ""}'`);
    else if ((row[points] ?? "") === "" || !Number.isFinite(value) || value < 0 || value > found.max)
      problems.push(`'${row[points] ?? ""}' is no number of points from 0 to ${found.max} (${row[file] ?? ""}, ${row[task] ?? ""})`);
    else marks.set(key, { points: roundPoints(value), comment: comment === null ? "" : (row[comment] ?? "") });
  }
  const marked = grades.map((grade): Grade => {
    const tasks = grade.tasks.map((t) => {
      const mark = marks.get(`${baseName(grade.file)}\n${t.id}`);
      if (mark === undefined) return t;
      const status = mark.points >= t.max ? "right" : mark.points > 0 ? "partly" : "wrong";
      return { ...t, status, points: mark.points, reason: mark.comment === "" ? "graded by hand" : mark.comment } as const;
    });
    return grade.status === "error" ? grade : { ...grade, tasks, ...totalOf(tasks) };
  });
  return { grades: marked, problems };
}

export type Keep = "last" | "best";

/** One hand-in of each student: the one with the most points, or the one whose file comes last. Those without a number, and damaged ones, all stay. */
export function oneEach(grades: readonly Grade[], keep: Keep): { readonly grades: readonly Grade[]; readonly dropped: readonly string[] } {
  const chosen = new Map<string, Grade>();
  const keyOf = ({ status, student }: Grade): string | null =>
    status === "error" || student?.number == null ? null : student.number.trim().toLowerCase();
  for (const grade of grades) {
    const key = keyOf(grade);
    if (key === null) continue;
    const known = chosen.get(key);
    if (known === undefined || keep === "last" || grade.points > known.points) chosen.set(key, grade);
  }
  const stays = (grade: Grade): boolean => {
    const key = keyOf(grade);
    return key === null || chosen.get(key) === grade;
  };
  return {
    grades: grades.filter(stays),
    dropped: grades
      .filter((g) => !stays(g))
      .map((g) => `${g.file}: ${g.points} points; ${chosen.get(keyOf(g) ?? "")?.file ?? ""} counts instead`),
  };
}

/** Who is not on the roster, who handed in nothing, who handed in twice, and seeds that several share without cause. */
export function againstRoster({ front }: Lab, grades: readonly Grade[], table: Table): readonly string[] {
  const column = columnOf(table, "number", "student number", "id", "matriculation", "username");
  if (column === null) return ["the roster needs a column number"];
  const normal = (text: string): string => text.trim().toLowerCase();
  const known = new Set(table.rows.map((row) => normal(row[column] ?? "")).filter((n) => n !== ""));
  const byNumber = new Map<string, string[]>();
  const bySeed = new Map<number, Set<string>>();
  const said: string[] = [];
  for (const { file, status, student, seed } of grades) {
    if (status === "error") continue;
    const number = student?.number ?? null;
    if (number === null) {
      said.push(`${file}: no student's number`);
      continue;
    }
    if (!known.has(normal(number))) said.push(`${file}: the number ${number} is not on the roster`);
    byNumber.set(normal(number), [...(byNumber.get(normal(number)) ?? []), file]);
    if (seed !== null) bySeed.set(seed, (bySeed.get(seed) ?? new Set()).add(normal(number)));
  }
  for (const [number, files] of byNumber) if (files.length > 1) said.push(`${number} handed in ${files.length} files: ${files.join(", ")}`);
  // With a list of variants, and in a lab that is the same for all, equal seeds are expected.
  if (front.seed === "per-student" && front.variants === null)
    for (const [seed, numbers] of bySeed) if (numbers.size > 1) said.push(`the seed ${seed} is used by ${[...numbers].join(", ")}`);
  const missing = [...known].filter((n) => !byNumber.has(n));
  if (missing.length > 0)
    said.push(
      `${missing.length} of ${known.size} on the roster handed in nothing: ${missing.slice(0, 20).join(", ")}${missing.length > 20 ? ", …" : ""}`,
    );
  return said;
}

/** A table that a course system exported, with one column filled by the students' numbers. */
export function filledGradebook(
  text: string,
  key: string,
  name: string,
  grades: readonly Grade[],
): { readonly csv: string; readonly filled: number; readonly problems: readonly string[] } | string {
  const table = readTable(text);
  if (typeof table === "string") return table;
  if (!table.columns.includes(key)) return `there is no column '${key}'; there are ${table.columns.join(", ")}`;
  const points = new Map<string, Grade>();
  const problems: string[] = [];
  for (const grade of grades) {
    if (grade.status !== "graded" || grade.student?.number == null) continue;
    const number = grade.student.number.trim().toLowerCase();
    const before = points.get(number);
    if (before !== undefined)
      problems.push(`${number} handed in ${before.file}, too; ${grade.file} is put in (--keep best takes the best, --keep last the last)`);
    points.set(number, grade);
  }
  const used = new Set<string>();
  const columns = table.columns.includes(name) ? table.columns : [...table.columns, name];
  const rows = table.rows.map((row) => {
    const number = (row[key] ?? "").toLowerCase();
    const grade = points.get(number);
    if (grade !== undefined) used.add(number);
    return columns.map((c) => (c === name && grade !== undefined ? String(grade.points) : (row[c] ?? "")));
  });
  for (const [number, { file }] of points) if (!used.has(number)) problems.push(`${file}: ${number} is not in the column '${key}'`);
  // Values from the course system are returned unchanged: no apostrophes here.
  return {
    csv: stringify([[...columns], ...rows], { delimiter: delimiterOf(text), record_delimiter: "windows" }),
    filled: used.size,
    problems,
  };
}
