/** The templates: their own tests hold, and so do the laws on random programs; each exercise is its solution with a hole, and its tests detect the hole. */

import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../engine/testing/seed.ts";
import { boxRunner } from "../../box/runner.ts";
import { compareAnalysis } from "../analysis-results.ts";
import { passProgram, passPrograms } from "../programs.ts";
import { checkPass } from "./check.ts";
import { type FileTestResult, runFileTests } from "./file-tests.ts";
import { PASS_TEMPLATES, type PassTemplate } from "./templates.ts";
import { subjectOf, templateSource } from "./testing/subject.ts";

const idsOf = (kind: PassTemplate["kind"]): readonly string[] => PASS_TEMPLATES.filter((t) => t.kind === kind).map(({ id }) => id);
const PASSES = idsOf("pass");
const ANALYSES = idsOf("analysis");
const PROGRAMS = draws(6);
const SEED = 1;

/** Random programs have no unreachable block. */
const SWITCH = `.kernel k(n: R0, a: RD1)
.table T base=0 default=D { B, C, B }
A:
  STG [RD1], R0
  EXIT
B:
  JMX R0, T
C:
  BRA B
D:
  EXIT
`;

describe("templates", { timeout: 300_000 }, () => {
  const runner = boxRunner();

  it.each(PASSES)("%s keeps the laws", async (name) => {
    const subject = subjectOf(templateSource(name), runner);
    const given = name === "unreachable-code" ? [{ name: "an unreachable switch", text: SWITCH }] : [];
    const { failures, rows } = await checkPass(subject, { given, count: PROGRAMS, seed: SEED, inputs: 6, shrink: false });
    expect(failures.slice(0, 1)).toEqual([]);
    if (name !== "empty") expect(rows.some((row) => row.rewrites > 0)).toBe(true);
  });

  it.each(ANALYSES)("%s agrees with ours", async (name) => {
    const subject = subjectOf(templateSource(name), runner);
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const found = passPrograms(passProgram(seed).text);
      if (typeof found === "string") throw new Error(found);
      const described = await runner.ask({ ask: "describe", code: subject.code });
      const answer = await runner.ask({ ask: "analyze", code: subject.code, program: found[0]!.program, source: [] });
      if (!("blocks" in answer) || !("of" in described)) throw new Error(JSON.stringify(answer));
      const rows = compareAnalysis(described.of, found[0]!.program.text, answer.blocks);
      if (typeof rows === "string") throw new Error(rows);
      expect({ seed, wrong: rows.filter((row) => !row.same) }).toEqual({ seed, wrong: [] });
    }
  });

  /** Runs the tests of a file, which must load with or without a hole. */
  async function testsOf(source: string): Promise<readonly FileTestResult[]> {
    const subject = subjectOf(source, runner);
    const described = await runner.ask({ ask: "describe", code: subject.code });
    if (!("tests" in described)) throw new Error(JSON.stringify(described));
    return runFileTests(subject, described.tests, described.kind === "analysis" ? described : undefined);
  }

  it("are all listed, and each has an exercise but the empty one", () => {
    const files = readdirSync(new URL("../../../../../passes/", import.meta.url)).filter((name) => name.endsWith(".ts"));
    expect(PASS_TEMPLATES.map(({ id }) => `${id}.ts`).sort()).toEqual(files.sort());
    expect(PASS_TEMPLATES.filter((t) => t.exercise === null).map(({ id }) => id)).toEqual(["empty"]);
    for (const { about, exercise } of PASS_TEMPLATES) {
      expect(about).toMatch(/^[A-Z][^.]{20,180}\.$/);
      if (exercise !== null) expect(/^\/\*\*[\s\S]*?\*\//.exec(exercise)?.[0]).toMatch(/(?:The|In the)[\s*]+template/);
    }
  });

  const WITH_HOLE = PASS_TEMPLATES.flatMap(({ id, solution, exercise }) => (exercise === null ? [] : [{ id, solution, exercise }]));

  it.each(WITH_HOLE)("$id: the exercise is the solution with a hole", ({ solution, exercise }) => {
    const around = (source: string): readonly (string | undefined)[] => {
      const code = source.replace(/^\/\*\*[\s\S]*?\*\//, "");
      return (/^([\s\S]*\/\/ your turn: [^\n]*\n)[\s\S]*?( *\/\/ end\n[\s\S]*)$/.exec(code) ?? []).slice(1);
    };
    expect(around(solution)).toHaveLength(2);
    expect(around(exercise)).toEqual(around(solution));
  });

  it.each(WITH_HOLE)("$id: its tests see the hole, and hold when it is filled", async ({ solution, exercise }) => {
    const filled = await testsOf(solution);
    expect(filled.length).toBeGreaterThan(1);
    expect(filled.filter((t) => t.problem !== null)).toEqual([]);
    expect((await testsOf(exercise)).some((t) => t.problem !== null)).toBe(true);
  });
});
