/** Grades in the forms that grading services read: Gradescope, Classroom 50, the summary of an Action. */

import type { Grade } from "../grade.ts";
import type { Lab, Show } from "../lab.ts";

/** `results.json` of an autograder: one hand-in. */
export function gradescope(lab: Lab, grade: Grade, engine: string): unknown {
  const { front, tasks } = lab;
  const extra = { lab: front.id, version: front.version, engine, seed: grade.seed, file: grade.file };
  if (grade.status === "error")
    return { score: 0, output: `The hand-in could not be graded: ${grade.message}.`, output_format: "text", tests: [], extra_data: extra };
  const results = grade.tasks.map((task, i) => {
    const byHand = task.points === null;
    return {
      ...(byHand ? {} : { score: task.points, status: task.status === "right" ? "passed" : "failed" }),
      max_score: task.max,
      name: `${task.id} (${task.kind})`,
      name_format: "text",
      number: String(i + 1),
      output: task.status === "right" ? "right" : task.reason,
      // Text of students stays text.
      output_format: "text",
      visibility: visibility(tasks.find((t) => t.id === task.id)?.show ?? front.show),
      extra_data: { status: task.status },
    };
  });
  return {
    // A total next to tests without a score would override a grade given by hand.
    ...(grade.open > 0 ? {} : { score: grade.points }),
    output: grade.warnings.join("\n"),
    output_format: "text",
    test_output_format: "text",
    test_name_format: "text",
    stdout_visibility: "hidden",
    extra_data: extra,
    tests: results,
  };
}

function visibility(show: Show): string {
  return show === "never" ? "hidden" : show === "at-end" ? "after_published" : "visible";
}

/** Hundredths of a point: the format takes whole numbers. */
const SCALE = 100;

/** `result.json` of Classroom 50: one hand-in, with what the service provides in its environment. */
export function classroom50(grade: Grade, env: (name: string) => string | undefined, datetime: string): unknown {
  return {
    schema: "classroom50/result/v1",
    classroom: env("CLASSROOM") ?? "",
    assignment: env("ASSIGNMENT") ?? "",
    submission: env("SUBMISSION_TAG") ?? "",
    commit: env("COMMIT_URL") ?? "",
    release: env("RELEASE_URL") ?? "",
    review: env("REVIEW_URL") ?? "",
    datetime,
    score: Math.round(grade.points * SCALE),
    "max-score": Math.round(grade.max * SCALE),
    scale: `points are multiplied by ${SCALE}`,
    tests: grade.tasks.map((t) => ({
      "test-name": t.id,
      passed: t.status === "right",
      score: Math.round((t.points ?? 0) * SCALE),
      "max-score": Math.round(t.max * SCALE),
      status: t.status,
      message: t.reason,
    })),
    ...(grade.status === "error" ? { error: grade.message } : {}),
  };
}

/** Bytes of a step's summary; what is longer is dropped by the service. */
const MOST_SUMMARY = 1_000_000;

/** Markdown for `$GITHUB_STEP_SUMMARY`. */
export function summary({ front }: Lab, grades: readonly Grade[]): string {
  const head = `## ${md(front.title)}\n\n`;
  const single = grades.length === 1 ? grades[0] : undefined;
  if (single !== undefined && single.status === "graded") {
    const rows = single.tasks.map(
      (t) =>
        `| ${md(t.id)} | ${t.kind} | ${t.status} | ${t.points ?? "open"} of ${t.max} | ${md(t.status === "right" ? "" : t.reason)} |\n`,
    );
    return cut(
      `${head}**${single.points} of ${single.max} points**${single.open > 0 ? `, ${single.open} open` : ""}\n\n| task | kind | | points | |\n|---|---|---|---|---|\n`,
      rows,
    );
  }
  const rows = grades.map(
    (g) =>
      `| ${md(g.file)} | ${md(g.student?.name ?? g.student?.number ?? "")} | ${g.status === "error" ? md(g.message) : `${g.points} of ${g.max}${g.open > 0 ? `, ${g.open} open` : ""}`} |\n`,
  );
  return cut(`${head}| file | student | points |\n|---|---|---|\n`, rows);
}

function cut(head: string, rows: readonly string[]): string {
  let text = head;
  const encoder = (part: string): number => part.length * 3;
  for (const [i, row] of rows.entries()) {
    if (encoder(text) + encoder(row) > MOST_SUMMARY) return `${text}\n${rows.length - i} more rows are left out.\n`;
    text += row;
  }
  return text;
}

/** Text as text in a table of Markdown. */
export function md(text: string): string {
  return text
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[\\`*_{}[\]()#+!|<>~&]/g, (char) => (char === "<" ? "&lt;" : char === ">" ? "&gt;" : char === "&" ? "&amp;" : `\\${char}`));
}

/** One line for the annotations of an Action. */
export function notice(title: string, message: string): string {
  const escaped = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `::notice title=${escaped(title).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${escaped(message)}\n`;
}
