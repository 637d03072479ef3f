/** Runs a pass's code in a context of this process: as the sandboxes do, without their limits. For tests. */

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import type { CheckSubject, PassRunner } from "../check.ts";
import { compilePass } from "../compile.ts";
import { guestScript } from "../guest-script.ts";
import { readAnswer } from "../requests.ts";

export function localRunner(): PassRunner {
  const context = createContext(Object.create(null) as object);
  runInContext(guestScript(), context);
  return {
    ask(request) {
      runInContext(`var request = ${JSON.stringify(JSON.stringify(request))}`, context);
      const answer = readAnswer(request.ask, runInContext("oriscopeGuest(request)", context));
      return Promise.resolve(typeof answer === "string" ? { ended: "crash", message: answer } : answer);
    },
  };
}

/** A source, ready to be asked. */
export function subjectOf(source: string, runner: PassRunner = localRunner(), ms = 20_000): CheckSubject {
  const compiled = compilePass(source);
  if (!compiled.ok) throw new Error(`line ${compiled.problem.line}: ${compiled.problem.message}`);
  return { runner, code: compiled.code, ms };
}

export const templateSource = (name: string): string => readFileSync(new URL(`../../../passes/${name}.ts`, import.meta.url), "utf8");
