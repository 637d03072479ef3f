/** The tests that stand inside a pass's file: `test("name", program, { after })`. */

import { judgePass, passPrograms, sameUpToNames } from "../engine/api/pass-check.ts";
import type { CheckSubject } from "./check.ts";
import type { Described } from "./requests.ts";

export interface FileTestResult {
  readonly name: string;
  readonly line: number;
  /** null: it holds. */
  readonly problem: string | null;
  /** What the pass made of the program; null: nothing. */
  readonly text: string | null;
}

const INPUTS = 16;

export async function runFileTests(subject: CheckSubject, tests: Described["tests"]): Promise<readonly FileTestResult[]> {
  const results: FileTestResult[] = [];
  for (const test of tests) results.push(await runOne(subject, test));
  return results;
}

async function runOne(subject: CheckSubject, test: Described["tests"][number]): Promise<FileTestResult> {
  const { name, line, after, unchanged } = test;
  const result = (problem: string | null, text: string | null = null): FileTestResult => ({ name, line, problem, text });
  const found = passPrograms(withHeader(test.program));
  if (typeof found === "string") return result(`the program of the test: ${found}`);
  const [one] = found;
  if (one === undefined || found.length > 1) return result("a test has one program");
  const { runner, code, ms } = subject;
  const answer = await runner.ask({
    ask: "run",
    code,
    ms,
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
  if (unchanged && answer.changed) return result("the program was to stay as it is, and changed", answer.text);
  if (after !== null && !sameUpToNames(answer.text, withHeader(after)))
    return result("the result is another program than the one expected", answer.text);
  const { law, message } = judgePass(one.program.text, answer.text, { seed: 1, inputs: INPUTS });
  return result(law === null ? null : `${law}: ${message}`, answer.text);
}

/** A test may leave out the line that names the kernel. */
const withHeader = (text: string): string => (/^\s*\.(?:kernel|func|target|symbol)\b/m.test(text) ? text : `.kernel program()\n${text}`);
