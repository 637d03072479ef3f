/** Policy 'measured' against the output of ptxas 13.0.88 for the same kernels: the number of remaining copies of the marked instruction. */

import { describe, expect, it } from "vitest";
import { importPtx } from "../../import/ptx/import.ts";
import type { Func } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { readFacts } from "../testing/facts.ts";

interface Fact {
  readonly file: string;
  readonly recipe: string;
  /** The opcode that is counted. */
  readonly marker: string;
  /** By `TARGET OLEVEL`. */
  readonly counts: Readonly<Record<string, number>>;
}

const { facts, kernel } = readFacts<Fact>("gvn-cse");

function copiesLeft(fact: Fact, config: string): number {
  const [target = "", level = "O0"] = config.split(" ");
  const { module } = importPtx(kernel(fact.file));
  const { plan, problems } = planPipeline({ ...DEFAULT_OPTIONS, target, level: Number(level.slice(1)), policy: "measured" }, module.target);
  expect(problems.filter((p) => p.severity === "error")).toEqual([]);
  const { result } = runPipeline(module.funcs[0] as Func, module, plan);
  return result.layout.flatMap((id) => result.blocks[id]?.insts ?? []).filter((inst) => inst.op === fact.marker).length;
}

describe("redundancy kernels compiled by ptxas 13.0.88", () => {
  it("keep as many copies under policy 'measured', at every level and target", () => {
    const missed: string[] = [];
    let tried = 0;
    for (const fact of facts) {
      for (const [config, count] of Object.entries(fact.counts)) {
        tried++;
        const mine = copiesLeft(fact, config);
        if (mine !== count) missed.push(`${fact.file} ${config} ${fact.recipe}: ${mine} ${fact.marker} instead of ${count}`);
      }
    }
    const agreed = tried - missed.length;
    process.stdout.write(`redundancy kernels: ${agreed} of ${tried} agree (${((100 * agreed) / tried).toFixed(1)} %)\n`);
    expect(missed).toEqual([]);
  });
});
