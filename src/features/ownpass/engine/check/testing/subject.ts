/** A pass's source, ready to run, for tests. */

import { readFileSync } from "node:fs";
import { boxRunner } from "../../../box/runner.ts";
import type { CheckSubject, PassRunner } from "../check.ts";
import { compilePass } from "../compile.ts";

export function subjectOf(source: string, runner: PassRunner = boxRunner()): CheckSubject {
  const compiled = compilePass(source);
  if (!compiled.ok) throw new Error(`line ${compiled.problem.line}: ${compiled.problem.message}`);
  return { runner, code: compiled.code };
}

export const templateSource = (name: string): string =>
  readFileSync(new URL(`../../../../../../passes/${name}.ts`, import.meta.url), "utf8");
