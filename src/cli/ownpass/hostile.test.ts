/** Passes that mean harm, in the process that the command line runs them in: each costs a message and nothing more. */

import { afterAll, describe, expect, it } from "vitest";
import { passPrograms } from "../../engine/api/pass-check.ts";
import { compilePass } from "../../ownpass/compile.ts";
import { HARMLESS, HARMLESS_SAYS, HOSTILE, HOSTILE_PROGRAM } from "../../ownpass/testing/hostile.ts";
import { PassChild } from "./child.ts";

const MEBIBYTE = 1024 * 1024;

async function ask(source: string, child: PassChild): Promise<string> {
  const compiled = compilePass(source);
  if (!compiled.ok) return compiled.problem.message;
  const found = passPrograms(HOSTILE_PROGRAM);
  if (typeof found === "string") throw new Error(found);
  const answer = await child.ask({
    ask: "run",
    code: compiled.code,
    ms: 0,
    program: found[0]!.program,
    source: [],
    skips: [],
    fuel: null,
    record: true,
    lines: 0,
    twice: false,
  });
  if ("ended" in answer) return answer.message;
  if ("failed" in answer) return `line ${answer.failed.line}: ${answer.failed.message}`;
  return answer.thrown === null ? `fine: ${answer.why}` : `line ${answer.thrown.line}: ${answer.thrown.message}`;
}

describe("hostile passes", { timeout: 120_000 }, () => {
  const child = new PassChild({ ms: 1500, memory: 128 * MEBIBYTE });
  afterAll(() => child.end());

  it.each(HOSTILE)("$what", async ({ source, says }) => {
    expect(await ask(source, child)).toMatch(says);
    // The next pass is none the worse for it, and neither is this process.
    expect(await ask(HARMLESS, child)).toBe(HARMLESS_SAYS);
    expect(({} as Record<string, unknown>).ended).toBeUndefined();
  });
});
