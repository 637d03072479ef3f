/** A recorded collection of hand-ins and their grades at the time of recording: `bench/hand-in-corpus.ts` makes it, `src/features/labs/cli/corpus.test.ts` grades all of it again. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PassRunner } from "../../../ownpass/engine/check/check.ts";
import { Grader } from "../grade.ts";
import { readLab } from "../read/read-lab.ts";

export const CORPUS_FOLDER = join(process.cwd(), "src/features/labs/engine/testing/fixtures");

/** A file that was handed in; code is named, and in `codes`. */
export interface CorpusHandIn {
  readonly name: string;
  /** A string: the file's own text, which is damaged. */
  readonly handIn: unknown;
  readonly grade: CorpusGrade;
}

/** What is compared: the sum, and of each task its status and points; of a file that is refused, the message. */
export interface CorpusGrade {
  readonly points: number;
  readonly tasks: Readonly<Record<string, string>> | null;
  readonly message: string;
}

export interface CorpusLab {
  /** The lab as it was when its hand-ins were recorded. */
  readonly lab: string;
  readonly handIns: readonly CorpusHandIn[];
}

export const corpusLabs = (): readonly string[] => readdirSync(CORPUS_FOLDER).filter((name) => name !== "codes.json");

export const readCorpus = (name: string): CorpusLab => JSON.parse(readFileSync(join(CORPUS_FOLDER, name), "utf8")) as CorpusLab;

export const corpusCodes = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(CORPUS_FOLDER, "codes.json"), "utf8")) as Record<string, string>;

/** The file as a student has it. */
export function corpusText({ handIn }: Pick<CorpusHandIn, "handIn">, codes: Readonly<Record<string, string>>): string {
  if (typeof handIn === "string") return handIn;
  return JSON.stringify(handIn, (_, value: unknown) =>
    typeof value === "object" && value !== null && "code" in value ? { pass: codes[String(value.code)] } : value,
  );
}

export function corpusGrader(lab: string): Grader {
  const read = readLab(lab);
  if (read.lab === null) throw new Error(read.diagnostics[0]?.message);
  return new Grader(read.lab, { voided: new Set(), accept: new Set(), engine: "9.9.9" });
}

export async function corpusGrade(grader: Grader, text: string, runner: PassRunner): Promise<CorpusGrade> {
  await grader.tryCode(text, { runner, seed: null });
  const { points, tasks, message, status } = grader.grade("it", text);
  // The rest of the message about damaged JSON is the JavaScript engine's.
  if (status === "error") return { points, tasks: null, message: message.replace(/^(this is not JSON): .*/s, "$1") };
  return { points, tasks: Object.fromEntries(tasks.map((t) => [t.id, `${t.status} ${t.points}`])), message };
}
