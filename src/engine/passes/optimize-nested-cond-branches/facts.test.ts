/** Policy 'measured' against the output of ptxas 13.0.88 for nested conditions and short arms: remaining branches, and how predicates were combined. */

import { describe, expect, it } from "vitest";
import { importPtx } from "../../import/ptx/import.ts";
import type { Func } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { readFacts } from "../testing/facts.ts";

type Seen = Partial<Record<"cond_branches" | "isetp_with_pred_input" | "plop3" | "bra_two_preds" | "predicated", number>>;

interface Fact {
  readonly file: string;
  readonly recipe: string;
  readonly observed: Readonly<Record<string, Seen>>;
}

const { facts, kernel } = readFacts<Fact>("optimize-nested-cond-branches");

function made(file: string, config: string): Required<Pick<Seen, "cond_branches" | "isetp_with_pred_input">> {
  const [target = "", level = "O3"] = config.split(" ");
  const { module } = importPtx(kernel(file));
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, target, level: Number(level.slice(1)), policy: "measured" }, module.target);
  const { result } = runPipeline(module.funcs[0] as Func, module, plan);
  const insts = result.layout.flatMap((id) => result.blocks[id]?.insts ?? []);
  return {
    cond_branches: insts.filter((i) => i.op === "BRA" && (i.guard !== null || i.ops.length > 1)).length,
    isetp_with_pred_input: insts.filter((i) => (i.op === "ISETP" || i.op === "FSETP") && i.ops.length > 3).length,
  };
}

describe("nests and arms compiled by ptxas 13.0.88", () => {
  it("keep as many branches under policy 'measured'", { timeout: 120_000 }, () => {
    const missed: string[] = [];
    let tried = 0;
    for (const fact of facts) {
      const results = new Map<string, ReturnType<typeof made>>();
      for (const [config, seen] of Object.entries(fact.observed)) {
        if (seen.cond_branches === undefined) continue;
        const level = config.split(" ")[1] ?? "";
        const mine = results.get(level) ?? made(fact.file, config);
        results.set(level, mine);
        tried++;
        if (mine.cond_branches !== seen.cond_branches)
          missed.push(`${fact.file} ${config} ${fact.recipe}: ${mine.cond_branches} branches instead of ${seen.cond_branches}`);
      }
    }
    const agreed = tried - missed.length;
    process.stdout.write(`nest and arm facts: ${agreed} of ${tried} agree (${((100 * agreed) / tried).toFixed(1)} %)\n`);
    for (const row of missed) process.stdout.write(`  ${row}\n`);
    expect(tried).toBeGreaterThan(80);
    // The two that differ have loads or parameters in front of the nest that ptxas keeps apart from it; why is not known.
    expect(missed.length).toBeLessThanOrEqual(2);
  });
});
