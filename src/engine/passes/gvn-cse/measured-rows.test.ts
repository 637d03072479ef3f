/** The measured findings on redundancy, one program each, against the model's pipeline under policy 'measured'. */

import { describe, expect, it } from "vitest";
import type { Func } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { freshSeed } from "../../testing/seed.ts";
import { parseModule } from "../../text/parser.ts";
import { NOT_APPLICABLE, programOf, ROWS, type Row } from "./testing/measured-rows.ts";

/** What does not agree, with the reason. */
const KNOWN: Readonly<Record<string, string>> = {};

function copiesLeft(row: Row, target: string, level: number): number {
  const { module, diagnostics } = parseModule(programOf(row));
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const { plan, problems } = planPipeline({ ...DEFAULT_OPTIONS, target, level, policy: "measured" }, null);
  expect(problems.filter((p) => p.severity === "error")).toEqual([]);
  const { result } = runPipeline(module.funcs[0] as Func, module, plan);
  return result.layout.flatMap((id) => result.blocks[id]?.insts ?? []).filter((inst) => inst.op === row.marker).length;
}

describe("measured findings on redundancy", () => {
  it("hold in the model, or are listed with a reason", () => {
    const missed: string[] = [];
    let tried = 0;
    for (const row of ROWS) {
      for (const level of [0, 1, 2, 3]) {
        // The findings are the same for both: one of the two at each level, the other one on other commits.
        const target = (freshSeed() + tried) % 2 === 0 ? "sm_80" : "sm_90";
        tried++;
        const wanted = row.counts[Math.min(level, 2)];
        const mine = copiesLeft(row, target, level);
        if (mine !== wanted) missed.push(`${row.name}, -O${level}, ${target}: ${mine} ${row.marker} instead of ${wanted}`);
      }
    }
    const agreed = tried - missed.length;
    process.stdout.write(`redundancy findings: ${agreed} of ${tried} agree (${((100 * agreed) / tried).toFixed(1)} %)\n`);
    for (const line of NOT_APPLICABLE) process.stdout.write(`not applicable: ${line}\n`);
    for (const line of missed) process.stdout.write(`  ${line}\n`);
    const unknown = missed.filter((line) => !Object.keys(KNOWN).some((name) => line.startsWith(`${name},`)));
    expect(unknown).toEqual([]);
  });
});
