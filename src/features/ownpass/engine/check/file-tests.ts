/** The tests in a pass's file: `test("name", program, { after })`. Those of an analysis require that it agrees with the built-in one on the program. */

import { compareAnalysis } from "../analysis-results.ts";
import { judgePass, sameUpToNames } from "../judge.ts";
import { passPrograms } from "../programs.ts";
import type { CheckSubject } from "./check.ts";
import type { Described } from "./requests.ts";

export interface FileTestResult {
  readonly name: string;
  readonly line: number;
  /** null: it holds. */
  readonly problem: string | null;
  /** The program after the pass; null: there is none. */
  readonly text: string | null;
}

const INPUTS = 16;

type Test = Described["tests"][number];

/** `analysis`: what the file's analysis is compared with (`described.of`); left out: the file is a pass. */
export async function runFileTests(
  subject: CheckSubject,
  tests: readonly Test[],
  analysis?: { readonly of: string | null },
): Promise<readonly FileTestResult[]> {
  const results: FileTestResult[] = [];
  for (const test of tests) results.push(await (analysis === undefined ? runOne(subject, test) : compareOne(subject, test, analysis.of)));
  return results;
}

async function compareOne({ runner, code }: CheckSubject, test: Test, of: string | null): Promise<FileTestResult> {
  const result = (problem: string | null): FileTestResult => ({ name: test.name, line: test.line, problem, text: null });
  const found = passPrograms(withHeader(test.program));
  if (typeof found === "string") return result(`the program of the test: ${found}`);
  const [one] = found;
  if (one === undefined || found.length > 1) return result("a test has one program");
  const answer = await runner.ask({ ask: "analyze", code, program: one.program, source: [] });
  if ("ended" in answer) return result(answer.message);
  if ("failed" in answer) return result(`${answer.failed.line > 0 ? `line ${answer.failed.line}: ` : ""}${answer.failed.message}`);
  // An analysis that is compared with no built-in one only has to end.
  if (of === null) return result(null);
  const rows = compareAnalysis(of, one.program.text, answer.blocks);
  if (typeof rows === "string") return result(rows);
  const first = rows.find((row) => !row.same);
  return result(first === undefined ? null : `${of} of ${first.block} is ${first.ours}, but the analysis reports ${first.theirs}`);
}

async function runOne(subject: CheckSubject, test: Test): Promise<FileTestResult> {
  const { name, line, after, unchanged } = test;
  const result = (problem: string | null, text: string | null = null): FileTestResult => ({ name, line, problem, text });
  const found = passPrograms(withHeader(test.program));
  if (typeof found === "string") return result(`the program of the test: ${found}`);
  const [one] = found;
  if (one === undefined || found.length > 1) return result("a test has one program");
  const { runner, code } = subject;
  const answer = await runner.ask({
    ask: "run",
    code,
    program: one.program,
    source: [],
    skips: [],
    fuel: null,
    record: false,
    lines: 0,
    twice: false,
  });
  if ("ended" in answer) return result(answer.message);
  if ("failed" in answer) return result(answer.failed.message);
  if (answer.thrown !== null) return result(`line ${answer.thrown.line}: ${answer.thrown.message}`);
  if (unchanged && answer.changed) return result("the program should not change, but did", answer.text);
  if (after !== null && !sameUpToNames(answer.text, withHeader(after)))
    return result("the result differs from the expected program", answer.text);
  const { law, message } = judgePass(one.program.text, answer.text, { seed: 1, inputs: INPUTS });
  return result(law === null ? null : `${law}: ${message}`, answer.text);
}

/** A test may leave out the line that names the kernel. */
const withHeader = (text: string): string => (/^[ \t]*\.(?:kernel|func|target|symbol)\b/m.test(text) ? text : `.kernel program()\n${text}`);
