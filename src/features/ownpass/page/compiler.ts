/** From source to what a sandbox accepts, and the file's description. The compiler is loaded when the first pass runs. */

import type { AnswerTo, Described, PassRequest } from "../engine/check/requests.ts";
import type { PassSandbox } from "./sandbox-port.ts";
import type { PassProblem } from "./state.ts";

export type Loaded =
  | { readonly ok: true; readonly code: string; readonly described: Described }
  | { readonly ok: false; readonly problems: readonly PassProblem[] };

/** `null`: it was stopped. */
export async function loadPass(source: string, sandbox: PassSandbox): Promise<Loaded | null> {
  const code = await codeOf(source);
  if (typeof code !== "string") return { ok: false, problems: [code] };
  const described = await answerOf(sandbox, { ask: "describe", code });
  if (described === null) return null;
  return "problem" in described ? { ok: false, problems: [described.problem] } : { ok: true, code, described };
}

const COMPILED = 8;
const compiled = new Map<string, string | PassProblem>();

/** What runs of a source; or what is wrong with it. */
export async function codeOf(source: string): Promise<string | PassProblem> {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const { compilePass } = await import("../engine/check/compile.ts");
  const made = compilePass(source);
  const code = made.ok ? made.code : made.problem;
  compiled.set(source, code);
  for (const old of compiled.keys()) {
    if (compiled.size <= COMPILED) break;
    compiled.delete(old);
  }
  return code;
}

type Answered<Ask extends PassRequest["ask"]> = Exclude<AnswerTo<Ask>, { readonly failed: unknown }>;

/** Asks and reads the answer; null: it was stopped. */
export async function answerOf<Ask extends "describe" | "analyze">(
  sandbox: PassSandbox,
  request: PassRequest & { readonly ask: Ask },
): Promise<Answered<Ask> | { readonly problem: PassProblem } | null> {
  const [answer, { readAnswer }] = await Promise.all([sandbox.ask(request), import("../engine/check/requests.ts")]);
  if (typeof answer !== "string")
    return answer.ended === "stopped" ? null : { problem: { line: answer.line ?? 0, column: 0, message: answer.message } };
  const read = readAnswer<Ask>(request.ask, answer);
  if (typeof read === "string") return { problem: { line: 0, column: 0, message: read } };
  if ("failed" in read) {
    const { line, message } = read.failed;
    return { problem: { line, column: 0, message } };
  }
  return read as Answered<Ask>;
}
