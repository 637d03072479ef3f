/** Runs a pass's code in a context of this process: as the sandboxes do, without their limits. For tests. */

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import type { CheckSubject, PassRunner } from "../check.ts";
import { compilePass } from "../compile.ts";
import { guestScript } from "../guest-script.ts";
import { type PassRequest, readAnswer } from "../requests.ts";

/** The answer as it comes out of the context. */
export function localGuest(): (request: PassRequest) => string {
  const context = createContext(Object.create(null) as object);
  runInContext(guestScript(), context);
  return (request) => {
    runInContext(`var request = ${JSON.stringify(JSON.stringify(request))}`, context);
    return String(runInContext("oriscopeGuest(request)", context));
  };
}

export function localRunner(): PassRunner {
  const guest = localGuest();
  return {
    ask(request) {
      const answer = readAnswer(request.ask, guest(request));
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
