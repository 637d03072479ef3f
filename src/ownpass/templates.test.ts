/** The templates: their own tests hold, and so do the laws on random programs. */

import { describe, expect, it } from "vitest";
import { compareAnalysis } from "../engine/api/pass-analysis.ts";
import { passProgram, passPrograms } from "../engine/api/pass-check.ts";
import { checkPass } from "./check.ts";
import { runFileTests } from "./file-tests.ts";
import { localRunner, subjectOf, templateSource } from "./testing/local-runner.ts";

const PASSES = ["empty", "jump-to-next", "dead-code", "local-value-numbering", "constant-propagation", "licm", "into-ssa", "out-of-ssa"];
const ANALYSES = ["liveness", "dominators"];
const PROGRAMS = Number(process.env.PASS_COUNT ?? 8);
// PASS_SEED and PASS_COUNT: others, and more of them.
const SEED = Number(process.env.PASS_SEED ?? 1);

describe(`templates (PASS_SEED=${SEED})`, { timeout: 300_000 }, () => {
  const runner = localRunner();

  it.each(PASSES)("%s keeps the laws", async (name) => {
    const subject = subjectOf(templateSource(name), runner);
    const described = await runner.ask({ ask: "describe", code: subject.code, ms: subject.ms });
    if (!("tests" in described)) throw new Error(JSON.stringify(described));
    expect((await runFileTests(subject, described.tests)).filter((t) => t.problem !== null)).toEqual([]);
    const { failures, rows } = await checkPass(subject, { given: [], count: PROGRAMS, seed: SEED, inputs: 6, shrink: false });
    expect(failures.slice(0, 1)).toEqual([]);
    if (name !== "empty") expect(rows.some((row) => row.rewrites > 0)).toBe(true);
  });

  it.each(ANALYSES)("%s agrees with ours", async (name) => {
    const subject = subjectOf(templateSource(name), runner);
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const found = passPrograms(passProgram(seed).text);
      if (typeof found === "string") throw new Error(found);
      const described = await runner.ask({ ask: "describe", code: subject.code, ms: subject.ms });
      const answer = await runner.ask({ ask: "analyze", code: subject.code, ms: subject.ms, program: found[0]!.program, source: [] });
      if (!("blocks" in answer) || !("of" in described)) throw new Error(JSON.stringify(answer));
      const rows = compareAnalysis(described.of, found[0]!.program.text, answer.blocks);
      if (typeof rows === "string") throw new Error(rows);
      expect({ seed, wrong: rows.filter((row) => !row.same) }).toEqual({ seed, wrong: [] });
    }
  });
});
