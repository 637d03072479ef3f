/** The course: solutions are worth all points, nothing is worth none, wrong answers are worth none, and every student's programs can be solved. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { boxRunner } from "../../ownpass/box/runner.ts";
import { checkLab } from "./check.ts";
import { Grader } from "./grade.ts";
import { judgeTask } from "./judge.ts";
import { Context } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { WriteSpec } from "./kinds/write.ts";
import { readLab } from "./read/read-lab.ts";
import { Stage } from "./stage.ts";

const folder = join(import.meta.dirname, "../../../../labs");
const labs = readdirSync(folder).filter((name) => name.endsWith(".md"));
const texts = new Map(
  labs.map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [/^id: (\S+)$/m.exec(text)?.[1] ?? name, text];
  }),
);
/** Programs of fresh students on every run; `oriscope lab check --variants 200` tries them at length. */
const FIRST = freshSeed(1_000_000);

/** Passes run on some forty programs, with sixteen inputs each. */
const CODE_MS = 240_000;

/** A wrong answer of the right shape. */
const WRONG: Readonly<Record<string, unknown>> = {
  mark: { blocks: ["NOWHERE"] },
  predict: { verdict: "nope", condition: "nope", block: "NOWHERE", register: "R999", kind: "nope", value: "nope", fact: "nope" },
  simulate: { moves: ["NOWHERE", "nothing"] },
  fill: { cells: { NOWHERE: "R999" } },
  order: { order: [] },
  edit: { ori: ".kernel k(out: RD1)\nA:\n    EXIT\n" },
  reach: { plan: { level: 0, policy: "notes", knobs: ["nope=1"], phases: ["nope"], skips: [] } },
  "find-wrong": { rewrite: "3#999", condition: "nope:nope", input: { threads: 1, args: ["nope=1"] } },
  tests: { tests: [{ ori: ".kernel k(out: RD1)\nA:\n    EXIT\n" }] },
  choice: { choose: [29] },
  number: { number: -12_345 },
  write: { pass: "export default 1;" },
};

it("the student carries out an algorithm in at least eight of the labs", () => {
  const simulating = [...texts.values()].filter((text) => readLab(text).lab?.tasks.some((t) => t.kind === "simulate" && t.again === null));
  expect(simulating.length).toBeGreaterThanOrEqual(8);
});

describe.each(labs.map((name, at) => [name, at] as const))("%s", (name, at) => {
  const text = readFileSync(join(folder, name), "utf8");
  const solutions = readFileSync(join(folder, "solutions", name.replace(/\.md$/, ".json")), "utf8");
  const { lab } = readLab(text);
  if (lab === null) throw new Error(`${name} cannot be read`);
  const runner = boxRunner();
  const grader = new Grader(lab, { voided: new Set(), accept: new Set(), engine: "9.9.9" });
  const answered = async (answers: Readonly<Record<string, unknown>>): Promise<ReturnType<Grader["grade"]>> => {
    const handIn = JSON.stringify({ ...JSON.parse(solutions), answers });
    await grader.tryCode(handIn, { runner, seed: null });
    return grader.grade(name, handIn);
  };

  it(
    "is without errors and warnings, and its solutions are worth all points",
    async () => {
      const { ok, diagnostics, tasks } = await checkLab(text, { solutions, variants: 0, others: (id) => texts.get(id) ?? null });
      expect(diagnostics.map((d) => `${d.line}: ${d.message}`)).toEqual([]);
      expect(ok).toBe(true);
      expect(tasks.filter((t) => t.solved !== true && t.kind !== "text" && t.kind !== "write")).toEqual([]);
      expect(new Set(tasks.map((t) => t.kind)).size, "kinds").toBeGreaterThanOrEqual(5);
      // From the second lab on, two questions of earlier labs come first.
      expect(lab.tasks.flatMap(({ again }, i) => (again === null ? [] : [i]))).toEqual(name.startsWith("01") ? [] : [0, 1]);
      // The code among them is run for every second lab, of the others on other commits: `oriscope lab check` runs all.
      const runs = at % 2 !== FIRST % 2;
      if (runs) await grader.tryCode(solutions, { runner, seed: null });
      const grade = grader.grade(name, solutions);
      expect(grade.warnings).toEqual([]);
      const open = lab.tasks.filter((t) => t.kind === "text" || (t.kind === "write" && !runs)).reduce((sum, t) => sum + t.points, 0);
      expect(grade.points).toBe(lab.max - open);
    },
    CODE_MS,
  );

  it("gives nothing for nothing, and nothing for wrong answers", async () => {
    expect(await answered({})).toMatchObject({ status: "graded", points: 0, open: 0 });
    const wrong = await answered(Object.fromEntries(lab.tasks.map((t) => [t.id, WRONG[t.kind] ?? {}])));
    expect(wrong.tasks.filter((t) => t.kind !== "text" && t.status !== "wrong").map((t) => `${t.id}: ${t.status}: ${t.reason}`)).toEqual(
      [],
    );
    expect(wrong.points).toBe(0);
  });

  // Every second lab, the others on other commits: the code runs on as many programs as a solution's.
  it.runIf(at % 2 === FIRST % 2)(
    "gives nothing for what a pass begins with, and little for what an analysis does",
    async () => {
      const writes = lab.tasks.filter((t) => t.kind === "write").map((t) => ({ ...t, spec: t.spec as WriteSpec }));
      const begun = await answered(Object.fromEntries(writes.map(({ id, spec }) => [id, { pass: spec.start }])));
      for (const { id, spec, points } of writes) {
        const result = begun.tasks.find((t) => t.id === id);
        // An entry without a dominator is always right.
        expect(result?.points, `${id}: ${result?.reason}`).toBeLessThanOrEqual(spec.what === "pass" ? 0 : points / 4);
      }
    },
    CODE_MS,
  );

  it(`can be solved by every student (seeds from ${FIRST})`, () => {
    if (lab.front.seed === "fixed") return;
    const texts = new Set<string>();
    const seeds = [0, 1].map((i) => (lab.front.variants === null ? FIRST + i : 1 + ((FIRST + i) % lab.front.variants)));
    for (const seed of seeds) {
      const stage = new Stage(lab, seed);
      for (const task of lab.tasks) {
        const ctx = new Context(stage, task, 0);
        if (lab.programs.some((p) => p.kind === "generated" && p.name === task.program)) texts.add(ctx.program.text);
        const solution = kindOf(task.kind)?.solve(task.spec, ctx) ?? null;
        if (solution !== null)
          expect(judgeTask(stage, task, solution, 0, 0), `seed ${seed}, ${task.id}`).toMatchObject({ status: "right" });
      }
    }
    expect(texts.size).toBeGreaterThanOrEqual(seeds.length);
  });
});
